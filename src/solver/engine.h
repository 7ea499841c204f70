/* An engine: one back end set up for one run.
 *
 * It owns U, AU, RHS and RES (or, for fused and blocked, U, U' and RHS) in the memory that its
 * mapping uses. It reports all its work to the event log passed to it. All calls block until the
 * work is done, and only one thread calls at a time. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "core/status.h"
#include "solver/events.h"
#include "solver/problem.h"
#include "solver/run_id.h"

/* The part of a problem that one of several engines holds: whole rows. All 0: the whole problem. */
struct slab {
    int problem_Ny; /* rows of the problem; the mesh's Ny counts the slab's rows and halo rows */
    int first;      /* the problem's row at the mesh's j = 0 */
    int below,
        above; /* halo rows below and above, copies of a neighbour's; 0 at the problem's edge */
    int local_rank, local_size; /* this slab's number, from 0, among the run's slabs that share this
                                   processor and memory, and the count of these slabs */
};

enum { SLAB_BATCH_MAX = 256 }; /* the most passes in a batch */

/* The task that a run gives to a back end. Everything pointed to must outlive the engine. */
struct engine_spec {
    struct run_id run;
    struct mesh mesh; /* its mesh width is the problem's, also in a slab */
    struct slab slab;
    const struct problem *problem;
    bool without_events;     /* record no events, to measure their overhead */
    const atomic_bool *stop; /* once true, advance returns early, and opening fails while arrays are
                                being filled; NULL: none */

    /* Called while arrays are filled, with the fraction done, 0 to 1. NULL: none. */
    void (*on_filling)(void *context, double part);
    void *filling_context;
};

struct mesh engine_spec_problem_mesh(const struct engine_spec *spec);

/* Returns whether the run is to stop: as a bool, or as the error that opening an engine reports. */
bool engine_spec_stops(const struct engine_spec *spec);
enum status engine_spec_stopped(const struct engine_spec *spec, struct error *error);

/* STATUS_BAD_INPUT: the run's arrays, or what fills them, found no memory. */
enum status engine_spec_too_large(const struct engine_spec *spec, struct error *error);

/* Returns the engine's own rows: all except a slab's halo rows. */
static inline struct row_range engine_own_rows(const struct engine_spec *spec) {
    return (struct row_range){spec->slab.below, spec->mesh.Ny - spec->slab.above};
}

/* Statistics of one device in a multi-device run since the start, and its slab. */
enum { DEVICE_STATS_MAX = 64, BUS_ID_SIZE = 24 };

struct device_stats {
    int rank;                  /* the slab's number, from the bottom row up */
    char host[64];             /* machine name; "": this machine */
    char device[96];           /* device name as in --list */
    int device_index;          /* number in --list; -1: unknown */
    char bus_id[BUS_ID_SIZE];  /* address on the PCI bus; "": unknown */
    int rows;                  /* the slab's own rows, without halo rows */
    double kernel_ms, halo_ms; /* time in kernels, and in halo copies, which may overlap kernels */
    double wait_ms; /* time waiting for neighbours: in the slab's thread or, if slabs wait on their
                       devices, loop minus kernel time. NaN, here and above: not measured */
};

struct device_stats_list {
    int count;           /* 0: a single-device run */
    char transport[64];  /* the transport: "host copies", "peer", … */
    uint64_t halo_bytes; /* halo bytes transferred by all slabs together */
    struct device_stats device[DEVICE_STATS_MAX];
};

struct engine;

/* The non-blocking, host-staged transfer of a slab's rows to and from other processes. */
struct slab_stage {
    /* Pins host memory, whole pages, so that the device can access it directly. */
    enum status (*pin)(struct engine *engine, void *memory, size_t bytes, struct error *error);
    void (*unpin)(struct engine *engine, void *memory);

    /* Copy rows like `get` and `put` of slab_ops, but to and from pinned memory and in the
     * iteration's precision (mixed: the correction only). `stage_out` enqueues a copy of rows that
     * `boundary_rows` has computed. `stage_wait` blocks until that and all earlier copies are
     * complete. `stage_in` enqueues a copy that later passes wait for. */
    enum status (*stage_out)(struct engine *engine, int row, int count, double *to,
                             struct error *error);
    enum status (*stage_wait)(struct engine *engine, struct error *error);
    enum status (*stage_in)(struct engine *engine, int row, int count, const double *from,
                            struct error *error);
};

/* Opens an engine: allocates arrays, fills U and RHS with the problem's initial values, and maps
 * the arrays that the mapping keeps on the device. On failure everything is released and *engine is
 * untouched. The log must outlive the engine. */
typedef enum status (*engine_opener)(const struct engine_spec *spec, struct event_log *events,
                                     struct engine **engine, struct error *error);

/* How a slab is computed. The work comes in batches of passes, each `depth` iterations deep; a pass
 * of `classic` and `fused` is one iteration. The newest iterate is the result of the last pass. One
 * thread calls a slab's functions; different slabs may have different threads. */
struct slab_ops {
    /* Begins a batch. With `checkpoint`, the newest iterate stays available until the next batch
     * begins. */
    enum status (*begin)(struct engine *engine, bool checkpoint, struct error *error);
    bool checkpoints_by_copy; /* a checkpoint costs a copy: worthwhile only for many passes */

    /* Compute a pass, from the newest iterate to the next. `boundary_rows` computes at least the
     * slab's rows that neighbours hold as halo rows, and makes the next iterate the newest.
     * `interior_rows` then computes the others. Both may return once the work is enqueued, in that
     * order. */
    enum status (*boundary_rows)(struct engine *engine, int depth, struct error *error);
    enum status (*interior_rows)(struct engine *engine, int depth, struct error *error);

    /* Waits for the batch and adds its times to the log. sums[k] = sum(RES²) over the slab's own
     * rows before the batch's k-th iteration. */
    enum status (*end)(struct engine *engine, double *sums, struct error *error);

    /* After a batch with a checkpoint: makes the batch's initial iterate the newest again. */
    void (*restore)(struct engine *engine);

    /* Copy `count` rows of the newest iterate, from row `row` of the mesh on, to or from host
     * memory, Nx values each. Both block until this and all work enqueued before is complete. */
    enum status (*get)(struct engine *engine, int row, int count, double *to, struct error *error);
    enum status (*put)(struct engine *engine, int row, int count, const double *from,
                       struct error *error); /* NULL if there is a stage */

    /* Copies rows of U, because in mixed precision `get` copies the correction. NULL: use `get`. */
    enum status (*read)(struct engine *engine, int row, int count, double *to, struct error *error);

    /* Copies rows from another engine of the same back end, where they are complete; blocks. NULL
     * if the back end has its own transport. */
    enum status (*pull)(struct engine *engine, int row, int count, const struct engine *from,
                        int from_row, struct error *error);

    const struct slab_stage *stage; /* NULL: host-staged transports use `get` and `put` */
};

/* An engine's functions. All set `error` on failure. An engine provides `kernel` and `norm` for
 * `classic` and `plain`, and `pass` and `accept` for `fused` and `blocked`. If it provides
 * `advance`, these are not called. */
struct engine_ops {
    /* `kernel` runs a phase of `classic`, `plain` or another method on the level and colour of
     * engine->step. `norm` runs Norm: *sum = sum(RES²). Chebyshev's Update and `pass` use
     * engine->weight; Update overwrites the iterate before U and swaps the two. */
    enum status (*kernel)(struct engine *engine, enum phase phase, struct error *error);
    enum status (*norm)(struct engine *engine, double *sum, struct error *error);

    /* Runs one pass of `fused` (depth 1) or `blocked`: `depth` whole iterations, from U to a second
     * array, U'. sums[k] = sum(RES²) before the k-th iteration. U is unchanged until `accept` makes
     * U' the new U. */
    enum status (*pass)(struct engine *engine, int depth, double *sums, struct error *error);
    void (*accept)(struct engine *engine);

    /* Implements engine_advance for an engine that enqueues several passes together. */
    enum status (*advance)(struct engine *engine, long count, double tolerance, double *residuals,
                           long *done, struct error *error);

    /* Changes the launch geometry from the next iteration on; a 0 in `tuning` keeps the current
     * value. NULL if there is nothing to choose. Allocates nothing, so norm_blocks must be a
     * candidate of autotuning or the value that the engine was opened with. */
    enum status (*retune)(struct engine *engine, const struct tuning *tuning, struct error *error);

    /* Sums U of the level of engine->step in each cell, over the engine's own rows; 0 if none are
     * in the cell. `downsample` counts in the problem's rows. U is downsampled where it resides;
     * only the sums are copied. Called only by engine_downsample. */
    enum status (*downsample)(struct engine *engine, const struct downsample *downsample,
                              double *sums, struct error *error);

    /* Copies U, Nx*Ny values, to host memory. */
    enum status (*read)(struct engine *engine, double *U, struct error *error);

    /* Ends the run and frees the engine. */
    void (*close)(struct engine *engine);
};

/* The part that all engines have in common; a back end's own struct begins with it. */
struct engine {
    const struct engine_ops *ops;
    struct engine_spec spec; /* the run as executed: a depth of 0 is replaced by the chosen depth,
                                pinned memory by pageable if the mapping copies nothing, a 0 in
                                `tuning` by the back end's value; unused parameters are 0 */
    struct event_log *events;
    struct levels levels;
    struct step steps[STEPS_MAX]; /* the kernels of an iteration, if four or more */
    int step_count;
    struct step step;      /* the step of the phase being called */
    double weight;         /* Chebyshev's, for the next iteration */
    int64_t refined_ns;    /* time of mixed precision's last refinement: the iterations up to the
                              next one share it equally */
    int64_t refining_ns;   /* the same if it belongs to the current iteration, else 0 */
    uint64_t depths_tried; /* bit k: depth k was tried; 0: the depth was given */
    struct tuning tuning_tried;  /* likewise for the launch parameters; see tuning_tried */
    const struct slab_ops *slab; /* for an engine that holds a slab; otherwise it may be NULL */
    const struct device_stats_list *device_stats; /* for a multi-device run, up to date between
                                                     calls of `advance`; else NULL */
};

/* Sets the method's levels, steps and weight. `open` calls it once spec and events are set. */
void engine_set_method(struct engine *engine);

/* Returns the mesh of the current step's level; the next coarser level's mesh follows it. */
const struct mesh *engine_step_mesh(const struct engine *engine);

/* Adds an event of the current phase that began at `start_ns` of the host's clock and ends now,
 * unless the run records none. */
void engine_note(struct engine *engine, enum event_kind kind, enum array array, int64_t start_ns,
                 uint64_t bytes);

/* Returns the bytes of the current step in the run's precision: method_minimum_bytes. */
uint64_t engine_step_bytes(const struct engine *engine, enum phase phase);

/* Returns the minimum bytes that a refinement of mixed precision moves. The first kernel of the
 * iteration after it (classic: Laplacian) includes its time and bytes. */
uint64_t engine_refine_bytes(const struct mesh *mesh);

/* Returns the bytes of all arrays of a run. In mixed precision the iteration works on e and g in
 * place of U and RHS, which are allocated as well. */
uint64_t engine_bytes(const struct engine_spec *spec);

/* Returns the number of elements in all arrays that the iteration works on: 4 arrays for classic
 * and plain (5 with Chebyshev), 3 for fused and blocked. Multigrid's arrays hold every level. */
uint64_t engine_numbers(const struct engine_spec *spec);

/* Makes up to `count` whole iterations. residuals[k] is the residual before the k-th iteration.
 * Stops after the first iteration whose residual is not above `tolerance` (or is NaN), with exactly
 * that iteration's U. Sets *done to the number of iterations made. It may be smaller because `stop`
 * was set or the engine enqueues fewer passes, but is at least 1 unless stopped or failed. */
enum status engine_advance(struct engine *engine, long count, double tolerance, double *residuals,
                           long *done, struct error *error);

/* Downsamples U of a level, 0 for the finest, to cells. Between cycles a coarser level holds the
 * last cycle's correction; before the first cycle it holds none. */
enum status engine_downsample(struct engine *engine, int level, const struct downsample *downsample,
                              float *cells, struct error *error);

/* NULL is allowed. */
void engine_close(struct engine *engine);

/* The residuals since the start, thinned out as the run grows, so that a run of any length fits one
 * curve. */
enum { HISTORY_POINTS = 1024 };

struct history {
    int count;
    long stride; /* residuals[k] belongs to iterate k*stride */
    double residuals[HISTORY_POINTS];
};

void history_reset(struct history *history);

/* Adds the residual of iterate `iteration`; to be called for 0, 1, 2, … in order. */
void history_add(struct history *history, long iteration, double residual);
