/* The kernels of `threads` in the engine that it shares with serial (kernels/cpu). */
#include <omp.h>

#include "kernels/threads/threads.h"

static void threads_for_rows(int rows, void (*work)(void *context, int row), void *context) {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; row++)
        work(context, row);
}

static const struct cpu_kernels kernels = {
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
    .blocked_open = threads_blocked_open,
};

enum status threads_engine_open(int threads, const struct engine_spec *spec,
                                struct event_log *events, struct engine **engine,
                                struct error *error) {
    return cpu_open(&kernels, threads, spec, events, engine, error);
}
