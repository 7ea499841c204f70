/* The residual's curves: a lane's own and those of a grid study, in the measure that is drawn.
 * Pure. */
#ifndef JACOBI_UI_PANELS_CURVES_H
#define JACOBI_UI_PANELS_CURVES_H

#include "ui/panels/screen.h"

enum { CURVES_MAX = STUDY_MAX + LANES_MAX };

struct curve {
    char name[48]; /* among several: the grid, "128²", or the lane, "multigrid" */
    double each;   /* what an iteration takes on the axis: 1, lattice updates, or seconds */
    long iterations;
    enum lane_state state;
    enum role role;
    double residual; /* the last; NaN if there is none */
    double limit;    /* the tolerance; 0: none */
    double scale;    /* from the blog's residual, which `history` and `forecast` are in */
    double radius;   /* by which each iteration shrinks the residual at least */
    const struct history *history; /* the sample's */
    struct forecast forecast;      /* if it isn't exact, `iterations` is an upper bound */
};

/* The grid study's first, or of lanes whose methods differ the others'; the lane's own last; its
 * role is ROLE_CURVE if it is alone. Returns how many. The screen must have lanes. */
int curves_make(const struct screen *screen, struct curve curves[CURVES_MAX]);

/* The k-th residual of its history. */
double curve_residual(const struct curve *curve, int k);

/* What theory has for an iterate: the residual, or an upper bound of it from the last one on; NaN
 * if it says nothing, as of other methods than Jacobi. */
double curve_theory(const struct curve *curve, double iterate);

double curves_largest(const struct curve *curves, int count);  /* residual; 0: none is known */
double curves_smallest(const struct curve *curves, int count); /* above 0; infinite: none is */
double curves_length(const struct curve *curves, int count);   /* the farthest on the axis */

#endif
