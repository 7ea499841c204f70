/* Watches a folder of user kernels, and compiles and checks them in child processes with limits on
 * time, memory and output. It never blocks. */
#pragma once

#include "exercise/check.h"

struct kernel_builder;

enum build_state {
    BUILD_COMPILING,
    BUILD_CHECKING,    /* a process runs in the states up to this one */
    BUILD_BROKEN,      /* compilation failed; `line`: the compiler's first error */
    BUILD_FAILED,      /* no comparison possible; `line`: why, "laplacian: signal 11 (SEGV)" */
    BUILD_WRONG,       /* `line`: check_verdict_words */
    BUILD_OVER_BUDGET, /* `line`: the launches or copies, and their limit */
    BUILD_RIGHT
};

struct kernel_builder_status {
    enum build_state state;
    const char *file; /* the file to edit: the first one by name */
    unsigned number;  /* of the attempt, from 1: each save starts one and ends the previous one */
    char line[ERROR_MESSAGE_SIZE];
    char good[PATH_SIZE];                  /* the newest library that was right; "": none yet */
    struct user_library found;             /* the functions in it */
    double compile_seconds, check_seconds; /* by the host's clock; NaN if not done */
    bool has_warnings;                     /* the compiler's, in the log */
    const char *log;                       /* output of the compiler and the kernels */
    const struct check_verdict *verdict;   /* result of the last check */
};

/* Opens the folder config->kernels and starts compiling its C or .hip files. They are checked with
 * the mapping and damping of the plan's first lane. STATUS_BAD_INPUT if there is no folder, no such
 * file in it, or files of both kinds. STATUS_UNAVAILABLE, with the package to install, if there is
 * no compiler. */
enum status kernel_builder_open(const struct config *config, struct kernel_builder **builder,
                                struct error *error);

/* Ends the child and removes the compiled libraries. NULL is allowed. */
void kernel_builder_close(struct kernel_builder *builder);

/* Checks the child and the folder for changes, and starts the next step. Call it several times per
 * second. True if the status has changed. */
bool kernel_builder_poll(struct kernel_builder *builder);

const struct kernel_builder_status *kernel_builder_status(const struct kernel_builder *builder);

/* Reverts to the previous good library; false if there is none. The failed one can still be
 * loaded. */
bool kernel_builder_revert(struct kernel_builder *builder);

/* Makes the plan runnable until the user's kernels are right: with the serial back end if theirs
 * finds no device. */
void kernel_builder_fallback(const struct kernel_builder *builder, struct config *config);

/* Makes the plan run the user's kernels as first lane and the program's as second, with a schedule
 * that calls them unless one was requested. STATUS_BAD_INPUT with --compare. */
enum status kernel_builder_plan(const struct kernel_builder *builder, struct config *config,
                                struct error *error);
