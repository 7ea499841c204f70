/* One row of the cells that a picture shows; `downsample` of serial and threads shares it. */
#ifndef JACOBI_KERNELS_CPU_DOWNSAMPLE_H
#define JACOBI_KERNELS_CPU_DOWNSAMPLE_H

#include "solver/engine.h"

/* Writes the means of cells (0 … cols-1, row), `downsample->cols` values. Reads U once, in the
 * order in which it lies. */
void cpu_downsample_row(const struct mesh *mesh, const struct downsample *downsample, int row,
                        const double *U, float *cells);

#endif
