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

/* The engine, and the one of float. */
enum status serial_open(const struct engine_spec *spec, struct event_log *events,
                        struct engine **engine, struct error *error);
enum status serial_open_single(const struct engine_spec *spec, struct event_log *events,
                               struct engine **engine, struct error *error);

/* The kernels, shaped as struct kernels describes. */
void serial_laplacian(const struct mesh *mesh, const real *U, real *AU);
void serial_boundary(const struct mesh *mesh, const real *U, real *AU);
void serial_update(const struct mesh *mesh, const real *RHS, const real *AU, real *RES, real *U);
double serial_norm(const struct mesh *mesh, const real *RES);

/* One pass per iteration, and one per several iterations. */
double serial_fused(const struct mesh *mesh, struct row_range rows, const real *RHS, const real *U,
                    real *U_next);
void serial_blocked(const struct mesh *mesh, struct row_range rows, int depth, const real *RHS,
                    const real *U, real *U_next, double *sums, void *work);
void *serial_blocked_open(const struct mesh *mesh, int depth);

#endif
