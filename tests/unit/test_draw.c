/* Drawing into a cell grid: clipping, text, bars, scales, and the layout at every size. */
#include <wchar.h>

#include "tests/fixtures/support.h"

#include "ui/draw/draw.h"
#include "ui/draw/grid.h"
#include "ui/draw/theme.h"
#include "ui/panels/view.h"

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

TEST(text) {
    owned_grid grid = grid_of(12, 1);
    assert_int_equal(grid_text(grid_area(&grid), 1, 0, ROLE_TEXT, "4096² %s", "µs"), 8);
    assert_row(&grid, 0, " 4096² µs   ");
    grid_clear(&grid);
    grid_text(grid_area(&grid), 0, 0, ROLE_TEXT, "a\x1b[2J\xc2\x9b\xff\xe4\xb8\xad.");
    assert_row(&grid, 0, "a?[2J???.   ");
    grid_clear(&grid);
    grid_text((struct area){2, 0, 3, 1, &grid}, 0, 0, ROLE_TEXT, "abcdefgh");
    assert_row(&grid, 0, "  cde       ");
}

/* Lines break neither between a number and its unit nor inside a fraction. */
TEST(paragraph) {
    owned_grid grid = grid_of(10, 3);
    assert_int_equal(draw_paragraph(grid_area(&grid), ROLE_TEXT, "copies 16 B in 1 / 2"), 3);
    assert_row(&grid, 0, "copies    ");
    assert_row(&grid, 1, "16 B in   ");
    assert_row(&grid, 2, "1 / 2     ");
    grid_clear(&grid);
    assert_int_equal(draw_paragraph(grid_area(&grid), ROLE_TEXT, "1 000 000 000"), 2);
    assert_row(&grid, 0, "1 000 000 ");
}

TEST(frame) {
    owned_grid grid = grid_of(25, 3);
    const struct frame frame = {.title = "Residual", .value = "1.1e-3", .key = '2'};
    const struct area inner = draw_frame(grid_area(&grid), &frame);
    assert_row(&grid, 0, "╭─ 2 Residual ─ 1.1e-3 ─╮");
    assert_row(&grid, 2, "╰───────────────────────╯");
    assert_int_equal(inner.x, 1);
    assert_int_equal(inner.cols, 23);
    assert_int_equal(inner.rows, 1);
}

TEST(bar) {
    owned_grid grid = grid_of(8, 1);
    draw_bar(grid_area(&grid), 0.5, ROLE_KERNEL);
    assert_row(&grid, 0, "████    ");
    grid_clear(&grid);
    draw_bar(grid_area(&grid), 1e-9, ROLE_KERNEL);
    assert_row(&grid, 0, "▏       ");
    grid_clear(&grid);
    draw_bar(grid_area(&grid), NAN, ROLE_KERNEL);
    assert_row(&grid, 0, "        ");
    draw_bar(grid_area(&grid), 0.1875, ROLE_KERNEL);
    assert_row(&grid, 0, "█▌      ");
}

TEST(dots) {
    owned_grid grid = grid_of(4, 1);
    draw_line(grid_area(&grid), 0, 0, 7, 3, 1, ROLE_CURVE);
    draw_dot(grid_area(&grid), -1, 0, ROLE_CURVE);
    draw_dot(grid_area(&grid), 8, 0, ROLE_CURVE);
    assert_row(&grid, 0, "⠉⠒⠤⣀");
    glyphs_reduce(&grid, GLYPHS_ASCII);
    for (int x = 0; x < grid.cols; x++)
        assert_true(grid_at(&grid, x, 0)->glyph < 0x7f);
}

TEST(scale) {
    const struct scale logarithmic = {1e-5, 1e-1, true}, linear = {0, 1000, false};
    assert_close(scale_at(&logarithmic, 1e-3), 0.5, 1e-12);
    assert_true(isnan(scale_at(&logarithmic, 0)));
    double ticks[TICKS_MAX + 1] = {[TICKS_MAX] = -1};
    assert_int_equal(scale_ticks(&logarithmic, 5, ticks), 5);
    assert_close(ticks[0], 1e-5, 1e-12);
    assert_int_equal(scale_ticks(&linear, 3, ticks), 3);
    assert_close(ticks[1], 500, 1e-12);
    const struct scale wide = {1e-300, 1e300, true}; /* from a recording: more powers than rows */
    assert_true(scale_ticks(&wide, 1000, ticks) <= TICKS_MAX);
    for (double high = 1; high < 1e6; high *= 1.1) /* more than 0 alone */
        assert_true(scale_ticks(&(struct scale){.high = high}, 3, ticks) >= 2);
    assert_true(ticks[TICKS_MAX] == -1);
    assert_string_equal(AS(scale_label, &logarithmic, 1e-5), "1e-5");
    assert_string_equal(AS(scale_label, &linear, 500), "500");
}

/* Decades are equally spaced to the dot, and the line at 1e-5 is at the tick of 1e-5. */
TEST(plot_is_true_to_the_dot) {
    enum { ROWS = 13, PER_DECADE = 12 };
    owned_grid grid = grid_of(40, ROWS + 2);
    struct plot plot = {.whole = grid_area(&grid),
                        .area = {7, 0, 32, ROWS, &grid},
                        .x = {0, 100, false},
                        .y = {1e-6, 1e-2, true}};
    plot_axes(&plot);
    for (int decade = 0; decade <= 4; decade++) {
        const int dot = 1 + decade * PER_DECADE; /* 4 decades over 12 rows of 4 dots */
        const double value = pow(10, -2 - decade);
        const uint32_t left = grid_at(&grid, 7, dot / DOT_ROWS)->glyph;
        assert_int_equal(lround(plot_y(&plot, value)), dot);
        assert_int_equal(left, 0x2802); /* the second dot of the left column */
        assert_int_equal(grid_at(&grid, 6, dot / DOT_ROWS)->glyph, 0x2524);
    }
    assert_int_equal(lround(plot_x(&plot, 100)), 32 * DOT_COLS - 1);
    /* A drawn curve replaces the grid's dots in its cells. */
    draw_dot(plot.area, 1, 0, ROLE_CURVE);
    assert_int_equal(grid_at(&grid, 7, 0)->glyph, 0x2808);
    draw_dot(plot.area, 0, 0, ROLE_GRID);
    assert_int_equal(grid_at(&grid, 7, 0)->glyph, 0x2808);
}

/* A stroke of two dots is two dots thick in every direction, including its own line. */
TEST(stroke) {
    owned_grid grid = grid_of(10, 5);
    for (int steep = 0; steep < 2; steep++) {
        grid_clear(&grid);
        draw_stroke(grid_area(&grid), steep ? 4 : 0, steep ? 0 : 4, steep ? 8 : 19, steep ? 19 : 8,
                    2, ROLE_CURVE);
        int dots = 0;
        for (int c = 0; c < grid.cols * grid.rows; c++)
            dots += __builtin_popcount(grid.cells[c].glyph & 0xff);
        assert_int_equal(dots, 2 * 20);
    }
    draw_stroke(grid_area(&grid), NAN, 0, 3, 3, 2, ROLE_CURVE);
    draw_stroke(grid_area(&grid), 0, 0, 1e300, -1e300, 2, ROLE_CURVE);
}

/* A label goes to the nearest place where it covers nothing, or is omitted. */
TEST(free_place) {
    owned_grid grid = grid_of(12, 3);
    const struct area area = grid_area(&grid);
    grid_text(area, 0, 1, ROLE_TEXT, "xxxxxxxxxxxx");
    draw_dot(area, 5, 2, ROLE_GRID);
    struct area place = {2, 1, 4, 1, NULL};
    assert_true(draw_free_place(area, &place, 20));
    assert_int_equal(place.x, 2);
    assert_int_equal(place.y, 0);
    grid_text(area, 0, 0, ROLE_TEXT, "xxxxxx");
    place = (struct area){2, 0, 4, 1, NULL};
    assert_true(draw_free_place(area, &place, 20));
    assert_int_equal(place.x, 2); /* two rows down are nearer than five columns */
    assert_int_equal(place.y, 2);
    place = (struct area){2, 1, 4, 2, NULL};
    assert_false(draw_free_place(area, &place, 20));
    assert_int_equal(place.y, 1);
}

/* Each pixel of an enlarged digit is a square of that many cells; half blocks become whole rows. */
TEST(big) {
    owned_grid one = grid_of(20, BIG_ROWS);
    owned_grid two = grid_of(40, 2 * BIG_ROWS);
    const int cols = draw_big(grid_area(&one), 1, ROLE_VALUE, "4.m");
    assert_int_equal(cols, draw_big_width("4.m"));
    assert_int_equal(draw_big(grid_area(&two), 2, ROLE_VALUE, "4.m"), 2 * cols);
    for (int y = 0; y < two.rows; y++)
        for (int x = 0; x < two.cols; x++) {
            const uint32_t cell = grid_at(&one, x / 2, y / 2)->glyph;
            const bool filled = cell == 0x2588 || (cell == 0x2580 && y % 2 == 0);
            assert_int_equal(grid_at(&two, x, y)->glyph, filled ? 0x2588 : 0);
        }
}

static bool overlap(struct area a, struct area b) {
    return a.x < b.x + b.cols && b.x < a.x + a.cols && a.y < b.y + b.rows && b.y < a.y + a.rows;
}

static void check_layout(const struct layout *layout, int cols, int rows) {
    struct area areas[SLOTS_MAX + 4] = {layout->header, layout->message, layout->scene,
                                        layout->footer};
    for (int s = 0; s < layout->count; s++)
        areas[4 + s] = layout->slots[s].area;
    for (int a = 0; a < 4 + layout->count; a++) {
        const struct area area = areas[a];
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

TEST(layouts) {
    for (int lanes = 1; lanes <= LANES_MAX; lanes++)
        for (int extras = 0; extras < 24; extras++)
            sweep(&(struct layout_wish){.lane_count = lanes,
                                        .lane_rows = 5,
                                        .subject = (enum subject)(extras / 8),
                                        .race = extras & 1,
                                        .maps = extras & 1,
                                        .message_rows = extras & 4 ? 3 : extras & 1,
                                        .screen_reader = extras & 4,
                                        .scene_rows = extras & 2 ? 5 : 0});
    for (int extras = 0; extras < 16; extras++) /* beside the user's source */
        sweep(&(struct layout_wish){.lane_count = 1 + extras % 2,
                                    .lane_rows = 5,
                                    .subject = SUBJECT_FIELD,
                                    .maps = extras & 2,
                                    .scene_rows = 8,
                                    .code_cols = 80,
                                    .code_rows = extras & 4 ? 32 : 18,
                                    .code_is_right = extras & 8});
    for (const struct panel *const *panel = panels; *panel; panel++)
        for (int lanes = 1; lanes <= 3; lanes += 2)
            sweep(&(struct layout_wish){
                .full = *panel, .full_rows = lanes > 1 ? 5 : 0, .lane_count = lanes});
}

/* A recording may contain values that no norm can have. Found by fuzzing. */
TEST(any_residual_is_told) {
    assert_string_equal(AS(format_residual, 0.00123), "1.23e-3");
    assert_string_equal(AS(format_residual, 9.999), "1.00e1");
    assert_string_equal(AS(format_residual, -0.00123), "-1.23e-3");
    assert_string_equal(AS(format_residual, -9.999), "-1.00e1");
    assert_string_equal(AS(format_residual, 5e-324), "0.00e-307");
}

/* Linear data remain linear between the cells, and signs remain signs. */
TEST(pixels_between_cells) {
    float cells[3 * 2] = {0, 1, 2, 10, 11, 12};
    struct field field = {.downsample = {.cols = 3, .rows = 2}, .cells = cells};
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 3; x++)
            assert_true(heatmap_value(&field, 3, 2, x, y) == x + 10 * y);
    for (int y = 0; y < 20; y++)
        for (int x = 0; x < 30; x++) {
            const double u = fmin(fmax((x + 0.5) / 10 - 0.5, 0), 2);
            const double v = fmin(fmax((y + 0.5) / 10 - 0.5, 0), 1);
            assert_true(fabs(heatmap_value(&field, 30, 20, x, y) - (u + 10 * v)) < 1e-12);
        }
    float signs[2] = {-1, 1};
    struct field sign = {.kind = FIELD_SIGN, .downsample = {.cols = 2, .rows = 1}, .cells = signs};
    for (int x = 0; x < 8; x++)
        assert_true(heatmap_value(&sign, 8, 1, x, 0) == (x < 4 ? -1 : 1));
    const struct heatmap_range range = heatmap_range_of(&sign, SCALE_LINEAR, NULL);
    const struct rgb minus = colormap_signed_rgb(heatmap_level(&range, -1)),
                     plus = colormap_signed_rgb(heatmap_level(&range, 1));
    assert_true(minus.r + minus.g + minus.b > 1.5 * (plus.r + plus.g + plus.b)); /* lighter */
}

/* The scale ends at a round number, at most a third above the data; lines are at its steps. */
TEST(scale_fits_the_data) {
    for (double most = 1e-7; most < 1e7; most *= 1.037) {
        const struct field field = {.min = (float)-most, .max = (float)(0.5 * most)};
        const struct heatmap_range range = heatmap_range_of(&field, SCALE_LINEAR, NULL);
        assert_true(range.is_signed && range.high >= most * (1 - 1e-5) &&
                    range.high <= most * 1.34);
        const double lines = range.high / heatmap_line_step(&range);
        assert_true(lines > 3.4 && lines < 10.1);
    }
    float cells[] = {0.05F, 0.15F, 0.25F, 0.25F, 0.95F};
    const struct field field = {.downsample = {.cols = 5, .rows = 1}, .cells = cells};
    const struct heatmap_range range = {.high = 1},
                               decades = {.low = 1e-3, .high = 1, .logarithmic = true};
    const bool linear[] = {false, false, true, false, true},
               log[] = {false, true, false, false, false};
    for (int x = 0; x < 5; x++) {
        assert_int_equal(heatmap_is_line(&range, &field, 5, 1, x, 0), linear[x]);
        assert_int_equal(heatmap_is_line(&decades, &field, 5, 1, x, 0), log[x]);
    }
}

/* A scale remains signed after an iterate with both signs. Another quantity or a restart resets it.
 * The scale of signs is always signed. */
TEST(scale_is_of_what_is_shown) {
    static const struct {
        float first;
        enum field_kind kind;
        long iteration;
        bool is_signed;
    } steps[] = {
        {-1, FIELD_U, 5, true},   {0.5F, FIELD_U, 6, true}, {0.5F, FIELD_RESIDUAL, 6, false},
        {1, FIELD_SIGN, 6, true}, {1, FIELD_U, 6, false},   {-1, FIELD_U, 6, true},
        {1, FIELD_U, 0, false}};
    float cells[] = {0, 1};
    struct field field = {.downsample = {.cols = 2, .rows = 1}, .cells = cells};
    struct heatmap heatmap;
    assert_true(heatmap_init(&heatmap));
    for_each(step, steps) {
        cells[0] = step->first;
        field.kind = step->kind;
        field.iteration = step->iteration;
        field_measure(&field);
        heatmap_update(&heatmap, &field, SCALE_LINEAR, 2, 1);
        assert_int_equal(heatmap.range.is_signed, step->is_signed);
    }
    heatmap_finish(&heatmap);
}

/* The unit square is as wide as it is high in every area that has a pixel for each side. */
TEST(a_square_is_square) {
    const struct app_state app = {.view = {.x1 = 1, .y1 = 1}};
    const struct screen screen = {.state = &app};
    for (int rows = 3; rows <= 70; rows++)
        for (int cols = 4; cols <= 300; cols++) {
            const struct area area = {0, 0, cols, rows, NULL};
            const struct view view =
                field_heatmap_view(field_panel.heatmap(area, &screen), &screen);
            if (abs(view.cols - view.rows) > 1 || view.cols > cols || view.rows > 2 * rows)
                fail_msg("%d×%d: the picture is %d×%d", cols, rows, view.cols, view.rows);
        }
}

/* The values of the columns of dots are 0.05 three times, 0.275, 0.725 and 0.95 three times. Lines
 * by 0.2 are on the higher side: in half of the second cell, and in both halves of the third, which
 * shows the field instead. On dark colours they are white, on bright ones dark. */
TEST(lines_are_thin) {
    static struct sample sample = {.lane_count = 1};
    const struct app_state app = {.view = {.x1 = 1, .y1 = 1}, .contours = true};
    const struct screen screen = {.state = &app, .sample = &sample};
    float cells[16];
    for (int c = 0; c < 16; c++)
        cells[c] = c % 4 < 2 ? 0.05F : 0.95F;
    sample.lanes[0].field = (struct field){.downsample = {.cols = 4, .rows = 4}, .cells = cells};
    field_measure(&sample.lanes[0].field);
    owned_grid grid = grid_of(4, 2);
    field_heatmap_draw(grid_area(&grid), &screen);
    for (int y = 0; y < 2; y++)
        assert_row(&grid, y, "▀⢸▌▀");
    assert_int_equal(grid_at(&grid, 1, 0)->foreground, ROLE_SIGNED0 + ROLE_LEVELS / 2);
    for (int c = 0; c < 16; c++)
        cells[c] = c % 4 < 2 ? 0.77F : 0.95F;
    field_heatmap_draw(grid_area(&grid), &screen);
    assert_row(&grid, 0, "▀⢸▌▀");
    assert_int_equal(grid_at(&grid, 1, 0)->foreground, ROLE_LEVEL0);
    for (uint32_t quadrant = 0x2596; quadrant < 0x25a0; quadrant++)
        assert_non_null(wcschr(L"▀▄▌█", (wchar_t)glyph_in_set(GLYPHS_CONSOLE, quadrant)));
}

/* The edge between two slabs is visible in the light middle of a signed map, too. */
TEST(slabs_of_signed_fields_have_edges) {
    static struct sample sample = {.lane_count = 1};
    const struct app_state app = {.view = {.x1 = 1, .y1 = 1}};
    const struct screen screen = {.state = &app, .sample = &sample};
    struct lane_sample *lane = &sample.lanes[0];
    float cells[64] = {-1, 1};
    lane->field =
        (struct field){.downsample = {.cols = 8, .rows = 8, .i1 = 8, .j1 = 8}, .cells = cells};
    field_measure(&lane->field);
    lane->device_stats.count = 2;
    lane->device_stats.device[0].rows = lane->device_stats.device[1].rows = 4;
    owned_grid grid = grid_of(8, 5); /* the last row is the legend */
    field_heatmap_draw(grid_area(&grid), &screen);
    for (int x = 4; x < 8; x++) /* the lower half of the second row, beside a slab's name */
        assert_int_equal(grid_at(&grid, x, 1)->background, ROLE_SIGNED0);
}

/* A cell has two colours: it is divided where four pixels differ most. With three or four levels
 * each part has the mean of its pixels. Without colours the pixels are cells. */
TEST(fields_are_in_quadrants) {
    static struct sample sample = {.lane_count = 1};
    static const char rows[4][9] = {"00001000", "10012020", "90101132", "00101010"}; /* upwards */
    const struct app_state app = {.view = {.x1 = 1, .y1 = 1}};
    struct screen screen = {.state = &app, .sample = &sample};
    float cells[32];
    for (int c = 0; c < 32; c++)
        cells[c] = (float)(rows[c / 8][c % 8] - '0') / 9;
    sample.lanes[0].field = (struct field){.downsample = {.cols = 8, .rows = 4}, .cells = cells};
    field_measure(&sample.lanes[0].field);
    owned_grid grid = grid_of(4, 2);
    field_heatmap_draw(grid_area(&grid), &screen);
    assert_row(&grid, 0, "▖▌▝▀");
    assert_row(&grid, 1, "▘▝▌▘");
    const struct cell *last = grid_at(&grid, 3, 0); /* 1 and 0 of 9 above, 3 and 2 below */
    assert_int_equal(last->foreground - ROLE_LEVEL0, (7 + 0 + 1) / 2);
    assert_int_equal(last->background - ROLE_LEVEL0, (21 + 14 + 1) / 2);
    screen.no_color = true;
    field_heatmap_draw(grid_area(&grid), &screen);
    for (int x = 0; x < 4; x++)
        assert_non_null(wcschr(L"░▒▓█", (wchar_t)grid_at(&grid, x, 0)->glyph)); /* or 0 */
}

/* The bar has 27 columns, 2.6 per second. */
TEST(progress_has_chapters) {
    static struct sample sample = {
        .playback = {.position_s = 5, .length_s = 10, .chapter_count = 2, .chapters_s = {0, 8}}};
    const struct screen screen = {.sample = &sample};
    owned_grid grid = grid_of(60, 1);
    progress_draw(grid_area(&grid), &screen);
    assert_row(&grid, 0, " ┼━━━━━━━━━━━━━──────┼────── 5.0 of 10.0 s · chapter 1 of 2 ");
}

/* A recorded lane may borrow the field of one with the same iterates, but none of a later one. */
TEST(lanes_share_fields) {
    static struct sample sample = {.lane_count = 2};
    struct lane_sample *a = &sample.lanes[0], *b = &sample.lanes[1];
    a->field = b->field = (struct field){.downsample = {.cols = 1, .rows = 1}};
    a->field.iteration = 30;
    a->iterations = b->iterations = 40;
    assert_int_equal(field_lane(&sample, 1), 1);
    strcpy(b->recorded, "r.rec");
    assert_int_equal(field_lane(&sample, 1), 0);
    assert_int_equal(field_lane(&sample, 0), 0);
    a->field.iteration = 41;
    assert_int_equal(field_lane(&sample, 1), 1);
    a->field.iteration = 30;
    a->run.precision = PRECISION_SINGLE;
    assert_int_equal(field_lane(&sample, 1), 1);
}

/* Every cell covers at least one unknown of its own, live or recorded. */
TEST(cells_do_not_outnumber_unknowns) {
    const struct view view = {.cols = 40, .rows = 20, .x1 = 1, .y1 = 1};
    const struct mesh mesh = mesh_make(16, 300);
    const struct downsample downsample = view_downsample(&view, &mesh);
    assert_int_equal(downsample.cols, 16);
    assert_int_equal(downsample.rows, 20);
    struct field field = {.downsample = {0, 64, 0, 64, 4, 4}, .cells = calloc(1600, sizeof(float))};
    assert_non_null(field.cells);
    for (int c = 0; c < 16; c++)
        field.cells[c] = (float)c;
    field_resample(&field, &(struct view){.cols = 40, .rows = 40, .x0 = 0.5, .x1 = 1, .y1 = 1}, 64,
                   64);
    assert_int_equal(field.downsample.cols, 2);
    assert_int_equal(field.downsample.rows, 4);
    assert_true(field.cells[0] == 2 && field.cells[1] == 3 && field.cells[2] == 6);
    free(field.cells);
}

TEST_MODULE(draw, NULL, NULL)
