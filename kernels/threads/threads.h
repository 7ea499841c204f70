/* `threads`: OpenMP on the CPU.
 *
 * These are the kernels of `serial`, file by file, with their rows divided among threads: compare
 * serial/update.c with threads/update.c. The code that both share is in kernels/cpu. */
#pragma once

#include "kernels/cpu/engine.h"

extern const struct backend threads_backend;

/* The number of threads: the request, or for 0 one per core that this process may use. */
int threads_count(int requested);

/* Pins each of `count` threads except the calling one to its own core, from core `first` on, so
 * that a thread stays close to the memory that it touched first. The calling thread belongs to the
 * program, not to OpenMP: the scheduler places it on the remaining core. */
void threads_pin(int first, int count);

/* The kernels for double, and for float (single.h renames them). */
extern const struct cpu_kernels threads_kernels, threads_kernels_single;

/* The kernels, with the signatures of struct kernels. */
void threads_laplacian(const struct mesh *mesh, const real *U, real *AU);
void threads_boundary(const struct mesh *mesh, const real *U, real *AU);
void threads_update(const struct mesh *mesh, const real *RHS, const real *AU, real *RES, real *U);
double threads_norm(const struct mesh *mesh, const real *RES);

/* One pass per iteration; one pass per several iterations. */
double threads_fused(const struct mesh *mesh, struct row_range rows, const real *RHS, const real *U,
                     real *U_next);
void threads_blocked(const struct mesh *mesh, struct row_range rows, int depth, const real *RHS,
                     const real *U, real *U_next, double *sums, void *work);
