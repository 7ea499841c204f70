#include "core/json_build.h"

#include <pthread.h>
#include <stdlib.h>

static _Thread_local bool ran_out;

static void *allocate(size_t size) {
    void *memory = malloc(size);
    ran_out |= memory == NULL;
    return memory;
}

static void watch(void) {
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = allocate, .free_fn = free});
}

void json_begin(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch);
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
