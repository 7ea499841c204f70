/* Drawing into a cell grid: clipping, text, bars, scales, and the layout at every size. */
#include "tests/fixtures/support.h"

#include "metrics/words.h"
#include "ui/draw/draw.h"
#include "ui/draw/grid.h"
#include "ui/draw/theme.h"
#include "ui/panels/layout.h"

static struct grid grid_of(int cols, int rows) {
    struct grid grid;
    assert_true(grid_init(&grid, cols, rows));
    return grid;
}

static void assert_row(const struct grid *grid, int y, const char *expected) {
    char text[4096] = "";
    size_t used = 0;
    for (int x = 0; x < grid->cols; x++)
        used += (size_t)grid_encode(grid_at(grid, x, y)->glyph, text + used);
    assert_string_equal(text, expected);
}

static void test_text(void **state) {
    (void)state;
    struct grid grid = grid_of(12, 1);
    assert_int_equal(grid_text(&grid, grid_area(&grid), 1, 0, INK_TEXT, 0, "4096² %s", "µs"), 8);
    assert_row(&grid, 0, " 4096² µs   ");
    grid_clear(&grid);
    grid_text(&grid, grid_area(&grid), 0, 0, INK_TEXT, 0, "a\x1b[2J\xc2\x9b\xff\xe4\xb8\xad.");
    assert_row(&grid, 0, "a?[2J???.   ");
    grid_clear(&grid);
    grid_text(&grid, (struct rect){2, 0, 3, 1}, 0, 0, INK_TEXT, 0, "abcdefgh");
    assert_row(&grid, 0, "  cde       ");
    grid_finish(&grid);
}

static void test_frame(void **state) {
    (void)state;
    struct grid grid = grid_of(25, 3);
    const struct frame frame = {.title = "Residual", .value = "1.1e-3", .key = '2'};
    const struct rect inner = draw_frame(&grid, grid_area(&grid), &frame);
    assert_row(&grid, 0, "╭─ 2 Residual ─ 1.1e-3 ─╮");
    assert_row(&grid, 2, "╰───────────────────────╯");
    assert_int_equal(inner.x, 1);
    assert_int_equal(inner.cols, 23);
    assert_int_equal(inner.rows, 1);
    grid_finish(&grid);
}

static void test_bar(void **state) {
    (void)state;
    struct grid grid = grid_of(8, 1);
    draw_bar(&grid, grid_area(&grid), 0, 0, 8, 0.5, INK_KERNEL);
    assert_row(&grid, 0, "████    ");
    grid_clear(&grid);
    draw_bar(&grid, grid_area(&grid), 0, 0, 8, 1e-9, INK_KERNEL);
    assert_row(&grid, 0, "▏       ");
    grid_clear(&grid);
    draw_bar(&grid, grid_area(&grid), 0, 0, 8, NAN, INK_KERNEL);
    assert_row(&grid, 0, "        ");
    draw_bar(&grid, grid_area(&grid), 0, 0, 8, 0.1875, INK_KERNEL);
    assert_row(&grid, 0, "█▌      ");
    grid_finish(&grid);
}

static void test_dots(void **state) {
    (void)state;
    struct grid grid = grid_of(4, 1);
    draw_line(&grid, grid_area(&grid), 0, 0, 7, 3, 1, INK_CURVE);
    draw_dot(&grid, grid_area(&grid), -1, 0, INK_CURVE);
    draw_dot(&grid, grid_area(&grid), 8, 0, INK_CURVE);
    assert_row(&grid, 0, "⠉⠒⠤⣀");
    glyphs_reduce(&grid, GLYPHS_ASCII);
    for (int x = 0; x < grid.cols; x++)
        assert_true(grid_at(&grid, x, 0)->glyph < 0x7f);
    grid_finish(&grid);
}

static void test_scale(void **state) {
    (void)state;
    const struct scale logarithmic = {1e-5, 1e-1, true}, linear = {0, 1000, false};
    assert_close(scale_at(&logarithmic, 1e-3), 0.5, 1e-12);
    assert_true(isnan(scale_at(&logarithmic, 0)));
    double ticks[TICKS_MOST + 1] = {[TICKS_MOST] = -1};
    assert_int_equal(scale_ticks(&logarithmic, 5, ticks), 5);
    assert_close(ticks[0], 1e-5, 1e-12);
    assert_int_equal(scale_ticks(&linear, 3, ticks), 3);
    assert_close(ticks[1], 500, 1e-12);
    const struct scale wide = {1e-300, 1e300, true}; /* from a recording: more powers than places */
    assert_true(scale_ticks(&wide, 1000, ticks) <= TICKS_MOST);
    assert_true(ticks[TICKS_MOST] == -1);
    char label[16];
    assert_string_equal(scale_label(label, sizeof label, &logarithmic, 1e-5), "1e-5");
    assert_string_equal(scale_label(label, sizeof label, &linear, 500), "500");
}

static bool overlap(struct rect a, struct rect b) {
    return a.x < b.x + b.cols && b.x < a.x + a.cols && a.y < b.y + b.rows && b.y < a.y + a.rows;
}

static void check_layout(const struct layout *layout, int cols, int rows) {
    struct rect areas[SLOTS_MAX + 4] = {layout->header, layout->message, layout->scene,
                                        layout->footer};
    for (int s = 0; s < layout->count; s++)
        areas[4 + s] = layout->slots[s].area;
    for (int a = 0; a < 4 + layout->count; a++) {
        const struct rect area = areas[a];
        if (area.x < 0 || area.y < 0 || area.x + area.cols > cols || area.y + area.rows > rows)
            fail_msg("%dx%d: area %d is outside", cols, rows, a);
        for (int b = 0; b < a; b++)
            if (overlap(area, areas[b]))
                fail_msg("%dx%d: areas %d and %d overlap", cols, rows, a, b);
    }
    if (layout->count == 0)
        fail_msg("%dx%d: nothing is shown", cols, rows);
}

static void sweep(const struct layout_wish *wish) {
    for (int rows = 1; rows <= 100; rows++)
        for (int cols = 1; cols <= 300; cols++) {
            const struct layout layout = layout_make(wish, cols, rows);
            check_layout(&layout, cols, rows);
        }
}

static void test_layouts(void **state) {
    (void)state;
    for (const struct arrangement *row = arrangements; row->name; row++)
        for (int lanes = 1; lanes <= LANES_MAX; lanes++)
            for (int extras = 0; extras < 4; extras++)
                sweep(&(struct layout_wish){.name = row->name,
                                            .lane_count = lanes,
                                            .message = extras & 1,
                                            .scene_rows = extras & 2 ? 5 : 0});
    for (const struct panel *panel = panels; panel->name; panel++)
        sweep(&(struct layout_wish){.name = "standard", .full = panel, .lane_count = 1});
}

static double lightness(struct rgb c) {
    return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
}

static void test_colormaps_rise(void **state) {
    (void)state;
    for (int m = 0; m < COLORMAP_COUNT; m++)
        for (int k = 1; k < INK_LEVELS; k++)
            assert_true(lightness(colormap_rgb((enum colormap)m, k)) >
                        lightness(colormap_rgb((enum colormap)m, k - 1)));
}

/* A recording may claim what no norm can be. Found by fuzzing. */
static void test_any_residual_is_told(void **state) {
    (void)state;
    char words[32];
    assert_string_equal(words_residual(words, sizeof words, 0.00123), "1.23e-3");
    assert_string_equal(words_residual(words, sizeof words, 9.999), "1.00e1");
    assert_string_equal(words_residual(words, sizeof words, -0.00123), "-1.23e-3");
    assert_string_equal(words_residual(words, sizeof words, -9.999), "-1.00e1");
    assert_string_equal(words_residual(words, sizeof words, 5e-324), "0.00e-307");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_frame),
        cmocka_unit_test(test_bar),
        cmocka_unit_test(test_dots),
        cmocka_unit_test(test_scale),
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_colormaps_rise),
        cmocka_unit_test(test_any_residual_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
