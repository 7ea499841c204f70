#include "session/roofs.h"

#include <math.h>
#include <stdio.h>

#include "core/json.h"
#include "core/process.h"

enum { KEY_SIZE = 256 };

static const char file[] = "roofs.json";

static bool get_figure(const cJSON *entry, const char *name, double *value) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(entry, name);
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble) || !(item->valuedouble > 0))
        return false;
    *value = item->valuedouble;
    return true;
}

bool roof_cache_find(const char *key, struct roof *roof) {
    cJSON *root = json_cache_read(file);
    const cJSON *entry = cJSON_GetObjectItemCaseSensitive(root, key);
    struct roof found = {.origin = ROOF_MEASURED};
    const bool sound = get_figure(entry, "bandwidth_gbs", &found.bandwidth_gbs) &&
                       get_figure(entry, "gflops", &found.gflops);
    cJSON_Delete(root);
    if (sound)
        *roof = found;
    return sound;
}

bool roof_cache_store(const char *key, const struct roof *roof) {
    cJSON *entry = cJSON_CreateObject();
    cJSON_AddNumberToObject(entry, "bandwidth_gbs", roof->bandwidth_gbs);
    cJSON_AddNumberToObject(entry, "gflops", roof->gflops);
    return json_cache_store(file, key, entry);
}

/* What the figures depend on. */
static void make_key(const struct computed_lane *lane, char key[KEY_SIZE]) {
    snprintf(key, KEY_SIZE, "%s, %s, %s, device %d, threads %d", lane->backend->name,
             lane->device.name, lane->device.driver, lane->device.index,
             lane->spec.engine.run.tuning.threads);
}

struct roof roof_recall(const struct computed_lane *lane) {
    struct roof roof = {.origin = ROOF_UNKNOWN, .bandwidth_gbs = NAN, .gflops = NAN};
    char key[KEY_SIZE];
    make_key(lane, key);
    roof_cache_find(key, &roof);
    return roof;
}

enum status roof_measure(const struct computed_lane *lane, struct roof *roof, struct error *error) {
    const struct backend *backend = lane->backend;
    const struct engine_spec *spec = &lane->spec.engine;
    struct roof measured = {.origin = ROOF_MEASURED};
    char key[KEY_SIZE];
    if (!backend->measure_roof)
        return error_set(error, STATUS_UNAVAILABLE, "%s has no probe for its roof", backend->name);
    progress_announce("measuring the roof of %s", lane->device.name);
    const enum status status =
        backend->measure_roof(spec->run.device, &spec->run.tuning, &measured, error);
    if (status)
        return status;
    make_key(lane, key);
    if (!measured.contended)
        roof_cache_store(key, &measured);
    *roof = measured;
    return STATUS_OK;
}
