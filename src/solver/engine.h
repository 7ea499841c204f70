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

/* What can be tuned about the launches; 0 means the back end's own choice. */
struct tuning {
    int block;       /* threads a block of Laplacian, BoundaryConditions, Update: the seed's 256 */
    int norm_block;  /* threads a block of Norm: the seed's 512 */
    int norm_blocks; /* blocks of Norm: the seed's 256 */
    int threads;     /* CPU threads of `threads` */
};

/* What a run asks of a back end. Everything pointed to outlives the engine. */
struct engine_spec {
    struct mesh mesh;
    const struct problem *problem;
    enum mapping mapping;
    struct schedule schedule;
    int device; /* index as the back end's device list has it */
    struct tuning tuning;
    bool without_events;     /* measure nothing: for finding out what measuring costs */
    const atomic_bool *stop; /* when it becomes true, advance returns early; may be NULL */
};

/* A rectangle of unknowns, [i0, i1) × [j0, j1), reduced to cols × rows cells by their mean.
 * Cell (c, r) covers i0 + c*w/cols ≤ i < i0 + (c+1)*w/cols, w = i1 - i0, at least one unknown, and
 * likewise in j; cells[c + r*cols], r = 0 at the bottom. */
struct downsample {
    int i0, i1, j0, j1;
    int cols, rows;
};

/* The unknowns [*first, *last) that cell `index` of `count` covers in [begin, end). */
void downsample_span(int begin, int end, int count, int index, int *first, int *last);

struct engine;

/* An engine's functions. The first four are the phases of `classic`, in the seed's order; an engine
 * for another schedule leaves them NULL and has `advance`. All write `error` when they fail. */
struct engine_ops {
    enum status (*laplacian)(struct engine *engine, struct error *error);
    enum status (*boundary)(struct engine *engine, struct error *error);
    enum status (*update)(struct engine *engine, struct error *error);
    /* *sum = sum(RES²) */
    enum status (*norm)(struct engine *engine, double *sum, struct error *error);

    /* Up to `count` whole iterations. residuals[k] is that of the iterate before the k-th of them;
     * stops after the iteration whose residual is not above `tolerance` (or not a number), with U
     * exactly that iteration's. *done = iterations made, which may be less also because `stop` was
     * set, or because a pass is shorter than `count`, but at least 1 unless stopped or failed. */
    enum status (*advance)(struct engine *engine, long count, double tolerance, double *residuals,
                           long *done, struct error *error);

    /* Reduces U where it is; only the cells travel. */
    enum status (*downsample)(struct engine *engine, const struct downsample *downsample,
                              float *cells, struct error *error);

    /* Copies U, Nx*Ny values, to host memory. */
    enum status (*read)(struct engine *engine, double *U, struct error *error);

    /* Ends the run and frees everything, the engine too. Not NULL-safe: see engine_close. */
    void (*close)(struct engine *engine);
};

/* The part of an engine that every back end has; theirs begin with it. */
struct engine {
    const struct engine_ops *ops;
    struct engine_spec spec; /* as it really runs: a depth of 0 has been replaced by the choice */
    struct event_log *events;
};

/* As ops->advance, for any schedule: classic runs its four phases. */
enum status engine_advance(struct engine *engine, long count, double tolerance, double *residuals,
                           long *done, struct error *error);

/* NULL is allowed. */
void engine_close(struct engine *engine);

#endif
