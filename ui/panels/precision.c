/* Beside the residuals of several precisions: what each moves and takes, and how far it is from
 * double's. */
#include <math.h>
#include <string.h>

#include "metrics/verdict.h"
#include "ui/panels/panel.h"

bool precisions_differ(const struct sample *sample) {
    bool differ = false;
    for (int l = 1; l < sample->lane_count; l++)
        differ |= sample->lanes[l].run.precision != sample->lanes[0].run.precision;
    return differ;
}

bool lanes_have_curves(const struct sample *sample) {
    return sample_methods_differ(sample) || precisions_differ(sample);
}

/* "double ██ 24 B ████  1.02 ms ± 0.03 ms  2.0× (1.9 to 2.1×)  ✓ 83 636": what one run moves and
 * takes, and where it stops. `most`: the bytes of a full-length bar. */
static void draw_cost(struct area row, const struct screen *screen, int l,
                      const struct lane_cost *cost, double most) {
    enum { NAME_COLS = 9, BYTES_COLS = 8, TIME_COLS = 24, RATIO_COLS = 22, OUTCOME_COLS = 10 };
    const struct lane_sample *lane = &screen->sample->lanes[l];
    const double bytes = cost->costs.bytes_per_update;
    const struct area bar =
        area_left(area_right_of(row, NAME_COLS),
                  row.cols - NAME_COLS - BYTES_COLS - TIME_COLS - RATIO_COLS - OUTCOME_COLS);
    double least;
    long iterate;
    draw_shortened(area_left(row, NAME_COLS - 1), lane_role(l) | BOLD,
                   PRINT("%c %s", lane_letter(l), cost->label));
    draw_bar(bar, bytes / most, lane_role(l));
    row = area_right_of(row, NAME_COLS + bar.cols);
    draw_cell(&row, BYTES_COLS, ROLE_VALUE, AS(format_bytes, bytes));
    const char *const time = AS(format_iteration, &cost->costs, "");
    draw_cell(&row, TIME_COLS, ROLE_TEXT,
              grid_text_width(time) < TIME_COLS ? time
                                                : AS(format_ms, cost->costs.ms_per_iteration));
    const char *const between = AS(format_times_slower, cost);
    draw_cell(&row, RATIO_COLS, ROLE_VALUE | BOLD,
              strstr(between, " to ") ? PRINT("%s (%s)",
                                              AS(format_ratio_within, cost->times_slower,
                                                 cost->times_low, cost->times_high),
                                              between)
                                      : between);
    if (lane->state == LANE_CONVERGED)
        draw_cell(&row, OUTCOME_COLS, ROLE_GOOD, PRINT("✓ %s", AS(format_count, lane->iterations)));
    else if (lane_stagnates(lane, &least, &iterate))
        draw_cell(&row, OUTCOME_COLS, ROLE_BAD, "stagnates");
}

struct area precision_costs_draw(struct area inner, const struct screen *screen) {
    enum { COLS_MIN = 76, PLOT_ROWS_MIN = 12 };
    const struct verdict verdict = verdict_make(screen->sample);
    double most = 0;
    for (int l = 0; l < verdict.lane_count; l++)
        most = fmax(most, verdict.lanes[l].costs.bytes_per_update);
    if (inner.cols < COLS_MIN || inner.rows < PLOT_ROWS_MIN + 1 + verdict.lane_count || !(most > 0))
        return inner;
    struct area rows = area_take_bottom(&inner, 1 + verdict.lane_count);
    draw_text(rows, ROLE_DIM, "bytes per update");
    draw_right(rows, ROLE_DIM, "per iteration            × fastest  converged");
    for (int l = 0; l < verdict.lane_count; l++)
        draw_cost(area_row(rows, 1 + l), screen, l, &verdict.lanes[l], most);
    return inner;
}

/* How far the residual of point `k` of the lane's history is from double's, relative to it; NaN if
 * there is none of the same iterate. */
static double difference_at(const struct history *history, const struct history *exact, int k) {
    const long iterate = history->stride * k, at = iterate / exact->stride;
    return at < exact->count && at * exact->stride == iterate
               ? fabs(history->residuals[k] / exact->residuals[at] - 1)
               : NAN;
}

void precision_differences_draw(struct area area, const struct screen *screen,
                                const struct plot *above) {
    const struct sample *sample = screen->sample;
    int exact = 0;
    while (exact < sample->lane_count && sample->lanes[exact].run.precision != PRECISION_DOUBLE)
        exact++;
    if (area.rows < 1 || exact == sample->lane_count)
        return;
    struct plot plot =
        plot_make(area_below(area, 1), above->area.x - above->whole.x, above->is_plain);
    plot.x = above->x;
    plot.y = (struct scale){1e-9, 10, true};
    draw_text(area_right_of(area, plot.area.x - area.x), ROLE_TITLE | BOLD,
              "Difference from %c's residual, relative", lane_letter(exact));
    plot_axes(&plot);
    for (int l = 0; l < sample->lane_count; l++) {
        const struct history *history = &sample->lanes[l].history;
        double from = NAN, before = NAN;
        for (int k = 1; l != exact && k < history->count; k++) {
            const double at = (double)(history->stride * k);
            double difference = difference_at(history, &sample->lanes[exact].history, k);
            if (isnan(difference))
                continue;
            difference = fmin(fmax(difference, plot.y.low), plot.y.high);
            plot_stroke(&plot, from, before, at, difference, 2, lane_role(l));
            from = at;
            before = difference;
        }
        const struct area end = plot_cell(&plot, from, before);
        if (!isnan(from))
            grid_put(area, end.x + 2, end.y, (uint32_t)lane_letter(l), lane_role(l) | BOLD);
    }
}
