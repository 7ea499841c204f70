/* The rows of the methods beside Jacobi, for serial and threads alike: each function does one row,
 * or some, shaped as for_rows of struct cpu_kernels wants it. */
#ifndef JACOBI_KERNELS_CPU_METHODS_H
#define JACOBI_KERNELS_CPU_METHODS_H

#include "kernels/cpu/sync_engine.h"

/* Update of Chebyshev; of one colour, with RES of both. */
void chebyshev_update_row(void *method_step, int j);
void colour_update_row(void *method_step, int j);

/* Relaxes one colour of row j in place: half an iteration of SOR, by the mesh's ω. */
void sweep_row(void *method_step, int j);

/* How many rows of the grid that they write Restriction and Prolongation make at once: weights
 * along a row are computed once for all of them. */
enum { TRANSFER_ROWS = 8 };

/* Rows TRANSFER_ROWS*part … of the coarser level: RHS there is RHS - AU here, averaged, and U
 * begins with 0. */
void restriction_rows(void *method_step, int part);

/* Rows TRANSFER_ROWS*part … of the finer level: U there grows by the coarser U, interpolated. */
void prolongation_rows(void *method_step, int part);

/* A whole iteration of Chebyshev for the rows CPU_ROWS*part …: their sum(RES²) is the part-th
 * number of `work`, or it is returned. */
void chebyshev_fused_rows(void *method_step, int part);
double chebyshev_fused_sum(const struct mesh *mesh, double weight, int part, const real *RHS,
                           const real *U, real *other);

#endif
