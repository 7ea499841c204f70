/* Inspection: quantities, computed from U and RHS, that a mean of U over a cell can't show.
 *
 * A mean hides any component that changes sign from one unknown to the next, like the checkerboard.
 * These quantities are therefore computed from every unknown, on the host, from a copy of U. This
 * takes time and is done only while such a quantity is shown. No function has side effects. */
#pragma once

#include "core/status.h"
#include "solver/problem.h"

/* The quantity that the field shows. */
enum field_kind {
    FIELD_U,        /* mean over a cell; engines reduce it where U resides */
    FIELD_RESIDUAL, /* |RES|: root mean square over a cell */
    FIELD_SIGN,     /* the sign of RES, -1, 0 or 1: one unknown per cell */
    FIELD_ERROR,    /* |U - exact|: root mean square over a cell; needs problem->exact */
    FIELD_KIND_COUNT
};

extern const char *const field_kind_titles[FIELD_KIND_COUNT];

/* Statistics of the whole grid; NaN if not computed. */
struct field_stats {
    double error_l2, error_max; /* with FIELD_ERROR: sqrt(sum(e²)*dx*dy), max |e| */

    /* With FIELD_RESIDUAL and FIELD_SIGN: the share of sum(RES²) in rough modes. These are the sine
     * modes (k, l) that a grid half as fine can't represent: k > Nx/2 or l > Ny/2. Computed by an
     * exact sine transform, so only for grids up to ROUGH_SHARE_SIDE. */
    double rough_share;
};

enum { ROUGH_SHARE_SIDE = 512 };

extern const struct field_stats field_stats_none;

/* Computes the cells of `downsample` for any quantity but U, from all of U and RHS. STATUS_INTERNAL
 * if memory runs out. */
enum status field_compute(const struct problem *problem, const struct mesh *mesh, const double *U,
                          const double *RHS, enum field_kind kind,
                          const struct downsample *downsample, float *cells,
                          struct field_stats *found, struct error *error);
