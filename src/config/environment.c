#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "core/file.h"
#include "core/format.h"
#include "core/system.h"
#include "core/text.h"

/* The variables whose wrong values make LLVM's OpenMP runtime end the process or hang, found by
 * testing eight odd values of each. The runtime reports and ignores wrong values of the others. */
struct variable {
    const char *name;
    enum { WHOLE_NUMBERS, SIZE, WORD, INTEGER, NEW_FILE, PATTERN } kind;
    long least, most;     /* bounds of each number; of a SIZE only the least, in bytes */
    long unit;            /* of a SIZE without a unit, in bytes */
    const char *words[3]; /* none: the variable must be unset; of a PATTERN: a regular expression,
                             and what it allows */
};

/* With 20 KiB, `blocked` overruns the stacks of OpenMP's threads. */
enum { STACK_LEAST = 1 << 16 };

static const struct variable variables[] = {
    {"OMP_NUM_THREADS", WHOLE_NUMBERS, .least = 1, .most = 65536},
    {"GOMP_CPU_AFFINITY", PATTERN,
     .words = {"^ *[0-9]+(-[0-9]+(:[0-9]+)?)?([ ,]+[0-9]+(-[0-9]+(:[0-9]+)?)?)* *$",
               "processors such as 0 3 1-2 4-15:2"}},
    {"OMP_PLACES", PATTERN, .words = {"^[^!]*$", "places without '!'"}},
    {"OMP_STACKSIZE", SIZE, .least = STACK_LEAST, .unit = 1024},
    {"GOMP_STACKSIZE", SIZE, .least = STACK_LEAST, .unit = 1024},
    {"KMP_STACKSIZE", SIZE, .least = STACK_LEAST, .unit = 1},
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
    {"KMP_TASKING", WORD, .words = {"0", "2", "3"}},
    {"OMP_TOOL_VERBOSE_INIT", WORD, .words = {"disabled", "stderr"}},
    {"LIBOMPTARGET_DEBUG", INTEGER, .least = INT_MIN, .most = INT_MAX},
    {"LIBOMPTARGET_INFO", INTEGER, .least = INT_MIN, .most = INT_MAX},
    {"LIBOMPTARGET_PROFILE", NEW_FILE, .least = 0}, /* written as the process ends */
    /* The runtime ends the process if a thread beyond this limit uses it. */
    {"KMP_DEVICE_THREAD_LIMIT", WHOLE_NUMBERS, .least = 4096, .most = INT_MAX},
    {"KMP_ALL_THREADS", WHOLE_NUMBERS, .least = 4096, .most = INT_MAX},
};

static const char blanks[] = " \t";

/* Accepts "8" and "8, 4". */
static bool is_list(const char *text, const struct variable *variable) {
    char list[256], *rest = list;
    long value;
    if (!value_text(text, sizeof list, list))
        return false;
    for (char *word = value_next(&rest, ','); word; word = value_next(&rest, ','))
        if (!value_whole(word, variable->least, variable->most, &value))
            return false;
    return true;
}

/* Accepts "4096", "512K", " 10 M " if a thread on this machine can have a stack of that size. */
static bool is_size(const char *text, long least, long unit) {
    static const char units[] = "BKMGT";
    char *end;
    text += strspn(text, blanks);
    if (!isdigit((unsigned char)*text))
        return false;
    errno = 0;
    const long size = strtol(text, &end, 10);
    end += strspn(end, blanks);
    const char *found = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
    if (found) {
        unit = 1L << 10 * (found - units);
        end++;
        end += found > units && toupper((unsigned char)*end) == 'B';
    }
    if (errno || end[strspn(end, blanks)] || size > LONG_MAX / unit || size * unit < least)
        return false;
    const long bytes = size * unit < PTHREAD_STACK_MIN ? PTHREAD_STACK_MIN : size * unit;
    return thread_limit(1, (size_t)bytes) == 1;
}

static bool is_allowed(const struct variable *variable, const char *value) {
    if (variable->kind == WHOLE_NUMBERS)
        return is_list(value, variable);
    if (variable->kind == SIZE)
        return is_size(value, variable->least, variable->unit);
    if (variable->kind == INTEGER) { /* a number at the beginning suffices */
        char *end;
        const long number = strtol(value, &end, 10);
        return end > value && number >= variable->least && number <= variable->most;
    }
    if (variable->kind == NEW_FILE)
        return file_check(value, true, NULL) == STATUS_OK;
    if (variable->kind == PATTERN) {
        regex_t pattern;
        const bool fits = regcomp(&pattern, variable->words[0], REG_EXTENDED | REG_NOSUB) == 0 &&
                          regexec(&pattern, value, 0, NULL, 0) == 0;
        regfree(&pattern);
        return fits;
    }
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
        snprintf(allowed, sizeof allowed,
                 "a size that a thread can have here, such as 512K or 4M%s",
                 variable->least > 0 ? ", at least 64K" : "");
    else if (variable->kind == INTEGER)
        snprintf(allowed, sizeof allowed, "a whole number");
    else if (variable->kind == NEW_FILE)
        snprintf(allowed, sizeof allowed, "a file that can be written");
    for (int w = variable->kind == PATTERN; w < 3 && variable->words[w]; w++)
        format_list(allowed, sizeof allowed, variable->words[w]);
    return error_set(error, STATUS_BAD_INPUT, "environment: %s=%.80s: expected %s", variable->name,
                     value, *allowed ? allowed : "it unset");
}

enum status environment_check(struct error *error) {
    for (size_t v = 0; v < sizeof variables / sizeof *variables; v++) {
        const char *value = getenv(variables[v].name);
        if (value && !value[strspn(value, blanks)])
            unsetenv(variables[v].name); /* some of them would end the process */
        else if (value && !is_allowed(&variables[v], value))
            return refuse_variable(&variables[v], value, error);
    }
    return STATUS_OK;
}
