/* The stencil panel: a small grid as numbers; one unknown and its four neighbours are lit. */
#include <stdio.h>
#include <stdlib.h>

#include "metrics/labels.h"
#include "ui/panels/panel.h"

enum { NUMBER_COLS = 7, STENCIL_MIN = 3, STENCIL_MAX = 15 };

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

static void stencil_draw(struct area area, const struct screen *screen) {
    const struct lane_sample *lane = screen_lane(screen);
    const struct sample *sample = screen->sample;
    const struct field *field = lane ? &lane->field : NULL;
    struct frame frame = panel_frame(&stencil_panel);
    const bool shown = field && is_small(sample) && field->downsample.cols == sample->nx &&
                       field->downsample.rows == sample->ny;
    frame.value = shown ? PRINT("iteration %s", AS(format_count, field->iteration)) : NULL;
    const struct area inside = panel_inside(area, &frame);
    if (!shown) {
        draw_paragraph(inside, ROLE_DIM,
                       !field || is_small(sample) ? "no numbers yet"
                                                  : "Too many unknowns to show as numbers: "
                                                    "3² to 15² fit.");
        return;
    }
    /* An inner unknown, in the second row from the top: near the edge that heats `hot-plate`. */
    const int nx = sample->nx, i = nx / 2, j = sample->ny - 2;
    const float *cells = field->cells;
    const double mean = 0.25 * ((double)cells[i - 1 + j * nx] + (double)cells[i + 1 + j * nx] +
                                (double)cells[i + (j - 1) * nx] + (double)cells[i + (j + 1) * nx]);
    for (int k = 0; k < nx * sample->ny; k++) {
        const int apart = abs(k % nx - i) + abs(k / nx - j);
        const enum role role = apart == 0 ? ROLE_GOOD : apart == 1 ? ROLE_WARN : ROLE_DIM;
        grid_text(inside, inside.x + k % nx * NUMBER_COLS, inside.y + sample->ny - 1 - k / nx,
                  role | (apart < 2 ? BOLD | REVERSE : 0), "%6.4f", (double)cells[k]);
    }
    draw_paragraph(area_below(inside, sample->ny), ROLE_TEXT | BOLD,
                   PRINT("The mean of the four is %.4f: Jacobi's next value, if dx = dy and "
                         "without heating.",
                         mean));
}

const struct panel stencil_panel = {PANEL("stencil", "The unknowns U", 0, stencil_draw),
                                    .view = stencil_view};
