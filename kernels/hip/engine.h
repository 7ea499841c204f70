/* The engine of the HIP back end: what every schedule shares. classic.c, plain.c and passes.c add
 * theirs, and backend.c chooses. */
#ifndef JACOBI_HIP_ENGINE_H
#define JACOBI_HIP_ENGINE_H

#include "kernels/hip/graph.h"
#include "kernels/hip/vector.h"
#include "solver/transport.h"

enum {
    PASSES_MAX = 256,         /* of a batch, also of a slab's */
    NORM_BLOCKS_TRIED = 1024, /* the most that autotuning tries */
    FUSED_BLOCKS_TRIED = 8    /* likewise */
};

struct hip_engine;
struct hip_schedule;
struct hip_slab;

/* The parts of the vectors that a phase works on: the level of engine->step and the next coarser.
 */
struct hip_views {
    struct hip_vector U, RHS, AU, RES, other, coarser_U, coarser_RHS;
};

/* Enqueues the kernel of one phase, or runs it. */
typedef void (*hip_launch)(struct hip_engine *hip);

struct hip_engine {
    struct engine base;
    struct engine_ops ops; /* base.ops */
    struct hip_context context;
    const struct hip_schedule *schedule;
    int stride;     /* unknowns from one row to the next: Nx, or more if rows are to be aligned */
    bool backwards; /* the last kernel's direction */

    /* for hip_advance */
    int depth;              /* iterations per pass; classic and plain: 1 */
    long batch_passes;      /* per batch, */
    long batch_max;         /* and at most */
    double events_per_step; /* that the timer records in a step that it samples */
    bool stops_on_device;   /* it compares norms with the limit, and then leaves U alone */

    struct hip_vector U, RHS;           /* of mixed precision the correction e and g */
    struct hip_vector kept_U, kept_RHS; /* and these are U and RHS, in double (refine.c) */
    long since_refined;                 /* iterations */
    struct hip_vector cells; /* the downsampled U on the device, kept for the next time */
    double *sums;            /* pinned host memory: Norm's partial sums, or a batch's sum(RES²) */
    double *sums_device;     /* the same as the device sees it */

    /* classic, plain */
    struct hip_vector AU, RES;
    struct hip_views at;
    const hip_launch *launches; /* by phase */
    struct hip_graph graph;     /* iterations, recorded */
    int graph_iterations;       /* so many */
    struct error unrecorded;    /* why there is none, though the schedule records */

    /* fused, blocked */
    struct hip_vector U_next; /* with Chebyshev, classic too, the iterate before U */
    struct hip_geometry geometry;
    bool stopped; /* on the device `stopped` may be set */

    struct hip_slab *slab; /* NULL: it holds the whole problem */

    /* batches: classic's iterations, or passes */
    double *pass_sums; /* on the device: sum(RES²) of the batch's iterates */
    void *partials;    /* on the device: each block's part of sum(RES²) */
    void *state;       /* on the device: struct pass_state */
    double tolerance;  /* that `limit` was found for; NaN: none yet */
    double limit;      /* a batch goes on while sum(RES²) > limit; -1 until set_tolerance: always */
};

/* All failures are the stream's (stream.h). */
struct hip_schedule {
    /* Allocates what the schedule needs beside U and RHS, and sets what hip_advance reads. */
    void (*open)(struct hip_engine *hip);

    /* Enqueues up to `count` iterations, waits for them, and makes U the iterate after the last
     * that counts: the first whose residual is not above the tolerance. Returns how many count. */
    long (*run_batch)(struct hip_engine *hip, long count, double tolerance, double *residuals);

    /* As struct engine_ops's; NULL if there is nothing to choose. */
    void (*retune)(struct hip_engine *hip, const struct tuning *tuning);

    bool records; /* iterations, to be replayed, if they can be */
};

extern const struct hip_schedule hip_classic_structured, hip_classic_resident, hip_classic_recorded;
extern const struct hip_schedule hip_methods_resident, hip_methods_recorded; /* not Jacobi */
extern const struct hip_schedule hip_plain; /* and the user's kernels */
extern const struct hip_schedule hip_passes;

/* As struct backend's open, for that schedule. */
enum status hip_engine_open(const struct engine_spec *spec, const struct hip_schedule *schedule,
                            struct event_log *events, struct engine **engine, struct error *error);

/* struct engine_ops's advance, of every schedule: advance.c. */
enum status hip_advance(struct engine *engine, long count, double tolerance, double *residuals,
                        long *done, struct error *error);

struct hip_engine *hip_engine_of(struct engine *engine);

/* Takes what has failed since it was last taken: the answer of every function of struct engine_ops
 * and slab_ops. */
enum status hip_engine_status(struct hip_engine *hip, struct error *error);

/* Allocates hip->sums for `count` sums; hip_engine_close frees them. */
void hip_engine_allocate_sums(struct hip_engine *hip, size_t count);

/* Allocates hip->sums if there is none, and on the device `partials` partial sums, as many sums,
 * and the state. hip_engine_close frees them. */
void hip_engine_allocate_batch(struct hip_engine *hip, size_t partials, size_t sums);

/* Where the limit is on the device: launches that were recorded find another one there. */
double *hip_engine_limit(const struct hip_engine *hip);

/* The bytes of a number in the arrays that kernels iterate on, and where number `index` of one is.
 */
static inline size_t hip_number_bytes(const struct hip_engine *hip) {
    return (size_t)precision_bytes(hip->base.spec.run.precision);
}

static inline void *hip_number(const struct hip_engine *hip, const struct hip_vector *vector,
                               size_t index) {
    return (char *)vector->device + index * hip_number_bytes(hip);
}

/* Enqueues the clearing of the state. */
void hip_engine_clear_state(struct hip_engine *hip);

/* Copies the batch's first `count` sums to hip->sums and waits for them. The copy is the present
 * phase's. */
void hip_engine_fetch_sums(struct hip_engine *hip, size_t count);

/* Reads the residuals of a batch of `count` iterations, at least 1, whose sums have been fetched,
 * up to the first that is small enough. Returns how many they are: the iterations that count. */
long hip_engine_take_residuals(const struct hip_engine *hip, long count, double tolerance,
                               double *residuals);

/* Unknowns from one row to the next: the program's fused and blocked want rows aligned. */
int hip_stride(const struct engine_spec *spec);

/* ---- what classic and plain share: four kernels per iteration (classic.c) ---- */

/* Runs a phase with its arrays mapped around the kernel, and waits for it: structured.c. */
extern const hip_launch hip_structured_phases[PHASE_COUNT];

/* Classic's and the other methods', by phase. */
extern const hip_launch hip_classic_launches[PHASE_COUNT];

/* Sets block sizes and launches, allocates AU and RES, and U_next for Chebyshev; for a Fused of the
 * user's only U_next. */
void hip_four_kernels_open(struct hip_engine *hip, const hip_launch *launches);

/* Enqueues that phase's kernel, timed if the present iteration is. */
void hip_launch_phase(struct hip_engine *hip, enum phase phase);

/* Enqueues a kernel of that many threads at least, the tuning's number to a block. */
void hip_launch_threads(struct hip_engine *hip, enum hip_kernel kernel, uint64_t threads,
                        void **arguments);

/* The same of one that leaves partial sums, with norm_blocks of norm_block. */
void hip_launch_norm(struct hip_engine *hip, enum hip_kernel kernel, void **arguments);

/* Counts the partial sums of the present phase, which its blocks write straight into the host's
 * memory: nothing is copied, so nothing timed. */
void hip_note_sums(struct hip_engine *hip);

/* sum(RES²) from the blocks' partial sums, once Norm, or the user's Fused, has run. */
double hip_reduce_partials(const struct hip_engine *hip);

/* ---- what other methods add (methods.c) ---- */

/* Sets hip->at; to be called when the step has changed, or a vector. */
void hip_bind_level(struct hip_engine *hip);

/* Exchanges U and U_next; hip->at is not changed. */
void hip_swap_iterates(struct hip_engine *hip);

/* After an iteration of Chebyshev's method: its next weight, and U_next becomes U. */
void hip_end_chebyshev(struct hip_engine *hip);

void hip_launch_chebyshev_update(struct hip_engine *hip);
void hip_launch_colour_update(struct hip_engine *hip);
void hip_launch_sweep(struct hip_engine *hip);
void hip_launch_restriction(struct hip_engine *hip);
void hip_launch_prolongation(struct hip_engine *hip);

/* ---- passes and the rest ---- */

/* Enqueues a pass of the rows of its own, from U to U_next, timed. `sums`: where it leaves
 * sum(RES²) of its `depth` iterations. */
void hip_run_pass(struct hip_engine *hip, int depth, double *sums);

/* The number of blocks that announce rows for which a slab's neighbours wait (device/common.h). */
unsigned hip_blocks_awaited(const struct hip_engine *hip);

/* The launch geometry of blocked's passes with `blocks` per multiprocessor at most; 0: the model's
 * best. */
struct hip_geometry hip_blocked_geometry(const struct hip_stream *stream,
                                         const struct engine_spec *spec, int blocks);

/* Copies rows of U, from row `row` of the mesh on, to host memory, Nx values each; blocks. */
void hip_engine_read_rows(struct hip_engine *hip, int row, int count, double *U);

/* ---- mixed precision (refine.c) ---- */

/* Enqueues U += e, g = RHS - AU, e = 0. */
void hip_refine(struct hip_engine *hip);

/* Whether refine_every iterations have been made since the last time, in mixed precision:
 * hip->since_refined, which the callers count up. */
bool hip_refine_is_due(const struct hip_engine *hip);

/* ---- a slab (slab.c, peer.c) ---- */

/* Adds what a slab needs to an engine whose other arrays are there; hip_slab_close undoes it, also
 * in part. */
void hip_slab_open(struct hip_engine *hip);
void hip_slab_close(struct hip_engine *hip);

/* Between GPUs, by copies that a GPU makes from its memory to another's: struct backend's connect.
 */
enum status hip_peer_connect(const struct slabs_spec *slabs, struct engine *const *engines,
                             struct transport **transport, struct error *error);

/* Turns the direction in which the next kernel walks the grid; returns whether it is backwards. */
int hip_engine_reverse(struct hip_engine *hip);

bool hip_engine_stop_requested(const struct hip_engine *hip);

#endif
