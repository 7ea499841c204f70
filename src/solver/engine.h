/* An engine: one back end set up for one run.
 *
 * It owns U, AU, RHS and RES (or, for fused and blocked, U, U' and RHS) wherever its mapping keeps
 * them, and reports everything it does to the event log it was given. All calls block until the
 * work is done, and all come from one thread at a time.
 */
#ifndef JACOBI_SOLVER_ENGINE_H
#define JACOBI_SOLVER_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "core/status.h"
#include "solver/events.h"
#include "solver/mesh.h"
#include "solver/problem.h"

/* Launch parameters that can be tuned; 0 leaves the choice to the back end, which on a GPU takes
 * that of AMD's program. */
struct tuning {
    int block;       /* threads per block of Laplacian, BoundaryConditions, Update: AMD's 256 */
    int norm_block;  /* threads per block of Norm: AMD's 512 */
    int norm_blocks; /* blocks of Norm: AMD's 256 */
    int threads;     /* CPU threads of `threads` */
};

/* What a run asks of a back end. Everything pointed to outlives the engine. */
struct engine_spec {
    struct mesh mesh;
    const struct problem *problem;
    enum mapping mapping;
    struct schedule schedule;
    enum host_memory host_memory; /* of the arrays that structured mapping copies */
    int device;                   /* an index in the back end's device list */
    struct tuning tuning;
    bool without_events;     /* measure nothing, to find out what measuring costs */
    const atomic_bool *stop; /* when it becomes true, advance returns early; may be NULL */
};

struct engine;

/* An engine's functions. All write `error` if they fail. For `classic` and `plain` an engine has
 * the phases, for `fused` and `blocked` it has `pass` and `accept`; or it has `advance`, and the
 * others are not called. */
struct engine_ops {
    /* The phases of `classic` and `plain`, in their order. */
    enum status (*laplacian)(struct engine *engine, struct error *error);
    enum status (*boundary)(struct engine *engine, struct error *error);
    enum status (*update)(struct engine *engine, struct error *error);
    /* *sum = sum(RES²) */
    enum status (*norm)(struct engine *engine, double *sum, struct error *error);

    /* One pass of `fused` (depth 1) or `blocked`: `depth` whole iterations, from U to a second
     * array, U'. sums[k] = sum(RES²) before the k-th of them. U stays as it is, until `accept`
     * makes U' the new U. */
    enum status (*pass)(struct engine *engine, int depth, double *sums, struct error *error);
    void (*accept)(struct engine *engine);

    /* What engine_advance does, for an engine that queues several passes at once. */
    enum status (*advance)(struct engine *engine, long count, double tolerance, double *residuals,
                           long *done, struct error *error);

    /* Reduces U where it is; only the cells are copied. */
    enum status (*downsample)(struct engine *engine, const struct downsample *downsample,
                              float *cells, struct error *error);

    /* Copies U, Nx*Ny values, to host memory. */
    enum status (*read)(struct engine *engine, double *U, struct error *error);

    /* Ends the run and frees everything, the engine too. NULL is not allowed: see engine_close. */
    void (*close)(struct engine *engine);
};

/* The part of an engine that every back end has; theirs begin with it. */
struct engine {
    const struct engine_ops *ops;
    struct engine_spec spec; /* as it really runs: a depth of 0 is replaced by the one chosen,
                                pinned memory by pageable if the mapping copies nothing */
    struct event_log *events;
    uint64_t depths_tried; /* bit k: depth k was, when that depth was chosen; 0: it was asked for */
};

/* Makes up to `count` whole iterations. residuals[k] is that of the iterate before the k-th of
 * them. Stops after the iteration whose residual is not above `tolerance` (or not a number), with U
 * exactly that iteration's. *done = iterations made. They may also be fewer because `stop` was set
 * or because the engine queues fewer passes at once, but at least 1 unless stopped or failed. */
enum status engine_advance(struct engine *engine, long count, double tolerance, double *residuals,
                           long *done, struct error *error);

/* NULL is allowed. */
void engine_close(struct engine *engine);

/* The residuals since the start, thinned out as the run grows, so that a run of any length fits one
 * curve. */
enum { HISTORY_POINTS = 1024 };

struct history {
    int count;
    long stride; /* residuals[k] is that of iterate k*stride */
    double residuals[HISTORY_POINTS];
};

void history_reset(struct history *history);

/* Offers the residual of iterate `iteration`; to be called for 0, 1, 2, … in order. */
void history_add(struct history *history, long iteration, double residual);

#endif
