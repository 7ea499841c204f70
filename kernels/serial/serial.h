/* `serial`: one thread, plain loops.
 *
 * The four phases of `classic` compute the same as the CPU code path of AMD's program, published
 * with its blog post on the Jacobi solver. They are the reference for every other back end, iterate
 * by iterate (tests/unit/test_conformance.c).
 *
 * To learn the method, read laplacian.c, boundary.c, update.c and norm.c, in this order. Then read
 * fused.c, which combines the four in one pass over memory, and blocked.c, which combines several
 * iterations in one pass. */
#pragma once

#include "kernels/cpu/engine.h"

extern const struct backend serial_backend;

/* The kernels for double, and for float (single.h renames them). */
extern const struct cpu_kernels serial_kernels, serial_kernels_single;

kernel_stencil serial_laplacian, serial_boundary;
kernel_update serial_update;
kernel_norm serial_norm;
kernel_fused serial_fused;
kernel_blocked serial_blocked;
