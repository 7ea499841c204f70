#include "kernels/hip/self_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/format.h"
#include "core/json.h"
#include "core/process.h"
#include "core/system.h"
#include "kernels/hip/engine.h"

enum { ITERATIONS = 33, ROUNDS = 4, KEY_SIZE = 320, WORDS_SIZE = 160 };

struct way {
    int depth;   /* of blocked; 0: classic */
    bool faster; /* struct hip_engine's */
};

static const struct {
    const char *name;
    struct way usual, faster;
    double tolerance; /* of U, relative to its largest value; residuals: 1000 times as much */
    bool is_timed;
} checks[FASTER_COUNT] = {
    [FASTER_GRAPHS] = {"graphs", {0, false}, {0, true}, 0, true},
    [FASTER_DEPTH] = {"blocked:8", {4, false}, {8, false}, 1e-13, false},
    [FASTER_COPIES4] = {"asynchronous copies of blocked:4", {4, false}, {4, true}, 0, true},
    [FASTER_COPIES8] = {"asynchronous copies of blocked:8", {8, false}, {8, true}, 0, true},
};

/* ---- answers --------------------------------------------------------------------------------- */

static const char file[] = "self-check.json";

static void make_key(const struct hip_gpu *gpu, enum hip_faster faster, char key[KEY_SIZE]) {
    snprintf(key, KEY_SIZE, "%s of hip %s, %s, commit %.40s", checks[faster].name, gpu->device.name,
             gpu->device.driver, build_commit);
}

void hip_self_check_keep(const struct hip_gpu *gpu, enum hip_faster faster, bool uses,
                         const char *words) {
    char key[KEY_SIZE];
    cJSON *entry = cJSON_CreateObject();
    cJSON_AddBoolToObject(entry, "used", uses);
    cJSON_AddStringToObject(entry, "words", words);
    make_key(gpu, faster, key);
    json_cache_store(file, key, entry);
    if (!uses)
        progress_update(PROGRESS_NEWS, "%s not used: %s", checks[faster].name, words);
}

/* Returns false if there is no answer yet. */
static bool recall(const struct hip_gpu *gpu, enum hip_faster faster, bool *uses,
                   char words[WORDS_SIZE]) {
    char key[KEY_SIZE];
    make_key(gpu, faster, key);
    cJSON *root = json_cache_read(file);
    const cJSON *entry = cJSON_GetObjectItemCaseSensitive(root, key);
    const cJSON *used = cJSON_GetObjectItemCaseSensitive(entry, "used");
    const cJSON *said = cJSON_GetObjectItemCaseSensitive(entry, "words");
    const bool known = cJSON_IsBool(used) && cJSON_IsString(said);
    if (known) {
        *uses = cJSON_IsTrue(used);
        snprintf(words, WORDS_SIZE, "%s", said->valuestring);
    }
    cJSON_Delete(root);
    return known;
}

void hip_self_check_describe(const struct hip_gpu *gpu, struct device *device) {
    char words[WORDS_SIZE];
    bool uses;
    *device->note = '\0';
    for (int f = 0; f < FASTER_COUNT; f++)
        if (recall(gpu, (enum hip_faster)f, &uses, words))
            format_append(device->note, sizeof device->note, "%s%s %s: %s",
                          *device->note ? "; " : "", checks[f].name, uses ? "used" : "not used",
                          words);
}

/* ---- trials ---------------------------------------------------------------------------------- */

struct trial {
    struct engine_spec spec;
    struct engine *engine;
    struct event_log *log;
    double *U, residuals[ROUNDS * ITERATIONS];
    double seconds; /* per iteration, in the best round after the first, which warms up */
    struct error error;
};

/* The mesh has the same spacing in x and y, whatever its shape. Blocked gets a grid with a strip
 * inside it. A pass has one walk per strip, so that most of its steps are those of a large grid. */
static void trial_open(struct trial *trial, const struct hip_gpu *gpu, const struct way *way) {
    const bool is_blocked = way->depth > 0;
    const int Nx = is_blocked ? 500 : 32, Ny = is_blocked ? 64 : 32;
    *trial = (struct trial){
        .spec = {.run = {.mapping = MAPPING_UNSTRUCTURED,
                         .schedule = {is_blocked ? SCHEDULE_BLOCKED : SCHEDULE_CLASSIC, way->depth},
                         .device = gpu->device.index,
                         /* few threads: the test measures launch costs */
                         .tuning = {.block = 64, .norm_block = 64, .norm_blocks = 4}},
                 .mesh = mesh_make(Nx, Nx),
                 .problem = problem_find("noise"),
                 .without_events = true},
        .log = calloc(1, sizeof *trial->log),
        .U = calloc((size_t)Nx * (size_t)Ny, sizeof *trial->U),
        .seconds = INFINITY,
    };
    trial->spec.mesh.Ny = Ny;
    if (!trial->log || !trial->U)
        error_set(&trial->error, STATUS_INTERNAL, "out of memory");
    else
        hip_engine_open(gpu, &trial->spec, is_blocked ? &hip_passes : &hip_classic, way->faster,
                        trial->log, &trial->engine, &trial->error);
    if (!trial->engine)
        return;
    struct hip_engine *hip = hip_engine_of(trial->engine);
    hip->geometry.rows = (unsigned)Ny;
    hip->geometry.blocks = hip->geometry.strips;
    if (hip->unrecorded.status)
        trial->error = hip->unrecorded;
}

/* A round is one batch, however long its iterations take: a shorter batch would replay nothing. */
static void trial_run(struct trial *trial, int round) {
    const int64_t start = clock_now_ns();
    long done = 0;
    if (trial->error.status)
        return;
    struct hip_engine *hip = hip_engine_of(trial->engine);
    hip->batch_passes = 1 + (ITERATIONS - 1) / hip->depth;
    engine_advance(trial->engine, ITERATIONS, 0, trial->residuals + (size_t)round * ITERATIONS,
                   &done, &trial->error);
    if (round > 0)
        trial->seconds = fmin(trial->seconds, 1e-9 * (double)(clock_now_ns() - start) / ITERATIONS);
}

static void trial_close(struct trial *trial) {
    if (!trial->error.status)
        trial->engine->ops->read(trial->engine, trial->U, &trial->error);
    engine_close(trial->engine);
    free(trial->log);
}

/* Returns false also if a value is NaN. */
static bool agree(const struct trial *usual, const struct trial *faster, double tolerance) {
    const size_t unknowns = mesh_unknowns(&usual->spec.mesh);
    double largest = 0;
    bool close = true;
    for (size_t id = 0; id < unknowns; id++)
        largest = fmax(largest, fabs(usual->U[id]));
    for (size_t id = 0; id < unknowns; id++)
        close &= fabs(usual->U[id] - faster->U[id]) <= tolerance * largest;
    for (size_t k = 0; k < ROUNDS * ITERATIONS; k++)
        close &= fabs(usual->residuals[k] - faster->residuals[k]) <=
                 1e3 * tolerance * usual->residuals[k];
    return close;
}

enum status hip_self_check(const struct hip_gpu *gpu, enum hip_faster faster, bool *uses,
                           struct error *error) {
    struct trial trials[2];
    char words[WORDS_SIZE], times[2][32];
    if (recall(gpu, faster, uses, words))
        return STATUS_OK;
    progress_update(PROGRESS_STEP, "checking %s on this device", checks[faster].name);
    trial_open(&trials[0], gpu, &checks[faster].usual);
    trial_open(&trials[1], gpu, &checks[faster].faster);
    for (int round = 0; round < ROUNDS; round++)
        for (int t = 0; t < 2; t++)
            trial_run(&trials[t], round);
    for (int t = 1; t >= 0; t--)
        trial_close(&trials[t]);
    for (int t = 0; t < 2; t++)
        format_duration(times[t], sizeof times[t], trials[t].seconds);
    const bool is_right = agree(&trials[0], &trials[1], checks[faster].tolerance);
    const bool is_slower = checks[faster].is_timed && !(trials[1].seconds < trials[0].seconds);
    *uses = !trials[1].error.status && is_right && !is_slower;
    if (trials[1].error.status)
        snprintf(words, sizeof words, "%.150s", trials[1].error.message);
    else if (!is_right)
        snprintf(words, sizeof words, "the solution differs");
    else if (checks[faster].is_timed)
        snprintf(words, sizeof words, "%s an iteration, without them %s", times[1], times[0]);
    else
        snprintf(words, sizeof words, "the solution is the same");
    const bool has_answer = !trials[0].error.status;
    if (has_answer)
        hip_self_check_keep(gpu, faster, *uses, words);
    else
        *error = trials[0].error;
    for (int t = 0; t < 2; t++)
        free(trials[t].U);
    return has_answer ? STATUS_OK : error->status;
}
