/* The residual's curves: a lane's own and those of a grid study. Pure. */
#ifndef JACOBI_UI_PANELS_CURVES_H
#define JACOBI_UI_PANELS_CURVES_H

#include "run/sample.h"
#include "ui/draw/grid.h"

enum { CURVES_MAX = STUDY_MAX + 1 };

struct curve {
    int nx, ny;
    long iterations;
    double residual; /* the last */
    double radius;   /* by which, in theory, the slowest part of the error shrinks per iteration */
    enum lane_state state;
    const struct history *history; /* the sample's */
    enum ink ink;
};

/* The grid study's first, the lane's own last; its ink is INK_CURVE if it is alone. Returns how
 * many. */
int curves_make(const struct sample *sample, const struct lane_sample *lane,
                struct curve curves[CURVES_MAX]);

double curves_largest(const struct curve *curves, int count);  /* residual; 0: none is known */
double curves_smallest(const struct curve *curves, int count); /* above 0; infinite: none is */
long curves_iterations(const struct curve *curves, int count); /* the most */

/* The iteration in which theory expects the residual to reach the tolerance; NaN if it says
 * nothing. */
double curve_predict(const struct curve *curve, double tolerance);

#endif
