#include "session/roof_cache.h"

#include <math.h>

#include "core/json.h"

static const char file[] = "roofs.json";

static bool figure(const cJSON *entry, const char *name, double *value) {
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
    const bool sound = figure(entry, "bandwidth_gbs", &found.bandwidth_gbs) &&
                       figure(entry, "gflops", &found.gflops);
    cJSON_Delete(root);
    if (sound)
        *roof = found;
    return sound;
}

bool roof_cache_keep(const char *key, const struct roof *roof) {
    cJSON *root = json_cache_read(file), *entry = cJSON_CreateObject();
    cJSON_AddNumberToObject(entry, "bandwidth_gbs", roof->bandwidth_gbs);
    cJSON_AddNumberToObject(entry, "gflops", roof->gflops);
    cJSON_DeleteItemFromObjectCaseSensitive(root, key);
    if (!cJSON_AddItemToObject(root, key, entry))
        cJSON_Delete(entry);
    const bool written = json_cache_write(file, root);
    cJSON_Delete(root);
    return written;
}
