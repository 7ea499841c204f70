#include "kernels/cpu/downsample.h"
#include "kernels/threads/threads.h"

/* The mean of U over the unknowns that each cell covers. */
void threads_downsample(const struct mesh *mesh, const struct downsample *downsample,
                        const double *U, float *cells) {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < downsample->rows; row++)
        cpu_downsample_row(mesh, downsample, row, U,
                           cells + (size_t)row * (size_t)downsample->cols);
}
