/* `threads`: OpenMP on the CPU.
 *
 * These are the kernels of `serial`, file by file, with their rows divided among threads: compare
 * serial/update.c with threads/update.c. The code that both share is in kernels/cpu. */
#pragma once

#include "kernels/cpu/engine.h"

extern const struct backend threads_backend;

/* The kernels for double, and for float (single.h renames them). */
extern const struct cpu_kernels threads_kernels, threads_kernels_single;

kernel_stencil threads_laplacian, threads_boundary;
kernel_update threads_update;
kernel_norm threads_norm;
kernel_fused threads_fused;
kernel_blocked threads_blocked;
