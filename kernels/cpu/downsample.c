/* Downsampling on the CPU: one row of cells, each the sum of the unknowns that it covers. */
#include "kernels/cpu/row.h"

enum { CELLS_AT_ONCE = 64 };

/* The sum of U[i], i0 ≤ i < i1, and of base[i] unless `base` is NULL. */
static double sum_span(const real *U, const double *base, int i0, int i1) {
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (int i = i0; i < i1; i++)
        sum += U[i];
    for (int i = i0; i < i1 && base; i++)
        sum += base[i];
    return sum;
}

void cpu_downsample_row(void *reduction, int row) {
    const struct reduction *of = reduction;
    const struct downsample *downsample = of->downsample;
    const struct row_range own = engine_own_rows(of->spec);
    const real *U = of->U;
    double *sums = of->sums + (size_t)row * (size_t)downsample->cols;
    int j0, j1;
    downsample_span(downsample->j0, downsample->j1, downsample->rows, row, &j0, &j1);
    j0 -= of->spec->slab.first;
    j1 -= of->spec->slab.first;
    const int below = j0 > own.begin ? j0 : own.begin, above = j1 < own.end ? j1 : own.end;
    for (int first = 0; first < downsample->cols; first += CELLS_AT_ONCE) {
        const int left = downsample->cols - first,
                  count = left < CELLS_AT_ONCE ? left : CELLS_AT_ONCE;
        int i0[CELLS_AT_ONCE], i1[CELLS_AT_ONCE];
        for (int c = 0; c < count; c++) {
            downsample_span(downsample->i0, downsample->i1, downsample->cols, first + c, &i0[c],
                            &i1[c]);
            sums[first + c] = 0;
        }
        /* Rows of U outside, cells inside, so that U is read in memory order. */
        for (int j = below; j < above; j++) {
            const size_t id = (size_t)j * (size_t)of->stride;
            for (int c = 0; c < count; c++)
                sums[first + c] += sum_span(U + id, of->base ? of->base + id : NULL, i0[c], i1[c]);
        }
    }
}
