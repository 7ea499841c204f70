/* The levels panel: the fields of a multigrid run on all its grids, side by side, each square half
 * as large as the previous one. The finest is U; the others are the corrections of the last
 * cycle. */
#include <math.h>
#include <stdio.h>

#include "metrics/labels.h"
#include "ui/panels/panel.h"

/* A lower picture shows no levels. Each level has a label above it, and all share a line below. */
enum { PICTURE_ROWS_MIN = 5, GAP_COLS = 2, TEXT_COLS = 30, TEXT_ROWS = 6 };

/* The finest level's square, such that all levels, each half as large as the previous one, fit side
 * by side. */
static struct area finest_square(struct area room, double aspect) {
    int rows = room.rows - 2;
    while (rows > 0 && 2 * aspect * rows + GAP_COLS * 4 > room.cols)
        rows--;
    const int y = room.y + 1 + (room.rows - 2 - rows) / 2;
    rows = max_int(rows, 0);
    return (struct area){room.x, y, (int)lround(aspect * rows), rows, room.grid};
}

/* The number of multigrid lanes that get a part of the panel; *count is their total. */
static int lanes_with_room(const struct sample *sample, int rows, int *count) {
    *count = 0;
    for (int l = 0; l < sample->lane_count; l++)
        *count += sample->lanes[l].run.method == METHOD_MULTIGRID;
    const int fit = rows / (PICTURE_ROWS_MIN + 2);
    return fit < 1 ? *count > 0 : fit < *count ? fit : *count;
}

static struct view levels_view(struct area area, const struct screen *screen) {
    const struct area inner = area_inset(frame_inside(area), 1, 0);
    int count;
    const int shown = lanes_with_room(screen->sample, inner.rows, &count);
    if (count == 0)
        return (struct view){0};
    const struct area part = area_top(inner, inner.rows / shown);
    const struct area square = finest_square(part, screen_cell_aspect(screen->state));
    return (struct view){
        .cols = max_int(square.cols, 1), .rows = max_int(2 * square.rows, 1), .x1 = 1, .y1 = 1};
}

/* A field, `pixels` high, two per row of cells; if the number is odd, the lower half of the last
 * row repeats the upper. A correction is signed even if all its values happen to have one sign. */
static void draw_square(struct area area, int pixels, const struct field *field, bool is_signed,
                        const struct screen *screen) {
    const struct heatmap_range before = {.is_signed = is_signed};
    const struct heatmap_range range = heatmap_range_of(field, screen->state->scale, &before);
    for (int y = 0; y < area.rows; y++)
        for (int x = 0; x < area.cols; x++) {
            int levels[2];
            for (int half = 0; half < 2; half++) {
                const int row = pixels - 1 - 2 * y - half;
                levels[half] = heatmap_level(
                    &range, heatmap_value(field, area.cols, pixels, x, max_int(row, 0)));
            }
            field_put_pixels(area, area.x + x, area.y + y, levels[0], levels[1], &range, screen);
        }
}

/* "127² correction, up to 3.2e-4"; shortened to `cols`. */
static void draw_label(struct area area, struct area square, int cols, int nx, int ny,
                       const char *what, const struct field *field) {
    const double most = fmax(fabs((double)field->min), fabs((double)field->max));
    const int y = square.y - 1;
    const int used = grid_text(area, square.x, y, ROLE_TEXT | BOLD, "%s", AS(format_grid, nx, ny));
    const char *whole = PRINT(" %s, up to %.2g", what, most);
    const char *words = used + grid_text_width(whole) <= cols ? whole : PRINT(" %.2g", most);
    if (used + grid_text_width(words) <= cols)
        grid_text(area, square.x + used, y, ROLE_DIM, "%s", words);
}

/* The factor by which the last complete cycle reduced the residual; NaN if unknown. */
static double last_factor(const struct history *history) {
    const int last = history->count - 1;
    return last < 1 || history->stride != 1 || !(history->residuals[last - 1] > 0)
               ? NAN
               : history->residuals[last] / history->residuals[last - 1];
}

/* A lane's levels at the lower edge of `area`, with a line of text below. */
static void draw_lane(struct area area, const struct screen *screen, int l) {
    const struct lane_sample *lane = &screen->sample->lanes[l];
    const struct level_fields *fields = &lane->levels;
    const double aspect = screen_cell_aspect(screen->state);
    struct area square = finest_square(area, aspect);
    const int bottom = square.y + square.rows;
    char words[AS_SIZE] = "";
    int pixels = 2 * square.rows, shown = 0;
    for (int k = -1; k < fields->count && square.cols >= 1 && square.rows >= 1; k++) {
        const struct field *field = k < 0 ? &lane->field : &fields->of[k];
        const int nx = k < 0 ? lane->nx : field->downsample.i1;
        const int ny = k < 0 ? lane->ny : field->downsample.j1;
        if (field->downsample.cols < 1)
            break;
        draw_square(square, pixels, field, k >= 0, screen);
        draw_label(area, square, area.x + area.cols - square.x, nx, ny,
                   k < 0 ? field_kind_titles[field->kind] : "correction", field);
        shown++;
        if (pixels <= 2)
            break;
        square.x += square.cols + GAP_COLS;
        pixels /= 2;
        square.rows = (pixels + 1) / 2;
        square.cols = (int)lround(0.5 * aspect * pixels);
        square.y = bottom - square.rows;
    }
    struct levels levels;
    const struct mesh mesh = mesh_make(lane->nx, lane->ny);
    levels_make(&levels, &mesh, METHOD_MULTIGRID);
    const int rest = levels.count - shown;
    const double factor = last_factor(&lane->history);
    if (screen->sample->lane_count > 1) /* with a single run the header shows it */
        format_text(words, sizeof words, "%c  %s ", lane_letter(l), lane->title);
    format_append(words, sizeof words, "%s, cycle %ld", AS(format_cycle, lane->run.cycle),
                  lane->iterations);
    if (isfinite(factor))
        format_append(words, sizeof words, ", %.2g of the residual left", factor);
    if (shown > 0 && fields->count == 0)
        format_append(words, sizeof words, "; corrections come with the first cycle");
    else if (rest > 0 && shown > 0)
        format_append(words, sizeof words, "; %d more, down to 1²", rest);
    draw_shortened(area_row(area, bottom - area.y), ROLE_TEXT, words);
    if (shown == 0)
        draw_note(area, "no field yet");
}

/* Above the smaller squares, if there is room. */
static void draw_explanation(struct area area, double aspect) {
    const struct area square = finest_square(area, aspect);
    const int x = square.x + square.cols + GAP_COLS;
    const struct area room = {x, square.y, area.x + area.cols - x, square.rows / 2 - 2, area.grid};
    if (room.cols >= TEXT_COLS && room.rows >= TEXT_ROWS)
        draw_paragraph(room, ROLE_DIM,
                       "The error that smoothing leaves on a grid is computed on the next, with "
                       "half as many unknowns per side, and returns as a correction. Each square "
                       "has its own scale.");
}

static void levels_draw(struct area area, const struct screen *screen) {
    const struct sample *sample = screen->sample;
    struct frame frame = panel_frame(&levels_panel);
    int count;
    struct area inner = area_inset(frame_inside(area), 1, 0);
    const int shown = lanes_with_room(sample, inner.rows, &count);
    frame.foot = shown == count ? NULL
                                : PRINT("no room for the levels of %d more run%s", count - shown,
                                        count - shown == 1 ? "" : "s");
    draw_frame(area, &frame);
    if (count == 0) {
        draw_paragraph(inner, ROLE_DIM,
                       sample->lane_count == 0 ? "no run yet"
                                               : "Only multigrid has levels, and no run uses it: "
                                                 "D changes the method.");
        return;
    }
    int rows = inner.rows / shown;
    for (int l = 0, k = 0; l < sample->lane_count && k < shown; l++) {
        if (sample->lanes[l].run.method != METHOD_MULTIGRID)
            continue;
        draw_lane(area_top(inner, rows), screen, l);
        if (k++ == 0)
            draw_explanation(area_top(inner, rows), screen_cell_aspect(screen->state));
        inner = area_below(inner, rows);
    }
}

const struct panel levels_panel = {PANEL("levels", "Levels", '0', levels_draw),
                                   .view = levels_view};
