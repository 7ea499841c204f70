/* The check of kernels of the user's own: a few iterations on three small grids, each compared
 * with plain C. It happens in a process of its own (--check), which writes its verdict into memory
 * that it shares with the one that started it. */
#ifndef JACOBI_EXERCISE_CHECK_H
#define JACOBI_EXERCISE_CHECK_H

#include "config/config.h"
#include "core/child.h"
#include "core/sandbox.h"
#include "solver/backend.h"

enum check_outcome {
    CHECK_UNFINISHED, /* the check did not finish */
    CHECK_RIGHT,
    CHECK_WRONG,       /* an iterate or a residual differs */
    CHECK_OVER_BUDGET, /* right, but more launches or copies than allowed: `message` */
    CHECK_FAILED,      /* `message`: why it could not be compared */
};

/* The largest grid's longer side. */
enum { CHECK_SIDE = 138, CHECK_DESCRIPTOR = 3 };

/* What to check, and what the kernels may do per iteration; NaN: anything. */
struct check_request {
    char library[PATH_SIZE];
    enum mapping mapping;
    double omega;
    double launches;
    double copies; /* doubles copied either way, per unknown */
};

struct check_verdict {
    struct check_request request;
    char running[SANDBOX_NAME_SIZE]; /* the function of the user's that runs just now; "" if none */
    enum check_outcome outcome;
    char message[ERROR_MESSAGE_SIZE];
    struct user_library found;

    /* What differs first: */
    struct schedule schedule;
    int nx, ny;       /* of the grid, each at most CHECK_SIDE */
    long iteration;   /* the first whose outcome differs, counted from 1 */
    bool is_residual; /* its sum(RES²) does, and no unknown does */
    int i, j;         /* the unknown */
    double expected, got;
    int wrong;                                  /* how many unknowns differ */
    float differences[CHECK_SIDE * CHECK_SIDE]; /* got - expected, nx × ny */
};

/* Be the process that does what is requested. STATUS_OK if there is a verdict, whichever. */
enum status check_serve(struct error *error);

/* Memory for a verdict that the check's process shares as CHECK_DESCRIPTOR, or NULL, with its
 * descriptor, or -1; and its end. */
struct check_verdict *check_verdict_share(int *descriptor);
void check_verdict_unshare(struct check_verdict *verdict, int descriptor);

/* Sanitises a verdict read from shared memory. */
void check_verdict_bound(struct check_verdict *verdict);

/* "classic, iteration 2 on 64²: U at (0, 17): expected 0.25, got 0". Returns `buffer`. */
char *check_verdict_words(char *buffer, size_t size, const struct check_verdict *verdict);

/* Why a check has no verdict. The sandbox's line, the child's last, shows most; `running` is the
 * function that was being called, `exit_reason` the child's (child_exit_reason), "" if it exited
 * normally. Returns `buffer`. */
char *check_unfinished_reason(char *buffer, size_t size, const char *running,
                              const struct child *child, bool too_late, const char *exit_reason);

#endif
