/* The residual panel: the residual of each iteration, with theory and tolerance. */
#include <math.h>
#include <stdio.h>

#include "core/text.h"
#include "metrics/words.h"
#include "ui/draw/draw.h"
#include "ui/panels/curves.h"
#include "ui/panels/panel.h"

/* The plot's area and scales. */
struct plot {
    struct rect area; /* of the curve alone */
    struct scale x, y;
    int count;
    struct curve curves[CURVES_MAX];
    const struct error_curve *errors; /* drawn, too; NULL: not */
};

static const int label_cols = 6; /* "1e-10 " */

/* ---- scales ------------------------------------------------------------------------------- */

/* The axis of iterations grows in steps with the run, so that the beginning is seen as well as the
 * end. The tolerance is on the other scale, a little above its foot, so that one sees how far it
 * is; that scale is stretched downwards until every decade takes the same whole number of rows. */
static void set_scales(struct plot *plot, const struct sample *sample) {
    const double iterations = fmax(20, 1.1 * (double)curves_iterations(plot->curves, plot->count));
    const double power = pow(10, floor(log10(iterations))), lead = iterations / power;
    const double shown = power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
    plot->x = (struct scale){0, fmax(1, fmin(shown, (double)sample->iteration_limit)), false};

    const struct curve *own = &plot->curves[plot->count - 1];
    double largest = curves_largest(plot->curves, plot->count);
    if (own->history->count == 0) /* before the first iteration */
        largest = fmax(largest, own->scale * sample->lanes[0].initial_residual);
    double smallest = curves_smallest(plot->curves, plot->count);
    for (int k = 0; plot->errors && k < plot->errors->count; k++) {
        largest = fmax(largest, plot->errors->errors[k]);
        smallest = fmin(smallest, plot->errors->errors[k]);
    }
    const double high = largest > 0 && isfinite(largest) ? largest : 1;
    double low = isfinite(smallest) ? fmin(smallest, high / 10) : high / 100;
    if (own->limit > 0 && own->limit < low && own->limit > 1e-12 * high)
        low = own->limit;
    struct scale *y = &plot->y;
    *y = (struct scale){fmax(low, 1e-16 * high) / 2, pow(10, ceil(log10(high))), true};
    const int rows_per_decade = (int)((plot->area.rows - 1) / log10(y->high / y->low));
    if (rows_per_decade >= 2)
        y->low = y->high / pow(10, (double)(plot->area.rows - 1) / rows_per_decade);
}

/* ---- axes */

static int row_of(const struct plot *plot, double residual) {
    return (int)lround((1 - scale_at(&plot->y, residual)) * (plot->area.rows - 1));
}

static void draw_axes(struct grid *grid, struct rect inner, const struct plot *plot) {
    const struct rect area = plot->area;
    const int left = area.x - 1, below = area.y + area.rows;
    double ticks[TICKS_MOST];
    char label[24];
    for (int y = 0; y < area.rows; y++)
        grid_put(grid, inner, left, area.y + y, 0x2502, INK_DIM, INK_DEFAULT, 0);
    int count = scale_ticks(&plot->y, area.rows / 2 < 2 ? 2 : area.rows / 2, ticks);
    for (int t = 0; t < count; t++) {
        const int y = area.y + row_of(plot, ticks[t]);
        snprintf(label, sizeof label, "1e%d", (int)lround(log10(ticks[t])));
        draw_text_right(grid, inner, left - 1, y, INK_DIM, 0, label);
        grid_put(grid, inner, left, y, 0x2524, INK_DIM, INK_DEFAULT, 0);
    }
    for (int x = 0; x <= area.cols; x++)
        grid_put(grid, inner, left + x, below, x ? 0x2500 : 0x2514, INK_DIM, INK_DEFAULT, 0);
    const int most = area.cols / 12 < 8 ? area.cols / 12 : 8;
    count = scale_ticks(&plot->x, most < 2 ? 2 : most, ticks);
    for (int t = 0; t < count; t++) {
        words_count(label, sizeof label, lround(ticks[t]));
        const int x = area.x + (int)lround(scale_at(&plot->x, ticks[t]) * (area.cols - 1));
        const int last = area.x + area.cols - grid_text_width(label);
        const int start = x - grid_text_width(label) / 2;
        grid_put(grid, inner, x, below, 0x252c, INK_DIM, INK_DEFAULT, 0);
        grid_text(grid, inner, start < last ? start : last, below + 1, INK_DIM, 0, "%s", label);
    }
}

/* ---- what is plotted */

static int dot_x(const struct plot *plot, double iteration) {
    return (int)lround(scale_at(&plot->x, iteration) * (plot->area.cols * DOT_COLS - 1));
}

/* A value that stands in the middle of a row has its dot there too. */
static int dot_y(const struct plot *plot, double residual) {
    const double row = (1 - scale_at(&plot->y, residual)) * (plot->area.rows - 1);
    return (int)lround(row * DOT_ROWS + 0.5 * (DOT_ROWS - 1));
}

/* `lower`: so many dots lower. */
static void draw_curve(struct grid *grid, const struct plot *plot, const struct curve *curve,
                       int lower) {
    const struct history *history = curve->history;
    int x0 = -1, y0 = -1;
    for (int k = 0; k < history->count; k++) {
        const double residual = curve_residual(curve, k);
        if (!(residual > 0) || !isfinite(residual))
            continue;
        const int x = dot_x(plot, (double)k * (double)history->stride);
        const int y = dot_y(plot, residual) + lower;
        draw_line(grid, plot->area, x0 < 0 ? x : x0, x0 < 0 ? y : y0, x, y, 1, curve->ink);
        x0 = x;
        y0 = y;
    }
}

/* "128²  8 000 of 14 647 by theory": one line per curve, if there are several. */
static void draw_outcomes(struct grid *grid, const struct plot *plot) {
    const struct rect area = plot->area;
    enum { LINE_COLS = 38 };
    if (area.cols < LINE_COLS + 6 || area.rows < plot->count + 6)
        return;
    const int x = area.x + area.cols - LINE_COLS;
    bool exact = false;
    for (int c = 0; c < plot->count; c++) {
        const struct curve *curve = &plot->curves[c];
        const bool bound = curve->forecast.theory == THEORY_BOUND;
        const double end = curve->forecast.iterations;
        char name[32], count[32], line[96];
        text_grid(name, sizeof name, curve->nx, curve->ny);
        snprintf(line, sizeof line, "%s  %s", name,
                 words_count(count, sizeof count, curve->iterations));
        if (curve->state != LANE_RUNNING)
            words_append(line, sizeof line, " iterations");
        else if (end > 0 && end < 1e15)
            words_append(line, sizeof line, bound ? " of at most %s" : " of %s by theory",
                         words_count(count, sizeof count, lround(end)));
        draw_legend(grid, area, x, area.y + c, 0x28d2, curve->ink, line);
        exact |= !bound;
    }
    draw_legend(grid, area, x, area.y + plot->count, 0x2824, INK_PREDICTED,
                exact ? "theory: all sine waves together" : "at most: ρ per iteration");
}

/* Theory runs ahead of the measured points, which should land on it; where only a bound is known,
 * it begins at the last of them. Of several, each ends where it reaches the tolerance. Several
 * curves have their grid, "128²", above where they end. */
static void draw_curves(struct grid *grid, const struct plot *plot, const struct screen *screen) {
    const int cols = plot->area.cols * DOT_COLS;
    for (int c = 0; c < plot->count; c++) {
        const struct curve *curve = &plot->curves[c];
        for (int x = 0; x < cols; x += 3) {
            const double residual = curve_theory(curve, plot->x.high * x / (cols - 1));
            if (residual > 0 && (plot->count == 1 || residual >= curve->limit))
                draw_dot(grid, plot->area, x, dot_y(plot, residual), INK_PREDICTED);
        }
    }
    for (int c = 0; c < plot->count; c++) {
        draw_curve(grid, plot, &plot->curves[c], 0);
        if (screen->config->view.theme == THEME_PROJECTOR)
            draw_curve(grid, plot, &plot->curves[c], 1);
    }
    for (int k = 1; plot->errors && k < plot->errors->count; k++)
        draw_line(grid, plot->area, dot_x(plot, (double)plot->errors->iterations[k - 1]),
                  dot_y(plot, plot->errors->errors[k - 1]),
                  dot_x(plot, (double)plot->errors->iterations[k]),
                  dot_y(plot, plot->errors->errors[k]), 1, INK_WARN);
    for (int c = 0; c < plot->count && plot->count > 1; c++) {
        const struct curve *curve = &plot->curves[c];
        char name[32];
        text_grid(name, sizeof name, curve->nx, curve->ny);
        const int last = plot->area.x + plot->area.cols - grid_text_width(name);
        const int x = plot->area.x + dot_x(plot, (double)curve->iterations) / DOT_COLS;
        const int y = plot->area.y + dot_y(plot, curve->residual) / DOT_ROWS - 1;
        if (curve->residual > 0)
            grid_text(grid, plot->area, x < last ? x : last, y, curve->ink, CELL_BOLD, "%s", name);
    }
}

/* The line at which the run stops. Several curves share one only in the measure that decides. */
static void draw_tolerance(struct grid *grid, const struct plot *plot,
                           const struct screen *screen) {
    const struct rect area = plot->area;
    const struct sample *sample = screen->sample;
    const double limit = plot->curves[plot->count - 1].limit;
    if ((plot->count > 1 && screen->state->measure != sample->measure) || !(limit > 0) ||
        !(scale_at(&plot->y, limit) >= 0 && scale_at(&plot->y, limit) <= 1))
        return;
    char label[64], number[24];
    const int y = area.y + row_of(plot, limit);
    const bool named = sample->measure != MEASURE_BLOG || screen->state->measure != MEASURE_BLOG;
    snprintf(label, sizeof label, " tolerance %s%s%s ",
             words_number(number, sizeof number, sample->tolerance), named ? " " : "",
             named ? measure_names[sample->measure] : "");
    for (int x = area.x; x < area.x + area.cols; x++)
        if (!grid_at(grid, x, y) || !grid_at(grid, x, y)->glyph)
            grid_put(grid, area, x, y, 0x254c, INK_GOOD, INK_DEFAULT, 0);
    if (area.cols >= 2 * grid_text_width(label))
        draw_text_right(grid, area, area.x + area.cols - 2, y, INK_GOOD, 0, label);
}

static void draw_plot(struct grid *grid, struct rect inner, const struct screen *screen) {
    struct plot plot;
    plot.count = curves_make(screen, plot.curves);
    plot.errors = plot.count == 1 && screen->state->quantity == QUANTITY_ERROR && screen->errors &&
                          screen->errors->count > 0
                      ? screen->errors
                      : NULL;
    const struct curve *own = &plot.curves[plot.count - 1];
    if (inner.cols < label_cols + 8 || inner.rows < 4) {
        char words[32];
        words_residual(words, sizeof words, own->residual);
        draw_text_centered(grid, inner, inner.y + inner.rows / 2, INK_VALUE, CELL_BOLD, words);
        return;
    }
    const struct rect area = plot.area = (struct rect){inner.x + label_cols + 1, inner.y,
                                                       inner.cols - label_cols - 2, inner.rows - 2};
    set_scales(&plot, screen->sample);
    draw_axes(grid, inner, &plot);
    if (plot.count == 1 && area.cols >= 34 && area.rows >= 5) {
        const bool theory = isfinite(curve_theory(own, (double)own->iterations));
        const bool exact = own->forecast.theory == THEORY_EXACT;
        const int x = area.x + area.cols - (theory ? 20 : 11);
        draw_legend(grid, area, x, area.y, 0x28d2, INK_CURVE, "measured");
        if (theory)
            draw_legend(grid, area, x + 12, area.y, 0x2824, INK_PREDICTED,
                        exact ? "theory" : "bound");
        if (plot.errors)
            draw_legend(grid, area, x, area.y + 1, 0x28d2, INK_WARN, "true error");
    }
    draw_curves(grid, &plot, screen);
    draw_tolerance(grid, &plot, screen);
    if (plot.count > 1) /* over the curves: they may be anywhere */
        draw_outcomes(grid, &plot);
}

/* "theory: 24 702 to 1e-5", or "at most 182 475 more to 1e-7" if only a bound is known; "" if
 * nothing is. */
static void print_forecast(char *foot, size_t size, const struct curve *curve,
                           const struct sample *sample) {
    char count[32], number[24];
    const bool exact = curve->forecast.theory == THEORY_EXACT;
    const double all = curve->forecast.iterations;
    const double told = exact ? all : all - (double)curve->iterations;
    foot[0] = '\0';
    if (!(told > 0 && told < 1e15) || (!exact && curve->state != LANE_RUNNING))
        return;
    snprintf(foot, size, exact ? "theory: %s to %s" : "at most %s more to %s",
             words_count(count, sizeof count, (long)told),
             words_number(number, sizeof number, sample->tolerance));
}

void residual_panel_draw(struct grid *grid, struct rect area, const struct screen *screen) {
    static const char *const titles[MEASURE_COUNT] = {"", ": RMS", ": relative"};
    const struct panel *panel = panel_find("residual");
    const struct lane_sample *lane = screen_lane(screen);
    struct frame frame = {.title = panel->title, .key = panel->key};
    if (!lane) {
        draw_frame(grid, area, &frame);
        return;
    }
    char title[48], value[32], foot[96], left[48], number[24];
    struct curve curves[CURVES_MAX];
    const struct curve *own = &curves[curves_make(screen, curves) - 1];
    const double initial = own->scale * lane->initial_residual;
    snprintf(title, sizeof title, "%s%s", panel->title, titles[screen->state->measure]);
    frame.title = title;
    frame.value =
        words_residual(value, sizeof value, lane->iterations > 0 ? own->residual : initial);
    snprintf(left, sizeof left, "1 - ρ = %s", words_number(number, sizeof number, 1 - own->radius));
    frame.foot_left = left;
    print_forecast(foot, sizeof foot, own, screen->sample);
    if (*foot)
        frame.foot = foot;
    draw_plot(grid, draw_frame(grid, area, &frame), screen);
}
