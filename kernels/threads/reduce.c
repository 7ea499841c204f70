#include "kernels/cpu/downsample.h"
#include "kernels/threads/threads.h"

/* The mean of U over the unknowns that each cell covers. */
void threads_reduce(const struct mesh *mesh, const struct reduction *reduction, const double *U,
                    float *cells) {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < reduction->rows; row++)
        host_reduce_row(mesh, reduction, row, U, cells + (size_t)row * (size_t)reduction->cols);
}
