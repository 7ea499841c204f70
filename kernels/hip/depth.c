#include "kernels/hip/depth.h"

#include <stdio.h>

#include "kernels/hip/devices.h"
#include "kernels/hip/engine.h"
#include "kernels/hip/share.h"
#include "solver/depth_trial.h"

enum { TRIAL_SIDE = 4096, TRIAL_ITERATIONS = 96, KERNELS_MAX = 16 };

static enum status try_depths(const struct engine_spec *spec, const struct hip_gpu *gpu, int *depth,
                              struct error *error) {
    char device[256];
    int depths[KERNELS_MAX + 1] = {0};
    for (int k = 0; k < KERNELS_MAX && hip_blocked_kernels[k].depth; k++)
        depths[k] = hip_blocked_kernels[k].depth;
    snprintf(device, sizeof device, "hip %s, %s", gpu->device.name, gpu->device.driver);
    const struct depth_trial trial = {.open = hip_engine_open,
                                      .depths = depths,
                                      .side = TRIAL_SIDE,
                                      .iterations = TRIAL_ITERATIONS,
                                      .device = device};
    return depth_trial_choose(&trial, spec, depth, error);
}

enum status hip_depth_choose(const struct engine_spec *spec, int *depth, struct error *error) {
    const struct hip_gpu *gpu = hip_gpu_find(spec->device);
    if (*depth > BLOCKED_DEPTH_MAX)
        *depth = BLOCKED_DEPTH_MAX;
    if (*depth > 0 || !gpu)
        return STATUS_OK;
    return try_depths(spec, gpu, depth, error);
}
