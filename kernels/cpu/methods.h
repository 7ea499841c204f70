/* The rows of the methods beside Jacobi, for serial and threads alike: each function does one row,
 * or some, shaped as for_rows of struct cpu_kernels wants it. */
#ifndef JACOBI_KERNELS_CPU_METHODS_H
#define JACOBI_KERNELS_CPU_METHODS_H

#include "solver/method.h"

/* The arrays of one level, Nx*Ny values each, and of the next coarser one. */
struct method_rows {
    const struct mesh *mesh, *coarser;
    enum colour colour;
    double weight; /* Chebyshev's */
    const double *RHS, *AU;
    double *U, *RES;
    double *other; /* Chebyshev: the iterate before U, which becomes the next one */
    double *coarser_RHS, *coarser_U;
    double *sums; /* fused: one per CPU_ROWS rows */
};

/* Update of Chebyshev; of one colour, with RES of both. */
void chebyshev_update_row(void *method_rows, int j);
void colour_update_row(void *method_rows, int j);

/* Relaxes one colour of row j in place: half an iteration of SOR, by the mesh's ω. */
void sweep_row(void *method_rows, int j);

/* How many rows of the grid that they write Restriction and Prolongation make at once: weights
 * along a row are computed once for all of them. */
enum { TRANSFER_ROWS = 8 };

/* Rows TRANSFER_ROWS*part … of the coarser level: RHS there is RHS - AU here, averaged, and U
 * begins with 0. */
void restriction_rows(void *method_rows, int part);

/* Rows TRANSFER_ROWS*part … of the finer level: U there grows by the coarser U, interpolated. */
void prolongation_rows(void *method_rows, int part);

/* A whole iteration of Chebyshev for the rows CPU_ROWS*part …; sums[part] = their sum(RES²), or it
 * is returned. */
void chebyshev_fused_rows(void *method_rows, int part);
double chebyshev_fused_sum(const struct mesh *mesh, double weight, int part, const double *RHS,
                           const double *U, double *other);

#endif
