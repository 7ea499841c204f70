/* Watches a folder of the user's kernels, compiles and checks them in child processes with limits
 * on time, memory and output. It never blocks. */
#ifndef JACOBI_EXERCISE_KERNEL_BUILDER_H
#define JACOBI_EXERCISE_KERNEL_BUILDER_H

#include "exercise/check.h"

struct kernel_builder;

enum build_state {
    BUILD_COMPILING,
    BUILD_CHECKING,    /* up to here a process runs */
    BUILD_BROKEN,      /* does not compile; `line`: the compiler's first error */
    BUILD_FAILED,      /* could not be compared; `line`: why, "laplacian: signal 11 (SEGV)" */
    BUILD_WRONG,       /* `line`: check_verdict_words */
    BUILD_OVER_BUDGET, /* `line`: how many launches or copies are too many */
    BUILD_RIGHT
};

struct kernel_builder_status {
    enum build_state state;
    const char *file; /* to edit: the first one by name */
    unsigned number;  /* of the attempt, from 1: each save begins one, and ends the one before */
    char line[ERROR_MESSAGE_SIZE];
    char good[PATH_SIZE];      /* the newest library that was right; "" if none was yet */
    struct user_library found; /* in it */
    double compile_seconds, check_seconds; /* by the host's clock; NaN if not done */
    bool has_warnings;                     /* the compiler's, in the log */
    const char *log;                       /* what compiler and kernels have printed */
    const struct check_verdict *verdict;   /* what the last check found */
};

/* Opens the folder config->kernels, whose C or .hip files begin to be compiled; they are checked
 * under the mapping and the damping of the plan's first lane. STATUS_BAD_INPUT if there is no
 * folder, no such file in it, or files of both kinds, STATUS_UNAVAILABLE if there is no compiler,
 * with the package that has it. */
enum status kernel_builder_open(const struct config *config, struct kernel_builder **builder,
                                struct error *error);

/* Reads what the child and the folder have to report, and starts the next step. Call it several
 * times per second. True if the status has changed. */
bool kernel_builder_poll(struct kernel_builder *builder);

/* Of this attempt; changed by the next poll. */
const struct kernel_builder_status *kernel_builder_status(const struct kernel_builder *builder);

/* Reverts to the previous good library; false if there is none. The failed one can still be loaded.
 */
bool kernel_builder_revert(struct kernel_builder *builder);

/* Ends its child and removes the compiled libraries. NULL is allowed. */
void kernel_builder_close(struct kernel_builder *builder);

/* Makes the plan one that can run until the user's kernels are right: the serial back end's if
 * theirs finds no device. */
void kernel_builder_fallback(const struct kernel_builder *builder, struct config *config);

/* Makes the plan run the user's kernels as first lane and the program's as second, with a schedule
 * that calls them unless one was asked for. STATUS_BAD_INPUT with --compare. */
enum status kernel_builder_plan(const struct kernel_builder *builder, struct config *config,
                                struct error *error);

#endif
