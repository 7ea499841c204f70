#include "ui/panels/curves.h"

#include <math.h>

#include "solver/spectrum.h"

/* `forecast` may be NULL: then there is but the bound, from the last residual on. */
static struct curve curve_of(const struct screen *screen, const struct lane_sample *lane,
                             double omega, const struct forecast *forecast, enum ink ink) {
    const struct sample *sample = screen->sample;
    const struct mesh mesh = mesh_damped(mesh_make(lane->nx, lane->ny), omega);
    const double initial =
        lane->history.count > 0 ? lane->history.residuals[0] : lane->initial_residual;
    const double scale = measure_scale(screen->state->measure, &mesh, initial);
    struct curve curve = {
        .nx = lane->nx,
        .ny = lane->ny,
        .iterations = lane->iterations,
        .state = lane->state,
        .ink = ink,
        .residual = lane->iterations > 0 ? scale * lane->residual : NAN,
        .limit = sample->tolerance / measure_scale(sample->measure, &mesh, initial) * scale,
        .scale = scale,
        .radius = mesh_spectral_radius(&mesh),
        .history = &lane->history,
        .forecast = forecast ? *forecast : (struct forecast){.iterations = NAN},
    };
    if (curve.forecast.theory == THEORY_BOUND && curve.limit > 0 && curve.residual > curve.limit &&
        curve.radius < 1)
        curve.forecast.iterations =
            (double)curve.iterations + ceil(log(curve.limit / curve.residual) / log(curve.radius));
    return curve;
}

int curves_make(const struct screen *screen, struct curve curves[CURVES_MAX]) {
    const struct sample *sample = screen->sample;
    const struct lane_sample *lane = &sample->lanes[screen->lane];
    const struct forecast *forecasts = screen->forecasts;
    int count = 0;
    for (int k = 0; k < sample->study_count; k++)
        if (sample->study[k].nx > 0) { /* it has begun */
            curves[count] = curve_of(screen, &sample->study[k], sample->lanes[0].omega,
                                     forecasts ? &forecasts[LANES_MAX + k] : NULL,
                                     (enum ink)(INK_LANE_A + count));
            count++;
        }
    curves[count] = curve_of(screen, lane, lane->omega, forecasts ? &forecasts[screen->lane] : NULL,
                             count ? (enum ink)(INK_LANE_A + count) : INK_CURVE);
    return count + 1;
}

void error_curve_add(struct error_curve *curve, const struct sample *sample) {
    const struct field *field = &sample->lanes[0].field;
    const long last = curve->count > 0 ? curve->iterations[curve->count - 1] : -1;
    if (sample->lane_count != 1 || sample->lanes[0].iterations < last)
        curve->count = 0;
    if (sample->lane_count != 1 || field->quantity != QUANTITY_ERROR ||
        !(field->found.error_l2 > 0) || (curve->count > 0 && field->iteration <= last))
        return;
    if (curve->count == ERRORS_MAX)
        for (curve->count = 0; curve->count < ERRORS_MAX / 2; curve->count++) {
            curve->iterations[curve->count] = curve->iterations[2 * curve->count];
            curve->errors[curve->count] = curve->errors[2 * curve->count];
        }
    curve->iterations[curve->count] = field->iteration;
    curve->errors[curve->count++] = field->found.error_l2;
}

double curve_residual(const struct curve *curve, int k) {
    return curve->scale * curve->history->residuals[k];
}

double curve_theory(const struct curve *curve, double iterate) {
    if (curve->forecast.theory == THEORY_EXACT)
        return curve->scale * spectrum_curve(curve->forecast.spectrum, iterate);
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

long curves_iterations(const struct curve *curves, int count) {
    long most = 0;
    for (int c = 0; c < count; c++)
        most = curves[c].iterations > most ? curves[c].iterations : most;
    return most;
}
