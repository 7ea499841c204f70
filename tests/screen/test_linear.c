/* Screens that are read aloud (--ascii --colors mono): everything in words and below one another.
 */
#include "tests/fixtures/support.h"

#include "tests/fixtures/example.h"
#include "tests/fixtures/stage.h"
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_message_is_whole),
        cmocka_unit_test(test_menu_stands_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
