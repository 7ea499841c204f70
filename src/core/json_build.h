/* Building JSON with cJSON where memory may run out: cJSON then leaves a field out and tells nobody
 * at the end. What is built between json_begin and json_finish, in one thread, is whole or nothing.
 */
#ifndef JACOBI_CORE_JSON_BUILD_H
#define JACOBI_CORE_JSON_BUILD_H

#include <stdbool.h>

#include <cjson/cJSON.h>

/* From now on cJSON's allocations in this thread are watched. */
void json_begin(void);

/* Appends `item`, or frees it where that can't be done. */
void json_append(cJSON *array, cJSON *item);

/* Prints and frees `root`. NULL where memory ran out since json_begin; else to be freed by
 * cJSON_free. */
char *json_finish(cJSON *root, bool indented);

#endif
