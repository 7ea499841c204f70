#include "core/json.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
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

void json_add_figure(cJSON *object, const char *name, double figure) {
    if (isfinite(figure))
        cJSON_AddNumberToObject(object, name, figure);
    else
        cJSON_AddNullToObject(object, name);
}

void json_add_figures(cJSON *object, const struct json_figure *figures, size_t count) {
    for (size_t f = 0; f < count; f++)
        json_add_figure(object, figures[f].name, figures[f].figure);
}

void json_add_text(cJSON *object, const char *name, const char *text) {
    if (text && *text)
        cJSON_AddStringToObject(object, name, text);
    else
        cJSON_AddNullToObject(object, name);
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

enum status json_print(FILE *out, cJSON *root, bool indented, struct error *error) {
    char *text = json_finish(root, indented);
    if (!text)
        return error_set(error, STATUS_INTERNAL, "out of memory for the report");
    fprintf(out, "%s\n", text);
    cJSON_free(text);
    return STATUS_OK;
}

/* ---- caching -------------------------------------------------------------------------------- */

enum { CACHE_ENTRIES = 512, CACHE_MAX_BYTES = 1024 * CACHE_ENTRIES };

cJSON *json_cache_read(const char *name) {
    char path[PATH_SIZE], *text = NULL;
    size_t size;
    cJSON *root = NULL;
    if (user_path(path, sizeof path, USER_CACHE, name) &&
        file_read(path, CACHE_MAX_BYTES, &text, &size, NULL) == STATUS_OK)
        root = cJSON_ParseWithLength(text, size);
    free(text);
    if (cJSON_IsObject(root))
        return root;
    cJSON_Delete(root);
    return cJSON_CreateObject();
}

bool json_cache_store(const char *name, const char *key, cJSON *value) {
    char path[PATH_SIZE], lock_path[PATH_SIZE];
    const bool there = user_path(path, sizeof path, USER_CACHE, name) && path_make_folders(path) &&
                       user_folder_is_own(USER_CACHE) &&
                       user_path(lock_path, sizeof lock_path, USER_CACHE, "lock");
    const int lock = there ? file_lock(lock_path) : -1;
    if (lock < 0 || !value) {
        cJSON_Delete(value);
        if (lock >= 0)
            close(lock);
        return false;
    }
    json_begin();
    cJSON *root = json_cache_read(name);
    cJSON_DeleteItemFromObjectCaseSensitive(root, key);
    while (cJSON_GetArraySize(root) >= CACHE_ENTRIES)
        cJSON_DeleteItemFromArray(root, 0); /* the oldest */
    if (!cJSON_AddItemToObject(root, key, value))
        cJSON_Delete(value);
    char *text = json_finish(root, true);
    const bool kept = text && file_write(path, true, text, strlen(text), NULL) == STATUS_OK;
    cJSON_free(text);
    close(lock);
    return kept;
}
