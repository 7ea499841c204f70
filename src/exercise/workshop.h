/* A workshop: a folder with kernels of the user's own, which it watches, compiles and checks, each
 * in another process with limits on time, memory and output. It never blocks. */
#ifndef JACOBI_EXERCISE_WORKSHOP_H
#define JACOBI_EXERCISE_WORKSHOP_H

#include "exercise/check.h"

struct workshop;

enum workshop_state {
    WORKSHOP_COMPILING,
    WORKSHOP_CHECKING,
    WORKSHOP_BROKEN, /* does not compile: `line` is the compiler's first error */
    WORKSHOP_FAILED, /* could not be compared: `line` says why, "laplacian: signal 11 (SEGV)" */
    WORKSHOP_WRONG,  /* `line` is check_verdict_words */
    WORKSHOP_COSTLY, /* `line` says what it launches or copies too much */
    WORKSHOP_RIGHT
};

struct workshop_news {
    enum workshop_state state;
    unsigned number; /* of the attempt, from 1: each save makes one, and ends the one before */
    char line[ERROR_MESSAGE_SIZE];
    char good[PATH_SIZE];   /* the newest library that was right; "" if none was yet */
    struct own_found found; /* in it */
    double compile_seconds, check_seconds; /* by the host's clock; NaN if not done */
    bool has_warnings;                     /* the compiler's, in the log */
};

/* Opens the folder config->kernels, whose C or .hip files begin to be compiled; they are checked
 * under the mapping and the damping of the plan's first lane. STATUS_BAD_INPUT if there is no
 * folder, no such file in it, or files of both kinds, STATUS_UNAVAILABLE if there is no compiler,
 * with the package that has it. */
enum status workshop_open(const struct config *config, struct workshop **workshop,
                          struct error *error);

/* Takes what has come from processes and folder, and starts what is due: to be called some times
 * per second. True if the news has changed. */
bool workshop_turn(struct workshop *workshop);

/* Whether neither compiler nor check is running. */
bool workshop_rests(const struct workshop *workshop);

const struct workshop_news *workshop_latest(const struct workshop *workshop);

/* What the compiler and the kernels have printed in this attempt. */
const char *workshop_log(const struct workshop *workshop);

/* What the last check found; valid until the next turn. */
const struct check_verdict *workshop_verdict(const struct workshop *workshop);

/* The file to edit: the first one by name. */
const char *workshop_file(const struct workshop *workshop);

/* The newest right library has failed in the run: the one that was right before it takes its place
 * in the news, if there is one, which is returned. What failed can still be loaded. */
bool workshop_fall_back(struct workshop *workshop);

/* Ends what it has started, and removes what it has compiled. NULL is allowed. */
void workshop_close(struct workshop *workshop);

/* Makes the plan one that can run until the user's kernels are right: where their back end finds no
 * device, serial's. */
void workshop_stand_in(const struct workshop *workshop, struct config *config);

/* Makes the plan run the user's kernels as first lane and the program's own as second, with a
 * schedule that they are part of unless one was asked for. STATUS_BAD_INPUT if --compare was. */
enum status workshop_plan(const struct workshop *workshop, struct config *config,
                          struct error *error);

#endif
