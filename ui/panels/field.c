/* The field panel: U as a heatmap, with a legend of its levels. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/template.h"
#include "ui/panels/panel.h"

/* The areas of the picture, its legend and a profile. */
struct field_places {
    struct area picture, legend, profile;
    bool beside; /* the legend is vertical, to the right of the picture, not below it */
};

/* To the right of the picture: a gap, a bar, numbers. */
enum { LEGEND_COLS = 11, ZOOM_COLS = 30, PROFILE_COLS_MIN = 16, PROFILE_COLS_MAX = 48 };

/* The largest picture whose columns are `aspect` times its rows. */
static struct area picture_area(struct area room, double aspect) {
    const int cols = (int)fmin(room.cols, aspect * room.rows + 0.5);
    const int rows = (int)fmin(room.rows, room.cols / aspect + 0.5);
    return (struct area){room.x, room.y, cols > 0 ? cols : room.cols > 0,
                         rows > 0 ? rows : room.rows > 0, room.grid};
}

static struct field_places place_field(struct area inner, const struct app_state *state) {
    /* The whole grid is a square. */
    const double width = state->view.x1 - state->view.x0, height = state->view.y1 - state->view.y0;
    const double aspect =
        (width > 0 && height > 0 ? width / height : 1) * screen_cell_aspect(state);
    struct area above = inner;
    above.rows -= inner.rows >= 4;
    const struct area over = picture_area(above, aspect);
    const struct area left = picture_area(area_left(inner, inner.cols - LEGEND_COLS), aspect);
    struct field_places places = {.picture = over,
                                  .beside = left.cols * left.rows > over.cols * over.rows &&
                                            inner.rows >= 4};
    if (!places.beside) {
        places.picture.x += (inner.cols - over.cols) / 2;
        places.legend = area_below(inner, inner.rows - (inner.rows >= 4));
        return places;
    }
    const struct area rest = area_right_of(inner, left.cols);
    places.picture = left;
    places.legend = area_left(rest, LEGEND_COLS);
    places.profile = area_left(area_right_of(rest, LEGEND_COLS + 1), PROFILE_COLS_MAX);
    places.picture.y += (inner.rows - left.rows) / 2;
    places.legend.y = places.profile.y = places.picture.y;
    places.legend.rows = places.profile.rows = left.rows;
    if (places.profile.cols < PROFILE_COLS_MIN)
        places.profile.cols = 0;
    return places;
}

struct view field_heatmap_view(struct area inner, const struct screen *screen) {
    const struct app_state *state = screen->state;
    const struct area picture = place_field(inner, state).picture;
    struct view view = state->view;
    view.kind = state->kind;
    view.cols = picture.cols;
    view.rows = 2 * picture.rows;
    return view;
}

void field_put_pixels(struct area area, int x, int y, int upper, int lower,
                      const struct heatmap_range *range, const struct screen *screen) {
    const int first = range->is_signed ? ROLE_SIGNED0 : ROLE_LEVEL0;
    static const uint32_t blocks[] = {0, U'░', U'▒', U'▓', U'█'};
    static const char letters[] = " .:-=+*#%@";
    const int mean = min_int((upper + lower) / 2, ROLE_LEVELS - 1);
    if (screen->no_color)
        grid_put(area, x, y,
                 screen->ascii ? (uint32_t)letters[mean * 10 / ROLE_LEVELS]
                               : blocks[mean * 5 / ROLE_LEVELS],
                 ROLE_TEXT);
    else if (screen->ascii)
        grid_put(area, x, y, 0, style_on(ROLE_TEXT, first + mean));
    else
        /* NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): a role per level */
        grid_put(area, x, y, U'▀', style_on(first + upper, first + lower));
}

/* The levels as last shown; NULL: must be recomputed. */
static const struct heatmap *levels_shown(const struct screen *screen, int cols, int rows) {
    const struct heatmap *shown = screen->heatmaps ? &screen->heatmaps[screen->lane] : NULL;
    const bool fits = shown && shown->levels && shown->scale == screen->state->scale &&
                      shown->cols == cols && shown->rows == rows;
    return fits ? shown : NULL;
}

/* White, in the signed map. */
enum { WHITE_LEVEL = ROLE_SIGNED0 - ROLE_LEVEL0 + ROLE_LEVELS / 2 };

/* The level of a line on `level`: white on dark colours, the darkest one on bright colours. */
static int line_level(int level, const struct heatmap_range *range) {
    if (range->is_signed)
        return abs(2 * level - ROLE_LEVELS) < ROLE_LEVELS * 3 / 5 ? 0 : ROLE_LEVELS / 2;
    return level < ROLE_LEVELS * 3 / 5 ? WHITE_LEVEL : 0;
}

/* Sets marks[r] for each of the `rows` rows of pixels at the upper edge of a run's slab, except the
 * last slab's. */
static void mark_slabs(const struct lane_sample *lane, int rows, bool *marks) {
    int edge = 0;
    memset(marks, 0, (size_t)rows * sizeof *marks);
    if (!lane || lane->device_stats.count > rows / 4) /* nothing else would be visible */
        return;
    const struct downsample *cells = &lane->field.downsample;
    for (int p = 0; p + 1 < lane->device_stats.count; p++) {
        edge += lane->device_stats.device[p].rows;
        if (edge > cells->j0 && edge < cells->j1)
            marks[(long)(edge - cells->j0) * rows / (cells->j1 - cells->j0)] = true;
    }
}

/* "rank 3 gpu1" within each slab, if it is high enough. */
static void name_slabs(struct area area, const struct lane_sample *lane) {
    const struct downsample *cells = &lane->field.downsample;
    const double height = cells->j1 - cells->j0;
    int edge = 0;
    for (int p = 0; p < lane->device_stats.count && lane->device_stats.count > 1; p++) {
        const struct device_stats *stats = &lane->device_stats.device[p];
        const double middle = edge + 0.5 * stats->rows - cells->j0;
        edge += stats->rows;
        if (area.rows * stats->rows < 2 * height || middle < 0 || middle >= height)
            continue;
        grid_text(area, area.x + 1, area.y + (int)(area.rows * (1 - middle / height)),
                  style_on(ROLE_TEXT | BOLD, ROLE_BAR), " %d%s%.16s ", stats->rank,
                  *stats->host ? " " : "", stats->host);
    }
}

/* A picture of a lane's field, pixel by pixel. */
struct pixels {
    const struct lane_sample *lane;
    const struct heatmap *shown; /* levels to use unchanged; NULL: none */
    struct heatmap_range range;
    int cols, rows;
    bool has_lines;
    bool edges[PICTURE_SIDE_MAX]; /* slab edges, by row */
};

static void pixels_make(struct pixels *pixels, const struct screen *screen, int cols, int rows) {
    const struct field limits = heatmap_shared_limits(screen->sample, screen->lane);
    pixels->lane = screen_lane(screen);
    pixels->shown = levels_shown(screen, cols, rows);
    pixels->range = pixels->shown ? pixels->shown->range
                                  : heatmap_range_of(&limits, screen->state->scale, NULL);
    pixels->cols = cols;
    pixels->rows = rows;
    pixels->has_lines = screen->state->contours;
    mark_slabs(pixels->lane, min_int(rows, PICTURE_SIDE_MAX), pixels->edges);
}

/* The level of a pixel, y = 0 at the bottom; at a slab's edge white, which a picture of pixels
 * lacks, or the darkest one of a signed map. */
static int pixel_level(const struct pixels *pixels, int x, int y) {
    const struct field *field = &pixels->lane->field;
    const int cols = pixels->cols, rows = pixels->rows;
    const int level = pixels->shown
                          ? pixels->shown->levels[x + y * cols]
                          : heatmap_level(&pixels->range, heatmap_value(field, cols, rows, x, y));
    const bool is_line =
        pixels->has_lines && heatmap_is_line(&pixels->range, field, cols, rows, x, y);
    if (y < PICTURE_SIDE_MAX && pixels->edges[y])
        return pixels->range.is_signed ? 0 : WHITE_LEVEL;
    return is_line ? line_level(level, &pixels->range) : level;
}

/* By the set of quadrants: 1 upper left, 2 upper right, 4 lower left, 8 lower right. */
static const uint32_t quadrants[] = U" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█";

/* Draws the lines through a cell as dots, on the field's mean level there. Returns false if no line
 * crosses the cell, or too many do. */
static bool put_lines(struct area area, int x, int y, const struct pixels *pixels, int mean) {
    enum { DOTS = DOT_COLS * DOT_ROWS, DOTS_MAX = 5 };
    const int first = pixels->range.is_signed ? ROLE_SIGNED0 : ROLE_LEVEL0;
    const int rows = DOT_ROWS * area.rows;
    bool dots[DOTS];
    int count = 0;
    for (int d = 0; d < DOTS; d++)
        count += dots[d] =
            heatmap_is_line(&pixels->range, &pixels->lane->field, pixels->cols, rows,
                            DOT_COLS * x + d % DOT_COLS, rows - 1 - DOT_ROWS * y - d / DOT_COLS);
    if (count == 0 || count > DOTS_MAX)
        return false;
    /* NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): a role per level */
    grid_put(area, area.x + x, area.y + y, 0, style_on(ROLE_TEXT, first + mean));
    for (int d = 0; d < DOTS; d++)
        if (dots[d])
            /* NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange) */
            draw_dot(area, DOT_COLS * x + d % DOT_COLS, DOT_ROWS * y + d / DOT_COLS,
                     (enum role)(first + line_level(mean, &pixels->range)));
    return true;
}

/* Draws four pixels in a cell, which has two colours: divided where that changes them least. */
static void put_quadrants(struct area area, int x, int y, const int levels[4], int first) {
    static const int divisions[] = {3, 5, 1, 2, 4, 8, 6}; /* halves before corners */
    int best = 0, inside = 0, outside = 0, least = INT_MAX;
    for (size_t d = 0; d < sizeof divisions / sizeof *divisions; d++) {
        int sum[2] = {0, 0}, count[2] = {0, 0}, mean[2] = {0, 0}, error = 0;
        for (int q = 0; q < 4; q++) {
            sum[divisions[d] >> q & 1] += levels[q];
            count[divisions[d] >> q & 1]++;
        }
        for (int side = 0; side < 2; side++)
            mean[side] = (sum[side] + count[side] / 2) / count[side];
        for (int q = 0; q < 4; q++)
            error += abs(levels[q] - mean[divisions[d] >> q & 1]);
        if (error >= least)
            continue;
        least = error;
        best = divisions[d];
        outside = mean[0];
        inside = mean[1];
    }
    /* NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): a role per level */
    grid_put(area, x, y, quadrants[best], style_on(first + inside, first + outside));
}

/* Draws the heatmap; returns the range of its colours. */
static struct heatmap_range draw_heatmap(struct area area, const struct screen *screen) {
    struct pixels pixels;
    const int wide = screen_pixels(screen);
    pixels_make(&pixels, screen, wide * area.cols, 2 * area.rows);
    const bool in_quadrants = wide == 2, has_lines = in_quadrants && pixels.has_lines;
    const int first = pixels.range.is_signed ? ROLE_SIGNED0 : ROLE_LEVEL0;
    pixels.has_lines &= !in_quadrants;
    for (int y = 0; y < area.rows; y++)
        for (int x = 0; x < area.cols; x++) {
            int levels[4], sum = 0;
            for (int q = 0; q < 4; q++)
                sum += levels[q] =
                    pixel_level(&pixels, wide * x + q % wide, pixels.rows - 1 - 2 * y - q / 2);
            const bool is_cut = max_int(levels[0], levels[2]) == WHITE_LEVEL;
            if (!in_quadrants || is_cut)
                field_put_pixels(area, area.x + x, area.y + y, levels[0], levels[2], &pixels.range,
                                 screen);
            else if (!has_lines || !put_lines(area, x, y, &pixels, sum / 4))
                put_quadrants(area, area.x + x, area.y + y, levels, first);
        }
    name_slabs(area, pixels.lane);
    return pixels.range;
}

static const char *map_name(const struct heatmap_range *range, const struct screen *screen) {
    return screen->no_color   ? "shades"
           : range->is_signed ? "signed"
                              : colormap_names[screen->state->colormap];
}

/* "by 0.1", "by ×10": the distance of the lines; "" without lines. */
static char *format_lines(char *buffer, size_t size, const struct heatmap_range *range,
                          const struct screen *screen) {
    const double step = heatmap_line_step(range);
    return screen->state->contours
               ? format_text(buffer, size, "by %s", step > 0 ? AS(format_number, step) : "×10")
               : buffer;
}

/* "1e-9 ▒▒▒▒▒ 1  log · viridis" */
static void draw_color_legend(struct area area, const struct heatmap_range *range,
                              const struct screen *screen) {
    const char *low = AS(format_number, range->is_signed ? -range->high : range->low);
    const char *high = AS(format_number, range->high), *lines = AS(format_lines, range, screen);
    const char *words = PRINT(" %s · %s%s%s", range->logarithmic ? "log" : "linear",
                              map_name(range, screen), *lines ? " · lines " : "", lines);
    const int taken = grid_text_width(low) + grid_text_width(high) + 4;
    const bool with_words = area.cols >= taken + 14 + grid_text_width(words);
    const int cols = max_int(area.cols - taken - (with_words ? grid_text_width(words) + 1 : 0), 0);
    area = area_right_of(area, 1);
    draw_next(&area, ROLE_TEXT, "%s ", low);
    for (int k = 0; k < cols; k++) {
        const int level = range->two_values ? heatmap_level(range, 2 * k < cols ? -1 : 1)
                          : cols > 1        ? k * (ROLE_LEVELS - 1) / (cols - 1)
                                            : 0;
        field_put_pixels(area_left(area, cols), area.x + k, area.y, level, level, range, screen);
    }
    if (range->is_signed && cols > 8 && !range->two_values)
        grid_put(area, area.x + cols / 2, area.y, '0',
                 screen->no_color ? ROLE_TEXT | REVERSE : ROLE_SIGNED0 | BOLD);
    area = area_right_of(area, cols + 1);
    draw_next(&area, ROLE_TEXT, "%s", high);
    if (with_words)
        draw_text(area_right_of(area, 1), ROLE_DIM, "%s", words);
}

/* A number beside the vertical bar, unless a neighbouring row already has one. */
static void put_level_number(struct area area, double place, double value) {
    const int x = area.x + 4, row = (int)(place * area.rows);
    const int y = area.y + area.rows - 1 - min_int(row, area.rows - 1);
    for (int near = y - 1; near <= y + 1; near++) {
        const struct cell *cell = grid_at(area.grid, x, near);
        if (cell && cell->glyph && near >= area.y && near < area.y + area.rows)
            return;
    }
    grid_text(area, x, y, ROLE_TEXT, "%s", AS(format_number, value));
}

/* The same, vertical: a bar, numbers at their positions, scale and colour map if there is room. */
static void draw_upright_legend(struct area area, const struct heatmap_range *range,
                                const struct screen *screen) {
    const struct scale scale = {.low = range->is_signed ? -range->high : range->low,
                                .high = range->high,
                                .logarithmic = range->logarithmic && !range->is_signed};
    const int last = 2 * area.rows - 1;
    double ticks[TICKS_MAX];
    for (int y = 0; y < area.rows; y++) {
        int upper = (last - 2 * y) * (ROLE_LEVELS - 1) / last;
        int lower = (last - 2 * y - 1) * (ROLE_LEVELS - 1) / last;
        if (range->two_values)
            upper = lower = heatmap_level(range, 2 * y < area.rows ? 1 : -1);
        for (int c = 1; c < 3; c++)
            field_put_pixels(area, area.x + c, area.y + y, upper, lower, range, screen);
    }
    put_level_number(area, 1, scale.high);
    put_level_number(area, 0, scale.low);
    if (range->two_values)
        return;
    if (range->is_signed)
        put_level_number(area, 0.5, 0);
    const char *const words[] = {range->logarithmic ? "log" : "linear", map_name(range, screen),
                                 AS(format_lines, range, screen)};
    for (int w = 0; w < 3 && area.rows >= 10; w++)
        grid_text(area, area.x + 4, area.y + 1 + w, ROLE_DIM, "%s", words[w]);
    const int count =
        range->logarithmic && range->is_signed ? 0 : scale_ticks(&scale, area.rows / 3 + 1, ticks);
    for (int t = 0; t < count; t++)
        put_level_number(area, scale_at(&scale, ticks[t]), ticks[t]);
}

/* The field along the vertical centre line; its horizontal axis is the legend's vertical one. */
static void draw_profile(struct area area, const struct heatmap_range *range,
                         const struct lane_sample *lane, int picture_cols) {
    const int rows = DOT_ROWS * area.rows, cols = DOT_COLS * area.cols;
    const struct downsample *cells = &lane->field.downsample;
    const double middle = 0.5 * (cells->i0 + cells->i1) / lane->nx - 0.5;
    int before = 0;
    for (int y = 0; y < rows; y++) {
        const double value =
            heatmap_value(&lane->field, picture_cols, rows, picture_cols / 2, rows - 1 - y);
        const int at = (int)lround(heatmap_fraction(range, value) * (cols - 2));
        for (int dot = 0; dot < 2; dot++)
            draw_line(area, (y ? before : at) + dot, y ? y - 1 : y, at + dot, y, 1, ROLE_CURVE);
        before = at;
    }
    const char *words =
        PRINT("%s at x = %s", field_kind_titles[lane->field.kind], AS(format_number, middle));
    const int width = grid_text_width(words);
    struct area place = {area.x + area.cols - width, area.y + area.rows - 1, width, 1, NULL};
    if (draw_free_place(area, &place, area.cols))
        draw_text(place, ROLE_DIM, "%s", words);
}

static bool has_field(const struct lane_sample *lane) {
    return lane && lane->field.downsample.cols > 0 && lane->field.downsample.rows > 0;
}

/* Whether the field is not zoomed. */
static bool shows_whole(const struct lane_sample *lane) {
    const struct downsample *cells = &lane->field.downsample;
    return cells->i1 - cells->i0 == lane->nx && cells->j1 - cells->j0 == lane->ny;
}

int field_lane(const struct sample *sample, int lane) {
    int newest = lane;
    for (int l = 0; l < sample->lane_count; l++)
        if (*sample->lanes[lane].recorded && has_field(&sample->lanes[l]) &&
            sample->lanes[l].field.kind == sample->lanes[lane].field.kind &&
            lane_same_iterates(&sample->lanes[l], &sample->lanes[lane]) &&
            sample->lanes[l].field.iteration > 2 * sample->lanes[newest].field.iteration &&
            sample->lanes[l].field.iteration <= sample->lanes[lane].iterations)
            newest = l;
    return newest;
}

void field_heatmap_draw(struct area inner, const struct screen *screen) {
    const struct lane_sample *lane = screen_lane(screen);
    if (!has_field(lane)) {
        draw_note(inner, "no field yet");
        return;
    }
    const struct field_places places = place_field(inner, screen->state);
    const struct heatmap_range range = draw_heatmap(places.picture, screen);
    if (places.beside)
        draw_upright_legend(places.legend, &range, screen);
    else if (places.legend.rows > 0)
        draw_color_legend(places.legend, &range, screen);
    if (places.profile.cols > 0)
        draw_profile(places.profile, &range, lane, places.picture.cols);
}

bool field_heatmap_picture(struct area inner, const struct screen *screen,
                           struct pixel_picture *picture) {
    struct pixels pixels;
    const struct lane_sample *lane = screen_lane(screen);
    if (!has_field(lane) || screen->no_color || screen->ascii)
        return false;
    picture->area = place_field(inner, screen->state).picture;
    if (picture->roles) {
        pixels_make(&pixels, screen, picture->cols, picture->rows);
        pixels.shown = NULL; /* those of cells have slack */
        const int first = pixels.range.is_signed ? ROLE_SIGNED0 : ROLE_LEVEL0;
        for (int y = 0; y < picture->rows; y++)
            for (int x = 0; x < picture->cols; x++)
                picture->roles[x + y * picture->cols] =
                    (uint8_t)(first + min_int(pixel_level(&pixels, x, picture->rows - 1 - y),
                                              ROLE_LEVELS - 1));
    }
    return picture->area.cols > 0 && picture->area.rows > 0;
}

char *field_figures(char *buffer, size_t size, const struct field *field) {
    buffer[0] = '\0';
    if (isfinite(field->stats.rough_share))
        format_text(buffer, size, "rough modes: %s",
                    AS(figure_print, UNIT_TENTHS, 100 * field->stats.rough_share));
    else if (isfinite(field->stats.error_l2))
        format_text(buffer, size, "L2: %s", AS(format_residual, field->stats.error_l2));
    return buffer;
}

static struct area field_heatmap(struct area area, const struct screen *screen) {
    return frame_inside(area);
}

static void field_draw(struct area area, const struct screen *screen) {
    static const char *const reductions[FIELD_KIND_COUNT] = {
        [FIELD_U] = "mean",
        [FIELD_RESIDUAL] = "root mean square",
        [FIELD_SIGN] = "each unknown",
        [FIELD_ERROR] = "root mean square",
    };
    const struct sample *sample = screen->sample;
    const struct lane_sample *lane = screen_lane(screen);
    const struct problem *problem = problem_find(sample->problem);
    struct frame frame = panel_frame(&field_panel);
    if (!has_field(lane)) {
        field_heatmap_draw(draw_frame(area, &frame), screen);
        return;
    }
    const struct downsample *r = &lane->field.downsample;
    frame.foot =
        PRINT("%s%d×%d → %d×%d, %s",
              shows_whole(lane) ? "" : PRINT("zoom: %d×%d of ", r->i1 - r->i0, r->j1 - r->j0),
              lane->nx, lane->ny, r->cols, r->rows, reductions[lane->field.kind]);
    const bool is_u = lane->field.kind == FIELD_U;
    frame.title = is_u ? frame.title : PRINT("Field: %s", field_kind_titles[lane->field.kind]);
    frame.foot_left = !is_u                       ? AS(field_figures, &lane->field)
                      : problem && problem->exact ? "i: the true error"
                                                  : NULL;
    /* Keeps the title whole in a narrow frame. */
    const char *count = AS(format_count, lane->field.iteration);
    const char *iteration = PRINT("iteration %s", count);
    const int wide = grid_text_width(frame.title) + grid_text_width(iteration) + 10;
    frame.value = wide > area.cols ? count : iteration;
    field_heatmap_draw(draw_frame(area, &frame), screen);
}

void error_curve_add(struct error_curve *curve, const struct sample *sample) {
    const struct field *field = &sample->lanes[0].field;
    const long last = curve->count > 0 ? curve->iterations[curve->count - 1] : -1;
    if (sample->lane_count != 1 || sample->lanes[0].iterations < last)
        curve->count = 0;
    if (sample->lane_count != 1 || field->kind != FIELD_ERROR || !(field->stats.error_l2 > 0) ||
        (curve->count > 0 && field->iteration <= last))
        return;
    if (curve->count == ERRORS_MAX)
        for (curve->count = 0; curve->count < ERRORS_MAX / 2; curve->count++) {
            curve->iterations[curve->count] = curve->iterations[2 * curve->count];
            curve->errors[curve->count] = curve->errors[2 * curve->count];
        }
    curve->iterations[curve->count] = field->iteration;
    curve->errors[curve->count++] = field->stats.error_l2;
}

const struct panel field_panel = {PANEL("field", "Field U", '1', field_draw),
                                  .heatmap = field_heatmap};

/* ---- the same without a frame: the picture, and its legend below */

static struct area whole_area(struct area area, const struct screen *screen) {
    return area;
}

static void picture_draw(struct area area, const struct screen *screen) {
    const struct field_places places = place_field(area, screen->state);
    struct area legend = area_left(places.legend, places.picture.cols);
    struct screen of_field = *screen;
    if (screen_lane(screen))
        of_field.lane = field_lane(screen->sample, screen->lane);
    const struct lane_sample *lane = screen_lane(&of_field);
    if (!has_field(lane)) {
        draw_note(area, "no field yet");
        return;
    }
    const struct downsample *r = &lane->field.downsample;
    const struct heatmap_range range = draw_heatmap(places.picture, &of_field);
    draw_next(&legend, ROLE_TITLE | BOLD, "%s",
              lane->field.kind == FIELD_U ? "U" : field_kind_titles[lane->field.kind]);
    if (!shows_whole(lane) && legend.cols >= ZOOM_COLS)
        legend.cols -= draw_right(legend, ROLE_DIM,
                                  PRINT("%s of %s", AS(format_grid, r->i1 - r->i0, r->j1 - r->j0),
                                        AS(format_grid, lane->nx, lane->ny))) +
                       1;
    draw_color_legend(legend, &range, &of_field);
}

const struct panel picture_panel = {PANEL("picture", "Field U", '1', picture_draw),
                                    .heatmap = whole_area};
