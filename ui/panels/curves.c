#include "ui/panels/curves.h"

#include <math.h>

#include "metrics/labels.h"
#include "solver/residual_theory.h"

/* `forecast` may be NULL: then there is but the bound, from the last residual on. */
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
        .iterations = lane->iterations,
        .state = lane->state,
        .role = role,
        .residual = lane->iterations > 0 ? scale * lane->residual : NAN,
        .limit = sample->tolerance / measure_scale(sample->measure, &mesh, initial) * scale,
        .scale = scale,
        .radius = lane->run.method == METHOD_JACOBI ? mesh_spectral_radius(&mesh) : 1,
        .history = &lane->history,
        .forecast = forecast ? *forecast : (struct forecast){.iterations = NAN},
    };
    if (curve.forecast.theory == THEORY_BOUND && curve.limit > 0 && curve.residual > curve.limit &&
        curve.radius < 1)
        curve.forecast.iterations =
            (double)curve.iterations + ceil(log(curve.limit / curve.residual) / log(curve.radius));
    return curve;
}

/* Of a grid study `lane` is one of the study, else of the sample. */
static void add_curve(const struct screen *screen, struct curve *curve,
                      const struct lane_sample *lane, int forecast, enum role role) {
    const struct sample *sample = screen->sample;
    const bool is_study = forecast >= LANES_MAX;
    *curve = curve_of(screen, lane, is_study ? sample->lanes[0].run.omega : lane->run.omega,
                      screen->forecasts ? &screen->forecasts[forecast] : NULL, role);
    if (!is_study && sample_methods_differ(sample))
        lane_label(curve->name, sizeof curve->name, sample, forecast);
    else
        format_grid(curve->name, sizeof curve->name, lane->nx, lane->ny);
}

int curves_make(const struct screen *screen, struct curve curves[CURVES_MAX]) {
    const struct sample *sample = screen->sample;
    const int own = screen->lane;
    const bool methods = sample_methods_differ(sample);
    int count = 0;
    for (int k = 0; k < sample->study_count; k++)
        if (sample->study[k].nx > 0) { /* it has begun */
            add_curve(screen, &curves[count], &sample->study[k], LANES_MAX + k, lane_role(count));
            count++;
        }
    for (int l = 0; l < sample->lane_count && methods; l++)
        if (l != own)
            add_curve(screen, &curves[count++], &sample->lanes[l], l, lane_role(l));
    add_curve(screen, &curves[count], &sample->lanes[own], own,
              methods ? lane_role(own)
              : count ? lane_role(count)
                      : ROLE_CURVE);
    return count + 1;
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

double curve_residual(const struct curve *curve, int k) {
    return curve->scale * curve->history->residuals[k];
}

double curve_theory(const struct curve *curve, double iterate) {
    if (curve->forecast.theory == THEORY_EXACT)
        return curve->scale * theory_curve(curve->forecast.residual_theory, iterate);
    const double ahead = iterate - (double)(curve->iterations - 1);
    const bool says = curve->forecast.theory == THEORY_BOUND && ahead >= 0 && curve->radius < 1;
    return says ? curve->residual * pow(curve->radius, ahead) : NAN;
}

double curves_largest(const struct curve *curves, int count) {
    double largest = 0;
    for (int c = 0; c < count; c++) {
        largest = fmax(largest, curves[c].residual);
        for (int k = 0; k < curves[c].history->count; k++)
            if (isfinite(curves[c].history->residuals[k]))
                largest = fmax(largest, curve_residual(&curves[c], k));
    }
    return largest;
}

double curves_smallest(const struct curve *curves, int count) {
    double smallest = INFINITY;
    for (int c = 0; c < count; c++) {
        if (curves[c].residual > 0)
            smallest = fmin(smallest, curves[c].residual);
        for (int k = 0; k < curves[c].history->count; k++)
            if (curves[c].history->residuals[k] > 0)
                smallest = fmin(smallest, curve_residual(&curves[c], k));
    }
    return smallest;
}

double curves_length(const struct curve *curves, int count) {
    double most = 0;
    for (int c = 0; c < count; c++)
        most = fmax(most, curves[c].each * (double)curves[c].iterations);
    return most;
}
