/* Refinement for mixed precision, row by row, with the signature that for_rows of struct
 * cpu_kernels requires. First call one function for all rows, then the other. */
#ifndef JACOBI_KERNELS_CPU_REFINE_H
#define JACOBI_KERNELS_CPU_REFINE_H

#include "kernels/cpu/real.h"
#include "solver/mesh.h"

struct refinement {
    const struct mesh *mesh;
    const double *RHS;
    double *U;
    real *e, *g;
};

/* U += e, e = 0. */
void refine_add_row(void *refinement, int j);

/* g = RHS - A·U, where a neighbour outside the grid counts as 0. */
void refine_residual_row(void *refinement, int j);

#endif
