/* The kernels of `threads` in the engine that it shares with serial (kernels/cpu). */
#include <omp.h>

#include "kernels/threads/threads.h"

static void threads_for_rows(int rows, void (*work)(void *context, int row), void *context) {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; row++)
        work(context, row);
}

const struct cpu_kernels threads_kernels = {
    .name = "threads",
    .use_threads = omp_set_num_threads,
    .for_rows = threads_for_rows,
    .phases =
        {
            .laplacian = threads_laplacian,
            .boundary = threads_boundary,
            .update = threads_update,
            .norm = threads_norm,
            .fused = threads_fused,
            .blocked = threads_blocked,
        },
};
