/* The table of back ends. One that was not built, or finds no device, stays in it and says why.
 *
 * To add a back end:
 *
 * - Write kernels/NAME/ with one file per phase: laplacian, boundary, update, norm, fused, blocked.
 *   The explain panel finds the functions there by name.
 *
 * - Write its engine: the functions of struct engine_ops (src/solver/engine.h). One that computes
 *   in the host's memory fills in a struct cpu_kernels (kernels/cpu/engine.h) instead.
 *
 * - Export its `const struct backend` (src/solver/backend.h) and add a row to kernels/backends.c.
 *
 * - For the build add subdir('NAME') to kernels/meson.build, and the folder to `explained` in
 *   src/meson.build.
 *
 * - Add its lines to tests/unit/test_conformance.c, which compares it with serial, iterate by
 *   iterate.
 */
#ifndef JACOBI_KERNELS_BACKENDS_H
#define JACOBI_KERNELS_BACKENDS_H

#include "solver/backend.h"

/* In the order in which `auto` tries them; ended by NULL. */
extern const struct backend *const backends[];

/* NULL if no back end has that name. */
const struct backend *backend_find(const char *name);

/* Checks, in this order: the back end is available, the device exists, mapping and schedule are
 * supported there (else STATUS_UNAVAILABLE), host and device have enough memory (else
 * STATUS_BAD_INPUT, with the sizes named). Allocates nothing. */
enum status backend_check(const struct backend *backend, const struct engine_spec *spec,
                          struct error *error);

#endif
