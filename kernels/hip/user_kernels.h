/* HIP kernels of the user's own (exercises/hip.h), which replace the plain ones and Fused: compiled
 * for a GPU or, without one, for the emulator. A process loads one library, and guards it
 * (core/sandbox.h). */
#pragma once

#include "kernels/hip/engine.h"

/* Loads a library, as struct backend's load_user_kernels; without a GPU, for the emulator. */
enum status hip_user_kernels_load(const char *path, struct user_library *found,
                                  struct error *error);

/* Whether the user's kernels can replace those of a run, and whether the emulator can run it. */
enum status hip_user_kernels_supports(const struct engine_spec *spec, const struct hip_gpu *gpu,
                                      struct error *error);

/* Replaces the stream's kernels with the user's. hip_stream_close unloads them. */
void hip_user_kernels_replace(struct hip_stream *stream);

/* Called before and after a kernel launch. `enter` records a user kernel's name, in case the
 * process ends. In a run's first iterations `leave` waits for it, so that a failure names it. */
void hip_user_kernels_enter(const struct hip_engine *hip, enum phase phase);
void hip_user_kernels_leave(const struct hip_engine *hip, enum phase phase);
