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

/* The kernels, with the signatures of struct kernels. */
void serial_laplacian(const struct mesh *mesh, const real *U, real *AU);
void serial_boundary(const struct mesh *mesh, const real *U, real *AU);
void serial_update(const struct mesh *mesh, const real *RHS, const real *AU, real *RES, real *U);
double serial_norm(const struct mesh *mesh, const real *RES);

/* One pass per iteration; one pass per several iterations. */
double serial_fused(const struct mesh *mesh, struct row_range rows, const real *RHS, const real *U,
                    real *U_next);
void serial_blocked(const struct mesh *mesh, struct row_range rows, int depth, const real *RHS,
                    const real *U, real *U_next, double *sums, void *work);
