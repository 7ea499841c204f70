#include "core/json_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/paths.h"

enum { FILE_MOST = 64 * 1024 };

static cJSON *parse_file(const char *path) {
    cJSON *root = NULL;
    char *text = malloc(FILE_MOST);
    FILE *file = text ? fopen(path, "r") : NULL;
    if (file) {
        const size_t length = fread(text, 1, FILE_MOST, file);
        root = length < FILE_MOST ? cJSON_ParseWithLength(text, length) : NULL;
        fclose(file);
    }
    free(text);
    return root;
}

cJSON *json_cache_read(const char *name) {
    char path[PATH_SIZE];
    cJSON *root = path_of_cache(path, sizeof path, name) ? parse_file(path) : NULL;
    if (cJSON_IsObject(root))
        return root;
    cJSON_Delete(root);
    return cJSON_CreateObject();
}

/* Beside the old file and then in its place. */
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

bool json_cache_write(const char *name, const cJSON *root) {
    char path[PATH_SIZE];
    if (!path_of_cache(path, sizeof path, name) || !path_make_folders(path))
        return false;
    char *text = cJSON_Print(root);
    const bool written = text && replace_file(path, text);
    cJSON_free(text);
    return written;
}
