#include "kernels/cpu/row.h"
#include "kernels/threads/threads.h"

/* Four kernels, one pass: see serial/fused.c. Rows are independent of each other, so each thread
 * computes a band of them. */
double threads_fused(const struct mesh *mesh, struct row_range rows, const real *RHS, const real *U,
                     real *U_next) {
    const bool stream = cpu_streams(mesh);
    const int step = cpu_rows();
    double norm = 0.0;

#pragma omp parallel for reduction(+ : norm) schedule(static)
    for (int j = rows.begin; j < rows.end; j += step)
        norm += cpu_relax_grid_rows(mesh, j, rows.end, stream, RHS, U, U_next);
    return norm;
}
