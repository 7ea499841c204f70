#include <omp.h>
#include <string.h>

#include "kernels/cpu/strip.h"
#include "kernels/threads/threads.h"

/* Several iterations in one pass: kernels/cpu/strip.c has the method and the loop. Each thread
 * computes the strips of a band of rows and has its own window. The bands overlap by their halo
 * rows, so they are independent until the end of the pass. */
void threads_blocked(const struct mesh *mesh, struct row_range rows, int depth, const real *RHS,
                     const real *U, real *U_next, double *sums, void *work) {
    const struct cpu_window *window = work;
    memset(sums, 0, (size_t)depth * sizeof *sums);

#pragma omp parallel reduction(+ : sums[:depth])
    {
        const long thread = omp_get_thread_num(), threads = omp_get_num_threads();
        const long count = rows.end - rows.begin;
        const int j0 = rows.begin + (int)(count * thread / threads);
        const int j1 = rows.begin + (int)(count * (thread + 1) / threads);
        cpu_strips(mesh, window, depth, j0, j1, RHS, U, U_next, sums,
                   cpu_window_of(window, (int)thread));
    }
}
