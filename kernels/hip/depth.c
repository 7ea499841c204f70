#include "kernels/hip/depth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/clock.h"
#include "kernels/hip/devices.h"
#include "kernels/hip/engine.h"
#include "kernels/hip/share.h"
#include "solver/depth_cache.h"

enum { TRIAL_SIDE = 4096, TRIAL_ITERATIONS = 96, KEY_SIZE = 320 };

static void key_for(const struct engine_spec *spec, char *key) {
    const struct gpu *gpu = gpu_find(spec->device);
    snprintf(key, KEY_SIZE, "hip %s, %s, %s, 2^%d unknowns", gpu->device.name, gpu->device.driver,
             mapping_name(spec->mapping), (int)lrint(log2((double)mesh_unknowns(&spec->mesh))));
}

static enum status time_depth(const struct engine_spec *spec, int depth, double *seconds,
                              struct error *error) {
    double residuals[TRIAL_ITERATIONS];
    struct engine_spec trial = *spec;
    struct engine *engine = NULL;
    trial.schedule.depth = depth;
    trial.without_events = true;
    trial.stop = NULL;
    struct event_log *log = calloc(1, sizeof *log);
    if (!log)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    enum status status = hip_open(&trial, log, &engine, error);
    for (int run = 0; run < 2 && !status; run++) { /* the first warms up */
        const int64_t start = clock_now_ns();
        for (long made = 0; made < TRIAL_ITERATIONS && !status;) {
            long done = 0;
            status = engine_advance(engine, TRIAL_ITERATIONS - made, 0, residuals, &done, error);
            made += done;
            if (done == 0 || !(residuals[done - 1] > 0))
                break;
        }
        *seconds = 1e-9 * (double)(clock_now_ns() - start);
    }
    engine_close(engine);
    free(log);
    return status;
}

static enum status try_all(const struct engine_spec *spec, int *depth, struct error *error) {
    double least = INFINITY;
    struct engine_spec trial = *spec;
    const struct mesh *mesh = &spec->mesh;
    trial.mesh = mesh_make(mesh->Nx < TRIAL_SIDE ? mesh->Nx : TRIAL_SIDE,
                           mesh->Ny < TRIAL_SIDE ? mesh->Ny : TRIAL_SIDE);
    for (const struct blocked_kernel *kernel = blocked_kernels; kernel->depth; kernel++) {
        double seconds = INFINITY;
        const enum status status = time_depth(&trial, kernel->depth, &seconds, error);
        if (status)
            return status;
        if (seconds < least) {
            least = seconds;
            *depth = kernel->depth;
        }
    }
    return STATUS_OK;
}

enum status depth_choose(const struct engine_spec *spec, int *depth, struct error *error) {
    char key[KEY_SIZE];
    if (*depth > BLOCKED_DEPTH_MAX)
        *depth = BLOCKED_DEPTH_MAX;
    if (*depth > 0 || !gpu_find(spec->device))
        return STATUS_OK;
    key_for(spec, key);
    *depth = depth_cache_find(key);
    if (*depth > 0 && *depth <= BLOCKED_DEPTH_MAX)
        return STATUS_OK;
    const enum status status = try_all(spec, depth, error);
    if (!status)
        depth_cache_keep(key, *depth);
    return status;
}
