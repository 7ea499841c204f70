/* The boundary between the program and a module of target regions.
 *
 * Device code is built by clang into modules, one per class of device and type of number, which the
 * program opens at run time: jacobi-omp-host.so (LLVM's host device: memory of its own, this
 * machine's processor), jacobi-omp-gpu.so, and both as *-single.so. Each exports one table,
 * `offload_module`. The host code that uses it, and the tracer that turns the runtime's callbacks
 * into events, are in the program.
 *
 * All calls block. Arrays are host addresses of Nx*Ny reals (kernels/cpu/real.h). Unless a
 * function's name has `structured`, they must have been mapped by `enter` before.
 */
#ifndef JACOBI_KERNELS_OMP_MODULE_H
#define JACOBI_KERNELS_OMP_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/cpu/sync_engine.h"

enum { OFFLOAD_MODULE_VERSION = 13, OFFLOAD_TEAMS = 1 << 14, OFFLOAD_PHASES = PHASE_DOWNSAMPLE };

/* The most iterations of a blocked pass, and the numbers, ended by 0, that are tried on a grid of
 * at most side × side unknowns if the user gives none. */
struct offload_depths {
    int most, side, tried[8];
};

/* When a region's first team began and its last ended, in ticks of the device's own clock; 0: not
 * known yet. */
struct offload_span {
    uint64_t begin, end;
};

/* The device's clock: the length of a tick, and the least step that its readings show. */
struct offload_clock {
    double tick_ns, step_ns;
};

/* Where a GPU adds up sum(RES²): each team leaves its part, the last one adds the parts and
 * writes the sum to `norms` in the host's memory, which is pinned. All else starts as zeros and
 * stays on the device for the whole run; only the spans of regions that are timed are copied. */
struct device_scratch {
    bool timed;                                /* set by the host: regions leave their spans */
    bool backwards;                            /* set by the host: a pass goes from the end */
    bool plain;                                /* set by the host: `structured` maps around these */
    int norm_teams, fused_teams;               /* set by the host, at most OFFLOAD_TEAMS */
    struct offload_span spans[OFFLOAD_PHASES]; /* by phase */
    double norms[SCHEDULE_MAX_DEPTH];          /* of the pass's iterations; of one the first */
    int finished;                              /* teams that have left their part */
    double parts[OFFLOAD_TEAMS];
};

/* A kernel of another method than Jacobi. */
typedef void (*offload_method)(struct method_step *step);

struct offload_module {
    int version;          /* OFFLOAD_MODULE_VERSION */
    bool is_gpu;          /* the class of device it was built for */
    const char *compiler; /* "19.1.7" */

    /* Makes `device` the one that the calling thread's target regions run on, and `scratch` where
     * they add up and leave their times. */
    void (*choose)(int device, struct device_scratch *scratch);

    /* Runs a region that copies one number there and back; whether that happened on a device. */
    bool (*try_out)(void);

    /* Each row once, by as many of the host's threads as it has cores. */
    void (*for_rows)(int rows, void (*work)(void *context, int row), void *context);

    /* Whether the device has that much free memory: takes it and gives it back. A map clause that
     * finds none ends the process, so this is asked before. */
    bool (*has_free_memory)(size_t bytes);

    /* target enter data, exit data and update of the arrays of a schedule. */
    void (*enter_classic)(size_t N, real *U, real *AU, real *RES, real *RHS);
    void (*exit_classic)(size_t N, real *U, real *AU, real *RES, real *RHS);
    void (*enter_fused)(size_t N, real *U, real *U_next, real *RHS);
    void (*exit_fused)(size_t N, real *U, real *U_next, real *RHS);
    void (*update_from)(size_t bytes, void *values);

    /* Between two devices' copies of arrays that `enter` has mapped there; false if it can't. */
    bool (*copy)(size_t N, real *to, int to_device, const real *from, int from_device);

    /* Between an array's copy on the chosen device and the host's. */
    void (*update_to)(size_t bytes, void *values);

    /* The same of one more array, which is copied to the device. */
    void (*enter_array)(size_t bytes, void *array);
    void (*exit_array)(size_t bytes, void *array);

    /* Memory that host and device both use where it is, filled with zeros; NULL if there is
     * none. Regions find it without mapping. */
    void *(*alloc_unified)(size_t bytes);
    void (*free_unified)(void *memory);

    /* Host memory that the device's copy engine reaches by itself, filled with zeros; NULL if there
     * is none. Both functions are NULL if the device shares the host's memory. */
    void *(*alloc_pinned)(size_t bytes);
    void (*free_pinned)(void *memory);

    /* Scratch, mapped for the whole run by the module; NULL if there is no memory. */
    struct device_scratch *(*open_scratch)(void);
    void (*close_scratch)(struct device_scratch *scratch);

    /* The clock that spans are read from; NULL: this module's regions leave none. */
    void (*measure_clock)(struct offload_clock *clock);

    const struct offload_depths *depths;

    /* For blocked passes of up to `depth` iterations; NULL if there is no memory. */
    void *(*open_work)(const struct mesh *mesh, int depth);
    void (*close_work)(void *work);

    /* The phases of Jacobi: ours and the blog's on arrays that are unified or that `enter` has
     * mapped; and those that `scratch` selects, with the arrays mapped around each. */
    struct kernels tuned, plain, structured;

    /* The other methods' kernels: METHOD_KERNELS, with their arrays mapped [false] and [true]. */
    const offload_method *methods[2];

    /* A refinement of mixed precision, in two regions: U += e, e = 0; g = RHS - A·U. With the
     * arrays mapped [false] and [true]. */
    void (*refine[2])(const struct mesh *mesh, const double *RHS, double *U, real *e, real *g);

    /* Sums of U, or of base + U, over cells, as struct engine_ops defines them. `rows` selects rows
     * of U, whose row 0 is row `first` of the problem. Only `sums` is copied. */
    void (*downsample)(const struct mesh *mesh, int first, struct row_range rows,
                       const struct downsample *downsample, const real *U, const double *base,
                       double *sums);
};

#endif
