/* `serial`: one thread, plain loops.
 *
 * The four phases of `classic` are the CPU code path of AMD's program, published with its blog post
 * on the Jacobi solver. They are the oracle that every other back end is compared with, iterate by
 * iterate (tests/unit/test_conformance.c).
 *
 * To learn the method, read laplacian.c, boundary.c, update.c and norm.c, in this order. Then read
 * fused.c, which makes one pass over memory of the four, and blocked.c, which makes one pass of
 * several iterations.
 */
#ifndef JACOBI_KERNELS_SERIAL_H
#define JACOBI_KERNELS_SERIAL_H

#include "kernels/cpu/engine.h"

extern const struct backend serial_backend;

/* The kernels, shaped as struct kernels describes. */
void serial_laplacian(const struct mesh *mesh, const double *U, double *AU);
void serial_boundary(const struct mesh *mesh, const double *U, double *AU);
void serial_update(const struct mesh *mesh, const double *RHS, const double *AU, double *RES,
                   double *U);
double serial_norm(const struct mesh *mesh, const double *RES);

/* One pass per iteration, and one per several iterations. */
double serial_fused(const struct mesh *mesh, struct row_range rows, const double *RHS,
                    const double *U, double *U_next);
void serial_blocked(const struct mesh *mesh, struct row_range rows, int depth, const double *RHS,
                    const double *U, double *U_next, double *sums, void *work);
void *serial_blocked_open(const struct mesh *mesh, int depth);

#endif
