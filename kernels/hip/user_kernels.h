/* HIP kernels of the user's own (exercises/hip.h), in the place of the plain ones and of Fused:
 * compiled for a GPU, or, if there is none, for this CPU, where they run in lockstep
 * (emulator/emulator.h). A process takes one library, and guards it (core/sandbox.h). */
#ifndef JACOBI_HIP_USER_KERNELS_H
#define JACOBI_HIP_USER_KERNELS_H

#include "kernels/hip/engine.h"

/* As struct backend's load_user_kernels. */
enum status hip_user_kernels_load(const char *path, struct user_library *found,
                                  struct error *error);

/* Whether kernels are loaded that run on this CPU: then it is the only device. */
bool hip_user_kernels_is_emulated(void);

/* Whether a run has kernels that the user's can be part of, and the device can run it if it is
 * emulated. STATUS_OK for one without the user's kernels on a GPU. */
enum status hip_user_kernels_supports(const struct engine_spec *spec, struct error *error);

/* On a GPU: puts the user's kernels in the place of the stream's. hip_stream_close unloads them. */
enum status hip_user_kernels_replace(struct hip_stream *stream, struct error *error);

/* Before a kernel of a run with the user's is launched, and after it: names it should the process
 * end. In a run's first iterations waits for it, so that what fails has its name. */
void hip_user_kernels_enter(const struct hip_engine *hip, enum phase phase);
enum status hip_user_kernels_leave(const struct hip_engine *hip, enum phase phase,
                                   struct error *error);

/* On this CPU: as struct backend's functions. */
void hip_user_kernels_describe(struct device *device);
enum status hip_user_kernels_open(const struct engine_spec *spec, struct event_log *events,
                                  struct engine **engine, struct error *error);

#endif
