/* HIP kernels of the user's own (exercises/hip.h), which replace the plain ones and Fused: compiled
 * for a GPU or, if there is none, for the emulator. A process loads one library, and guards it
 * (core/sandbox.h). */
#ifndef JACOBI_HIP_USER_KERNELS_H
#define JACOBI_HIP_USER_KERNELS_H

#include "kernels/hip/engine.h"

/* As struct backend's load_user_kernels. Without a GPU the emulator becomes the only device. */
enum status hip_user_kernels_load(const char *path, struct user_library *found,
                                  struct error *error);

/* Whether a run has kernels that the user's can replace, and whether the emulator can run it. */
enum status hip_user_kernels_supports(const struct engine_spec *spec, const struct hip_gpu *gpu,
                                      struct error *error);

/* Replaces the stream's kernels by the user's. hip_stream_close unloads them. */
void hip_user_kernels_replace(struct hip_stream *stream);

/* Before and after a kernel is launched. `enter` names a kernel of the user's, should the process
 * end. `leave` waits for it in a run's first iterations, so that a failure has its name. */
void hip_user_kernels_enter(const struct hip_engine *hip, enum phase phase);
void hip_user_kernels_leave(const struct hip_engine *hip, enum phase phase);

#endif
