#include "probe/cache.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/paths.h"

enum { FILE_MOST = 64 * 1024 };

/* The whole file as an object; an empty one where there is no sound one. NULL: no memory. */
static cJSON *read_file(const char *path) {
    cJSON *root = NULL;
    char *text = malloc(FILE_MOST);
    FILE *file = text ? fopen(path, "r") : NULL;
    if (file) {
        const size_t length = fread(text, 1, FILE_MOST, file);
        root = length < FILE_MOST ? cJSON_ParseWithLength(text, length) : NULL;
        fclose(file);
    }
    free(text);
    if (cJSON_IsObject(root))
        return root;
    cJSON_Delete(root);
    return cJSON_CreateObject();
}

static bool figure(const cJSON *entry, const char *name, double *value) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(entry, name);
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble) || !(item->valuedouble > 0))
        return false;
    *value = item->valuedouble;
    return true;
}

bool roof_cache_find(const char *key, struct roof *roof) {
    char path[PATH_SIZE];
    if (!path_of_cache(path, sizeof path, "roofs.json"))
        return false;
    cJSON *root = read_file(path);
    const cJSON *entry = cJSON_GetObjectItemCaseSensitive(root, key);
    struct roof found = {.origin = ROOF_MEASURED};
    const bool sound = figure(entry, "bandwidth_gbs", &found.bandwidth_gbs) &&
                       figure(entry, "gflops", &found.gflops);
    cJSON_Delete(root);
    if (sound)
        *roof = found;
    return sound;
}

/* Beside the old file and then in its place, so that nobody ever reads half a file. */
static bool replace_file(const char *path, const char *text) {
    char beside[PATH_SIZE + 8];
    snprintf(beside, sizeof beside, "%s.XXXXXX", path);
    const int descriptor = mkstemp(beside);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (!file) {
        if (descriptor >= 0)
            close(descriptor);
        return false;
    }
    bool written = fputs(text, file) >= 0;
    written &= fclose(file) == 0;
    if (written && rename(beside, path) == 0)
        return true;
    unlink(beside);
    return false;
}

bool roof_cache_keep(const char *key, const struct roof *roof) {
    char path[PATH_SIZE];
    if (!path_of_cache(path, sizeof path, "roofs.json") || !path_make_folders(path))
        return false;
    cJSON *root = read_file(path), *entry = cJSON_CreateObject();
    cJSON_AddNumberToObject(entry, "bandwidth_gbs", roof->bandwidth_gbs);
    cJSON_AddNumberToObject(entry, "gflops", roof->gflops);
    cJSON_DeleteItemFromObjectCaseSensitive(root, key);
    if (!cJSON_AddItemToObject(root, key, entry))
        cJSON_Delete(entry);
    char *text = cJSON_Print(root);
    const bool written = text && replace_file(path, text);
    cJSON_free(text);
    cJSON_Delete(root);
    return written;
}
