#include "solver/depth_trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/system.h"
#include "solver/depth_cache.h"

enum { KEY_SIZE = 320 };

static void key_for(const struct depth_trial *trial, const struct engine_spec *spec, char *key) {
    snprintf(key, KEY_SIZE, "%s, %s, 2^%d unknowns", trial->device, mapping_name(spec->mapping),
             (int)lrint(log2((double)mesh_unknowns(&spec->mesh))));
}

static enum status run_once(struct engine *engine, int iterations, struct error *error) {
    double *residuals = calloc((size_t)iterations, sizeof *residuals);
    if (!residuals)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    enum status status = STATUS_OK;
    for (long made = 0, done = 1; made < iterations && done > 0 && !status; made += done)
        status = engine_advance(engine, iterations - made, 0, residuals, &done, error);
    free(residuals);
    return status;
}

static enum status time_depth(const struct depth_trial *trial, const struct engine_spec *spec,
                              double *seconds, struct error *error) {
    struct engine *engine = NULL;
    struct event_log *log = calloc(1, sizeof *log);
    if (!log)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    enum status status = trial->open(spec, log, &engine, error);
    for (int run = 0; run < 2 && !status; run++) {
        const int64_t start = clock_now_ns();
        status = run_once(engine, trial->iterations, error);
        *seconds = 1e-9 * (double)(clock_now_ns() - start);
    }
    engine_close(engine);
    free(log);
    return status;
}

static int at_most(int side, int limit) {
    return side < limit ? side : limit;
}

static enum status try_all(const struct depth_trial *trial, const struct engine_spec *spec,
                           int *depth, struct error *error) {
    double least = INFINITY;
    struct engine_spec tried = *spec;
    tried.mesh =
        mesh_make(at_most(spec->mesh.Nx, trial->side), at_most(spec->mesh.Ny, trial->side));
    tried.without_events = true;
    tried.stop = NULL;
    for (const int *candidate = trial->depths; *candidate; candidate++) {
        double seconds = INFINITY;
        tried.schedule.depth = *candidate;
        const enum status status = time_depth(trial, &tried, &seconds, error);
        if (status)
            return status;
        if (seconds < least) {
            least = seconds;
            *depth = *candidate;
        }
    }
    return STATUS_OK;
}

static bool is_candidate(const struct depth_trial *trial, int depth) {
    for (const int *candidate = trial->depths; *candidate; candidate++)
        if (*candidate == depth)
            return true;
    return false;
}

enum status depth_trial_choose(const struct depth_trial *trial, const struct engine_spec *spec,
                               int *depth, struct error *error) {
    char key[KEY_SIZE];
    key_for(trial, spec, key);
    *depth = depth_cache_find(key);
    if (is_candidate(trial, *depth))
        return STATUS_OK;
    const enum status status = try_all(trial, spec, depth, error);
    if (!status)
        depth_cache_keep(key, *depth);
    return status;
}
