/* The title of a bare start, and the end of a demo. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/format.h"
#include "core/limits.h"
#include "metrics/costs.h"
#include "metrics/labels.h"
#include "ui/panels/panel.h"
#include "ui/panels/view.h"

enum {
    TITLE_COLS = 76,
    TITLE_ROWS = 22,
    STENCIL_COLS = 21,
    FILLING_ROWS = 18,
    LARGE_UNKNOWNS = 1 << 22
};

void draw_stencil(struct area area, double seconds) {
    static const struct {
        int x, y;
        const char *text;
        double at;
        enum role role;
    } parts[] = {
        {9, 2, "+4", 0.8, ROLE_CURVE},  {5, 2, "───", 0.9, ROLE_DIM},
        {12, 2, "───", 0.9, ROLE_DIM},  {10, 1, "│", 0.9, ROLE_DIM},
        {10, 3, "│", 0.9, ROLE_DIM},    {2, 2, "−1", 1.0, ROLE_CURVE},
        {16, 2, "−1", 1.0, ROLE_CURVE}, {9, 0, "−1", 1.0, ROLE_CURVE},
        {9, 4, "−1", 1.0, ROLE_CURVE},  {0, 5, "a row of A, times 1/h²", 1.2, ROLE_DIM},
    };
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        if (seconds >= parts[p].at)
            grid_text(area, area.x + parts[p].x, area.y + parts[p].y, parts[p].role | BOLD, "%s",
                      parts[p].text);
}

static void draw_kernels(struct area area, double seconds) {
    static const struct {
        const char *name, *formula, *remark;
    } kernels[] = {
        {"Laplacian", "AU  = A U", "each with its neighbours"},
        {"BoundaryConditions", "", "the same next to the boundary"},
        {"Update", "RES = RHS − AU", "the residual of each equation"},
        {"", "U  += RES / diagonal", "the correction"},
        {"Norm", "‖RES‖", "one number for all of them"},
    };
    for (int k = 0; k < 5 && seconds >= 1.5 + 0.1 * k; k++) {
        const struct area row = area_row(area, k);
        draw_text(row, ROLE_KERNEL | BOLD, "%s", kernels[k].name);
        draw_text(area_right_of(row, 21), ROLE_TITLE, "%s", kernels[k].formula);
        draw_text(area_right_of(row, 43), ROLE_DIM, "%s", kernels[k].remark);
    }
}

/* "192 × 192 = 36 864 unknowns · double precision · 4 arrays of 295 kB" */
static void draw_size(struct area area, const struct engine_spec *spec) {
    const enum precision precision = spec->run.precision;
    const size_t count = mesh_unknowns(&spec->mesh);
    draw_text(area, ROLE_DIM, "%d × %d = %s unknowns · %s · 4 arrays of %s", spec->mesh.Nx,
              spec->mesh.Ny, AS(format_count, (long)count), precision_names[precision],
              AS(format_bytes, (double)(count * precision_bytes(precision))));
}

void title_draw(struct area area, const struct screen *screen) {
    const double seconds = screen->state->overlay_seconds;
    const struct area box = area_centered(area, TITLE_COLS, TITLE_ROWS);
    grid_fill(area, ROLE_DEFAULT);
    grid_fill(area_top(area, 1), ROLE_BAR);
    draw_text(area_right_of(area_top(area, 1), 1), ROLE_TITLE, "%s", screen->state->message);
    draw_right(area_left(area_top(area, 1), area.cols - 1), ROLE_TITLE | BOLD, "jacobi-tui");
    const int wiped = (int)(draw_big_width("JACOBI") * fmin(1, seconds / 0.4));
    draw_big(area_left(area_right_of(area_below(box, 1), 3), wiped), 1, ROLE_TITLE, "JACOBI");
    if (seconds >= 0.5)
        draw_text(area_right_of(area_row(box, 7), 3), ROLE_TITLE | BOLD,
                  "−∇²u = f  in the box,  u = 0  on its boundary");
    draw_stencil(area_below(area_right_of(box, TITLE_COLS - STENCIL_COLS - 1), 1), seconds);
    if (seconds >= 1.4)
        draw_paragraph(area_right_of(area_below(box, 9), 3), ROLE_TEXT,
                       "Five point charges in an earthed box: what is the potential everywhere? "
                       "Jacobi: replace every unknown by the mean of its four neighbours plus its "
                       "charge, and repeat until nothing changes. An iteration is four kernels:");
    draw_kernels(area_right_of(area_below(box, 13), 3), seconds);
    if (seconds >= 2)
        draw_size(area_right_of(area_row(box, 19), 3), &screen->plan->lanes[0].engine);
    const struct area bar = area_left(area_right_of(area_row(box, 21), 3), TITLE_COLS - 4);
    for (int x = 0; x < bar.cols; x++)
        grid_put(bar, bar.x + x, bar.y, U'━',
                 x < bar.cols * seconds / limit_of(LIMIT_TITLE) ? ROLE_KEY : ROLE_GRID);
}

/* ---- while arrays are filled */

bool shows_filling(const struct screen *screen) {
    const struct sample *sample = screen->sample;
    const bool is_large = mesh_unknowns(&screen->plan->lanes[0].engine.mesh) >= LARGE_UNKNOWNS;
    const bool moves = strcmp(screen->state->layout, motion_panel.name) == 0;
    bool waits = sample->state == SESSION_OPENING; /* or a run is in its first iteration */
    for (int l = 0; l < sample->lane_count && sample->state == SESSION_RUNNING && !screen->scene;
         l++)
        waits |= sample->lanes[l].iterations == 0 && sample->lanes[l].state == LANE_RUNNING;
    return waits && (is_large || moves || sample->filled > 0) && !*sample->playback.label &&
           !plan_recorded_count(screen->plan) && !for_screen_reader(screen);
}

void filling_draw(struct area area, const struct screen *screen) {
    const struct plan *plan = screen->plan;
    const struct engine_spec *spec = &plan->lanes[0].engine;
    const int runs = plan->lane_count + plan->study_count;
    const bool is_filled = screen->sample->state != SESSION_OPENING;
    const double filled = is_filled ? 1 : screen->sample->filled;
    const struct area box = area_centered(area, TITLE_COLS, FILLING_ROWS);
    const struct area bar = area_row(area_right_of(box, 3), box.rows - 1);
    const struct area middle = area_top(area_right_of(area_below(box, 7), 3), 8);
    const struct area words = area_left(area_below(area_right_of(box, 3), 3), 44);
    grid_fill(area, ROLE_DEFAULT);
    draw_text(area_right_of(area_row(box, 1), 3), ROLE_TITLE | BOLD, "−∇²u = f");
    draw_paragraph(words, ROLE_TEXT, spec->problem->teaches);
    draw_stencil(area_right_of(box, TITLE_COLS - STENCIL_COLS - 1), INFINITY);
    if (*plan->preset && !screen->scene)
        draw_paragraph(middle, ROLE_TITLE, screen->config->teaches);
    else if (box.rows == FILLING_ROWS)
        draw_kernels(middle, INFINITY);
    draw_size(area_right_of(area_row(box, box.rows - 3), 3), spec);
    draw_bar(area_left(bar, TITLE_COLS - 31), filled, ROLE_KEY);
    const char *run =
        PRINT(", run %c of %d", lane_letter((int)fmin(filled * runs, runs - 1)), runs);
    draw_text(area_right_of(bar, TITLE_COLS - 29), ROLE_TEXT, "%s",
              is_filled ? "filled; first iteration"
                        : PRINT("filled: %.0f %%%s", 100 * filled, runs < 2 ? "" : run));
}

/* ---- the end of a demo */

bool shows_finale(const struct screen *screen) {
    const struct sample *sample = screen->sample;
    return screen->state->is_demo && !*screen->state->message && sample->lane_count == 1 &&
           sample->lanes[0].state == LANE_CONVERGED && !for_screen_reader(screen);
}

void finale_draw(struct area area, const struct screen *screen) {
    const struct lane_sample *lane = &screen->sample->lanes[0];
    const struct forecast *forecast = screen->forecasts;
    const struct costs costs = costs_of_run(screen->sample, 0);
    const bool predicted = forecast && fabs(forecast->iterations - (double)lane->iterations) < 1.5;
    const char *iterations = PRINT("%s iterations%s", AS(format_count, lane->iterations),
                                   predicted ? ", as predicted" : "");
    const char *seconds = PRINT("%.3g s in the loop", lane->seconds);
    const char *spread = PRINT("median %s", AS(format_iteration, &costs, "/iteration"));
    const char *time = PRINT("median %s/iteration", AS(format_ms, costs.ms_per_iteration));
    const bool maps = backend_maps(lane->run.backend);
    const int big_cols = draw_big_width("CONVERGED");
    const bool is_big = area.rows >= BIG_ROWS + 3;
    grid_fill(area, ROLE_DEFAULT);
    if (area.cols < big_cols && is_big) {
        area = area_right_of(area, 2);
        draw_big(area, 0, ROLE_GOOD, "CONVERGED");
        draw_text(area_row(area, BIG_ROWS + 1), ROLE_GOOD | BOLD, "%s", iterations);
        draw_text(area_row(area, BIG_ROWS + 2), ROLE_GOOD | BOLD, "%s", time);
        draw_text(area_row(area, BIG_ROWS + 4), ROLE_TEXT, "next: %s · L tour · o problems",
                  maps ? "m mapping" : "c compare");
        return;
    }
    if (is_big) {
        draw_big(area_right_of(area_below(area, 1), (area.cols - big_cols) / 2), 1, ROLE_GOOD,
                 "CONVERGED");
        area = area_below(area, BIG_ROWS + 2);
    }
    const char *whole = PRINT("%s   %s   %s", iterations, seconds, spread);
    draw_centered(area_row(area, 0), ROLE_GOOD | BOLD,
                  grid_text_width(whole) < area.cols
                      ? whole
                      : PRINT("%s   %s   %s", iterations, seconds, time));
    draw_centered(area_row(area, is_big ? 2 : 1), ROLE_TEXT,
                  maps ? "next: m copies the arrays around each kernel · L the tour · o problems"
                       : "next: c compares runs · L the tour · o other problems");
}
