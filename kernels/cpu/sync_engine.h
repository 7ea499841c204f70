/* The engine of the back ends whose kernels block: serial, threads, omp.
 *
 * It owns the arrays, at host addresses, and calls the kernels of each phase and pass on them, for
 * a whole grid or a slab. The back end supplies the kernels (struct kernels) and the operations
 * around them (struct sync_ops). Its own engine begins with a struct sync_engine. */
#pragma once

#include "kernels/cpu/real.h"
#include "solver/engine.h"

/* The phases of Jacobi as functions over arrays of Nx*Ny values. Norm returns sum(RES²). */
typedef void kernel_stencil(const struct mesh *mesh, const real *U, real *AU);
typedef void kernel_update(const struct mesh *mesh, const real *RHS, const real *AU, real *RES,
                           real *U);
typedef double kernel_norm(const struct mesh *mesh, const real *RES);

/* One whole iteration of some rows from U to U_next; returns their sum(RES²). */
typedef double kernel_fused(const struct mesh *mesh, struct row_range rows, const real *RHS,
                            const real *U, real *U_next);

/* `depth` whole iterations of some rows from U to U_next in one pass; sums[k] = their sum(RES²)
 * before the k-th iteration. `work` is the engine's. */
typedef void kernel_blocked(const struct mesh *mesh, struct row_range rows, int depth,
                            const real *RHS, const real *U, real *U_next, double *sums, void *work);

struct kernels {
    kernel_stencil *laplacian, *boundary;
    kernel_update *update;
    kernel_norm *norm;
    kernel_fused *fused;
    kernel_blocked *blocked;
};

/* The kernels of the other methods. Update computes RES of all unknowns, whatever their colour. */
enum method_kernel {
    CHEBYSHEV_UPDATE,
    CHEBYSHEV_FUSED, /* a whole iteration */
    COLOUR_UPDATE,
    SWEEP,
    RESTRICTION,
    PROLONGATION,
    METHOD_KERNELS
};

/* Such a kernel's data: the arrays of a level, Nx*Ny values each, and of the next coarser one. */
struct method_step {
    const struct mesh *mesh, *coarser;
    enum colour colour;
    double weight; /* for Chebyshev */
    real *RHS, *U, *AU, *RES;
    real *other; /* Chebyshev: the iterate before U, which becomes the next one */
    real *coarser_RHS, *coarser_U;
    void *work; /* the engine's */
    double sum; /* CHEBYSHEV_FUSED writes sum(RES²) */
};

struct sync_engine;

struct sync_ops {
    /* Called around each kernel. `end` reports the kernel to the log, or returns its failure. */
    void (*begin)(struct sync_engine *sync);
    enum status (*end)(struct sync_engine *sync, struct error *error);

    void (*run_method)(struct sync_engine *sync, enum method_kernel kernel,
                       struct method_step *step);

    /* Calls work(context, row) for the rows 0 … rows-1. The thread that will compute a row makes
     * its call, so that memory first touched there is close to it. */
    void (*for_rows)(struct sync_engine *sync, int rows, void (*work)(void *context, int row),
                     void *context);

    void *(*allocate)(struct sync_engine *sync, enum array name, size_t bytes);
    void (*release)(struct sync_engine *sync, void *array); /* not NULL */

    /* Mixed precision: exact_U += U, RHS = exact_RHS - A·exact_U, U = 0. */
    void (*refine)(struct sync_engine *sync);

    /* The next four are called only if U stays on a device. They copy values of U to the host,
     * back, or between two engines' devices, and reduce U as struct engine_ops defines it. */
    enum status (*from_device)(struct sync_engine *sync, void *to, const void *values, size_t bytes,
                               struct error *error);
    void (*to_device)(struct sync_engine *sync, void *values, size_t bytes);
    enum status (*copy)(struct sync_engine *sync, real *to, const struct sync_engine *other,
                        const real *from, size_t length, struct error *error);
    enum status (*downsample)(struct sync_engine *sync, const struct downsample *downsample,
                              const real *U, double *sums, struct error *error);
};

struct sync_engine {
    struct engine base;
    const struct sync_ops *ops;
    struct engine_ops table; /* base.ops; the back end adds `close` and what only it has */
    struct slab_ops slab;    /* base.slab */
    struct kernels kernels;
    real *U, *RHS;
    real *AU, *RES;                   /* classic, plain */
    real *U_next;                     /* fused, blocked; with Chebyshev the iterate before U */
    double *exact_U, *exact_RHS;      /* mixed precision; then U is e, and RHS is g */
    int since_refined;                /* iterations since the last refinement */
    int passed;                       /* iterations of the pass to be accepted */
    bool refines;                     /* the current kernel also refines */
    bool on_device;                   /* U stays on a device between kernels */
    void *work;                       /* for `blocked` and other methods; the back end's */
    double norms[SCHEDULE_MAX_DEPTH]; /* a pass writes its sums here */

    /* For a slab: the current batch. */
    real *saved;      /* the start of the batch */
    long made;        /* iterations so far */
    bool is_first;    /* the next pass is the first, */
    bool checkpoints; /* and its input must be saved */
    double *sums;     /* per iteration; room for SLAB_BATCH_MAX passes */
};

void sync_init(struct sync_engine *sync, const struct sync_ops *ops, const struct engine_spec *spec,
               struct event_log *events);

/* Allocates the arrays. Returns false if there is no memory; then release the others. */
bool sync_allocate(struct sync_engine *sync);
void sync_release(struct sync_engine *sync);

/* Writes the problem's start to U and RHS and, if `clears`, zeros to the other arrays. Fails if it
 * is stopped or if there is no memory. */
enum status sync_fill(struct sync_engine *sync, bool clears, struct error *error);

uint64_t sync_bytes(const struct engine_spec *spec); /* of all arrays */
