/* The rows of the methods other than Jacobi, for serial and threads. Each function computes one row
 * or several, with the signature that for_rows of struct cpu_kernels requires. */
#pragma once

#include "kernels/cpu/sync_engine.h"

/* Update for Chebyshev; Update for one colour, with RES of both. */
void chebyshev_update_row(void *method_step, int j);
void colour_update_row(void *method_step, int j);

/* Relaxes one colour of row j in place, with the mesh's ω: half an iteration of SOR. */
void sweep_row(void *method_step, int j);

/* The rows of the target grid that Restriction and Prolongation compute together: the weights along
 * a row are computed once for all of them. */
enum { TRANSFER_ROWS = 8 };

/* Computes rows TRANSFER_ROWS*part … of the coarser level: its RHS is this level's RHS - AU,
 * averaged, and its U starts at 0. */
void restriction_rows(void *method_step, int part);

/* Adds the coarser U, interpolated, to rows TRANSFER_ROWS*part … of the finer level's U. */
void prolongation_rows(void *method_step, int part);

/* Makes a whole iteration of Chebyshev for the rows CPU_ROWS*part …. Stores their sum(RES²) as
 * number `part` of `work`, or returns it. */
void chebyshev_fused_rows(void *method_step, int part);
double chebyshev_fused_sum(const struct mesh *mesh, double weight, int part, const real *RHS,
                           const real *U, real *other);
