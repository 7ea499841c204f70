#include "solver/depth_cache.h"

#include "core/json.h"
#include "solver/phase.h"

static const char file[] = "depths.json";

int depth_cache_find(const char *key) {
    cJSON *root = json_cache_read(file);
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, key);
    const int depth = cJSON_IsNumber(item) ? item->valueint : 0;
    cJSON_Delete(root);
    return depth >= 1 && depth <= SCHEDULE_MAX_DEPTH ? depth : 0;
}

void depth_cache_keep(const char *key, int depth) {
    cJSON *root = json_cache_read(file);
    cJSON_DeleteItemFromObjectCaseSensitive(root, key);
    if (cJSON_AddNumberToObject(root, key, depth))
        json_cache_write(file, root);
    cJSON_Delete(root);
}
