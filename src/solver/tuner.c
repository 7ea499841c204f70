#include "solver/tuner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format.h"
#include "core/json.h"
#include "core/process.h"
#include "core/system.h"

enum { KEY_SIZE = 640 };

static const char file[] = "tuner.json";
static const int64_t longest_ns = 15000000; /* limit of a run that tries a geometry */
static const double worth_it = 0.98;        /* of the usual time: a smaller gain may be chance */

/* ---- values --------------------------------------------------------------------------------- */

static const char *name_of(enum tuning_field field) {
    return field == TUNING_DEPTH ? "depth" : tuning_names[field];
}

static int *parameter(struct engine_spec *spec, enum tuning_field field) {
    return field == TUNING_DEPTH ? &spec->run.schedule.depth : &spec->run.tuning.of[field];
}

static bool is_candidate(const struct autotune_choice *choice, int value) {
    for (const int *candidate = choice->candidates; *candidate; candidate++)
        if (*candidate == value)
            return true;
    return false;
}

/* ---- cache ---------------------------------------------------------------------------------- */

/* Writes the cache key: everything that the best values depend on. A home folder may be shared by
 * machines with other processors, and OpenMP's host device does not name its own. */
static void make_key(const struct autotune *autotune, struct engine_spec *spec,
                     char key[KEY_SIZE]) {
    snprintf(key, KEY_SIZE, "%.300s, host %s, %d cores, %s, %s, %s, 2^%d unknowns, commit %.40s",
             autotune->device, cpu_name(), cpus_usable(), schedule_names[spec->run.schedule.kind],
             mapping_names[spec->run.mapping], precision_names[spec->run.precision],
             (int)lrint(log2((double)mesh_unknowns(&spec->mesh))), build_commit);
    for (int c = 0; c < autotune->choice_count; c++) {
        const enum tuning_field field = autotune->choices[c].field;
        const int given = *parameter(spec, field);
        if (given)
            format_append(key, KEY_SIZE, ", %s %d", name_of(field), given);
    }
}

/* Fills the choices from the cache. False if a value is missing or is not a candidate. */
static bool recall(const struct autotune *autotune, const char *key, struct engine_spec *spec) {
    cJSON *root = json_cache_read(file);
    const cJSON *entry = cJSON_GetObjectItemCaseSensitive(root, key);
    struct engine_spec found = *spec;
    bool known = true;
    for (int c = 0; c < autotune->choice_count; c++) {
        const struct autotune_choice *choice = &autotune->choices[c];
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(entry, name_of(choice->field));
        const int value = cJSON_IsNumber(item) ? item->valueint : 0;
        known &= is_candidate(choice, value);
        *parameter(&found, choice->field) = value;
    }
    cJSON_Delete(root);
    if (known)
        *spec = found;
    return known;
}

static void keep(const struct autotune *autotune, const char *key, struct engine_spec *spec) {
    cJSON *entry = cJSON_CreateObject();
    for (int c = 0; c < autotune->choice_count; c++) {
        const enum tuning_field field = autotune->choices[c].field;
        cJSON_AddNumberToObject(entry, name_of(field), *parameter(spec, field));
    }
    json_cache_store(file, key, entry);
}

/* ---- measurements --------------------------------------------------------------------------- */

/* The engine of a measurement, and its spec. */
struct test_run {
    const struct autotune *autotune;
    struct engine_spec spec;
    struct engine *engine;
    struct event_log *log;
    double *residuals;
};

/* Sets *seconds to the time per iteration of the engine's second run. */
static enum status time_engine(struct test_run *test, int64_t most_ns, double *seconds,
                               struct error *error) {
    for (int run = 0; run < 2; run++) {
        const int64_t start = clock_now_ns();
        int64_t taken_ns = 0;
        long made = 0, done = 1;
        while (made < test->autotune->iterations && done > 0 && taken_ns < most_ns) {
            TRY(engine_advance(test->engine, test->autotune->iterations - made, 0, test->residuals,
                               &done, error));
            taken_ns = clock_now_ns() - start;
            made += done;
        }
        *seconds = 1e-9 * (double)taken_ns / (double)made;
    }
    return STATUS_OK;
}

/* Sets *seconds to the time per iteration with that value of a choice. */
static enum status measure(struct test_run *test, enum tuning_field field, int value,
                           double *seconds, struct error *error) {
    const struct autotune *autotune = test->autotune;
    *parameter(&test->spec, field) = value;
    if (autotune->measure)
        return autotune->measure(autotune->context, value, seconds, error);
    if (field != TUNING_DEPTH) {
        TRY(test->engine->ops->retune(test->engine, &test->spec.run.tuning, error));
        return time_engine(test, longest_ns, seconds, error);
    }
    enum status status = autotune->open(&test->spec, test->log, &test->engine, error);
    if (!status)
        status = time_engine(test, INT64_MAX, seconds, error);
    engine_close(test->engine);
    test->engine = NULL;
    return status;
}

/* Sets the parameter in test->spec to its best candidate, or to 0 if none could be timed. */
static enum status try_choice(struct test_run *test, const struct autotune_choice *choice,
                              struct error *error) {
    const bool is_depth = choice->field == TUNING_DEPTH;
    double best[AUTOTUNE_CANDIDATES] = {0};
    int least = 0;
    for (int round = 0; round < test->autotune->rounds; round++)
        for (int k = 0; choice->candidates[k]; k++) {
            double seconds = INFINITY;
            progress_update(PROGRESS_STEP,
                            "finding the best %s%s on this device: trying %d, round %d",
                            name_of(choice->field), is_depth ? " of blocked" : "",
                            choice->candidates[k], round + 1);
            TRY(measure(test, choice->field, choice->candidates[k], &seconds, error));
            best[k] = round == 0 ? seconds : fmin(best[k], seconds);
        }
    for (int k = 1; choice->candidates[k]; k++)
        if (best[k] < best[least] && (is_depth || best[k] < worth_it * best[0]))
            least = k;
    *parameter(&test->spec, choice->field) = isfinite(best[least]) ? choice->candidates[least] : 0;
    return is_depth ? STATUS_OK
                    : test->engine->ops->retune(test->engine, &test->spec.run.tuning, error);
}

/* Returns the spec of a test run: Jacobi, whose kernels most methods share, on a whole grid of its
 * own. The best depth is found with the usual geometry. */
static struct engine_spec test_spec(const struct autotune *autotune,
                                    const struct engine_spec *spec) {
    struct engine_spec test = *spec;
    const int Nx = spec->mesh.Nx, Ny = spec->mesh.Ny, side = autotune->side;
    test.slab = (struct slab){0};
    test.mesh = mesh_make(Nx < side ? Nx : side, Ny < side ? Ny : side);
    test.run.method = METHOD_JACOBI;
    if (autotune->choices[0].field == TUNING_DEPTH)
        test.run.tuning = (struct tuning){.threads = spec->run.tuning.threads};
    test.without_events = true;
    test.stop = NULL;
    test.on_filling = NULL;
    return test;
}

static enum status try_all(const struct autotune *autotune, struct engine_spec *spec,
                           struct error *error) {
    struct test_run test = {.autotune = autotune, .spec = test_spec(autotune, spec)};
    for (int c = 0; c < autotune->choice_count; c++)
        *parameter(&test.spec, autotune->choices[c].field) = autotune->choices[c].candidates[0];
    test.log = calloc(1, sizeof *test.log);
    test.residuals = calloc((size_t)autotune->iterations + 1, sizeof *test.residuals);
    enum status status =
        test.log && test.residuals ? STATUS_OK : error_set(error, STATUS_INTERNAL, "out of memory");
    if (!status && autotune->choices[0].field != TUNING_DEPTH)
        status = autotune->open(&test.spec, test.log, &test.engine, error);
    for (int c = 0; c < autotune->choice_count && !status; c++)
        status = try_choice(&test, &autotune->choices[c], error);
    engine_close(test.engine);
    free(test.residuals);
    free(test.log);
    for (int c = 0; c < autotune->choice_count && !status; c++)
        *parameter(spec, autotune->choices[c].field) =
            *parameter(&test.spec, autotune->choices[c].field);
    return status;
}

/* ---- autotuning ----------------------------------------------------------------------------- */

/* Reports the candidates of a choice. */
static void report_candidates(const struct autotune_choice *choice, uint64_t *depths_tried,
                              struct tuning *tried) {
    int mask = 0;
    for (const int *candidate = choice->candidates; *candidate; candidate++) {
        if (choice->field == TUNING_DEPTH)
            *depths_tried |= UINT64_C(1) << *candidate;
        for (int bit = 0; bit < TUNING_TRIED_BITS && choice->field != TUNING_DEPTH; bit++)
            mask |= (tuning_tried(choice->field, bit) == *candidate) << bit;
    }
    if (choice->field != TUNING_DEPTH)
        tried->of[choice->field] = mask;
}

enum status autotune(const struct autotune *autotune, struct engine_spec *spec,
                     uint64_t *depths_tried, struct tuning *tried, struct error *error) {
    struct autotune_choice open[TUNING_FIELDS + 1];
    struct autotune search = *autotune; /* only the open choices */
    char key[KEY_SIZE];
    bool found = true;
    search.choices = open;
    search.choice_count = 0;
    for (int c = 0; c < autotune->choice_count; c++)
        if (!*parameter(spec, autotune->choices[c].field))
            open[search.choice_count++] = autotune->choices[c];
    if (search.choice_count == 0)
        return STATUS_OK;
    make_key(autotune, spec, key);
    const bool known = recall(&search, key, spec);
    if (!known)
        TRY(try_all(&search, spec, error));
    for (int c = 0; c < search.choice_count; c++)
        if (*parameter(spec, open[c].field))
            report_candidates(&open[c], depths_tried, tried);
        else
            found = false;
    if (found && !known)
        keep(&search, key, spec);
    return STATUS_OK;
}

/* ---- peaks ---------------------------------------------------------------------------------- */

static void make_roof_key(const struct backend *backend, const struct device *device,
                          const struct run_id *run, char key[KEY_SIZE]) {
    snprintf(key, KEY_SIZE, "roof of %s, %s, %s, device %d, host %s, %d cores, threads %d",
             backend->name, device->name, device->driver, device->index, cpu_name(), cpus_usable(),
             run->tuning.threads);
}

static bool get_figure(const cJSON *entry, const char *name, double *value) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(entry, name);
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble) || !(item->valuedouble > 0))
        return false;
    *value = item->valuedouble;
    return true;
}

struct roof tuner_find_roof(const struct backend *backend, const struct device *device,
                            const struct run_id *run) {
    struct roof roof = {.origin = ROOF_MEASURED};
    char key[KEY_SIZE];
    make_roof_key(backend, device, run, key);
    cJSON *root = json_cache_read(file);
    const cJSON *entry = cJSON_GetObjectItemCaseSensitive(root, key);
    if (!get_figure(entry, "bandwidth_gbs", &roof.bandwidth_gbs) ||
        !get_figure(entry, "gflops", &roof.gflops))
        roof = (struct roof){.origin = ROOF_UNKNOWN, .bandwidth_gbs = NAN, .gflops = NAN};
    cJSON_Delete(root);
    return roof;
}

/* A busy machine may be idle soon. */
enum { ROOF_TRIES = 3 };

enum status tuner_measure_roof(const struct backend *backend, const struct device *device,
                               const struct run_id *run, struct roof *roof, struct error *error) {
    struct roof measured = {.origin = ROOF_MEASURED};
    char key[KEY_SIZE];
    if (!backend->measure_roof)
        return error_set(error, STATUS_UNAVAILABLE, "%s can't measure its peak", backend->name);
    progress_update(PROGRESS_NEWS, "measuring the peak of %s", device->name);
    for (int tries = 0; tries < ROOF_TRIES && (tries == 0 || measured.contended); tries++)
        TRY(backend->measure_roof(run->device, &run->tuning, &measured, error));
    *roof = measured;
    if (measured.contended)
        return STATUS_OK;
    cJSON *entry = cJSON_CreateObject();
    cJSON_AddNumberToObject(entry, "bandwidth_gbs", measured.bandwidth_gbs);
    cJSON_AddNumberToObject(entry, "gflops", measured.gflops);
    make_roof_key(backend, device, run, key);
    json_cache_store(file, key, entry);
    return STATUS_OK;
}
