/* The table of back ends. A back end that was not built, or finds no device, stays in the table
 * with the reason.
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

/* The back end that loads that library of the user's own kernels: its name is what follows the last
 * dot of the path. NULL if there is none. */
const struct backend *backend_of_library(const char *path);

/* Whether that device of the back end is a GPU. */
bool backend_is_on_gpu(const struct backend *backend, int device);

/* The devices that a run of that spec uses, by index, one per slab; one alone if it has no slabs.
 * Back ends that compute in the host's memory have as many as are asked for: all are device 0.
 * STATUS_UNAVAILABLE if one of them is not there. Returns their number in *count. */
enum status backend_devices(const struct backend *backend, const struct engine_spec *spec,
                            int devices[SLABS_MAX], int *count, struct error *error);

/* Bytes that runs will allocate: on the host, and on each device of the back end's list. */
struct memory_needs {
    uint64_t host_bytes, device_bytes[DEVICES_MAX];
};

/* Adds those of a run's slabs, or of the whole of it. STATUS_BAD_INPUT if it can't be cut. */
enum status backend_add_needs(const struct backend *backend, const struct engine_spec *spec,
                              struct memory_needs *needs, struct error *error);

/* Whether so much memory is there for `runs` runs, this one among them: STATUS_BAD_INPUT, with the
 * sizes and the device named, if not. */
enum status backend_check_memory(const struct backend *backend, const struct engine_spec *spec,
                                 int runs, const struct memory_needs *needs, struct error *error);

/* Checks, in this order: the back end is available, the devices exist, mapping and schedule are
 * supported there (else STATUS_UNAVAILABLE), host and devices have enough memory (else
 * STATUS_BAD_INPUT, with the sizes and the device named). Allocates nothing. */
enum status backend_check(const struct backend *backend, const struct engine_spec *spec,
                          struct error *error);

/* Opens an engine: the back end's own, or one on several devices (solver/slabs.h). As struct
 * backend's open. */
enum status backend_open(const struct backend *backend, const struct engine_spec *spec,
                         struct event_log *events, struct engine **engine, struct error *error);

#endif
