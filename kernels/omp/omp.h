/* `omp`: OpenMP target offload, on a GPU or on LLVM's host device.
 *
 * This folder holds the host code: backend.c describes the devices, loader.c opens the runtime and
 * a module, and engine.c maps arrays and runs phases on them. ompt_tracer.c turns the runtime's
 * reports into events, and cuda.c queries NVIDIA's driver. The target regions are in device/, built
 * into one module per class of device and type of number; module.h is the boundary between them. */
#pragma once

#include "kernels/cpu/row.h"
#include "kernels/omp/module.h"
#include "solver/backend.h"

extern const struct backend omp_backend;

/* The libraries that the loader opens. */
extern const struct library omp_libraries[];

struct offload {
    const struct offload_module *module;
    int devices;
    const char *no_gpu; /* why there is only the host device; NULL for GPUs */
};

/* Loads the module for GPUs if there is a GPU that it has code for, else the one for LLVM's host
 * device; in single and mixed precision, that device's module for float. The first call may take a
 * second; later calls return the same result immediately. Safe from any thread. STATUS_UNAVAILABLE
 * and the reason if no module can be used, or if the runtime would not report its actions. */
enum status offload_load(enum precision precision, struct offload *offload, struct error *error);

/* Checks that the host device's regions get their threads, as thread_check_team does. */
enum status offload_check_team(const struct offload_module *module, bool starts,
                               struct error *error);

/* Opens an engine as struct backend's `open` does, but a blocked schedule's depth must be chosen.
 * The back end has checked the spec. */
enum status omp_engine_open(const struct engine_spec *spec, struct event_log *events,
                            struct engine **engine, struct error *error);
enum status omp_engine_open_single(const struct engine_spec *spec, struct event_log *events,
                                   struct engine **engine, struct error *error);

/* The operations per unknown of a blocked pass. On a GPU (device/gpu/blocked.c) the first
 * iteration, which reads RHS, has 3 more. The host device has the CPU's number. */
static inline int omp_blocked_flops(const struct mesh *mesh, int depth, bool on_gpu) {
    const bool is_simple = mesh->_1bydx2 == mesh->_1bydy2 && mesh->omega == 1.0;
    return on_gpu ? (is_simple ? 6 : 11) * depth + 3 : cpu_blocked_flops(mesh, depth, false);
}

/* The numbers of teams that compute sums on a GPU: Norm of `classic` in norm_blocks, Fused per
 * multiprocessor in fused_blocks. A 0 in `asked` selects the usual number. The numbers never exceed
 * the room in struct device_scratch, and are 0 for kernels that the schedule does not run. */
struct tuning omp_teams(const struct tuning *asked, enum schedule_kind kind, int multiprocessors);

/* ---- the user's own kernels (exercises/kernels.h), compiled into a library, in place of a
 * module's target regions. A process loads one library, and guards it (core/sandbox.h) ---- */

/* As struct user_kernels_ops' load. */
enum status user_kernels_load(const char *path, struct user_library *found, struct error *error);
bool user_kernels_is_loaded(void);

/* Whether one of the functions belongs to the schedule; `enter` belongs to each. */
bool user_kernels_has(enum schedule_kind schedule);

/* Replaces a module's functions with the user's. */
void user_kernels_replace(struct kernels *kernels);

/* Maps the arrays by the user's functions. Returns false and does nothing if there are none. If an
 * array is not on the device afterwards, *missing is its name. */
bool user_kernels_enter(const struct mesh *mesh, void *U, void *AU, void *RES, void *RHS,
                        const char **missing);
bool user_kernels_leave(const struct mesh *mesh, void *U, void *AU, void *RES, void *RHS);

/* ---- data that LLVM's runtime lacks on NVIDIA GPUs, queried from their driver at run time ---- */

/* Makes the host spin instead of sleep while it waits for kernels: a region ends about 15 µs
 * earlier. Call it before the runtime initialises the GPUs. Does nothing if there are none. */
void cuda_prepare(void);

/* Fills in name, architecture, driver, bus address and memory of the GPU with that number. Returns
 * false if they are not known. */
bool cuda_describe(int number, struct device *device);

int cuda_multiprocessors(int number); /* 0 if it is not known */

/* Waits for all work on the GPU whose context is current in this thread. Returns false if it is not
 * known whether the work has ended. */
bool cuda_wait(void);

/* Whether host and GPU can use some memory at the same time. */
bool cuda_shares_memory(int number);
