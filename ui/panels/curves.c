#include "ui/panels/curves.h"

#include <math.h>

static struct curve curve_of(const struct lane_sample *lane, enum ink ink) {
    const struct mesh mesh = mesh_make(lane->nx, lane->ny);
    return (struct curve){.nx = lane->nx,
                          .ny = lane->ny,
                          .iterations = lane->iterations,
                          .residual = lane->residual,
                          .radius = mesh_spectral_radius(&mesh),
                          .state = lane->state,
                          .history = &lane->history,
                          .ink = ink};
}

int curves_make(const struct sample *sample, const struct lane_sample *lane,
                struct curve curves[CURVES_MAX]) {
    int count = 0;
    for (int k = 0; k < sample->study_count; k++)
        if (sample->study[k].nx > 0) { /* it has begun */
            curves[count] = curve_of(&sample->study[k], (enum ink)(INK_LANE_A + count));
            count++;
        }
    curves[count] = curve_of(lane, count ? (enum ink)(INK_LANE_A + count) : INK_CURVE);
    return count + 1;
}

double curves_largest(const struct curve *curves, int count) {
    double largest = 0;
    for (int c = 0; c < count; c++) {
        largest = fmax(largest, curves[c].residual);
        for (int k = 0; k < curves[c].history->count; k++)
            if (isfinite(curves[c].history->residuals[k]))
                largest = fmax(largest, curves[c].history->residuals[k]);
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
                smallest = fmin(smallest, curves[c].history->residuals[k]);
    }
    return smallest;
}

long curves_iterations(const struct curve *curves, int count) {
    long most = 0;
    for (int c = 0; c < count; c++)
        most = curves[c].iterations > most ? curves[c].iterations : most;
    return most;
}

double curve_predict(const struct curve *curve, double tolerance) {
    if (!(tolerance > 0) || !(curve->residual > 0) || curve->iterations < 1)
        return NAN;
    const double more = log(tolerance / curve->residual) / log(curve->radius);
    return isfinite(more) ? (double)curve->iterations + more : NAN;
}
