#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/values.h"
#include "core/format.h"

/* The variables whose wrong values make LLVM's OpenMP runtime end the process or hang: found by
 * trying eight odd values of each. It reports and ignores wrong values of the others. */
struct variable {
    const char *name;
    enum { WHOLE_NUMBERS, SIZE, WORD } kind;
    long least, most;     /* of each of the WHOLE_NUMBERS; `least` is 0 or more, or -1 */
    long unit;            /* of a SIZE that names none, in bytes */
    const char *words[3]; /* none of them: it must not be set */
};

static const struct variable variables[] = {
    {"OMP_NUM_THREADS", WHOLE_NUMBERS, .least = 1, .most = 65536},
    {"OMP_STACKSIZE", SIZE, .unit = 1024},
    {"GOMP_STACKSIZE", SIZE, .unit = 1024},
    {"KMP_STACKSIZE", SIZE, .unit = 1},
    {"KMP_STACKOFFSET", SIZE, .unit = 1},
    {"KMP_ALIGN_ALLOC", WHOLE_NUMBERS, .least = 1, .most = 16384},
    {"KMP_HOT_TEAMS_MAX_LEVEL", WHOLE_NUMBERS, .least = 0, .most = 64},
    {"KMP_FORKJOIN_BARRIER", WHOLE_NUMBERS, .least = 1, .most = 31},
    {"KMP_PLAIN_BARRIER", WHOLE_NUMBERS, .least = 1, .most = 31},
    {"KMP_REDUCTION_BARRIER", WHOLE_NUMBERS, .least = 1, .most = 31},
    {"KMP_SPIN_BACKOFF_PARAMS", WHOLE_NUMBERS, .least = 0, .most = INT_MAX},
    {"KMP_ADAPTIVE_LOCK_PROPS", WHOLE_NUMBERS, .least = 0, .most = INT_MAX},
    {"KMP_FORCE_REDUCTION", WORD, .words = {"critical", "atomic", "tree"}},
    {"KMP_CPUINFO_FILE", WORD, .words = {NULL}},
    {"OMP_TOOL_VERBOSE_INIT", WORD, .words = {"disabled"}},
    {"LIBOMPTARGET_DEBUG", WHOLE_NUMBERS, .least = 0, .most = INT_MAX},
    {"LIBOMPTARGET_INFO", WHOLE_NUMBERS, .least = -1, .most = INT_MAX},
};

enum { SIZE_LIMIT = 1 << 30 };

/* The first `length` characters. */
static bool is_whole(const char *text, size_t length, long least, long most) {
    char number[16];
    long value;
    snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : 0), text);
    return (least < 0 && strcmp(number, "-1") == 0) || value_whole(number, least, most, &value);
}

/* "8", "8,4". */
static bool is_list(const char *text, const struct variable *variable) {
    for (size_t length;; text += length + 1) {
        length = strcspn(text, ",");
        if (!is_whole(text, length, variable->least, variable->most))
            return false;
        if (!text[length])
            return true;
    }
}

/* "4096", "512K". */
static bool is_size(const char *text, long unit) {
    static const char units[] = "BKMG";
    const size_t length = strspn(text, "0123456789");
    if (text[length]) {
        const char *found = strchr(units, toupper((unsigned char)text[length]));
        if (!found || text[length + 1])
            return false;
        unit = 1L << 10 * (found - units);
    }
    return is_whole(text, length, 0, SIZE_LIMIT / unit);
}

static bool is_allowed(const struct variable *variable, const char *value) {
    if (variable->kind == WHOLE_NUMBERS)
        return is_list(value, variable);
    if (variable->kind == SIZE)
        return is_size(value, variable->unit);
    for (int w = 0; w < 3 && variable->words[w]; w++)
        if (strcmp(value, variable->words[w]) == 0)
            return true;
    return false;
}

static enum status refuse_variable(const struct variable *variable, const char *value,
                                   struct error *error) {
    char allowed[128] = "";
    if (variable->kind == WHOLE_NUMBERS)
        snprintf(allowed, sizeof allowed, "whole numbers from %ld to %ld, with commas between them",
                 variable->least, variable->most);
    else if (variable->kind == SIZE)
        snprintf(allowed, sizeof allowed, "a size of at most 1G, such as 512K or 4M");
    for (int w = 0; w < 3 && variable->words[w]; w++)
        format_list(allowed, sizeof allowed, variable->words[w]);
    return error_set(error, STATUS_BAD_INPUT, "environment: %s=%.80s: expected %s", variable->name,
                     value, *allowed ? allowed : "that it is not set");
}

enum status environment_check(struct error *error) {
    for (size_t v = 0; v < sizeof variables / sizeof *variables; v++) {
        const char *value = getenv(variables[v].name);
        if (value && !is_allowed(&variables[v], value))
            return refuse_variable(&variables[v], value, error);
    }
    return STATUS_OK;
}
