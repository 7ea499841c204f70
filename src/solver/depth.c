#include "solver/depth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/json.h"
#include "core/process.h"
#include "core/system.h"

static const char file[] = "depths.json";

int depth_cache_find(const char *key) {
    cJSON *root = json_cache_read(file);
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, key);
    const int depth = cJSON_IsNumber(item) ? item->valueint : 0;
    cJSON_Delete(root);
    return depth >= 1 && depth <= SCHEDULE_MAX_DEPTH ? depth : 0;
}

void depth_cache_store(const char *key, int depth) {
    json_cache_store(file, key, cJSON_CreateNumber(depth));
}

/* The seconds of an engine's second run at that depth. */
static enum status measure_engine(const struct depth_trial *trial, const struct engine_spec *spec,
                                  int depth, double *seconds, struct error *error) {
    struct engine *engine = NULL;
    struct engine_spec tried = *spec;
    tried.slab = (struct slab){0};
    tried.mesh = mesh_make(spec->mesh.Nx < trial->side ? spec->mesh.Nx : trial->side,
                           spec->mesh.Ny < trial->side ? spec->mesh.Ny : trial->side);
    tried.run.schedule.depth = depth;
    tried.run.method = METHOD_JACOBI; /* whose kernels they are, mostly */
    tried.without_events = true;
    tried.stop = NULL;
    struct event_log *log = calloc(1, sizeof *log);
    double *residuals = calloc((size_t)trial->iterations, sizeof *residuals);
    enum status status = log && residuals ? trial->open(&tried, log, &engine, error)
                                          : error_set(error, STATUS_INTERNAL, "out of memory");
    for (int run = 0; run < 2 && !status; run++) {
        const int64_t start = clock_now_ns();
        for (long made = 0, done = 1; made < trial->iterations && done > 0 && !status; made += done)
            status = engine_advance(engine, trial->iterations - made, 0, residuals, &done, error);
        *seconds = 1e-9 * (double)(clock_now_ns() - start);
    }
    engine_close(engine);
    free(residuals);
    free(log);
    return status;
}

enum status depth_trial_choose(const struct depth_trial *trial, const struct engine_spec *spec,
                               int *depth, uint64_t *tried, struct error *error) {
    uint64_t candidates = 0;
    for (const int *candidate = trial->depths; *candidate; candidate++)
        candidates |= UINT64_C(1) << *candidate;
    char key[320];
    snprintf(key, sizeof key, "%.200s, %s, 2^%d unknowns, commit %.40s", trial->device,
             mapping_name(spec->run.mapping), (int)lrint(log2((double)mesh_unknowns(&spec->mesh))),
             build_commit);
    const int known = depth_cache_find(key);
    for (const int *candidate = trial->depths; *candidate; candidate++)
        if (*candidate == known) {
            *depth = known;
            *tried = candidates;
            return STATUS_OK;
        }

    double least = INFINITY;
    for (int round = 0; round == 0 || round < trial->rounds; round++)
        for (const int *candidate = trial->depths; *candidate; candidate++) {
            double seconds = INFINITY;
            progress_update("finding the best depth of blocked on this device: trying %d, round %d",
                            *candidate, round + 1);
            const enum status status =
                trial->measure ? trial->measure(trial->context, *candidate, &seconds, error)
                               : measure_engine(trial, spec, *candidate, &seconds, error);
            if (status)
                return status;
            if (seconds < least) {
                least = seconds;
                *depth = *candidate;
            }
        }
    if (isfinite(least)) {
        *tried = candidates;
        depth_cache_store(key, *depth);
    }
    return STATUS_OK;
}
