/* Screens for screen readers (--ascii --colors mono): all as text, one part below the other. */
#include "tests/fixtures/example.h"
#include "tests/fixtures/screen_fixture.h"
#include "ui/app/keymap.h"
#include "ui/panels/view.h"

static void use(struct sample *sample) {
    fixture_use(sample);
    fixture.config.view.terminal.ascii = true;
    fixture.config.view.terminal.colors = COLORS_MONO;
    fixture.screen.ascii = fixture.screen.no_color = true;
}

static int set_up(void **state) {
    use(example_sample(MAPPING_STRUCTURED));
    return 0;
}

static const char *draw_as_text(int cols, int rows) {
    const char *text = fixture_text(cols, rows);
    for (const char *c = text; *c; c++)
        assert_in_range(*c, 0, 0x7f);
    return text;
}

/* A message gets all the rows that it needs; the panels get the rest. */
TEST(message_is_whole) {
    print_to(fixture.state.message,
             "replay: NVIDIA H200, 2026-11-23; running: 18 776 of 60 000, 102 us each, residual "
             "1.23e-5, hip/unstructured/fused");
    const char *screen = draw_as_text(80, 24);
    assert_contains(screen,
                    "\n NOTE  replay: NVIDIA H200, 2026-11-23; running: 18 776 of 60 000, 102 us "
                    "each,\n       residual 1.23e-5, hip/unstructured/fused\n");
    assert_contains(screen, "One iteration");
    assert_contains(screen, "Field U");
}

/* Under a menu, as under the help, no text of the panels remains that could mix with its rows. */
TEST(menu_stands_alone) {
    static struct menu menu = {
        .title = "Grid: interior unknowns", .count = 1, .items = {{.label = "128²"}}};
    fixture.screen.menu = &menu;
    assert_contains(draw_as_text(80, 24), "moving data");
    fixture.state.overlay = OVERLAY_MENU;
    const char *screen = draw_as_text(80, 24);
    assert_contains(screen, " Grid: interior unknowns\n");
    assert_contains(screen, " 128^2\n");
    assert_contains(screen, "arrows choose  Enter select  Esc back\n");    /* under the menu, */
    assert_contains(screen, "\n arrows choose  Enter select  Esc back\n"); /* and in the footer */
    assert_null(strstr(screen, "moving data"));
    assert_null(strstr(screen, "Field U"));
}

/* A key per row, with its whole sentence; scrolling to the end shows every key. */
TEST(help_is_one_column) {
    struct key_hint hints[KEY_HINTS_MAX];
    bool told[KEY_HINTS_MAX] = {false};
    fixture.state.overlay = OVERLAY_HELP;
    fixture.screen.hint_count = keymap_hints(&fixture.screen, hints);
    fixture.screen.hints = hints;
    const struct layout layout = screen_layout(&fixture.screen, 80, 24);
    const int last = help_last_top(&fixture.screen, layout.body);
    assert_true(last > 0);
    for (; fixture.state.overlay_top <= last; fixture.state.overlay_top += 10) {
        const char *screen = draw_as_text(80, 24);
        assert_contains(screen, "arrows, PgUp, PgDn scroll");
        for (int h = 0; h < fixture.screen.hint_count; h++) {
            char row[160];
            print_to(row, "%s  %s\n", hints[h].label, hints[h].help);
            told[h] |= !hints[h].help || strstr(screen, row);
        }
    }
    fixture.state.overlay_top = last;
    const char *end = draw_as_text(80, 24);
    for (int h = 0; h < fixture.screen.hint_count; h++) {
        char row[160];
        print_to(row, "%s  %s\n", hints[h].label, hints[h].help);
        if (!told[h] && !strstr(end, row))
            fail_msg("'%s' is never told; at the end:\n%s", row, end);
    }
}

/* The error has the full width; a picture would take part of it. */
TEST(exercise_is_text) {
    struct check_verdict verdict = {.nx = 16, .ny = 16};
    const struct kernel_builder_status news = {.state = BUILD_WRONG,
                                               .file = "/home/student/02-needless/update.c",
                                               .number = 1,
                                               .line = "U(5, 0) is 1, not 0",
                                               .verdict = &verdict};
    struct exercise_view view = {.title = "02-needless  Copies that nobody needs",
                                 .text = "Copies\n\nUpdate maps every array.\n\nMap less.",
                                 .news = &news};
    verdict.differences[5] = 1;
    fixture.screen.exercise = &view;
    const char *screen = draw_as_text(80, 24);
    assert_contains(screen, "  Wrong: U(5, 0) is 1, not 0\n");
    assert_contains(screen, "  Update maps every array.\n");
    assert_contains(screen, "  Map less.\n");
    assert_null(strstr(screen, "by decades"));
}

static int count_rows(const char *screen, const char *begin) {
    int count = 0;
    for (const char *line = screen; (line = strstr(line, begin)); line++)
        count += line > screen && line[-1] == '\n';
    return count;
}

/* Costs and verdict show their figures as text, once, and one bar row per lane, at any height. */
TEST(costs_are_text) {
    for (int lanes = 1; lanes <= LANES_MAX; lanes++)
        for (int rows = 24; rows <= 60; rows += 36) {
            use(compare_example(lanes));
            fixture.state.full = panel_find("costs");
            const char *screen = draw_as_text(80, rows);
            const int bars = count_rows(screen, "  O") + count_rows(screen, "  #");
            if (bars != lanes)
                fail_msg("%d rows of bars of %d lanes:\n%s", bars, lanes, screen);
            assert_contains(screen, lanes > 1 ? "\n  A  " : "\n  omp/structured/classic ");
            assert_contains(screen, "  copies    800 ms  1.48 GB\n");
            assert_null(strstr(screen, "##  ##"));
            if (lanes > 1) {
                assert_contains(screen, "so far: copies, and total\n");
                fixture.state.full = panel_find("verdict");
                screen = draw_as_text(80, rows);
                assert_contains(screen, "same residual");
                assert_null(strstr(screen, "##"));
            }
        }
}

/* Where the arrays are is followed by what an iteration costs. */
TEST(motion_is_text) {
    use(compare_example(2));
    fixture.state.layout = motion_panel.name;
    const char *screen = draw_as_text(80, 24);
    assert_contains(screen, "\nB, ");
    assert_contains(screen, "  One iteration, ");
    assert_contains(screen, "/it ");
    assert_contains(screen, "same residual");
}

TEST(panels_stay_inside) {
    for (int lanes = 1; lanes <= LANES_MAX; lanes++) {
        use(compare_example(lanes));
        fixture_check_bounds();
    }
}

TEST_MODULE_SETTING_UP_EACH(linear, set_up, NULL)
