#include "kernels/serial/serial.h"

/* The mean of U over the unknowns that a cell covers. */
static double cell_mean(const double *U, size_t stride, int i0, int i1, int j0, int j1) {
    double sum = 0.0;
    for (int j = j0; j < j1; j++)
        for (int i = i0; i < i1; i++)
            sum += U[(size_t)i + (size_t)j * stride];
    return sum / ((double)(i1 - i0) * (j1 - j0));
}

void serial_reduce(const struct mesh *mesh, const struct reduction *reduction, const double *U,
                   float *cells) {
    for (int row = 0; row < reduction->rows; row++) {
        int j0, j1;
        reduction_span(reduction->j0, reduction->j1, reduction->rows, row, &j0, &j1);
        for (int col = 0; col < reduction->cols; col++) {
            int i0, i1;
            reduction_span(reduction->i0, reduction->i1, reduction->cols, col, &i0, &i1);
            cells[col + row * reduction->cols] =
                (float)cell_mean(U, (size_t)mesh->Nx, i0, i1, j0, j1);
        }
    }
}
