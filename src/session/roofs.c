#include "session/roofs.h"

#include <math.h>
#include <stdio.h>

#include "session/roof_cache.h"

enum { KEY_SIZE = 256 };

/* What the figures depend on. */
static void make_key(const struct lane *lane, char key[KEY_SIZE]) {
    snprintf(key, KEY_SIZE, "%s, %s, %s, device %d, threads %d", lane->backend->name,
             lane->device.name, lane->device.driver, lane->device.index,
             lane->spec.engine.tuning.threads);
}

struct roof roof_recall(const struct lane *lane) {
    struct roof roof = {.origin = ROOF_UNKNOWN, .bandwidth_gbs = NAN, .gflops = NAN};
    char key[KEY_SIZE];
    make_key(lane, key);
    roof_cache_find(key, &roof);
    return roof;
}

enum status roof_measure(const struct lane *lane, struct roof *roof, struct error *error) {
    const struct backend *backend = lane->backend;
    if (!backend->measure_roof)
        return error_set(error, STATUS_UNAVAILABLE, "%s has no probe for its roof", backend->name);
    const struct engine_spec *spec = &lane->spec.engine;
    struct roof measured = {.origin = ROOF_MEASURED};
    const enum status status = backend->measure_roof(spec->device, &spec->tuning, &measured, error);
    if (status)
        return status;
    char key[KEY_SIZE];
    make_key(lane, key);
    if (!measured.disturbed)
        roof_cache_keep(key, &measured);
    *roof = measured;
    return STATUS_OK;
}
