#include "kernels/cpu/downsample.h"

enum { CELLS_AT_ONCE = 64 };

static double sum_span(const double *U, int i0, int i1) {
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (int i = i0; i < i1; i++)
        sum += U[i];
    return sum;
}

/* Cells [first, last) of the row: rows of U outside, cells inside, so that U is read as it lies. */
static void reduce_cells(const struct mesh *mesh, const struct downsample *downsample, int first,
                         int last, int j0, int j1, const double *U, float *cells) {
    double sums[CELLS_AT_ONCE] = {0};
    int edges[CELLS_AT_ONCE][2];
    for (int c = first; c < last; c++)
        downsample_span(downsample->i0, downsample->i1, downsample->cols, c, &edges[c - first][0],
                        &edges[c - first][1]);
    for (int j = j0; j < j1; j++)
        for (int c = 0; c < last - first; c++)
            sums[c] += sum_span(U + (size_t)j * (size_t)mesh->Nx, edges[c][0], edges[c][1]);
    for (int c = 0; c < last - first; c++)
        cells[first + c] =
            (float)(sums[c] / ((double)(edges[c][1] - edges[c][0]) * (double)(j1 - j0)));
}

void cpu_downsample_row(const struct mesh *mesh, const struct downsample *downsample, int row,
                        const double *U, float *cells) {
    int j0, j1;
    downsample_span(downsample->j0, downsample->j1, downsample->rows, row, &j0, &j1);
    for (int first = 0; first < downsample->cols; first += CELLS_AT_ONCE) {
        const int last =
            first + CELLS_AT_ONCE < downsample->cols ? first + CELLS_AT_ONCE : downsample->cols;
        reduce_cells(mesh, downsample, first, last, j0, j1, U, cells);
    }
}
