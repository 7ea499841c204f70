/* JSON with cJSON: detecting lost fields while building an object, and small cache files. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include <cjson/cJSON.h>

#include "core/status.h"

/* ---- Building: if memory runs out, cJSON omits a field without an error. An object built between
 * json_begin and json_finish, in one thread, is complete or NULL. */

/* Starts watching cJSON's allocations in this thread. */
void json_begin(void);

/* Adds a number (null if it is not finite) or a text (null if it is NULL or empty). */
void json_add_figure(cJSON *object, const char *name, double figure);
void json_add_text(cJSON *object, const char *name, const char *text);

/* JSON_FIGURES(object, {"seconds", 1.5}, …) adds several numbers. */
struct json_figure {
    const char *name;
    double figure;
};

void json_add_figures(cJSON *object, const struct json_figure *figures, size_t count);
#define JSON_FIGURES(object, ...)                                                                  \
    json_add_figures(object, (const struct json_figure[]){__VA_ARGS__},                            \
                     sizeof(const struct json_figure[]){__VA_ARGS__} / sizeof(struct json_figure))

/* Appends `item`; frees it on failure. */
void json_append(cJSON *array, cJSON *item);

/* Prints and frees `root`. The caller frees the result with cJSON_free. NULL if memory ran out
 * since json_begin. */
char *json_finish(cJSON *root, bool indented);

/* Like json_finish, but writes to `out`, with a newline. STATUS_INTERNAL if memory ran out. */
enum status json_print(FILE *out, cJSON *root, bool indented, struct error *error);

/* ---- Caching: results that are measured once, in small JSON files in the user's cache folder
 * (USER_CACHE). */

/* Returns the file's object, or an empty one if there is no valid file. The caller calls
 * cJSON_Delete. NULL only if memory ran out. */
cJSON *json_cache_read(const char *name);

/* Stores `value`, and frees it, in the file under `key`, with a lock between processes. Only the
 * newest 512 entries are kept. False, with nothing changed, if the file can't be written or stays
 * locked for seconds. */
bool json_cache_store(const char *name, const char *key, cJSON *value);
