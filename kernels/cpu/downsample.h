/* One row of the cells that a picture shows; `reduce` of serial and threads shares it. */
#ifndef JACOBI_KERNELS_CPU_DOWNSAMPLE_H
#define JACOBI_KERNELS_CPU_DOWNSAMPLE_H

#include "solver/engine.h"

/* Writes the means of cells (0 … cols-1, row), `reduction->cols` values. Reads U once, in the order
 * in which it lies. */
void host_reduce_row(const struct mesh *mesh, const struct reduction *reduction, int row,
                     const double *U, float *cells);

#endif
