/* Sheets of golden screens: every panel at every size, in every form, and every colour; and the
 * text of every exercise. */
#include "tests/fixtures/samples.h"

#include <glob.h>

#include "metrics/rates.h"
#include "tests/fixtures/example.h"
#include "tests/fixtures/folder.h"
#include "tests/fixtures/golden.h"
#include "tests/fixtures/screen_fixture.h"
#include "ui/panels/view.h"

/* A panel or a layout, and the state that its example needs. */
struct shown {
    const char *panel, *what;
    int lanes;
    bool full;
    enum race race;
    enum theme theme;
    void (*prepare)(void);
};

static void put_devices(void) {
    example_devices(&fixture.sample->lanes[0], 4, 2);
}

static void put_tuning_scan(void) {
    struct lane_sample *lane = &fixture.sample->lanes[0];
    lane->run.tuning = (struct tuning){.block = 128, .norm_block = 512};
    lane->tuning_tried = (struct tuning){.block = 128 | 256 | 512, .norm_block = 256 | 512 | 1024};
    lane->tuning_scan =
        (struct tuning_scan){5, TUNING_BLOCK, {64, 128, 256, 512, 1024}, {9, 7, 6, 6.5, 8}};
}

/* Levels of a real run: two V-cycles. */
static void put_levels(void) {
    struct sampled_run run;
    const struct lane_spec spec = run_of("serial/unstructured/classic+multigrid --problem charges "
                                         "--grid 63 --tolerance 1e-9");
    sampled_run_open(&run, &spec, 1, 66, 66);
    sampled_run_next(&run, 2);
    sample_copy(fixture.sample, run.sample);
    sampled_run_close(&run);
    struct lane_sample *lane = &fixture.sample->lanes[0];
    lane->seconds = lane->window_seconds = 0.002;
    lane->typical = (struct loop_totals){0};
    lane->times = (struct iteration_times){0};
    print_to(lane->device, "a CPU");
}

static void put_sign(void) {
    const struct mesh mesh = mesh_make(4096, 4096);
    example_field(&fixture.sample->lanes[0], &mesh, 64, 48, true);
}

/* Recorded at the beginning, and again only at iteration 40. */
static void put_late(void) {
    struct lane_sample *lane = &fixture.sample->lanes[1];
    print_to(lane->recorded, "2026-11-22");
    lane->field.iteration = 0;
}

static struct exercise_view *put_exercise(enum build_state state, const char *line) {
    static struct exercise_view view;
    static struct check_verdict verdict = {.nx = 16, .ny = 16};
    static struct kernel_builder_status news = {.file = "/home/student/02-needless/update.c",
                                                .number = 1,
                                                .compile_seconds = 0.5,
                                                .check_seconds = 0.25,
                                                .verdict = &verdict};
    news.state = state;
    print_to(news.good, "%s", state == BUILD_RIGHT ? "update.so" : "");
    print_to(news.line, "%s", line);
    view = (struct exercise_view){.title = "02-needless  Copies that nobody needs",
                                  .text = "Copies\n\nUpdate maps every array.\n\nMap less.",
                                  .afterword = state == BUILD_RIGHT ? "AU stays." : NULL,
                                  .solved = state == BUILD_RIGHT,
                                  .news = &news};
    for (int id = 0; id < 16; id++) /* a column that decreases gradually */
        verdict.differences[5 + 16 * id] = (float)pow(10, -0.25 * id);
    fixture.screen.exercise = &view;
    return &view;
}

/* Two runs of half a minute, a single one with another mapping at first. Their iterations' times
 * vary by a tenth. */
static void put_rates(void) {
    enum { STEPS = 65 };
    static struct rates rates;
    const struct mesh mesh = mesh_make(4096, 4096);
    struct sample *past = sample_kept(fixture.sample);
    rates = (struct rates){0};
    for (int k = 0; k < 2 * STEPS; k++) {
        for (int l = 0; l < past->lane_count; l++) {
            static struct lane_sample each;
            struct lane_sample *lane = &past->lanes[l];
            lane->run.mapping = k < STEPS && past->lane_count == 1
                                    ? MAPPING_UNSTRUCTURED
                                    : fixture.sample->lanes[l].run.mapping;
            memset(&each, 0, sizeof each);
            each.run = lane->run;
            example_costs(&each, &mesh);
            if (k % STEPS == 0) {
                lane->totals = (struct event_totals){0};
                lane->seconds = 0;
            } else {
                event_totals_add(&lane->totals, &each.totals);
                lane->seconds += each.seconds * (1 + 0.1 * sin(k));
            }
            lane->iterations = k % STEPS * EXAMPLE_ITERATIONS;
            lane->residual = 0.01 * pow(1 + k % STEPS, -1.5);
        }
        past->time_ns = k * INT64_C(470000000);
        rates_add(&rates, past);
    }
    sample_destroy(past);
    fixture.screen.rates = &rates;
}

static void put_wrong(void) {
    put_exercise(BUILD_WRONG, "U(5, 0) is 1, not 0");
}

static void put_right(void) {
    put_exercise(BUILD_RIGHT, "");
}

static void put_help(void) {
    fixture.state.overlay = OVERLAY_HELP;
}

static const struct shown shown[] = {
    {.panel = "standard", .lanes = 1, .prepare = put_rates},
    {.panel = "standard", .lanes = 2},
    {.panel = "costs", .lanes = 1},
    {.panel = "costs", .lanes = 2},
    {.panel = "standard", .lanes = 4},
    {.panel = "costs", .lanes = 3},
    {.panel = "costs", .lanes = 4},
    {.panel = "roofline", .lanes = 1, .full = true},
    {.panel = "verdict", .lanes = 1, .full = true},
    {.panel = "costs", .lanes = 2, .race = RACE_SAME_TIME},
    {.panel = "field", .lanes = 1, .full = true},
    {.panel = "residual", .lanes = 1, .full = true},
    {.panel = "timing", .lanes = 1, .full = true},
    {.panel = "timeline", .lanes = 1, .full = true},
    {.panel = "timeline", .lanes = 2, .full = true},
    {.panel = "rates", .lanes = 1, .full = true, .prepare = put_rates},
    {.panel = "rates", .lanes = 2, .full = true, .prepare = put_rates},
    {.panel = "stencil", .lanes = 1, .full = true},
    {.panel = "mesh", .lanes = 1, .full = true},
    {.panel = "roofline", .lanes = 2, .full = true},
    {.panel = "table", .lanes = 2, .full = true},
    {.panel = "verdict", .lanes = 2, .full = true},
    {.panel = "effort", .lanes = 1, .full = true},
    {.panel = "effort", .lanes = 2, .full = true},
    {.panel = "motion", .lanes = 2, .full = true},
    {.panel = "explain", .lanes = 1, .full = true},
    {.panel = "explain", .lanes = 2, .full = true},
    {.panel = "devices", .lanes = 1, .full = true, .prepare = put_devices},
    {.panel = "sweep", .lanes = 1, .full = true, .prepare = put_tuning_scan},
    {.panel = "standard", .lanes = 2, .race = RACE_SAME_TIME},
    {.panel = "standard", .lanes = 1, .theme = THEME_PROJECTOR},
    {.panel = "standard", .lanes = 2, .theme = THEME_PROJECTOR},
    {.panel = "standard", .lanes = 3, .theme = THEME_PROJECTOR},
    {.panel = "residual", .lanes = 1, .full = true, .theme = THEME_PROJECTOR},
    {.panel = "timing", .lanes = 1, .full = true, .theme = THEME_PROJECTOR},
    {.panel = "levels", .lanes = 1, .full = true, .prepare = put_levels},
    {.panel = "field", .lanes = 1, .full = true, .what = "signed", .prepare = put_sign},
    {.panel = "standard", .lanes = 2, .what = "no field", .prepare = put_late},
    {.panel = "standard", .lanes = 1, .what = "a wrong exercise", .prepare = put_wrong},
    {.panel = "standard", .lanes = 1, .what = "a right exercise", .prepare = put_right},
    {.panel = "standard", .lanes = 1, .what = "help", .prepare = put_help},
};

enum { SHOWN = count_of(shown) };

static void draw_shown(struct grid *grid, const struct shown *what, enum theme theme, bool ascii,
                       bool no_color, int cols, int rows) {
    fixture_use(compare_example(what->lanes));
    fixture.screen.ascii = ascii;
    fixture.screen.no_color = no_color;
    fixture.sample->race = what->race;
    fixture.config.view.terminal.theme = theme;
    if (what->prepare)
        what->prepare();
    if (what->full)
        fixture.state.full = panel_find(what->panel);
    else
        fixture.state.layout = what->panel;
    fixture_draw(grid, cols, rows);
    /* On large screens, without the standard layout below a panel that fills few rows. */
    const struct layout layout = screen_layout(&fixture.screen, cols, rows);
    if (what->full && cols > 80)
        grid->rows = layout.slots[0].area.y + layout.slots[0].area.rows;
}

static const char *title_of(const struct shown *what, const char *form) {
    static char title[128];
    print_to(title, "%s, %d lane%s%s%s%s%s%s", what->panel, what->lanes, what->lanes > 1 ? "s" : "",
             what->race ? ", same time" : "", what->theme ? ", on a projector" : "",
             what->what ? ", " : "", what->what ? what->what : "", form);
    return title;
}

/* In colour with the colours' roles, and optionally in ASCII without colours. */
static void check_panels(int cols, int rows, bool in_ascii) {
    for (int plain = 0; plain <= in_ascii; plain++) {
        FILE *sheet = golden_sheet_open();
        for (int s = 0; s < SHOWN; s++) {
            owned_grid grid;
            draw_shown(&grid, &shown[s], shown[s].theme, plain, plain, cols, rows);
            golden_sheet_add(sheet, &grid, title_of(&shown[s], ""), !plain);
        }
        golden_sheet_check(sheet, PRINT("panels%s-%dx%d", plain ? "-ascii" : "", cols, rows));
    }
}

/* Other terminals and themes are recorded as differences: no colours in Unicode, colours in ASCII,
 * a projector. A light background changes only colours. */
static void check_changes(int cols, int rows) {
    FILE *sheet = golden_sheet_open();
    for (int s = 0; s < SHOWN; s++) {
        const struct shown *what = &shown[s];
        struct grid base, other;
        if (what->theme)
            continue;
        draw_shown(&base, what, THEME_DARK, false, false, cols, rows);
        draw_shown(&other, what, THEME_LIGHT, false, false, cols, rows);
        for (int c = 0; c < cols * rows; c++)
            assert_true(cell_equals(&base.cells[c], &other.cells[c]));
        grid_finish(&other);
        draw_shown(&other, what, THEME_DARK, false, true, cols, rows);
        golden_sheet_add_changes(sheet, &other, &base, title_of(what, ", no colours"));
        grid_finish(&other);
        draw_shown(&other, what, THEME_PROJECTOR, false, false, cols, rows);
        golden_sheet_add_changes(sheet, &other, &base, title_of(what, ", for a projector"));
        grid_finish(&other);
        draw_shown(&other, what, THEME_DARK, true, false, cols, rows);
        grid_finish(&base);
        draw_shown(&base, what, THEME_DARK, true, true, cols, rows);
        golden_sheet_add_changes(sheet, &other, &base, title_of(what, ", ASCII in colours"));
        grid_finish(&other);
        grid_finish(&base);
    }
    golden_sheet_check(sheet, PRINT("panels-changes-%dx%d", cols, rows));
}

static void check_is_ascii(int cols, int rows) {
    for (int s = 0; s < SHOWN; s++) {
        owned_grid grid;
        draw_shown(&grid, &shown[s], shown[s].theme, true, true, cols, rows);
        for (int c = 0; c < cols * rows; c++)
            assert_in_range(grid.cells[c].glyph, 0, 0x7f);
    }
}

/* Every panel and layout at three sizes; the largest has no ASCII golden. Explain shows our own
 * source, and effort counts it: digits that change with every line are '#'. The sheet of colours
 * shows each role in each theme and terminal. */
TEST(every_panel) {
    static const int sizes[][2] = {{80, 24}, {120, 40}};
    for (int s = 0; s < 2; s++) {
        check_panels(sizes[s][0], sizes[s][1], true);
        check_changes(sizes[s][0], sizes[s][1]);
    }
    check_panels(200, 60, false);
    check_is_ascii(200, 60);
}

/* A panel leaves the rows that it doesn't need to others: less than a third of them is blank. */
TEST(no_panel_is_mostly_empty) {
    static const int sizes[][2] = {{120, 40}, {200, 60}};
    for (int s = 0; s < 2 * SHOWN; s++) {
        owned_grid grid;
        int blank = 0;
        draw_shown(&grid, &shown[s / 2], THEME_DARK, false, false, sizes[s % 2][0],
                   sizes[s % 2][1]);
        for (int y = 0; y < grid.rows; y++) {
            int x = 1; /* right of a frame's edge */
            while (x < grid.cols - 1 && !grid_at(&grid, x, y)->glyph)
                x++;
            blank += x == grid.cols - 1;
        }
        if (3 * blank >= grid.rows)
            fail_msg("%s at %dx%d: %d blank rows", title_of(&shown[s / 2], ""), grid.cols,
                     grid.rows, blank);
    }
}

/* A large screen has more, not only larger panels: data movement, source and rates for one run,
 * data movement and residual for several. Runs without mapping have no data movement. */
TEST(large_screens_show_more) {
    for (int lanes = 1; lanes <= 3; lanes++)
        for (int maps = 0; maps < 2; maps++) {
            fixture_use(compare_example(lanes));
            print_to(fixture.sample->lanes[0].run.backend, maps ? "omp" : "serial");
            const struct layout large = screen_layout(&fixture.screen, 200, 60),
                                usual = screen_layout(&fixture.screen, 120, 40);
            assert_int_equal(layout_find(&large, &motion_panel) != NULL, maps);
            assert_int_equal(layout_find(&large, &explain_panel) != NULL, lanes == 1);
            assert_true(lanes > 1 || layout_find(&large, &explain_panel)->area.rows >= 30);
            assert_non_null(layout_find(&large, &residual_panel));
            assert_true(lanes == 1 || layout_find(&large, &lane_bars_panel)->area.cols >= 48);
            assert_true(lanes == 1 || layout_find(&large, &timeline_panel)->area.cols == 200);
            assert_int_equal(layout_find(&large, &rates_panel) != NULL, lanes == 1);
            assert_null(layout_find(&usual, &rates_panel));
            assert_null(layout_find(&usual, &motion_panel));
            assert_null(layout_find(&usual, &explain_panel));
        }
}

/* While the next run opens there are no lanes. In few rows all lanes' copies and kernels remain. */
TEST(rates_of_no_lanes_and_of_many) {
    fixture_use(compare_example(4));
    put_rates();
    fixture.state.full = &rates_panel;
    fixture.sample->lanes[3].run.method = METHOD_SOR;
    assert_contains(fixture_text(80, 24), "D Memory");
    assert_null(strstr(fixture_text(80, 24), "Residual"));
    assert_contains(fixture_text(80, 40), "D Residual");
    fixture.sample->lane_count = 0;
    assert_contains(fixture_text(80, 24), "Last 60 s");
}

/* Every panel must be in the list. */
TEST(no_panel_is_missing) {
    for (const struct panel *const *panel = panels; *panel; panel++) {
        bool found = strcmp((*panel)->name, "lane") == 0 || strcmp((*panel)->name, "race") == 0;
        for (int s = 0; s < SHOWN; s++)
            found |= strcmp((*panel)->name, shown[s].panel) == 0;
        if (!found)
            fail_msg("panel %s is on no sheet", (*panel)->name);
    }
}

static void write_color(FILE *sheet, enum palette_depth depth, int color) {
    fprintf(sheet, depth == PALETTE_DIRECT ? " %06x" : " %d", (unsigned)color);
}

/* Every role in every theme on every palette, as foreground and background, and a ramp over all
 * levels of the maps. */
TEST(every_color) {
    static const char *const themes[] = {
        [THEME_DARK] = "dark", [THEME_LIGHT] = "light", [THEME_PROJECTOR] = "projector"};
    FILE *sheet = golden_sheet_open();
    for (int theme = THEME_DARK; theme <= THEME_PROJECTOR; theme++) {
        fprintf(sheet, "== %s: ink and paper in RGB, of 256, 16, 8 colours\n", themes[theme]);
        for (int role = 0; role < ROLE_COUNT; role++) {
            fprintf(sheet, "%-9s", golden_role_name(role));
            for (int depth = PALETTE_DIRECT; depth > PALETTE_MONO; depth--)
                for (int background = 0; background < 2; background++) {
                    const struct palette palette = {.depth = (enum palette_depth)depth,
                                                    .theme = (enum theme)theme};
                    write_color(sheet, palette.depth,
                                palette_color(&palette, (enum role)role, background));
                }
            fputc('\n', sheet);
        }
        for (int map = 0; map <= COLORMAP_COUNT; map++) {
            const bool is_signed = map == COLORMAP_COUNT;
            for (int depth = PALETTE_DIRECT; depth > PALETTE_MONO; depth--) {
                const struct palette palette = {.depth = (enum palette_depth)depth,
                                                .theme = (enum theme)theme,
                                                .map = (enum colormap)(is_signed ? 0 : map)};
                int row[ROLE_LEVELS];
                fprintf(sheet, "%s, %s\n", is_signed ? "signed" : colormap_names[map],
                        (const char *[]){"", "8", "16", "256", "RGB"}[depth]);
                for (int x = 0; x < ROLE_LEVELS; x++)
                    row[x] = palette_color(
                        &palette, (enum role)((is_signed ? ROLE_SIGNED0 : ROLE_LEVEL0) + x), false);
                for (int x = 0, end; x < ROLE_LEVELS; x = end) {
                    for (end = x + 1; end < ROLE_LEVELS && row[end] == row[x]; end++)
                        ;
                    write_color(sheet, palette.depth, row[x]);
                    if (end > x + 1)
                        fprintf(sheet, "*%d", end - x);
                }
                fputc('\n', sheet);
            }
        }
    }
    golden_sheet_check(sheet, "colors");
}

/* Draws a wrong exercise; returns its screen as words. */
static char *exercise_words(int cols, int rows) {
    static char words[1 << 15];
    copy_words(words, fixture_text(cols, rows));
    return words;
}

/* Lines of 80 columns are whole if the screen has the columns; otherwise an ellipsis marks them. */
TEST(lines_of_the_source_are_whole) {
    char code[96] = "#pragma omp target teams distribute parallel for";
    snprintf(code + strlen(code), sizeof code - strlen(code), "%*s", 80 - (int)strlen(code), "END");
    fixture_use(example_sample(MAPPING_UNSTRUCTURED));
    put_exercise(BUILD_WRONG, "U(5, 0) is 1, not 0")->code = code;
    assert_contains(fixture_text(80, 24), "… │");
    assert_contains(fixture_text(120, 40), "END");
    assert_contains(fixture_text(200, 60), "END");
    /* The run is beside the source, or below it. */
    assert_contains(fixture_text(120, 40), "Field U");
    assert_contains(fixture_text(80, 40), "Field U");
    /* A short source leaves the rows below it to the residual. */
    assert_contains(fixture_text(120, 40), "Residual");
    const struct layout layout = screen_layout(&fixture.screen, 200, 60);
    assert_int_equal(layout_find(&layout, &residual_panel)->area.x,
                     layout_find(&layout, &code_panel)->area.x);
    assert_non_null(layout_find(&layout, &timing_panel));
    assert_non_null(layout_find(&layout, &motion_panel)); /* what its clauses copy */
    /* In a comparison the timeline has those below the field. */
    fixture_use(compare_example(2));
    for (int l = 0; l < 2; l++)
        fixture.sample->lanes[l].run.mapping = MAPPING_UNSTRUCTURED;
    put_exercise(BUILD_WRONG, "U(5, 0) is 1, not 0")->code = code;
    const struct layout compared = screen_layout(&fixture.screen, 180, 60);
    assert_int_equal(layout_find(&compared, &timeline_panel)->area.x,
                     layout_find(&compared, &picture_panel)->area.x);
    fixture_use(example_sample(MAPPING_UNSTRUCTURED));
    put_exercise(BUILD_WRONG, "U(5, 0) is 1, not 0")->code = code;
    snprintf(code, sizeof code, "#pragma omp target map(to : U[:N])%*s", 90 - 34, "\\\n  nowait");
    assert_contains(fixture_text(80, 24), "U[:N]) \\");
    /* Of a directive only a map clause has the colour of copies. */
    owned_grid grid;
    fixture_draw(&grid, 80, 24);
    assert_int_equal(grid_at(&grid, 6, 2)->foreground, ROLE_TITLE);
    assert_int_equal(grid_at(&grid, 25, 2)->foreground, ROLE_TO_DEVICE);
    /* Free rows take the clauses that don't fit. */
    put_exercise(BUILD_WRONG, "U(5, 0) is 1, not 0")->code =
        "\n\n\n\n\n\n#pragma omp target teams distribute parallel for "
        "map(to : RES[:N]) reduction(+ : sum)\n    for (;;)\n";
    const char *text = fixture_text(80, 24);
    assert_contains(text,
                    "  7 #pragma omp target teams distribute parallel for map(to : RES[:N])  ");
    assert_contains(text, "│         reduction(+ : sum) ");
    assert_contains(text, "  8     for (;;)");
    put_exercise(BUILD_RIGHT, "")->code = code;
    assert_contains(fixture_text(120, 40), "nowait"); /* beside the run, once it is solved */
}

/* The hint is below the task if there is room for both, else in its place. */
TEST(hint_of_an_exercise) {
    put_exercise(BUILD_FAILED, "update.c:3: error")->hint = "Who reads AU on the host?";
    for (int rows = 12; rows <= 24; rows += 12) {
        const char *screen = fixture_text(80, rows);
        assert_contains(screen, "Who reads AU on the host?");
        assert_int_equal(strstr(screen, "Map less.") != NULL, rows == 24);
    }
}

/* The whole task is visible at the start of an exercise. On a small screen the picture of the
 * differences is behind the text, on a large one beside it. */
TEST(every_task_is_whole) {
    static const char line[] = "classic, iteration 1 on 64²: U at (17, 31): expected -0.1234, got "
                               "-0.2345";
    glob_t texts;
    assert_int_equal(glob(SOURCE_FOLDER "/exercises/*/text.txt", 0, NULL, &texts), 0);
    for (size_t t = 0; t < texts.gl_pathc; t++) {
        const char *text = folder_text(texts.gl_pathv[t]);
        fixture_use(compare_example(1));
        struct exercise_view *view = put_exercise(BUILD_WRONG, line);
        view->text = text;
        char wanted[4096];
        copy_words(wanted, strchr(text, '\n'));
        char *small = exercise_words(80, 24);
        if (!strstr(small, wanted))
            fail_msg("%s is not whole at 80x24:\n%s", texts.gl_pathv[t], small);
        view->top = 1;
        assert_contains(exercise_words(80, 24), "|U - expected|, by decades");
        view->top = 0;
        char *large = exercise_words(120, 40);
        assert_contains(large, "|U - expected|, by decades");
        if (!strstr(large, wanted))
            fail_msg("%s is not whole at 120x40:\n%s", texts.gl_pathv[t], large);
    }
    globfree(&texts);
}

/* "64^2" in ASCII, however long the line is. */
TEST(squares_of_an_exercise_are_spelled_out) {
    fixture_use(compare_example(1));
    put_exercise(BUILD_WRONG, "classic, iteration 1 on 64²: sum(RES²): expected 2, got 1");
    fixture.screen.ascii = true;
    for (int cols = 40; cols < 130; cols++) {
        const char *screen = exercise_words(cols, 24);
        if (!strstr(screen, "64^2") || !strstr(screen, "RES^2"))
            fail_msg("at %d columns:\n%s", cols, screen);
    }
}

TEST_MODULE(panel_goldens, NULL, NULL)
