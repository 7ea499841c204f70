#include "core/json.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/paths.h"

/* ---- building ------------------------------------------------------------------------------- */

static _Thread_local bool ran_out;

static void *json_allocate(size_t size) {
    void *memory = malloc(size);
    ran_out |= memory == NULL;
    return memory;
}

static void watch_allocations(void) {
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = json_allocate, .free_fn = free});
}

void json_begin(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_allocations);
    ran_out = false;
}

void json_append(cJSON *array, cJSON *item) {
    if (!cJSON_AddItemToArray(array, item))
        cJSON_Delete(item);
}

char *json_finish(cJSON *root, bool indented) {
    char *text = indented ? cJSON_Print(root) : cJSON_PrintUnformatted(root);
    cJSON_Delete(root);
    if (!ran_out)
        return text;
    cJSON_free(text);
    return NULL;
}

/* ---- caching -------------------------------------------------------------------------------- */

enum { CACHE_MAX_BYTES = 64 * 1024 };

cJSON *json_cache_read(const char *name) {
    char path[PATH_SIZE];
    cJSON *root = NULL;
    char *text = path_of_cache(path, sizeof path, name) ? malloc(CACHE_MAX_BYTES) : NULL;
    FILE *file = text ? fopen(path, "r") : NULL;
    if (file) {
        const size_t length = fread(text, 1, CACHE_MAX_BYTES, file);
        root = length < CACHE_MAX_BYTES ? cJSON_ParseWithLength(text, length) : NULL;
        fclose(file);
    }
    free(text);
    if (cJSON_IsObject(root))
        return root;
    cJSON_Delete(root);
    return cJSON_CreateObject();
}

bool json_cache_write(const char *name, const cJSON *root) {
    char path[PATH_SIZE];
    if (!path_of_cache(path, sizeof path, name) || !path_make_folders(path))
        return false;
    char *text = cJSON_Print(root);
    const bool written = text && path_replace(path, text);
    cJSON_free(text);
    return written;
}
