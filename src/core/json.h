/* JSON with cJSON: building an object without losing a field unnoticed, and small cache files. */
#ifndef JACOBI_CORE_JSON_H
#define JACOBI_CORE_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include <cjson/cJSON.h>

#include "core/status.h"

/* ---- Building. If memory runs out, cJSON leaves a field out and reports it
 * nowhere. What is built between json_begin and json_finish, in one thread, is whole or NULL. */

/* From now on cJSON's allocations in this thread are watched. */
void json_begin(void);

/* Adds a number, null if it is not finite; a text, null if it is NULL or empty. */
void json_add_figure(cJSON *object, const char *name, double figure);
void json_add_text(cJSON *object, const char *name, const char *text);

struct json_figure {
    const char *name;
    double figure;
};

void json_add_figures(cJSON *object, const struct json_figure *figures, size_t count);

/* JSON_FIGURES(object, {"seconds", 1.5}, …) */
#define JSON_FIGURES(object, ...)                                                                  \
    json_add_figures(object, (const struct json_figure[]){__VA_ARGS__},                            \
                     sizeof(const struct json_figure[]){__VA_ARGS__} / sizeof(struct json_figure))

/* Appends `item`, or frees it if that can't be done. */
void json_append(cJSON *array, cJSON *item);

/* Prints and frees `root`. NULL if memory ran out since json_begin; else to be freed by
 * cJSON_free. */
char *json_finish(cJSON *root, bool indented);

/* The same to `out`, and a line end. STATUS_INTERNAL if memory ran out. */
enum status json_print(FILE *out, cJSON *root, bool indented, struct error *error);

/* ---- Caching: what is measured once and then remembered, in small JSON files in the user's cache
 * folder (USER_CACHE). */

/* The file's object, for cJSON_Delete; an empty one if there is no sound file. NULL only if memory
 * ran out. */
cJSON *json_cache_read(const char *name);

/* Stores `value`, which it frees, in the file under `key`, with a lock among processes. False, and
 * nothing changed, if the file can't be written or is locked for seconds. */
bool json_cache_store(const char *name, const char *key, cJSON *value);

#endif
