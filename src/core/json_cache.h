/* What is measured once and then remembered: small JSON files in the user's cache folder
 * ($XDG_CACHE_HOME/jacobi-tui, ~/.cache/… where that is not set). */
#ifndef JACOBI_CORE_JSON_CACHE_H
#define JACOBI_CORE_JSON_CACHE_H

#include <cjson/cJSON.h>
#include <stdbool.h>

/* The file's object, for cJSON_Delete; an empty one where there is no sound file. NULL only where
 * there is no memory. */
cJSON *json_cache_read(const char *name);

/* Replaces the file as a whole: nobody ever reads half of it. False where it could not be written.
 */
bool json_cache_write(const char *name, const cJSON *root);

#endif
