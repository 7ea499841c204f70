/* The table of back ends. A back end that was not built, or finds no device, stays in the table
 * with the reason.
 *
 * To add a back end:
 *
 *   - Write kernels/NAME/ with one file per phase: laplacian, boundary, update, norm, fused,
 *     blocked. The explain panel finds the functions there by name.
 *
 *   - Write its engine: the functions of struct engine_ops (src/solver/engine.h). A back end that
 *     computes in the host's memory fills in a struct cpu_kernels (kernels/cpu/engine.h) instead.
 *
 *   - Export its `const struct backend` (src/solver/backend.h) and add a row to kernels/backends.c.
 *
 *   - For the build add subdir('NAME') to kernels/meson.build, and the folder to `explained` in
 *     src/meson.build.
 *
 *   - Add its lines to tests/unit/test_conformance.c, which compares it with serial, iterate by
 *     iterate. */
#pragma once

#include "solver/backend.h"

/* All back ends in the order in which `auto` tries them; the last entry is NULL. */
extern const struct backend *const backends[];

/* Finds the back end with that name; NULL if there is none. */
const struct backend *backend_find(const char *name);

/* Finds the back end that can load that library of user kernels, by the text after the last dot of
 * the path. NULL if there is none. */
const struct backend *backend_of_library(const char *path);

/* Whether that device of the back end is a GPU. */
bool backend_is_on_gpu(const struct backend *backend, int device);

/* Finds the devices, by index, that a run of that spec uses: one per slab, or one if there are no
 * slabs. Back ends that compute in the host's memory have as many as requested: all are device 0.
 * Returns their number in *count. STATUS_UNAVAILABLE if one of them does not exist. */
enum status backend_devices(const struct backend *backend, const struct engine_spec *spec,
                            int devices[SLABS_MAX], int *count, struct error *error);

/* Bytes that runs will allocate on the host, and on each device of the back end's list. */
struct memory_needs {
    uint64_t host_bytes, device_bytes[DEVICES_MAX];
};

/* Adds the needs of a run, or of all its slabs. STATUS_BAD_INPUT if the grid can't be cut. */
enum status backend_add_needs(const struct backend *backend, const struct engine_spec *spec,
                              struct memory_needs *needs, struct error *error);

/* Checks whether enough memory is available for `runs` runs, including this one. STATUS_BAD_INPUT
 * if not; the message has the sizes and the device. */
enum status backend_check_memory(const struct backend *backend, const struct engine_spec *spec,
                                 int runs, const struct memory_needs *needs, struct error *error);

/* Checks in this order: the back end is available, the devices exist, mapping and schedule are
 * supported there (else STATUS_UNAVAILABLE), host and devices have enough memory (else
 * STATUS_BAD_INPUT; the message has the sizes and the device). Allocates nothing. */
enum status backend_check(const struct backend *backend, const struct engine_spec *spec,
                          struct error *error);

/* Opens the back end's own engine, or one on several devices (solver/slabs.h), as struct backend's
 * open. */
enum status backend_open(const struct backend *backend, const struct engine_spec *spec,
                         struct event_log *events, struct engine **engine, struct error *error);
