#include "core/limits.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/format.h"

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

/* Parses "check=60", the first `length` characters. */
static bool parse_limit(const char *text, size_t length, double values[LIMIT_COUNT]) {
    const char *const equals = memchr(text, '=', length);
    const size_t name = equals ? (size_t)(equals - text) : 0;
    int limit = 0;
    while (limit < LIMIT_COUNT &&
           (strlen(limits[limit].name) != name || strncmp(limits[limit].name, text, name) != 0))
        limit++;
    /* strtod would also accept blanks, signs, hexadecimal numbers, "nan" and "inf". */
    if (limit == LIMIT_COUNT || !equals ||
        strspn(equals + 1, "0123456789.e-") != (size_t)(text + length - equals - 1))
        return false;
    char *end;
    values[limit] = strtod(equals + 1, &end);
    return end == text + length && values[limit] > 0 && values[limit] <= most;
}

enum status limits_read(struct error *error) {
    const char *text = getenv(VARIABLE);
    double values[LIMIT_COUNT];
    for (int l = 0; l < LIMIT_COUNT; l++)
        values[l] = limits[l].value;
    for (size_t length; text; text = text[length] ? text + length + 1 : NULL) {
        char names[160] = "";
        length = strcspn(text, ",");
        if (parse_limit(text, length, values))
            continue;
        for (int l = 0; l < LIMIT_COUNT; l++)
            format_list(names, sizeof names, limits[l].name);
        return error_set(error, STATUS_BAD_INPUT,
                         "environment: " VARIABLE
                         ": '%.*s': expected NAME=NUMBER, a number up to %g, with commas between "
                         "them; the names are %s",
                         (int)(length < 40 ? length : 40), text, most, names);
    }
    for (int l = 0; l < LIMIT_COUNT; l++)
        limits[l].value = values[l];
    return STATUS_OK;
}
