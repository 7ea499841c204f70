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
};

static const int label_cols = 6; /* "1e-10 " */

/* ---- scales ------------------------------------------------------------------------------- */

/* The axis of iterations grows in steps with the run, so that the beginning is seen as well as the
 * end. The tolerance is on the other scale, a little above its foot, so that one sees how far it
 * is; that scale is stretched downwards until every decade takes the same whole number of rows. */
static void set_scales(struct plot *plot, const struct sample *sample,
                       const struct lane_sample *lane) {
    const double iterations = fmax(20, 1.1 * (double)curves_iterations(plot->curves, plot->count));
    const double power = pow(10, floor(log10(iterations))), lead = iterations / power;
    const double shown = power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
    plot->x = (struct scale){0, fmax(1, fmin(shown, (double)sample->iteration_limit)), false};

    const double largest = fmax(lane->initial_residual, curves_largest(plot->curves, plot->count));
    const double smallest = curves_smallest(plot->curves, plot->count);
    const double high = largest > 0 && isfinite(largest) ? largest : 1;
    double low = isfinite(smallest) ? fmin(smallest, high / 10) : high / 100;
    if (sample->tolerance > 0 && sample->tolerance < low && sample->tolerance > 1e-12 * high)
        low = sample->tolerance;
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
        if (!(history->residuals[k] > 0) || !isfinite(history->residuals[k]))
            continue;
        const int x = dot_x(plot, (double)k * (double)history->stride);
        const int y = dot_y(plot, history->residuals[k]) + lower;
        draw_line(grid, plot->area, x0 < 0 ? x : x0, x0 < 0 ? y : y0, x, y, 1, curve->ink);
        x0 = x;
        y0 = y;
    }
}

/* "128²  14 647 iterations, theory ends at 14 650": one line per curve, if there are several. */
static void draw_outcomes(struct grid *grid, const struct plot *plot, double tolerance) {
    const struct rect area = plot->area;
    enum { LINE_COLS = 38 };
    if (area.cols < LINE_COLS + 6 || area.rows < plot->count + 6)
        return;
    const int x = area.x + area.cols - LINE_COLS;
    for (int c = 0; c < plot->count; c++) {
        const struct curve *curve = &plot->curves[c];
        char name[32], count[32], line[96];
        text_grid(name, sizeof name, curve->nx, curve->ny);
        const double end = curve_predict(curve, tolerance);
        snprintf(line, sizeof line, "%s  %s", name,
                 words_count(count, sizeof count, curve->iterations));
        if (curve->state != LANE_RUNNING)
            words_append(line, sizeof line, " iterations");
        else if (end > 0 && end < 1e15)
            words_append(line, sizeof line, " of %s by theory",
                         words_count(count, sizeof count, lround(end)));
        draw_legend(grid, area, x, area.y + c, 0x28d2, curve->ink, line);
    }
    draw_legend(grid, area, x, area.y + plot->count, 0x2824, INK_PREDICTED,
                "theory: cos(π/(N+1)) per iteration");
}

/* Theory is the straight line, on this scale, along which the slowest part of the error shrinks,
 * through the last residual: ρ^k. Of several, each ends where it reaches the tolerance. Several
 * curves have their grid, "128²", above where they end. */
static void draw_curves(struct grid *grid, const struct plot *plot, const struct screen *screen) {
    const double tolerance = screen->sample->tolerance;
    const int cols = plot->area.cols * DOT_COLS;
    for (int c = 0; c < plot->count; c++) {
        const struct curve *curve = &plot->curves[c];
        for (int x = 0; x < cols && curve->iterations > 0 && curve->residual > 0; x += 3) {
            const double iteration = plot->x.high * x / (cols - 1);
            const double distance = iteration - (double)(curve->iterations - 1);
            const double residual = curve->residual * pow(curve->radius, distance);
            if (plot->count == 1 || residual >= tolerance)
                draw_dot(grid, plot->area, x, dot_y(plot, residual), INK_PREDICTED);
        }
    }
    for (int c = 0; c < plot->count; c++) {
        draw_curve(grid, plot, &plot->curves[c], 0);
        if (screen->config->view.theme == THEME_PROJECTOR)
            draw_curve(grid, plot, &plot->curves[c], 1);
    }
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

static void draw_plot(struct grid *grid, struct rect inner, const struct screen *screen,
                      const struct lane_sample *lane) {
    const struct sample *sample = screen->sample;
    const double tolerance = sample->tolerance;
    struct plot plot;
    if (inner.cols < label_cols + 8 || inner.rows < 4) {
        char words[32];
        words_residual(words, sizeof words, lane->residual);
        draw_text_centered(grid, inner, inner.y + inner.rows / 2, INK_VALUE, CELL_BOLD, words);
        return;
    }
    const struct rect area = plot.area = (struct rect){inner.x + label_cols + 1, inner.y,
                                                       inner.cols - label_cols - 2, inner.rows - 2};
    plot.count = curves_make(sample, lane, plot.curves);
    set_scales(&plot, sample, lane);
    draw_axes(grid, inner, &plot);
    if (plot.count == 1 && area.cols >= 34 && area.rows >= 5) {
        const bool theory = lane->iterations > 0 && lane->residual > 0;
        const int x = area.x + area.cols - (theory ? 20 : 11);
        draw_legend(grid, area, x, area.y, 0x28d2, INK_CURVE, "measured");
        if (theory)
            draw_legend(grid, area, x + 12, area.y, 0x2824, INK_PREDICTED, "theory");
    }
    draw_curves(grid, &plot, screen);
    if (scale_at(&plot.y, tolerance) >= 0 && scale_at(&plot.y, tolerance) <= 1) {
        char label[48], number[24];
        const int y = area.y + row_of(&plot, tolerance);
        snprintf(label, sizeof label, " tolerance %s ",
                 words_number(number, sizeof number, tolerance));
        for (int x = area.x; x < area.x + area.cols; x++)
            if (!grid_at(grid, x, y) || !grid_at(grid, x, y)->glyph)
                grid_put(grid, area, x, y, 0x254c, INK_GOOD, INK_DEFAULT, 0);
        if (area.cols >= 2 * grid_text_width(label))
            draw_text_right(grid, area, area.x + area.cols - 2, y, INK_GOOD, 0, label);
    }
    if (plot.count > 1) /* over the curves: they may be anywhere */
        draw_outcomes(grid, &plot, tolerance);
}

void residual_panel_draw(struct grid *grid, struct rect area, const struct screen *screen) {
    const struct panel *panel = panel_find("residual");
    const struct lane_sample *lane = screen_lane(screen);
    const double tolerance = screen->sample->tolerance;
    struct frame frame = {.title = panel->title, .key = panel->key};
    if (!lane) {
        draw_frame(grid, area, &frame);
        return;
    }
    char value[32], foot[96], left[48], number[24], count[32];
    const struct mesh mesh = mesh_make(screen->sample->nx, screen->sample->ny);
    const double radius = mesh_spectral_radius(&mesh);
    frame.value = words_residual(value, sizeof value, lane->residual);
    snprintf(left, sizeof left, "1 - ρ = %s", words_number(number, sizeof number, 1 - radius));
    frame.foot_left = left;
    /* How many more iterations the tolerance is away, if the error shrinks as theory says. */
    const bool running = lane->state == LANE_RUNNING && tolerance > 0 && lane->residual > 0;
    const double more = running ? log(tolerance / lane->residual) / log(radius) : NAN;
    if (more > 0 && more < 1e15) {
        snprintf(foot, sizeof foot, "theory: %s more to %s",
                 words_count(count, sizeof count, (long)more),
                 words_number(number, sizeof number, tolerance));
        frame.foot = foot;
    }
    draw_plot(grid, draw_frame(grid, area, &frame), screen, lane);
}
