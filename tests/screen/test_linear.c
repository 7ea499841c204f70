/* Screens that are read aloud (--ascii --colors mono): everything in words and below one another.
 */
#include "tests/fixtures/support.h"

#include "tests/fixtures/example.h"
#include "tests/fixtures/stage.h"
#include "ui/app/keymap.h"
#include "ui/draw/grid.h"
#include "ui/panels/view.h"

static void make_linear(struct stage *stage) {
    stage->config.view.ascii = true;
    stage->config.view.colors = COLORS_MONO;
    stage->screen.ascii = stage->screen.no_color = true;
}

enum { TEXT_SIZE = 200 * 81 };

/* The screen as text: a line per row, without the blanks at its end. */
static const char *draw_as_text(const struct stage *stage, int cols, int rows) {
    static char text[TEXT_SIZE];
    struct grid grid;
    size_t length = 0;
    stage_draw(&grid, stage, cols, rows);
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < cols && length + 2 < sizeof text; x++) {
            const uint32_t glyph = grid_at(&grid, x, y)->glyph;
            assert_in_range(glyph, 0, 0x7f);
            text[length++] = glyph ? (char)glyph : ' ';
        }
        while (length > 0 && text[length - 1] == ' ')
            length--;
        text[length++] = '\n';
    }
    text[length] = '\0';
    grid_finish(&grid);
    return text;
}

static void assert_says(const char *screen, const char *words) {
    if (!strstr(screen, words))
        fail_msg("'%s' is not on the screen:\n%s", words, screen);
}

/* A message has as many rows as it needs; the panels have the others. */
static void test_message_is_whole(void **state) {
    (void)state;
    struct stage stage;
    stage_take(&stage, example_sample(MAPPING_STRUCTURED));
    make_linear(&stage);
    snprintf(stage.state.message, sizeof stage.state.message,
             "replay: NVIDIA H200, 2026-11-23; running: 18 776 of 60 000, 102 us each, residual "
             "1.23e-5, hip/unstructured/fused");
    const char *screen = draw_as_text(&stage, 80, 24);
    assert_says(screen,
                "\n NOTE  replay: NVIDIA H200, 2026-11-23; running: 18 776 of 60 000, 102 us "
                "each,\n       residual 1.23e-5, hip/unstructured/fused\n");
    assert_says(screen, "One iteration");
    assert_says(screen, "Field U");
    stage_clear(&stage);
}

static void assert_silent(const char *screen, const char *words) {
    if (strstr(screen, words))
        fail_msg("'%s' is on the screen:\n%s", words, screen);
}

/* Under a menu, as under the help, nothing is left of the panels that a row could be mixed with. */
static void test_menu_stands_alone(void **state) {
    (void)state;
    static struct menu menu = {.title = "Grid: interior unknowns",
                               .count = 1,
                               .items = {{.label = "128²", .state = MENU_POSSIBLE}}};
    struct stage stage;
    stage_take(&stage, example_sample(MAPPING_STRUCTURED));
    make_linear(&stage);
    stage.screen.menu = &menu;
    assert_says(draw_as_text(&stage, 80, 24), "moving data");
    stage.state.overlay = OVERLAY_MENU;
    const char *screen = draw_as_text(&stage, 80, 24);
    assert_says(screen, " Grid: interior unknowns\n");
    assert_says(screen, " 128^2\n");
    assert_says(screen, "arrows choose  Enter take  Esc back\n");    /* under the menu, */
    assert_says(screen, "\n arrows choose  Enter take  Esc back\n"); /* and in the footer */
    assert_silent(screen, "moving data");
    assert_silent(screen, "Field U");
    stage_clear(&stage);
}

/* A key per row, with its whole sentence: scrolled to the end every key has been told. */
static void test_help_is_one_column(void **state) {
    (void)state;
    struct stage stage;
    struct key_hint hints[KEY_HINTS_MAX];
    bool told[KEY_HINTS_MAX] = {false};
    stage_take(&stage, example_sample(MAPPING_STRUCTURED));
    make_linear(&stage);
    stage.state.overlay = OVERLAY_HELP;
    stage.screen.hint_count = keymap_hints(&stage.screen, hints);
    stage.screen.hints = hints;
    const struct layout layout = screen_layout(&stage.screen, 80, 24);
    const int last = help_last_top(&stage.screen, layout.body);
    assert_true(last > 0);
    for (; stage.state.overlay_top <= last; stage.state.overlay_top += 10) {
        const char *screen = draw_as_text(&stage, 80, 24);
        assert_says(screen, "arrows, PgUp, PgDn scroll");
        for (int h = 0; h < stage.screen.hint_count; h++) {
            char row[160];
            snprintf(row, sizeof row, "%s  %s\n", hints[h].label, hints[h].help);
            told[h] |= !hints[h].help || strstr(screen, row);
        }
    }
    stage.state.overlay_top = last;
    const char *end = draw_as_text(&stage, 80, 24);
    for (int h = 0; h < stage.screen.hint_count; h++) {
        char row[160];
        snprintf(row, sizeof row, "%s  %s\n", hints[h].label, hints[h].help);
        if (!told[h] && !strstr(end, row))
            fail_msg("'%s' is never told; at the end:\n%s", row, end);
    }
    stage_clear(&stage);
}

/* What is wrong is told over the whole width; its picture would stand beside it. */
static void test_exercise_is_text(void **state) {
    (void)state;
    struct stage stage;
    struct exercise_view view = {.title = "02-needless  Copies that nobody needs",
                                 .file = "/home/student/02-needless/update.c",
                                 .text = "Copies\n\nUpdate maps every array.\n\nMap less.",
                                 .news = {.state = WORKSHOP_WRONG, .number = 1},
                                 .verdict = {.nx = 16, .ny = 16}};
    snprintf(view.news.line, sizeof view.news.line, "U(5, 0) is 1, not 0");
    view.verdict.differences[5] = 1;
    stage_take(&stage, example_sample(MAPPING_STRUCTURED));
    make_linear(&stage);
    stage.screen.exercise = &view;
    const char *screen = draw_as_text(&stage, 80, 24);
    assert_says(screen, "  Wrong: U(5, 0) is 1, not 0\n");
    assert_says(screen, "  Update maps every array.\n");
    assert_says(screen, "  Map less.\n");
    assert_silent(screen, "by decades");
    stage_clear(&stage);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_message_is_whole),
        cmocka_unit_test(test_menu_stands_alone),
        cmocka_unit_test(test_help_is_one_column),
        cmocka_unit_test(test_exercise_is_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
