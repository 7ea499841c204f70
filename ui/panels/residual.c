/* The residual panel: the residual of each iteration, with prediction and tolerance. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metrics/costs.h"
#include "metrics/labels.h"
#include "solver/residual_theory.h"
#include "ui/panels/panel.h"

/* ---- curves: a lane's own and those of a grid study, in the measure drawn */

enum { CURVES_MAX = STUDY_MAX + LANES_MAX };

struct curve {
    char name[48]; /* if there are several: the grid, "128²", or the lane, "D multigrid" */
    double each;   /* an iteration's length on the axis: 1, lattice updates, or seconds */
    const struct lane_sample *lane; /* the sample's */
    enum role role;
    char letter;     /* the lane's, on the curve; 0: none */
    double residual; /* the last; NaN if none */
    double limit;    /* the tolerance; 0: none */
    double scale;    /* converts from the blog's residual, the unit of history and `forecast` */
    char stagnation[SENTENCE_SIZE]; /* "stagnates at …"; "" */
    double radius;                  /* upper bound of the reduction factor per iteration */
    struct forecast forecast;       /* if it isn't exact, `iterations` is an upper bound */
};

/* `forecast` NULL: only the bound, from the last residual on. */
static struct curve curve_of(const struct screen *screen, const struct lane_sample *lane,
                             double omega, const struct forecast *forecast, enum role role) {
    const struct sample *sample = screen->sample;
    const struct mesh mesh = mesh_damped(mesh_make(lane->nx, lane->ny), omega);
    const double initial =
        lane->history.count > 0 ? lane->history.residuals[0] : lane->initial_residual;
    const double scale = measure_scale(screen->state->measure, &mesh, initial);
    struct curve curve = {
        .each = screen->state->axis == AXIS_SECONDS
                    ? lane->seconds / fmax(1, (double)lane->iterations)
                : screen->state->axis == AXIS_WORK
                    ? method_work(lane->run.method, lane->run.cycle, &mesh)
                    : 1,
        .lane = lane,
        .role = role,
        .residual = lane->iterations > 0 ? scale * lane->residual : NAN,
        .limit = sample->tolerance / measure_scale(sample->measure, &mesh, initial) * scale,
        .scale = scale,
        .radius = lane->run.method == METHOD_JACOBI ? mesh_spectral_radius(&mesh) : 1,
        .forecast = forecast ? *forecast : (struct forecast){.iterations = NAN},
    };
    format_stagnation(curve.stagnation, sizeof curve.stagnation, lane, scale);
    if (curve.forecast.theory == THEORY_BOUND && curve.limit > 0 && curve.residual > curve.limit &&
        curve.radius < 1)
        curve.forecast.iterations = (double)curve.lane->iterations +
                                    ceil(log(curve.limit / curve.residual) / log(curve.radius));
    return curve;
}

/* Whether each lane has a curve. On an axis of time the same iterates have different places. */
static bool has_curve_of_each(const struct screen *screen) {
    return sample_lanes_differ(screen->sample) ||
           (screen->state->axis == AXIS_SECONDS && screen->sample->lane_count > 1);
}

/* With a grid study `lane` belongs to the study, else to the sample. */
static void add_curve(const struct screen *screen, struct curve *curve,
                      const struct lane_sample *lane, int forecast, enum role role) {
    const struct sample *sample = screen->sample;
    const bool is_study = forecast >= LANES_MAX;
    *curve = curve_of(screen, lane, is_study ? sample->lanes[0].run.omega : lane->run.omega,
                      screen->forecasts ? &screen->forecasts[forecast] : NULL, role);
    if (!is_study && has_curve_of_each(screen)) {
        curve->letter = lane_letter(forecast);
        format_text(curve->name, sizeof curve->name, "%c %s", curve->letter,
                    AS(lane_label, sample, forecast));
    } else
        format_grid(curve->name, sizeof curve->name, lane->nx, lane->ny);
}

/* First the curves of the grid study or, if each lane has one, of the other lanes; last
 * the lane's own. A single curve has ROLE_CURVE. Returns their number. Needs at least one lane. */
static int curves_make(const struct screen *screen, struct curve curves[CURVES_MAX]) {
    const struct sample *sample = screen->sample;
    const int own = screen->lane;
    const bool several = has_curve_of_each(screen);
    int count = 0;
    for (int k = 0; k < sample->study_count; k++)
        if (sample->study[k].nx > 0) { /* it has begun */
            add_curve(screen, &curves[count], &sample->study[k], LANES_MAX + k, lane_role(count));
            count++;
        }
    for (int l = 0; l < sample->lane_count && several; l++)
        if (l != own)
            add_curve(screen, &curves[count++], &sample->lanes[l], l, lane_role(l));
    add_curve(screen, &curves[count], &sample->lanes[own], own,
              several ? lane_role(own)
              : count ? lane_role(count)
                      : ROLE_CURVE);
    return count + 1;
}

static double curve_residual(const struct curve *curve, int k) {
    return curve->scale * curve->lane->history.residuals[k];
}

/* The theoretical residual of an iterate, or an upper bound beyond the last one; NaN if there is no
 * prediction, as for methods other than Jacobi. */
static double curve_theory(const struct curve *curve, double iterate) {
    if (curve->forecast.theory == THEORY_EXACT)
        return curve->scale * theory_curve(curve->forecast.residual_theory, iterate);
    const double ahead = iterate - (double)(curve->lane->iterations - 1);
    const bool says = curve->forecast.theory == THEORY_BOUND && ahead >= 0 && curve->radius < 1;
    return says ? curve->residual * pow(curve->radius, ahead) : NAN;
}

/* The extremes of all residuals; 0 and infinity if there are none. */
static void find_extremes(const struct curve *curves, int count, double *largest,
                          double *smallest) {
    *largest = 0;
    *smallest = INFINITY;
    for (int c = 0; c < count; c++)
        for (int k = -1; k < curves[c].lane->history.count; k++) { /* -1: the last */
            const double residual = k < 0 ? curves[c].residual : curve_residual(&curves[c], k);
            if (k < 0 || isfinite(residual))
                *largest = fmax(*largest, residual);
            if (residual > 0)
                *smallest = fmin(*smallest, residual);
        }
}

/* ---- the plot */

/* The curves and the plot that contains them. */
struct residual_plot {
    struct plot plot;
    int count;
    struct curve curves[CURVES_MAX];
    const struct error_curve *errors; /* also drawn; NULL: none */
};

static const int label_cols = 6; /* "1e-10 " */

/* The axis of iterations grows in steps with the run, so that both its beginning and end are
 * visible. For several methods it is logarithmic: their work differs by powers of ten. The
 * tolerance is slightly above the foot of the other axis, so that its distance is visible. That
 * axis extends downwards until every decade takes the same whole number of dots. */
static void set_scales(struct residual_plot *plot, const struct sample *sample) {
    const struct curve *own = &plot->curves[plot->count - 1];
    const double least = own->each < 1 ? 1e-6 : 20;
    double most = 0, done = 0, largest, smallest;
    for (int c = 0; c < plot->count; c++) {
        most = fmax(most, plot->curves[c].each * (double)sample->iteration_limit);
        done = fmax(done, plot->curves[c].each * (double)plot->curves[c].lane->iterations);
    }
    const double length = fmax(least, 1.1 * done);
    const double shown = scale_end(length);
    plot->plot.x = (struct scale){0, most > 0 ? fmin(shown, most) : shown, false};
    for (int c = 0; c < plot->count; c++)
        if (plot->curves[c].lane->run.method != own->lane->run.method && own->each >= 1)
            plot->plot.x = (struct scale){1, pow(10, ceil(log10(length))), true};
    find_extremes(plot->curves, plot->count, &largest, &smallest);
    if (own->lane->history.count == 0) /* before the first iteration */
        largest = fmax(largest, own->scale * sample->lanes[0].initial_residual);
    for (int k = 0; plot->errors && k < plot->errors->count; k++) {
        largest = fmax(largest, plot->errors->errors[k]);
        smallest = fmin(smallest, plot->errors->errors[k]);
    }
    const double high = largest > 0 && isfinite(largest) ? largest : 1;
    double low = isfinite(smallest) ? fmin(smallest, high / 10) : high / 100;
    if (own->limit > 0 && own->limit < low && own->limit > 1e-12 * high)
        low = own->limit;
    struct scale *y = &plot->plot.y;
    *y = (struct scale){fmax(low, 1e-16 * high) / 2, pow(10, ceil(log10(high))), true};
    const int dots = (plot->plot.area.rows - 1) * DOT_ROWS;
    int per_decade = (int)(dots / log10(y->high / y->low));
    if (3 * (per_decade % DOT_ROWS) < per_decade) /* whole rows, if that costs little room */
        per_decade -= per_decade % DOT_ROWS;
    if (per_decade >= 2)
        y->low = y->high / pow(10, (double)dots / per_decade);
}

/* ---- labels and curves */

/* Dots of a legend; a distance beyond any screen. */
enum { MEASURED = U'⣒', PREDICTED = U'⠤', FAR = 400 };

/* Puts a label where it covers nothing, as near to (x, y) as possible; `mark` 0: none. Returns
 * whether there is room. */
static bool put_label(struct area area, int x, int y, int reach, uint32_t mark, enum role role,
                      const char *text) {
    struct area place = {x, y, grid_text_width(text) + (mark ? 2 : 0), 1, NULL};
    place.x = min_int(place.x, area.x + area.cols - place.cols);
    if (!draw_free_place(area, &place, reach))
        return false;
    if (mark)
        draw_legend(place, mark, role, text);
    else
        draw_text(place, role | BOLD, "%s", text);
    return true;
}

/* The level of stagnation, for a single curve, and below it the reason; for several only the
 * reason, below the curve's least value. */
static void draw_stagnation(const struct residual_plot *plot, const struct curve *curve) {
    const struct area area = plot->plot.area;
    const char *why = strstr(curve->stagnation, ": ");
    double least;
    long iterate;
    if (!why || area.rows < 6)
        return;
    const char *lines[] = {PRINT("%.*s", (int)(why - curve->stagnation), curve->stagnation),
                           why + 2};
    if (plot->count > 1 && curve->letter && lane_stagnates(curve->lane, &least, &iterate)) {
        const struct area cell =
            plot_cell(&plot->plot, fmax(curve->each * (double)iterate, plot->plot.x.low),
                      curve->scale * least);
        const char *text = PRINT("%c: %s", curve->letter, lines[1]);
        put_label(area, cell.x - grid_text_width(text) / 2, cell.y + 1, FAR, 0, ROLE_BAD, text);
        return;
    }
    for (int k = 0; k < 2; k++)
        put_label(area, area.x + area.cols - grid_text_width(lines[k]) - 1, area.y + 2 + k, FAR, 0,
                  ROLE_BAD, lines[k]);
}

/* A legend of measurement and prediction, for a single curve. */
static void draw_curve_legend(const struct residual_plot *plot) {
    const struct area area = plot->plot.area;
    const struct curve *own = plot->curves;
    const int end = area.x + area.cols;
    const bool theory = isfinite(curve_theory(own, (double)own->lane->iterations));
    draw_stagnation(plot, own);
    if (area.cols < 34 || area.rows < 5)
        return;
    put_label(area, end - (theory ? 20 : 11), area.y, FAR, MEASURED, own->role, "measured");
    if (theory)
        put_label(area, end - 8, area.y, FAR, PREDICTED, ROLE_PREDICTED,
                  own->forecast.theory == THEORY_EXACT ? "predicted" : "bound");
    if (plot->errors)
        put_label(area, end - 13, area.y + 1, FAR, MEASURED, ROLE_WARN, "true error");
}

/* "128²  8 000 of 14 647 predicted": one line per curve, if there are several. Returns whether
 * there is room. */
static bool draw_outcomes(const struct residual_plot *plot) {
    enum { LEAST_COLS = 44 };
    const struct area area = plot->plot.area;
    const struct curve *own = &plot->curves[plot->count - 1];
    const bool says = isfinite(curve_theory(own, (double)own->lane->iterations));
    if (plot->count == 1 || area.cols < LEAST_COLS || area.rows < plot->count + 6)
        return false;
    char lines[CURVES_MAX + 1][96];
    bool exact = false;
    struct area place = {.y = area.y, .rows = plot->count + 1};
    for (int c = 0; c < plot->count; c++) {
        const struct curve *curve = &plot->curves[c];
        const bool bound = curve->forecast.theory == THEORY_BOUND;
        const double end = curve->forecast.iterations;
        format_text(lines[c], sizeof *lines, "%s  %s", curve->name,
                    AS(format_count, curve->lane->iterations));
        if (*curve->stagnation)
            format_append(lines[c], sizeof *lines, " iterations, %.*s",
                          (int)strcspn(curve->stagnation, "("), curve->stagnation);
        else if (curve->lane->state != LANE_RUNNING)
            format_append(lines[c], sizeof *lines, " iterations");
        else if (end > 0 && end < 1e15)
            format_append(lines[c], sizeof *lines, bound ? " of at most %s" : " of %s predicted",
                          AS(format_count, lround(end)));
        exact |= !bound;
    }
    format_text(lines[plot->count], sizeof *lines,
                exact ? "predicted: all sine modes together" : "at most: ρ per iteration");
    for (int c = 0; c < plot->count + says; c++)
        place.cols = max_int(place.cols, 2 + grid_text_width(lines[c]));
    place.x = area.x + area.cols - place.cols;
    if (!draw_free_place(area, &place, FAR))
        return false;
    for (int c = 0; c < plot->count; c++) { /* by letters, though the own curve is the last */
        const char letter = plot->curves[c].letter;
        draw_legend(area_row(place, letter ? letter - 'A' : c), MEASURED, plot->curves[c].role,
                    lines[c]);
    }
    if (says)
        draw_legend(area_row(place, plot->count), PREDICTED, ROLE_PREDICTED, lines[plot->count]);
    return true;
}

/* Colours the cells below a single curve. */
static void draw_body(const struct residual_plot *of) {
    const struct curve *curve = &of->curves[0];
    const struct history *history = &curve->lane->history;
    const struct area area = of->plot.area;
    const double columns = of->plot.x.high / area.cols / (curve->each * (double)history->stride);
    for (int x = 0; x < area.cols && columns * x < history->count - 1; x++) {
        const int middle = min_int((int)lround(columns * (x + 0.5)), history->count - 1);
        const double residual = curve_residual(curve, middle);
        const bool is_drawn = residual > 0 && isfinite(residual);
        const double y = is_drawn ? round(plot_y(&of->plot, residual) / DOT_ROWS) : area.rows;
        grid_fill(area_below(area_left(area_right_of(area, x), 1), (int)fmax(y, 0)), ROLE_BODY);
    }
}

/* The prediction extends beyond the measured points, which should follow it; a mere bound begins at
 * the last of them. With several curves, each prediction ends at the tolerance. */
static void draw_curves(const struct residual_plot *of, const struct screen *screen) {
    const struct plot *plot = &of->plot;
    const int cols = plot->area.cols * DOT_COLS;
    const int thick = screen->config->view.terminal.theme == THEME_PROJECTOR ? 3 : 2;
    for (int c = 0; c < of->count; c++) {
        const struct curve *curve = &of->curves[c];
        for (int x = 0; x < cols; x += 3) {
            const double at = (double)x / (cols - 1);
            const double work = plot->x.logarithmic ? pow(plot->x.high, at) : plot->x.high * at;
            const double residual = curve_theory(curve, work / curve->each);
            if (residual > 0 && (of->count == 1 || residual >= curve->limit))
                draw_dot(plot->area, x, (int)lround(plot_y(plot, residual)), ROLE_PREDICTED);
        }
    }
    for (int c = 0; c < of->count; c++) {
        const struct history *history = &of->curves[c].lane->history;
        const double step = of->curves[c].each * (double)history->stride;
        int before = -1;
        for (int k = 0; k < history->count; k++) {
            const double residual = curve_residual(&of->curves[c], k);
            if (!(residual > 0) || !isfinite(residual))
                continue;
            before = before < 0 ? k : before;
            plot_stroke(plot, fmax(step * before, plot->x.low),
                        curve_residual(&of->curves[c], before), fmax(step * k, plot->x.low),
                        residual, thick, of->curves[c].role);
            before = k;
        }
    }
    const struct error_curve *errors = of->errors;
    for (int k = 1; errors && k < errors->count; k++)
        plot_stroke(plot, (double)errors->iterations[k - 1], errors->errors[k - 1],
                    (double)errors->iterations[k], errors->errors[k], thick, ROLE_WARN);
}

/* The lane's letter on its curve, repeatedly: the curves have no hues. Each lane's first is at
 * another distance, as curves may coincide. */
static void draw_letters(const struct residual_plot *of, const struct curve *curve) {
    enum { DISTANCE = 24 * DOT_COLS };
    const struct history *history = &curve->lane->history;
    double far = 0.25 * DISTANCE * (curve->letter - 'A'), before_x = NAN, before_y = NAN;
    for (int k = 0; k < history->count && curve->letter; k++) {
        const double work = fmax(curve->each * (double)(history->stride * k), of->plot.x.low);
        const double residual = curve_residual(curve, k);
        if (!(residual > 0) || !isfinite(residual))
            continue;
        const double x = plot_x(&of->plot, work), y = plot_y(&of->plot, residual);
        far += isnan(before_x) ? 0 : hypot(x - before_x, y - before_y);
        before_x = x;
        before_y = y;
        if (far < DISTANCE)
            continue;
        const struct area cell = plot_cell(&of->plot, work, residual);
        grid_put(of->plot.area, cell.x, cell.y, (uint32_t)curve->letter, curve->role | BOLD);
        far = 0;
    }
}

/* Whether the curves end in the same place, so that one label names both. */
static bool coincide(const struct plot *plot, const struct curve *a, const struct curve *b) {
    return b->letter && b->lane->state != LANE_CONVERGED && a->each == b->each &&
           a->lane->iterations == b->lane->iterations &&
           fabs(plot_y(plot, a->residual) - plot_y(plot, b->residual)) < DOT_ROWS;
}

/* Where a curve ends on the axis. */
static double end_work(const struct residual_plot *of, const struct curve *curve) {
    return fmax(curve->each * (double)curve->lane->iterations, of->plot.x.low);
}

/* Draws the label of a lane that has converged between its curve's end and the next one, else
 * between the one before and its own: no curve ends nearer. Without the method's name if that
 * doesn't fit. Returns whether there is room. */
static bool put_outcome(const struct residual_plot *of, const struct curve *curve,
                        const char *text) {
    enum { REACH = 30 };
    const struct area area = of->plot.area;
    const int end = plot_cell(&of->plot, end_work(of, curve), curve->residual).x - area.x;
    const int y = (int)lround(plot_y(&of->plot, curve->residual)) / DOT_ROWS;
    int before = 0, after = area.cols;
    for (int c = 0; c < of->count; c++) {
        const int other =
            plot_cell(&of->plot, end_work(of, &of->curves[c]), curve->residual).x - area.x;
        if (other > end)
            after = min_int(after, other);
        if (other < end)
            before = max_int(before, other + 1);
    }
    const char *texts[] = {
        text, PRINT("%c ✓ %s", curve->letter, AS(format_count, curve->lane->iterations))};
    const struct area rooms[] = {area_left(area_right_of(area, end + 2), after - end - 2),
                                 area_left(area_right_of(area, before), end - 1 - before)};
    for (int k = 0; k < 4; k++)
        if (put_label(rooms[k / 2], area.x + end + 2, area.y + y, REACH, 0, ROLE_GOOD,
                      texts[k % 2]))
            return true;
    return false;
}

/* Labels beside the end of a curve: its grid, "128²", or the lane, of which the letter suffices
 * if `has_outcomes`; its convergence, with a line down to the axis. In the order of the curves'
 * heights; one label names all that end in the same place. */
static void draw_ends(const struct residual_plot *of, bool has_outcomes) {
    const struct plot *plot = &of->plot;
    const struct area area = plot->area;
    const struct curve *sorted[CURVES_MAX];
    for (int c = 0; c < of->count; c++) {
        int at = c;
        for (; at > 0 && sorted[at - 1]->residual < of->curves[c].residual; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = &of->curves[c];
    }
    for (int c = 0; c < of->count; c++) {
        const struct curve *curve = sorted[c];
        const int x = (int)lround(plot_x(plot, end_work(of, curve)));
        const int y = (int)lround(plot_y(plot, curve->residual));
        const bool converged = curve->lane->state == LANE_CONVERGED;
        char name[96];
        format_text(name, sizeof name, "%.*s", curve->letter && has_outcomes ? 1 : 95,
                    of->count > 1 ? curve->name : "");
        for (; !converged && c + 1 < of->count && coincide(plot, curve, sorted[c + 1]); c++)
            format_append(name, sizeof name, has_outcomes ? " %.1s" : ", %s", sorted[c + 1]->name);
        const char *text = converged ? PRINT("%s%s%s✓ %s", name, *name ? " " : "",
                                             curve->letter ? "" : "converged ",
                                             AS(format_count, curve->lane->iterations))
                                     : name;
        const int end = x / DOT_COLS + 2, width = grid_text_width(text);
        const bool beside = of->count > 1 && end + width <= area.cols;
        if (!(curve->residual > 0))
            continue;
        if (converged)
            draw_line(area, x, y + 4, x, area.rows * DOT_ROWS - 1, 2, ROLE_GOOD);
        if (converged && curve->letter && put_outcome(of, curve, text))
            continue;
        put_label(area, area.x + (beside ? end : x / DOT_COLS - width / 2),
                  area.y + y / DOT_ROWS - !beside, area.cols, 0,
                  converged ? ROLE_GOOD : curve->role, text);
    }
}

/* The line at which the run stops. Several curves share one only in the stopping criterion's
 * measure. */
static void draw_tolerance(const struct residual_plot *of, const struct screen *screen,
                           bool with_label) {
    const struct plot *plot = &of->plot;
    const struct sample *sample = screen->sample;
    const double limit = of->curves[of->count - 1].limit;
    const int y = (int)lround(plot_y(plot, limit));
    if ((of->count > 1 && screen->state->measure != sample->measure) || !(limit > 0) || y < 0 ||
        y >= plot->area.rows * DOT_ROWS)
        return;
    const bool named = sample->measure != MEASURE_BLOG || screen->state->measure != MEASURE_BLOG;
    const char *label = PRINT("tolerance %s%s%s", AS(format_number, sample->tolerance),
                              named ? " " : "", named ? measure_names[sample->measure] : "");
    if (!with_label)
        for (int x = 0; x < plot->area.cols * DOT_COLS; x++) {
            if (x % 8 < 6)
                draw_dot(plot->area, x, y, ROLE_GOOD);
        }
    else if (plot->area.cols >= 2 * grid_text_width(label))
        put_label(plot->area, plot->area.x + plot->area.cols - grid_text_width(label) - 2,
                  plot->area.y + y / DOT_ROWS + (y % DOT_ROWS > 1 ? -1 : 1), plot->area.cols, 0,
                  ROLE_GOOD, label);
}

static void draw_plot(struct area inner, const struct screen *screen) {
    enum { DIFFERENCES_FROM = 24 };
    struct residual_plot of = {0};
    struct area differences = {0};
    of.count = curves_make(screen, of.curves);
    if (precisions_differ(screen->sample)) {
        inner = precision_costs_draw(inner, screen);
        if (inner.rows >= DIFFERENCES_FROM && of.curves[0].each == 1 &&
            !sample_methods_differ(screen->sample))
            differences = area_take_bottom(&inner, inner.rows * 2 / 5);
    }
    of.plot = plot_make(inner, label_cols + 1, screen->no_color || screen->ascii);
    if (of.count == 1 && screen->state->kind == FIELD_ERROR && screen->errors &&
        screen->errors->count > 0)
        of.errors = screen->errors;
    if (inner.cols < label_cols + 8 || inner.rows < 4) {
        draw_centered(area_below(inner, inner.rows / 2), ROLE_VALUE | BOLD,
                      AS(format_residual, of.curves[of.count - 1].residual));
        return;
    }
    set_scales(&of, screen->sample);
    if (of.count == 1 && !of.plot.is_plain)
        draw_body(&of);
    plot_axes(&of.plot);
    draw_tolerance(&of, screen, false);
    draw_curves(&of, screen);
    for (int c = 0; c < of.count; c++)
        draw_letters(&of, &of.curves[c]);
    draw_ends(&of, draw_outcomes(&of));
    draw_tolerance(&of, screen, true);
    for (int c = 0; c < of.count && of.count > 1; c++)
        draw_stagnation(&of, &of.curves[c]);
    if (of.count == 1)
        draw_curve_legend(&of);
    precision_differences_draw(differences, screen, &of.plot);
}

/* "predicted: 24 702 to 1e-5, 41 s left", or "at most 182 475 more to 1e-7" if only a bound is
 * known; up to the limit if that is reached earlier; "" if nothing is known. */
static char *format_forecast(char *foot, size_t size, const struct curve *curve,
                             const struct sample *sample, const struct lane_sample *lane,
                             bool is_demo) {
    const bool exact = curve->forecast.theory == THEORY_EXACT;
    const double all = curve->forecast.iterations;
    const double reported = exact ? all : all - (double)curve->lane->iterations;
    const bool is_known =
        reported > 0 && reported < 1e15 && (exact || curve->lane->state == LANE_RUNNING);
    if (is_known)
        format_text(foot, size, exact ? "predicted: %s to %s" : "at most %s more to %s",
                    AS(format_count, (long)reported), AS(format_number, sample->tolerance));
    /* Lanes that take turns, replays and the demo run at a different pace. */
    const bool to_limit = !(is_known && all <= (double)lane->iteration_limit);
    const double left = (to_limit ? (double)lane->iteration_limit : all) - (double)lane->iterations;
    const double ms =
        fmax(costs_of_window(sample, (int)(lane - sample->lanes)).mean_ms,
             sample->iterations_per_second > 0 ? 1e3 / sample->iterations_per_second : 0);
    const double minutes = ms * left / 60e3;
    if (sample->state != SESSION_RUNNING || sample->lane_count > 1 || *sample->playback.label ||
        is_demo || !(minutes > 0) || minutes > 1e6)
        return foot;
    const bool is_hours = minutes >= 120, is_seconds = minutes < 2;
    format_append(foot, size, "%s%.*f %s %s", *foot ? ", " : "", is_hours,
                  is_hours     ? minutes / 60
                  : is_seconds ? 60 * minutes
                               : minutes,
                  is_hours     ? "h"
                  : is_seconds ? "s"
                               : "min",
                  to_limit ? "to the limit" : "left");
    return foot;
}

const char *const residual_measures[MEASURE_COUNT] = {"RMS / unknowns", "RMS", "relative"};

static void residual_draw(struct area area, const struct screen *screen) {
    const struct lane_sample *lane = screen_lane(screen);
    struct frame frame = panel_frame(&residual_panel);
    if (!lane) {
        draw_frame(area, &frame);
        return;
    }
    struct curve curves[CURVES_MAX];
    const struct curve *own = &curves[curves_make(screen, curves) - 1];
    const double initial = own->scale * lane->initial_residual;
    bool scaled = false; /* the axis does not count iterations */
    for (const struct curve *curve = curves; curve <= own; curve++)
        scaled |= curve->each != 1;
    const char *measure = PRINT(": %s", residual_measures[screen->state->measure]);
    const char *axis = !scaled                               ? " over iterations"
                       : screen->state->axis == AXIS_SECONDS ? " over seconds"
                                                             : " over updates per unknown";
    frame.value = AS(format_residual, lane->iterations > 0 ? own->residual : initial);
    const char *const titles_by_width[] = {
        PRINT("%s%s%s", frame.title, measure, axis),
        PRINT("%s%s%.*s", frame.title, measure, (int)strlen(" over updates"), axis),
        PRINT("%s%s", frame.title, measure)};
    for (int t = 2; t >= 0; t--)
        if (grid_text_width(titles_by_width[t]) + grid_text_width(frame.value) + 10 <= area.cols)
            frame.title = titles_by_width[t];
    if (lane->run.method != METHOD_JACOBI)
        frame.foot_left = AS(format_method, lane);
    else if (screen->state->full == &residual_panel)
        frame.foot_left = PRINT("1 - ρ = %s", AS(format_number, 1 - own->radius));
    frame.foot = *own->stagnation && lane->run.precision == PRECISION_SINGLE
                     ? "F: mixed precision goes lower"
                     : AS(format_forecast, own, screen->sample, lane, screen->state->is_demo);
    /* The time that is left is dropped first. */
    if (grid_text_width(frame.foot) + 6 > area.cols)
        frame.foot = PRINT("%.*s", (int)strcspn(frame.foot, ","), frame.foot);
    draw_plot(draw_frame(area, &frame), screen);
}

const struct panel residual_panel = {PANEL("residual", "Residual", '2', residual_draw)};
