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
#include "solver/problem.h"
#include "solver/run_id.h"

/* The part of a problem that one of several engines holds: whole rows. All 0: the whole problem. */
struct slab {
    int problem_Ny; /* the problem's rows; the mesh's Ny are those of this slab, with halo rows */
    int first;      /* the problem's row that is the mesh's j = 0 */
    int below,
        above; /* halo rows at either end, copies of a neighbour's; 0 at the problem's edge */
    int local_rank, local_size; /* of the run's slabs that share this processor and memory, this is
                           the local_rank-th, from 0 */
};

enum { SLAB_BATCH_MAX = 256 }; /* passes at most */

/* What a run asks of a back end. Everything pointed to outlives the engine. */
struct engine_spec {
    struct run_id run;
    struct mesh mesh; /* its spacing is the problem's, also in a slab */
    struct slab slab;
    const struct problem *problem;
    bool without_events;     /* measure nothing, to find the overhead of events */
    const atomic_bool *stop; /* when it becomes true, advance returns early, and opening fails while
                                it fills arrays; may be NULL */

    /* Is told while arrays are filled which part of them is, 0 to 1; may be NULL. */
    void (*on_filling)(void *context, double part);
    void *filling_context;
};

/* The mesh of the whole problem, also in a slab. */
struct mesh engine_spec_problem_mesh(const struct engine_spec *spec);

/* Whether the run is to stop. */
bool engine_spec_stops(const struct engine_spec *spec);

/* What opening an engine fails with if it was stopped. */
enum status engine_spec_stopped(const struct engine_spec *spec, struct error *error);

/* The rows that are the engine's own: all but a slab's halo rows. */
static inline struct row_range engine_own_rows(const struct engine_spec *spec) {
    return (struct row_range){spec->slab.below, spec->mesh.Ny - spec->slab.above};
}

/* What one device of a run on several did since the start, and its slab. */
enum { DEVICE_STATS_MAX = 64, BUS_ID_SIZE = 24 };

struct device_stats {
    int rank;                  /* the slab's number, from the bottom row up */
    char host[64];             /* the machine; "": this one */
    char device[96];           /* as --list shows it */
    int device_index;          /* and its number there; -1: not known */
    char bus_id[BUS_ID_SIZE];  /* its place on the PCI bus; "": not known */
    int rows;                  /* its own: without halo rows */
    double kernel_ms, halo_ms; /* in kernels, and in halo copies, which may overlap kernels */
    double wait_ms; /* waiting for neighbours: what its thread waited, or, if slabs wait on their
                       devices, what kernels left of the loop. NaN, here and above: not measured */
};

struct device_stats_list {
    int count;           /* 0: the run has one device */
    char transport[64];  /* how halos travel: "host copies", "peer", … */
    uint64_t halo_bytes; /* that have travelled, all slabs together */
    struct device_stats device[DEVICE_STATS_MAX];
};

struct engine;

/* A slab's rows on their way to another process, without blocking. */
struct slab_stage {
    /* Lets the device's copies reach memory of the host, whole pages, by themselves. */
    enum status (*pin)(struct engine *engine, void *memory, size_t bytes, struct error *error);
    void (*unpin)(struct engine *engine, void *memory);

    /* Rows as `get` and `put` of slab_ops have them, but in the precision of the iteration, and of
     * mixed precision the correction alone, in such memory. `stage_out` enqueues a copy of
     * rows that `boundary_rows` made, and `stage_wait` waits until it, and whatever was staged in
     * before, is there; `stage_in` enqueues a copy for which later passes wait. */
    enum status (*stage_out)(struct engine *engine, int row, int count, double *to,
                             struct error *error);
    enum status (*stage_wait)(struct engine *engine, struct error *error);
    enum status (*stage_in)(struct engine *engine, int row, int count, const double *from,
                            struct error *error);
};

/* Opens an engine: allocates, fills U and RHS with the problem's start, and maps what the mapping
 * keeps on the device. On failure nothing is left behind and *engine is untouched. The log must
 * outlive the engine. */
typedef enum status (*engine_opener)(const struct engine_spec *spec, struct event_log *events,
                                     struct engine **engine, struct error *error);

/* How a slab is computed. The work comes in batches of passes, each `depth` iterations deep; a pass
 * of `classic` and `fused` is one iteration. The newest iterate is what the last pass made.
 * A slab's functions are called by one thread, not always that of other slabs. */
struct slab_ops {
    /* Begins a batch. If `checkpoint`, the newest iterate stays available until the next batch
     * begins. */
    enum status (*begin)(struct engine *engine, bool checkpoint, struct error *error);
    bool checkpoints_by_copy; /* so that keeping is worth its time only for many passes */

    /* A pass, from the newest iterate to the next: first at least those rows of its own that
     * neighbours have as halo rows, then all others. Between the two, `boundary_rows` made the next
     * iterate the newest. Both may return as soon as the work is enqueued, in that order. */
    enum status (*boundary_rows)(struct engine *engine, int depth, struct error *error);
    enum status (*interior_rows)(struct engine *engine, int depth, struct error *error);

    /* Waits for the batch and hands its times to the log. sums[k] = sum(RES²) of the slab's own
     * rows before the batch's k-th iteration. */
    enum status (*end)(struct engine *engine, double *sums, struct error *error);

    /* After the end of a batch with a checkpoint: makes the iterate it began with the newest. */
    void (*restore)(struct engine *engine);

    /* Copies `count` rows of the newest iterate, from row `row` of the mesh on, between it and host
     * memory, Nx values each; block, also for what was enqueued before. */
    enum status (*get)(struct engine *engine, int row, int count, double *to, struct error *error);
    enum status (*put)(struct engine *engine, int row, int count, const double *from,
                       struct error *error); /* NULL if it has a stage */

    /* The same of U. NULL: `get` does that; in mixed precision it has rows of the correction. */
    enum status (*read)(struct engine *engine, int row, int count, double *to, struct error *error);

    /* Copies them from another engine of the same back end, whose rows are there; blocks. NULL if
     * the back end has a transport of its own. */
    enum status (*pull)(struct engine *engine, int row, int count, const struct engine *from,
                        int from_row, struct error *error);

    const struct slab_stage *stage; /* NULL: transports through the host use `get` and `put` */
};

/* An engine's functions. All write `error` if they fail. For `classic` and `plain` an engine has
 * `kernel` and `norm`, for `fused` and `blocked` it has `pass` and `accept`; or it has `advance`,
 * and the others are not called. */
struct engine_ops {
    /* A phase of `classic` and `plain`, or one that other methods add, on the level and the colour
     * of engine->step. Norm is apart: *sum = sum(RES²). Chebyshev's Update and pass take
     * engine->weight; its Update makes the iterate before U the next one, and exchanges the two. */
    enum status (*kernel)(struct engine *engine, enum phase phase, struct error *error);
    enum status (*norm)(struct engine *engine, double *sum, struct error *error);

    /* One pass of `fused` (depth 1) or `blocked`: `depth` whole iterations, from U to a second
     * array, U'. sums[k] = sum(RES²) before the k-th of them. U stays as it is, until `accept`
     * makes U' the new U. */
    enum status (*pass)(struct engine *engine, int depth, double *sums, struct error *error);
    void (*accept)(struct engine *engine);

    /* What engine_advance does, for an engine that queues several passes at once. */
    enum status (*advance)(struct engine *engine, long count, double tolerance, double *residuals,
                           long *done, struct error *error);

    /* Launches with another geometry from the next iteration on; what is 0 in `tuning` stays. NULL
     * if there is nothing to choose. Allocates nothing: norm_blocks is one that
     * autotuning tries, or what the engine was opened with. */
    enum status (*retune)(struct engine *engine, const struct tuning *tuning, struct error *error);

    /* Adds up, per cell, what U of the level of engine->step is where the engine's own rows are
     * under it; 0 if none do. `downsample` counts in the problem's rows. U is reduced where it is;
     * only the sums are copied. To be called by engine_downsample. */
    enum status (*downsample)(struct engine *engine, const struct downsample *downsample,
                              double *sums, struct error *error);

    /* Copies U, Nx*Ny values, to host memory. */
    enum status (*read)(struct engine *engine, double *U, struct error *error);

    /* Ends the run and frees everything, the engine too. NULL is not allowed: see engine_close. */
    void (*close)(struct engine *engine);
};

/* The part of an engine that every back end has; theirs begin with it. */
struct engine {
    const struct engine_ops *ops;
    struct engine_spec spec; /* as it really runs: a depth of 0 is replaced by the one chosen,
                                pinned memory by pageable if the mapping copies nothing, an ω of 1
                                by the method's own, what is 0 in `tuning` by what the back end
                                took; what does not apply is 0 there */
    struct event_log *events;
    struct levels levels;
    struct step steps[STEPS_MAX]; /* of an iteration of four kernels or more */
    int step_count;
    struct step step;      /* that the phase being called is to make */
    double weight;         /* of Chebyshev's next iteration */
    int64_t refined_ns;    /* what mixed precision's last refinement took: the iterations up to the
                              next one have equal parts of it */
    int64_t refining_ns;   /* the same if it belongs to the iteration being made, else 0 */
    uint64_t depths_tried; /* bit k: depth k was, when that depth was chosen; 0: it was asked for */
    struct tuning tuning_tried;  /* likewise; see tuning_tried */
    const struct slab_ops *slab; /* of an engine that holds a slab; else NULL is allowed */
    const struct device_stats_list *device_stats; /* of a run on several devices, up to date between
                                  calls of `advance`; else NULL */
};

/* Copies rows of a slab's U to host memory. */
enum status engine_read_rows(struct engine *engine, int row, int count, double *to,
                             struct error *error);

/* To be called by `open` once spec and events are set: the method's levels, steps and
 * weight. */
void engine_set_method(struct engine *engine);

/* The mesh of the present step's level; the next coarser level's is behind it. */
const struct mesh *engine_step_mesh(const struct engine *engine);

/* The bytes of the present step, in the run's precision: method_minimum_bytes. */
uint64_t engine_step_bytes(const struct engine *engine, enum phase phase);

/* What a refinement of mixed precision must at least move. It belongs to the first kernel of the
 * iteration that follows it (classic: Laplacian), whose event has its time and its bytes. */
uint64_t engine_refine_bytes(const struct mesh *mesh);

/* The bytes of all arrays of a run; of mixed precision e and g are in the place of U and RHS, which
 * are there beside them. */
uint64_t engine_bytes(const struct engine_spec *spec);

/* The numbers in all arrays of a run that the iteration works on: 4 arrays for classic and plain,
 * with Chebyshev one more, 3 for fused and blocked; multigrid's hold every level. */
uint64_t engine_numbers(const struct engine_spec *spec);

/* Makes up to `count` whole iterations. residuals[k] is that of the iterate before the k-th of
 * them. Stops after the iteration whose residual is not above `tolerance` (or not a number), with U
 * exactly that iteration's. *done = iterations made. They may also be fewer because `stop` was set
 * or because the engine queues fewer passes at once, but at least 1 unless stopped or failed. */
enum status engine_advance(struct engine *engine, long count, double tolerance, double *residuals,
                           long *done, struct error *error);

/* Reduces U of a level, 0 for the finest, to cells. What a coarser level holds between cycles is
 * the correction that the last one has made there; before the first cycle nothing is there. */
enum status engine_downsample(struct engine *engine, int level, const struct downsample *downsample,
                              float *cells, struct error *error);

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
