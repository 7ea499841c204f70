#include "kernels/cpu/downsample.h"
#include "kernels/serial/serial.h"

/* The mean of U over the unknowns that each cell covers. */
void serial_downsample(const struct mesh *mesh, const struct downsample *downsample,
                       const double *U, float *cells) {
    for (int row = 0; row < downsample->rows; row++)
        cpu_downsample_row(mesh, downsample, row, U,
                           cells + (size_t)row * (size_t)downsample->cols);
}
