/* The table of back ends.
 *
 * A back end that was not built, or finds no device, stays in the table and says why.
 *
 * To add one:
 * 1. Write kernels/NAME/ with one file per phase: laplacian, boundary, update, norm, fused,
 * blocked. The explain panel finds them there by name.
 * 2. Write its engine: the functions of struct engine_ops (src/solver/engine.h). One that computes
 * in the host's memory fills in a struct cpu_kernels (kernels/cpu/engine.h) instead.
 * 3. Export its `const struct backend` (src/solver/backend.h) and add a row to kernels/backends.c.
 * 4. Add its lines to tests/unit/test_conformance.c, which compares it with serial, iterate for
 *    iterate.
 */
#ifndef JACOBI_KERNELS_BACKENDS_H
#define JACOBI_KERNELS_BACKENDS_H

#include "solver/backend.h"

/* In the order in which `auto` tries them; ended by NULL. */
extern const struct backend *const backends[];

/* NULL if no back end has that name. */
const struct backend *backend_find(const char *name);

#endif
