/* `omp`: OpenMP target offload, on a GPU or on LLVM's host device.
 *
 * The host code is in this folder: backend.c answers for the devices, loader.c opens the runtime
 * and a module, engine.c runs phases on arrays that it maps, ompt_tracer.c turns the runtime's
 * reports into events, cuda.c asks NVIDIA's driver. The target regions are in device/, built into
 * one module per class of device and type of number; module.h is the boundary between the two.
 */
#ifndef JACOBI_KERNELS_OMP_H
#define JACOBI_KERNELS_OMP_H

#include "kernels/cpu/row.h"
#include "kernels/omp/module.h"
#include "solver/backend.h"

extern const struct backend omp_backend;

/* What the loader opens. */
extern const struct library omp_libraries[];

struct offload {
    const struct offload_module *module;
    int devices;
    const char *no_gpu; /* why it is the host device; NULL for GPUs */
};

/* The module for GPUs if there is a GPU that it has code for, else the one for LLVM's host device:
 * a process uses one of them. The first call does the work, which may take a second; later ones
 * give the same answer at once. Safe from any thread. STATUS_UNAVAILABLE and the reason if no
 * module can be used, or if the runtime would not report what it does. */
enum status offload_load(struct offload *offload, struct error *error);

/* The same device's module for float, opened when it is first asked for. */
enum status offload_load_single(struct offload *offload, struct error *error);

/* What struct backend's `open` promises, except that a blocked schedule's depth has been chosen;
 * the back end has checked the spec. */
enum status omp_engine_open(const struct engine_spec *spec, struct event_log *events,
                            struct engine **engine, struct error *error);
enum status omp_engine_open_single(const struct engine_spec *spec, struct event_log *events,
                                   struct engine **engine, struct error *error);

/* As device/gpu/blocked.c has them: the first iteration of a pass, which reads RHS, has 3 more. The
 * host device has the CPU's. */
static inline int omp_blocked_flops(const struct mesh *mesh, int depth, bool on_gpu) {
    const bool is_simple = mesh->_1bydx2 == mesh->_1bydy2 && mesh->omega == 1.0;
    return on_gpu ? (is_simple ? 6 : 11) * depth + 3 : cpu_blocked_flops(mesh, depth, false);
}

/* How many teams add up over all of them on a GPU: Norm of `classic` in norm_blocks, Fused per
 * multiprocessor in fused_blocks. What is 0 in `asked` becomes the usual number; no more than
 * struct device_scratch has room for; 0 for what that schedule doesn't run. */
struct tuning omp_teams(const struct tuning *asked, enum schedule_kind kind, int multiprocessors);

/* ---- what LLVM's runtime does not tell of NVIDIA GPUs, asked of their driver at run time ---- */

/* Makes the host wait for kernels by spinning instead of sleeping: a region ends some 15 µs
 * earlier. Must be called before the runtime first sees the GPUs. Does nothing if there are none.
 */
void cuda_prepare(void);

/* Fills in name, architecture, driver, place on the bus and memory of the GPU with that number.
 * False: not known. */
bool cuda_describe(int number, struct device *device);

/* The GPU's multiprocessors; 0: not known. */
int cuda_multiprocessors(int number);

/* Waits for what runs on the GPU whose context is this thread's. False: not known whether it has
 * ended. */
bool cuda_wait(void);

/* Whether there is memory that host and GPU may use at the same time. */
bool cuda_shares_memory(int number);

#endif
