/* Inspection: quantities that a mean of U over a cell can't show, made from U itself and RHS.
 *
 * A mean hides whatever changes its sign from one unknown to the next, as the checkerboard does. So
 * these quantities are made of every unknown, on the host, from a copy of U; that costs time, and
 * is done only while such a quantity is shown. Pure. */
#ifndef JACOBI_SOLVER_FIELD_STATS_H
#define JACOBI_SOLVER_FIELD_STATS_H

#include "core/status.h"
#include "solver/problem.h"

/* What the field shows. */
enum field_kind {
    FIELD_U,        /* the mean over a cell; engines reduce it where U is */
    FIELD_RESIDUAL, /* |RES|: the root of the mean of RES² over a cell */
    FIELD_SIGN,     /* the sign of RES, -1, 0 or 1: one unknown per cell */
    FIELD_ERROR,    /* |U - exact|, likewise a root of a mean; needs problem->exact */
    FIELD_KIND_COUNT
};

/* "U", "|RES|", "sign of RES", "|error|". */
extern const char *const field_kind_titles[FIELD_KIND_COUNT];

/* Figures of the whole grid; NaN if they were not made. */
struct field_stats {
    double error_l2, error_max; /* with FIELD_ERROR: sqrt(sum(e²)*dx*dy), max |e| */

    /* With FIELD_RESIDUAL and FIELD_SIGN: the share of sum(RES²) in rough modes, those sine
     * modes (k, l) that a grid half as fine can't hold: k > Nx/2 or l > Ny/2. Made by an exact sine
     * transform, so only for grids up to ROUGH_SHARE_SIDE. */
    double rough_share;
};

enum { ROUGH_SHARE_SIDE = 512 };

extern const struct field_stats field_stats_none;

/* Writes the cells that `downsample` asks for, of any quantity but U, from all of U and RHS.
 * STATUS_INTERNAL if there is no memory for a few rows, and tables for the rough share. */
enum status field_compute(const struct problem *problem, const struct mesh *mesh, const double *U,
                          const double *RHS, enum field_kind kind,
                          const struct downsample *downsample, float *cells,
                          struct field_stats *found, struct error *error);

#endif
