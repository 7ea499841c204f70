#include "core/limits.h"

#include <float.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format.h"
#include "core/text.h"

#define VARIABLE "JACOBI_LIMITS"

static const double most = 1e6;

static struct {
    const char *name;
    double value;
} limits[LIMIT_COUNT] = {
    [LIMIT_COMPILE] = {"compile", 30},
    [LIMIT_CHECK] = {"check", 30},
    [LIMIT_CALL] = {"call", 10},
    [LIMIT_CPU] = {"cpu", 1},
    [LIMIT_MEMORY] = {"memory", 0.2},
    [LIMIT_RUN] = {"run", 20},
    [LIMIT_SILENCE] = {"silence", 5},
    [LIMIT_ANSWER] = {"answer", 2},
    [LIMIT_END] = {"end", 1},
    [LIMIT_DOCTOR] = {"doctor", 20},
    [LIMIT_REPLY] = {"reply", 3},
    [LIMIT_TITLE] = {"title", 3},
    [LIMIT_LOCK] = {"lock", 5},
    [LIMIT_MEET] = {"meet", 60},
    [LIMIT_RECORDING] = {"recording", 256},
};

double limit_of(enum limit limit) {
    return limits[limit].value;
}

int64_t limit_ns(enum limit limit) {
    return (int64_t)(1e9 * limits[limit].value);
}

/* Parses "check=60". */
static bool parse_limit(const char *text, double values[LIMIT_COUNT]) {
    const size_t length = strcspn(text, "=");
    int limit = 0;
    while (limit < LIMIT_COUNT &&
           (strlen(limits[limit].name) != length || strncmp(limits[limit].name, text, length) != 0))
        limit++;
    return limit < LIMIT_COUNT && text[length] &&
           value_real(text + length + 1, DBL_MIN, most, &values[limit]);
}

enum status limits_read(struct error *error) {
    const char *set = getenv(VARIABLE);
    char text[1024], names[160] = "", *rest = set && *set ? text : NULL;
    double values[LIMIT_COUNT];
    for (int l = 0; l < LIMIT_COUNT; l++)
        values[l] = limits[l].value;
    const size_t length = (size_t)snprintf(text, sizeof text, "%s", set ? set : "");
    for (char *item = value_next(&rest, ','); item; item = value_next(&rest, ',')) {
        if (parse_limit(item, values) && length < sizeof text)
            continue;
        for (int l = 0; l < LIMIT_COUNT; l++)
            format_list(names, sizeof names, limits[l].name);
        return error_set(error, STATUS_BAD_INPUT,
                         "environment: " VARIABLE
                         ": '%.40s': expected NAME=NUMBER, a number up to %g, with commas between "
                         "them; the names are %s",
                         item, most, names);
    }
    for (int l = 0; l < LIMIT_COUNT; l++)
        limits[l].value = values[l];
    return STATUS_OK;
}
