/* Blocked on the host device: each thread computes strips of a band of rows, as in kernels/threads.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/omp/device/common/target.h"

#pragma omp begin declare target
#include "kernels/cpu/arch.h"
#include "kernels/cpu/strip.h"
#pragma omp end declare target

const struct offload_depths target_depths = {
    .most = SCHEDULE_MAX_DEPTH, .side = 2048, .tried = {8, 16, 24}};

/* Bytes of all threads' windows. */
static size_t window_bytes(const struct cpu_window *window) {
    return (size_t)((char *)cpu_window_of(window, omp_get_num_procs()) - (char *)window);
}

void *target_open_work(const struct mesh *mesh, int depth) {
    const size_t bytes = cpu_window_bytes(mesh, depth, omp_get_num_procs());
    struct cpu_window *window = cpu_window_open(mesh, depth, aligned_alloc(CACHE_LINE, bytes));
    if (!window)
        return NULL;
    char *mapped = (char *)window;
#pragma omp target enter data map(alloc : mapped[:window_bytes(window)])
    return window;
}

void target_close_work(void *work) {
    char *mapped = work;
#pragma omp target exit data map(release : mapped[:window_bytes(work)])
    free(work);
}

/* `depth` iterations in one pass. The CPU's sliding window (kernels/cpu/strip.c) is fast on this
 * device, too, so it runs here. Each thread computes the strips of a band of rows. */
void target_blocked(const struct mesh *mesh, struct row_range rows, int depth, const real *RHS,
                    const real *U, real *U_next, double *norms, void *work) {
    const struct cpu_window *window = work;
    const int Nx = mesh->Nx, Ny = mesh->Ny, threads = omp_get_num_procs();
    const double _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2;
    const double omega = mesh->omega, factor = mesh->factor;
    const int width = window->width, halo = window->halo;
    const bool streams = window->streams;
    const long begin = rows.begin, count = rows.end - rows.begin;
    real *windows = cpu_window_of(window, 0);
    const ptrdiff_t stride = cpu_window_of(window, 1) - windows;
    memset(norms, 0, (size_t)depth * sizeof *norms);
/* Scalars reach the device with the launch; a struct would need a copy for each launch. */
#pragma omp target parallel num_threads(threads) map(tofrom : norms[:depth])                       \
    reduction(+ : norms[:depth])
    {
        const struct mesh local = {.Nx = Nx,
                                   .Ny = Ny,
                                   ._1bydx2 = _1bydx2,
                                   ._1bydy2 = _1bydy2,
                                   .omega = omega,
                                   .factor = factor};
        const struct cpu_window cut = {depth, width, halo, streams};
        const long thread = omp_get_thread_num(), all = omp_get_num_threads();
        const int j0 = (int)(begin + count * thread / all);
        const int j1 = (int)(begin + count * (thread + 1) / all);
        cpu_strips(&local, &cut, depth, j0, j1, RHS, U, U_next, norms, windows + thread * stride);
    }
}
