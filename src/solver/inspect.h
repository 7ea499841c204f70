/* Inspection: quantities that a mean of U over a cell can't show, made from U itself and RHS.
 *
 * A mean hides whatever changes its sign from one unknown to the next, as the checkerboard does. So
 * these quantities are made of every unknown, on the host, from a copy of U; that costs time, and
 * is done only while such a quantity is shown. Pure. */
#ifndef JACOBI_SOLVER_INSPECT_H
#define JACOBI_SOLVER_INSPECT_H

#include "core/status.h"
#include "solver/problem.h"

/* What the field shows. */
enum quantity {
    QUANTITY_U,        /* the mean over a cell; engines reduce it where U lies */
    QUANTITY_RESIDUAL, /* |RES|: the root of the mean of RES² over a cell */
    QUANTITY_SIGN,     /* the sign of RES, -1, 0 or 1: one unknown per cell */
    QUANTITY_ERROR,    /* |U - exact|, likewise a root of a mean; needs problem->exact */
    QUANTITY_COUNT
};

/* "U", "|RES|", "sign of RES", "|error|". */
const char *quantity_title(enum quantity quantity);

/* Figures of the whole grid; NaN if they were not made. */
struct inspection {
    double error_l2, error_max; /* with QUANTITY_ERROR: sqrt(sum(e²)*dx*dy), max |e| */

    /* With QUANTITY_RESIDUAL and QUANTITY_SIGN: the share of sum(RES²) in rough modes, those sine
     * modes (k, l) that a grid half as fine can't hold: k > Nx/2 or l > Ny/2. Made by an exact sine
     * transform, so only for grids up to ROUGH_SHARE_SIDE. */
    double rough_share;
};

enum { ROUGH_SHARE_SIDE = 512 };

extern const struct inspection inspection_none;

/* Writes the cells that `downsample` asks for, of any quantity but U, from all of U and RHS.
 * STATUS_INTERNAL if there is no memory for a few rows, and tables for the rough share. */
enum status inspect(const struct problem *problem, const struct mesh *mesh, const double *U,
                    const double *RHS, enum quantity quantity, const struct downsample *downsample,
                    float *cells, struct inspection *found, struct error *error);

#endif
