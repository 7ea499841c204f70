/* Several iterations of a strip of the grid in one pass over memory: the basis of `blocked` of
 * serial and threads. kernels/cpu/strip.c explains the method. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "kernels/cpu/real.h"
#include "solver/mesh.h"

/* How a grid is cut for a depth. Memory for a sliding window per thread follows the struct. */
struct cpu_window {
    int depth;    /* maximum iterations per pass */
    int width;    /* columns of a strip, without its halo */
    int halo;     /* extra columns on either side, at least `depth` */
    bool streams; /* results may be stored non-temporally */
};

/* Makes a window in `memory`, which has cpu_window_bytes for the threads, starts at a multiple of
 * 64 bytes, and still belongs to the caller. Chooses the widest strips that stay in the L2 cache.
 * NULL if `memory` is NULL. */
struct cpu_window *cpu_window_open(const struct mesh *mesh, int depth, void *memory);
size_t cpu_window_bytes(const struct mesh *mesh, int depth, int threads);

/* One thread's memory for cpu_strips, at a multiple of 64 bytes. */
real *cpu_window_of(const struct cpu_window *window, int thread);

/* Computes `depth` ≤ cut->depth iterations of the rows [j0, j1), strip by strip, from U to
 * U_next. Adds those rows' sum(RES²) before the k-th iteration to sums[k]. */
void cpu_strips(const struct mesh *mesh, const struct cpu_window *cut, int depth, int j0, int j1,
                const real *RHS, const real *U, real *U_next, double *sums, real *work);
