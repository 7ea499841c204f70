/* The check of user kernels: a few iterations on three small grids, each compared with plain C. A
 * separate process (--check) runs it and writes the verdict into memory shared with its parent. */
#pragma once

#include "config/config.h"
#include "core/child.h"
#include "core/sandbox.h"
#include "solver/backend.h"

enum check_outcome {
    CHECK_UNFINISHED, /* the check did not finish */
    CHECK_RIGHT,
    CHECK_WRONG,       /* an iterate or a residual differs */
    CHECK_OVER_BUDGET, /* right, but with more launches or copies than allowed: `message` */
    CHECK_FAILED,      /* `message`: why the results could not be compared */
};

/* The longer side of the largest grid. */
enum { CHECK_SIDE = 138, CHECK_DESCRIPTOR = 3 };

/* The library to check, and the limits per iteration; NaN: no limit. */
struct check_request {
    char library[PATH_SIZE];
    enum mapping mapping;
    double omega;
    double launches;
    double copies; /* doubles copied in both directions, per unknown */
};

struct check_verdict {
    struct check_request request;
    char running[SANDBOX_NAME_SIZE]; /* the user's function that is running; "" if none */
    enum check_outcome outcome;
    char message[ERROR_MESSAGE_SIZE];
    struct user_library found;
    unsigned is_unusable; /* of CHECK_FAILED: the library does not load, or has no kernels */

    /* The first difference: */
    struct schedule schedule;
    int nx, ny;       /* of the grid; each is at most CHECK_SIDE */
    long iteration;   /* the first with a difference, counted from 1 */
    bool is_residual; /* sum(RES²) differs, and no unknown does */
    int i, j;         /* the unknown that differs */
    double expected, got;
    int wrong;                                  /* number of unknowns that differ */
    float differences[CHECK_SIDE * CHECK_SIDE]; /* got - expected, nx × ny */
};

/* Serves the request in this process. STATUS_OK if there is any verdict. */
enum status check_serve(struct error *error);

/* Creates the memory for a verdict, which the check's process shares as CHECK_DESCRIPTOR. Returns
 * NULL and descriptor -1 on failure. The second function releases both. */
struct check_verdict *check_verdict_share(int *descriptor);
void check_verdict_unshare(struct check_verdict *verdict, int descriptor);
void check_verdict_bound(struct check_verdict *verdict); /* sanitises it */

/* "classic, iteration 2 on 64²: U at (0, 17): expected 0.25, got 0". Returns `buffer`. */
char *check_verdict_words(char *buffer, size_t size, const struct check_verdict *verdict);

/* Why a check has no verdict. The child's last line, from the sandbox, has the most detail.
 * `running` is the function that was running. `exit_reason` is from child_exit_reason, "" if the
 * child exited normally. Returns `buffer`. */
char *check_unfinished_reason(char *buffer, size_t size, const char *running,
                              const struct child *child, bool too_late, const char *exit_reason);
