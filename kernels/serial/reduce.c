#include "kernels/cpu/downsample.h"
#include "kernels/serial/serial.h"

/* The mean of U over the unknowns that each cell covers. */
void serial_reduce(const struct mesh *mesh, const struct reduction *reduction, const double *U,
                   float *cells) {
    for (int row = 0; row < reduction->rows; row++)
        host_reduce_row(mesh, reduction, row, U, cells + (size_t)row * (size_t)reduction->cols);
}
