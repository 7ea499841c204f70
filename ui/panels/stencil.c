/* The stencil panel: a small grid as numbers; one unknown and its four neighbours are lit. It is in
 * the middle of the top row, beside the edge that heats `hot-plate`. */
#include <stdio.h>
#include <stdlib.h>

#include "solver/problem.h"
#include "ui/panels/panel.h"

enum {
    NUMBER_COLS_MIN = 7,
    NUMBER_COLS_MAX = 20,
    PITCH_MAX = 4,
    STENCIL_MIN = 3,
    STENCIL_MAX = 15
};

/* Whether the grid is small enough to be shown as numbers. */
static bool is_small(const struct sample *sample) {
    return sample->nx >= STENCIL_MIN && sample->ny >= STENCIL_MIN && sample->nx <= STENCIL_MAX &&
           sample->ny <= STENCIL_MAX;
}

static struct view stencil_view(struct area area, const struct screen *screen) {
    const struct sample *sample = screen->sample;
    if (!is_small(sample))
        return (struct view){0};
    return (struct view){.cols = sample->nx, .rows = sample->ny, .x1 = 1, .y1 = 1};
}

/* Above the unknowns RHS/(1/dy²), as far as it is in no corner's equation. Cells are known to three
 * digits. Omits the outer columns if the area is narrow. */
static void draw_numbers(struct area area, const struct sample *sample, const float *cells) {
    const int nx = sample->nx, ny = sample->ny, i = nx / 2;
    const int cols = clamp_int(area.cols / nx, NUMBER_COLS_MIN, NUMBER_COLS_MAX);
    const int pitch = clamp_int((area.rows - 2) / (ny + 1), 1, PITCH_MAX);
    const int left = (area.cols - nx * cols) / 2, node_rows = max_int(pitch - 1, 1);
    const struct mesh mesh = mesh_make(nx, ny);
    const struct problem *problem = problem_find(sample->problem);
    double U0[STENCIL_MAX], RHS[STENCIL_MAX] = {0};
    if (problem)
        problem_fill_row(problem, &mesh, ny - 1, U0, RHS);
    for (int k = 0; k < nx * (ny + 1); k++) {
        const int x = k % nx, y = k / nx, apart = abs(x - i) + abs(y - (ny - 1));
        if (left + x * cols < 0 || left + (x + 1) * cols - 1 > area.cols)
            continue;
        const enum role role = apart == 0   ? ROLE_GOOD
                               : apart == 1 ? ROLE_WARN
                               : y == ny    ? ROLE_PREDICTED
                                            : ROLE_DIM;
        const struct area node = area_top(
            area_left(area_right_of(area_below(area, (ny - y) * pitch), left + x * cols), cols - 1),
            node_rows);
        if (apart < 2)
            grid_fill_glyph(node, U' ', role | REVERSE);
        if (y < ny || (x > 0 && x < nx - 1))
            draw_centered(area_below(node, (node.rows - 1) / 2),
                          role | (apart < 2 ? BOLD | REVERSE : 0),
                          PRINT("%.3f", y < ny ? (double)cells[k] : RHS[x] / mesh._1bydy2));
    }
    const float *at = cells + i + (ny - 1) * nx;
    const double next = mesh.factor * (((double)at[-1] + (double)at[1]) * mesh._1bydx2 +
                                       (double)at[-nx] * mesh._1bydy2 + RHS[i]);
    draw_paragraph(area_below(area, ny * pitch + node_rows), ROLE_TEXT | BOLD,
                   PRINT("The %smean of the four is %.3f: Jacobi's next value. The row at the top "
                         "is RHS dy²: boundary and sources.",
                         nx == ny ? "" : "weighted ", next));
}

static void stencil_draw(struct area area, const struct screen *screen) {
    const struct lane_sample *lane = screen_lane(screen);
    const struct sample *sample = screen->sample;
    const struct field *field = lane ? &lane->field : NULL;
    struct frame frame = panel_frame(&stencil_panel);
    const bool shown = field && is_small(sample) && field->downsample.cols == sample->nx &&
                       field->downsample.rows == sample->ny;
    frame.value = shown ? PRINT("iteration %s", AS(format_count, field->iteration)) : NULL;
    frame.foot = shown ? "numbers within 0.2 %" : NULL;
    const struct area inside = panel_inside(area, &frame);
    if (!shown) {
        draw_paragraph(inside, ROLE_DIM,
                       !field || is_small(sample) ? "no numbers yet"
                                                  : "Too many unknowns to show as numbers: "
                                                    "3² to 15² fit.");
        return;
    }
    draw_numbers(inside, sample, field->cells);
}

const struct panel stencil_panel = {PANEL("stencil", "The unknowns U", 0, stencil_draw),
                                    .view = stencil_view};
