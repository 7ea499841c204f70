/* The engine of the HIP back end: the part that all schedules share. classic.c, plain.c and
 * passes.c add theirs, and backend.c chooses. */
#pragma once

#include "kernels/hip/graph.h"
#include "kernels/hip/vector.h"
#include "solver/transport.h"

enum {
    PASSES_MAX = 256,         /* in a batch, also a slab's */
    NORM_BLOCKS_TRIED = 1024, /* the maximum that autotuning tries */
    FUSED_BLOCKS_TRIED = 8    /* likewise */
};

struct hip_engine;
struct hip_schedule;
struct hip_slab;

/* The parts of the vectors that a phase uses, on the level of engine->step and the next coarser. */
struct hip_views {
    struct hip_vector U, RHS, AU, RES, other, coarser_U, coarser_RHS;
};

/* Enqueues the kernel of one phase, or runs the phase. */
typedef void (*hip_launch)(struct hip_engine *hip);

struct hip_engine {
    struct engine base;
    struct engine_ops ops; /* base.ops */
    struct hip_context context;
    const struct hip_schedule *schedule;
    bool faster;    /* what self_check.h checks: classic replays recorded iterations, blocked copies
                       rows past registers */
    int stride;     /* unknowns from one row to the next: Nx, or more if rows must be aligned */
    bool backwards; /* the last kernel's direction */
    struct {
        enum hip_kernel kernel;
        unsigned threads; /* per block; 0: none yet */
    } used[PHASE_COUNT];  /* the launches whose usage the log has */

    /* for hip_advance */
    int depth;              /* iterations per pass; classic and plain: 1 */
    long batch_passes;      /* per batch */
    long batch_max;         /* the maximum per batch */
    double events_per_step; /* number that the timer records in a sampled step */
    bool stops_on_device;   /* it compares norms with the limit, and then leaves U unchanged */

    struct hip_vector U, RHS;           /* in mixed precision the correction e and g */
    struct hip_vector kept_U, kept_RHS; /* in mixed precision U and RHS, in double (refine.c) */
    long since_refined;                 /* iterations */
    struct hip_vector cells; /* the downsampled U on the device, kept for the next call */
    double *sums;            /* pinned host memory: Norm's partial sums, or a batch's sum(RES²) */
    double *sums_device;     /* the device's address of `sums` */

    /* classic, plain */
    struct hip_vector AU, RES;
    struct hip_views at;
    const hip_launch *launches; /* one per phase */
    struct hip_graph graph;     /* recorded iterations */
    int graph_iterations;       /* their number */
    struct error unrecorded;    /* why there are none, though the schedule records */

    /* fused, blocked */
    struct hip_vector U_next; /* in Chebyshev's method, also classic, the iterate before U */
    struct hip_geometry geometry;
    bool stopped; /* the device's `stopped` may be set */

    struct hip_slab *slab; /* NULL: the engine holds the whole problem */

    /* batches: classic's iterations, or passes */
    double *pass_sums; /* on the device: sum(RES²) of the batch's iterates */
    void *partials;    /* on the device: each block's part of sum(RES²) */
    void *state;       /* on the device: struct pass_state */
    double tolerance;  /* the tolerance of `limit`; NaN: none yet */
    double limit;      /* a batch runs while sum(RES²) > limit; -1 until set_tolerance: always */
};

/* All functions report failures through the stream (stream.h). */
struct hip_schedule {
    /* Allocates the schedule's arrays other than U and RHS, and sets the fields for hip_advance. */
    void (*open)(struct hip_engine *hip);

    /* Enqueues up to `count` iterations, waits for them, and makes U the iterate after the last one
     * that counts: the first with a residual not above the tolerance. Returns how many count. */
    long (*run_batch)(struct hip_engine *hip, long count, double tolerance, double *residuals);

    /* As in struct engine_ops; NULL if there is nothing to choose. */
    void (*retune)(struct hip_engine *hip, const struct tuning *tuning);
};

extern const struct hip_schedule hip_plain; /* also the user's kernels, and classic structured */
extern const struct hip_schedule hip_classic, hip_methods /* not Jacobi */, hip_passes;

/* Opens an engine for that schedule on `gpu`, as struct backend's open. */
enum status hip_engine_open(const struct hip_gpu *gpu, const struct engine_spec *spec,
                            const struct hip_schedule *schedule, bool faster,
                            struct event_log *events, struct engine **engine, struct error *error);

/* The function `advance` of struct engine_ops, for all schedules: advance.c. */
enum status hip_advance(struct engine *engine, long count, double tolerance, double *residuals,
                        long *done, struct error *error);

struct hip_engine *hip_engine_of(struct engine *engine);

/* Returns the first failure since the last call and clears it. Every function of struct engine_ops
 * and slab_ops returns this status. */
enum status hip_engine_status(struct hip_engine *hip, struct error *error);

/* Allocate hip->sums for `count` sums; if it is NULL, and on the device `partials` partial sums,
 * `sums` sums and the state. hip_engine_close frees them. */
void hip_engine_allocate_sums(struct hip_engine *hip, size_t count);
void hip_engine_allocate_batch(struct hip_engine *hip, size_t partials, size_t sums);

/* The device address of the limit. Recorded launches read a new limit from there. */
double *hip_engine_limit(const struct hip_engine *hip);

/* The bytes of a number in the iterated arrays, and the address of an array's number `index`. */
static inline size_t hip_number_bytes(const struct hip_engine *hip) {
    return (size_t)precision_bytes(hip->base.spec.run.precision);
}

static inline void *hip_number(const struct hip_engine *hip, const struct hip_vector *vector,
                               size_t index) {
    return (char *)vector->device + index * hip_number_bytes(hip);
}

/* Enqueues the current phase's kernel, and notes its usage in the log. */
void hip_engine_launch(struct hip_engine *hip, enum hip_kernel kernel, unsigned blocks,
                       unsigned threads, void **arguments);

void hip_engine_clear_state(struct hip_engine *hip);

/* Copies the batch's first `count` sums to hip->sums and waits for them. The copy belongs to the
 * current phase. */
void hip_engine_fetch_sums(struct hip_engine *hip, size_t count);

/* Computes the residuals of a batch of `count` iterations, at least 1, from the fetched sums, up to
 * the first that is small enough. Returns their number: the iterations that count. */
long hip_engine_take_residuals(const struct hip_engine *hip, long count, double tolerance,
                               double *residuals);

/* Unknowns from one row to the next. The program's fused and blocked kernels need aligned rows. */
int hip_stride(const struct engine_spec *spec);

/* ---- shared by classic and plain: four kernels per iteration (classic.c) ---- */

/* Runs a phase with its arrays mapped around the kernel, and waits for it (structured.c). */
extern const hip_launch hip_structured_phases[PHASE_COUNT];

/* The launches of classic and of the other methods, one per phase. */
extern const hip_launch hip_classic_launches[PHASE_COUNT];

/* Sets block sizes and launches, and allocates AU and RES, and U_next for Chebyshev. For a user's
 * Fused it allocates only U_next. */
void hip_four_kernels_open(struct hip_engine *hip, const hip_launch *launches);

/* Enqueues that phase's kernel; it is timed if the current iteration is. */
void hip_launch_phase(struct hip_engine *hip, enum phase phase);

/* Enqueues a kernel with at least that many threads, in blocks of the tuning's size. */
void hip_launch_threads(struct hip_engine *hip, enum hip_kernel kernel, uint64_t threads,
                        void **arguments);

/* The same for a kernel that writes partial sums, with norm_blocks blocks of norm_block threads. */
void hip_launch_norm(struct hip_engine *hip, enum hip_kernel kernel, void **arguments);

/* Counts the partial sums that the current phase's blocks write directly to the host's memory.
 * There is no copy, so no time either. */
void hip_note_sums(struct hip_engine *hip);

/* ---- for the other methods (methods.c) ---- */

/* Sets hip->at; call it after a change of the step or of a vector. */
void hip_bind_level(struct hip_engine *hip);

/* Does not update hip->at. */
void hip_swap_iterates(struct hip_engine *hip);

/* Ends an iteration of Chebyshev's method: computes the next weight, and U_next becomes U. */
void hip_end_chebyshev(struct hip_engine *hip);

void hip_launch_chebyshev_update(struct hip_engine *hip);
void hip_launch_colour_update(struct hip_engine *hip);
void hip_launch_sweep(struct hip_engine *hip);
void hip_launch_restriction(struct hip_engine *hip);
void hip_launch_prolongation(struct hip_engine *hip);

/* ---- passes and the rest ---- */

/* Enqueues a timed pass over the engine's own rows, from U to U_next. It writes sum(RES²) of its
 * `depth` iterations to `sums`. */
void hip_run_pass(struct hip_engine *hip, int depth, double *sums);

/* The launch geometry of blocked passes, with at most `blocks` blocks per multiprocessor; 0: the
 * model's best number. */
struct hip_geometry hip_blocked_geometry(const struct hip_stream *stream,
                                         const struct engine_spec *spec, int blocks);

/* Copies rows of U, from row `row` of the mesh on, to host memory, Nx values each; blocks. */
void hip_engine_read_rows(struct hip_engine *hip, int row, int count, double *U);

/* ---- the user's own kernels (user_kernels.c) ----
 *
 * They replace the plain kernels and Fused (exercises/hip.h), compiled for a GPU or, without one,
 * for the emulator. A process loads one library, and guards it (core/sandbox.h). */

/* Loads a library, as struct user_kernels_ops' load; without a GPU, for the emulator. */
enum status hip_user_kernels_load(const char *path, struct user_library *found,
                                  struct error *error);

/* Whether the user's kernels can replace those of a run, and whether the emulator can run it. */
enum status hip_user_kernels_supports(const struct engine_spec *spec, const struct hip_gpu *gpu,
                                      struct error *error);

/* Replaces the stream's kernels with the user's. hip_stream_close unloads them. */
void hip_user_kernels_replace(struct hip_stream *stream);

/* Called before and after a kernel launch. `enter` records a user kernel's name, in case the
 * process ends. In a run's first iterations `leave` waits for it, so that a failure names it. */
void hip_user_kernels_enter(const struct hip_engine *hip, enum phase phase);
void hip_user_kernels_leave(const struct hip_engine *hip, enum phase phase);

/* ---- mixed precision (refine.c) ---- */

/* Enqueues U += e, g = RHS - AU, e = 0. */
void hip_refine(struct hip_engine *hip);

/* Whether mixed precision has made refine_every iterations since the last refinement. The callers
 * count them in hip->since_refined. */
bool hip_refine_is_due(const struct hip_engine *hip);

/* ---- a slab (slab.c, peer.c) ---- */

/* Adds a slab's data to an engine with all other arrays; hip_slab_close undoes it, also after a
 * failure. */
void hip_slab_open(struct hip_engine *hip);
void hip_slab_close(struct hip_engine *hip);

/* Connects GPUs by copies from one GPU's memory to another's, as struct backend's connect. */
enum status hip_peer_connect(const struct slabs_spec *slabs, struct engine *const *engines,
                             struct transport **transport, struct error *error);

/* Reverses the grid direction of the next kernel; returns whether it is backwards. */
int hip_engine_reverse(struct hip_engine *hip);
