#include "solver/geometry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "core/process.h"
#include "core/system.h"

enum { ROUNDS = 2 };

static const char file[] = "geometry.json";
static const int64_t longest_ns = 15000000;
static const double worth_it = 0.98; /* of the usual one's time: less may be chance */

const char *const tuning_names[TUNING_FIELDS] = {
    [TUNING_BLOCK] = "block",
    [TUNING_NORM_BLOCK] = "norm-block",
    [TUNING_NORM_BLOCKS] = "norm-blocks",
    [TUNING_FUSED_BLOCKS] = "fused-blocks",
    [TUNING_BLOCKED_BLOCKS] = "blocked-blocks",
};

static int *field_of(struct tuning *tuning, enum tuning_field field) {
    int *const fields[TUNING_FIELDS] = {
        [TUNING_BLOCK] = &tuning->block,
        [TUNING_NORM_BLOCK] = &tuning->norm_block,
        [TUNING_NORM_BLOCKS] = &tuning->norm_blocks,
        [TUNING_FUSED_BLOCKS] = &tuning->fused_blocks,
        [TUNING_BLOCKED_BLOCKS] = &tuning->blocked_blocks,
    };
    return fields[field];
}

int tuning_get(const struct tuning *tuning, enum tuning_field field) {
    struct tuning copy = *tuning;
    return *field_of(&copy, field);
}

void tuning_set(struct tuning *tuning, enum tuning_field field, int value) {
    *field_of(tuning, field) = value;
}

int tuning_tried(enum tuning_field field, int bit) {
    return field == TUNING_BLOCKED_BLOCKS ? bit : 1 << bit;
}

/* What the cache has of all choices that `tuning` leaves open; false if one is missing or none of
 * the candidates. */
static bool recall(const struct geometry_trial *trial, const char *key, struct tuning *tuning) {
    cJSON *root = json_cache_read(file);
    const cJSON *entry = cJSON_GetObjectItemCaseSensitive(root, key);
    struct tuning found = *tuning;
    bool known = true;
    for (int c = 0; c < trial->choice_count; c++) {
        const struct geometry_choice *choice = &trial->choices[c];
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(entry, tuning_names[choice->field]);
        const int value = cJSON_IsNumber(item) ? item->valueint : 0;
        bool is_candidate = false;
        for (const int *candidate = choice->candidates; *candidate; candidate++)
            is_candidate |= *candidate == value;
        if (tuning_get(tuning, choice->field))
            continue;
        known &= is_candidate;
        tuning_set(&found, choice->field, value);
    }
    cJSON_Delete(root);
    if (known)
        *tuning = found;
    return known;
}

/* Sets *seconds to the time per iteration of an engine's second run with that geometry. */
static enum status time_geometry(const struct geometry_trial *trial, struct engine *engine,
                                 const struct tuning *tuning, double *residuals, double *seconds,
                                 struct error *error) {
    enum status status = engine->ops->retune(engine, tuning, error);
    for (int run = 0; run < 2 && !status; run++) {
        const int64_t start = clock_now_ns();
        int64_t taken = 0;
        long made = 0, done = 1;
        while (made < trial->iterations && done > 0 && taken < longest_ns && !status) {
            status = engine_advance(engine, trial->iterations - made, 0, residuals, &done, error);
            taken = clock_now_ns() - start;
            made += done;
        }
        *seconds = 1e-9 * (double)taken / (double)made;
    }
    return status;
}

/* Sets the field of *tuning to the best of one choice's candidates. */
static enum status try_choice(const struct geometry_trial *trial,
                              const struct geometry_choice *choice, struct engine *engine,
                              double *residuals, struct tuning *tuning, struct error *error) {
    double best[GEOMETRY_CANDIDATES] = {0};
    int least = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; choice->candidates[k]; k++) {
            double seconds = INFINITY;
            progress_update("finding the best %s on this device: trying %d, round %d",
                            tuning_names[choice->field], choice->candidates[k], round + 1);
            tuning_set(tuning, choice->field, choice->candidates[k]);
            const enum status status =
                time_geometry(trial, engine, tuning, residuals, &seconds, error);
            if (status)
                return status;
            best[k] = round == 0 ? seconds : fmin(best[k], seconds);
        }
    for (int k = 1; choice->candidates[k]; k++)
        if (best[k] < best[least] && best[k] < worth_it * best[0])
            least = k;
    tuning_set(tuning, choice->field, choice->candidates[least]);
    return engine->ops->retune(engine, tuning, error);
}

/* On an engine of its own, which is opened with the usual geometry. */
static enum status run_trial(const struct geometry_trial *trial, const struct engine_spec *spec,
                             struct tuning *tuning, struct error *error) {
    struct engine *engine = NULL;
    struct engine_spec tried = *spec;
    tried.slab = (struct slab){0};
    tried.mesh = mesh_make(spec->mesh.Nx < trial->side ? spec->mesh.Nx : trial->side,
                           spec->mesh.Ny < trial->side ? spec->mesh.Ny : trial->side);
    tried.slab = (struct slab){0};
    tried.run.method = METHOD_JACOBI; /* whose kernels they are, mostly */
    tried.without_events = true;
    tried.stop = NULL;
    tried.run.tuning = *tuning;
    for (int c = 0; c < trial->choice_count; c++)
        if (!tuning_get(tuning, trial->choices[c].field))
            tuning_set(&tried.run.tuning, trial->choices[c].field, trial->choices[c].candidates[0]);
    struct event_log *log = calloc(1, sizeof *log);
    double *residuals = calloc((size_t)trial->iterations, sizeof *residuals);
    enum status status = log && residuals ? trial->open(&tried, log, &engine, error)
                                          : error_set(error, STATUS_INTERNAL, "out of memory");
    for (int c = 0; c < trial->choice_count && engine && !status; c++)
        if (!tuning_get(tuning, trial->choices[c].field))
            status =
                try_choice(trial, &trial->choices[c], engine, residuals, &tried.run.tuning, error);
    engine_close(engine);
    free(residuals);
    free(log);
    if (!status)
        *tuning = tried.run.tuning;
    return status;
}

enum status geometry_trial_choose(const struct geometry_trial *trial,
                                  const struct engine_spec *spec, struct tuning *tuning,
                                  struct tuning *tried, struct error *error) {
    const struct tuning asked = *tuning;
    char key[400];
    snprintf(key, sizeof key, "%.200s, %s, %s, 2^%d unknowns, commit %.40s", trial->device,
             schedule_kind_name(spec->run.schedule.kind), mapping_name(spec->run.mapping),
             (int)lrint(log2((double)mesh_unknowns(&spec->mesh))), build_commit);
    bool open = false;
    for (int c = 0; c < trial->choice_count; c++) {
        const enum tuning_field field = trial->choices[c].field;
        const size_t length = strlen(key);
        if (tuning_get(&asked, field))
            snprintf(key + length, sizeof key - length, ", %s %d", tuning_names[field],
                     tuning_get(&asked, field));
        open |= !tuning_get(&asked, field);
    }
    if (open && !recall(trial, key, tuning)) {
        const enum status status = run_trial(trial, spec, tuning, error);
        if (status)
            return status;
        cJSON *entry = cJSON_CreateObject();
        for (int c = 0; c < trial->choice_count; c++)
            cJSON_AddNumberToObject(entry, tuning_names[trial->choices[c].field],
                                    tuning_get(tuning, trial->choices[c].field));
        json_cache_store(file, key, entry);
    }
    for (int c = 0; c < trial->choice_count; c++) {
        const struct geometry_choice *choice = &trial->choices[c];
        int mask = 0;
        for (const int *candidate = choice->candidates; *candidate; candidate++)
            for (int bit = 0; bit < TUNING_TRIED_BITS; bit++)
                mask |= (tuning_tried(choice->field, bit) == *candidate) << bit;
        if (!tuning_get(&asked, choice->field))
            tuning_set(tried, choice->field, mask);
    }
    return STATUS_OK;
}
