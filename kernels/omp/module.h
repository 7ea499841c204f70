/* The boundary between the program and a module of target regions.
 *
 * Clang builds the device code into modules, one per class of device and type of number, which the
 * program opens at run time. They are jacobi-omp-host.so (LLVM's host device: its own memory, this
 * machine's processor), jacobi-omp-gpu.so, and both as *-single.so. Each exports one table,
 * `offload_module`. The program holds the host code that uses the table, and the tracer that turns
 * the runtime's callbacks into events.
 *
 * All calls block. Arrays are host addresses of Nx*Ny reals (kernels/cpu/real.h). `enter` must have
 * mapped them before, except for functions with `structured` in their name. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernels/cpu/sync_engine.h"

enum { OFFLOAD_MODULE_VERSION = 14, OFFLOAD_TEAMS = 1 << 14, OFFLOAD_PHASES = PHASE_DOWNSAMPLE };

/* The maximum number of iterations of a blocked pass, and the numbers to try, ended by 0, on a grid
 * of at most side × side unknowns if the user gives none. */
struct offload_depths {
    int most, side, tried[8];
};

/* The start of a region's first team and the end of its last, in ticks of the device's own clock;
 * 0: not known yet. */
struct offload_span {
    uint64_t begin, end;
};

/* The device's clock: the length of a tick, and the smallest step between readings. */
struct offload_clock {
    double tick_ns, step_ns;
};

/* Where a GPU computes sum(RES²): each team writes its part; the last team adds the parts and
 * writes the sum to `norms` in the host's pinned memory. All other fields start as zeros and stay
 * on the device for the whole run; only the spans of timed regions are copied. */
struct device_scratch {
    bool timed;                                /* set by the host: regions record their spans */
    bool backwards;                            /* set by the host: a pass starts at the end */
    bool plain;                                /* set by the host: `structured` runs these */
    int norm_teams, fused_teams;               /* set by the host, at most OFFLOAD_TEAMS */
    struct offload_span spans[OFFLOAD_PHASES]; /* one per phase */
    double norms[SCHEDULE_MAX_DEPTH];          /* one per iteration of the pass */
    int finished;                              /* teams that have written their part */
    double parts[OFFLOAD_TEAMS];
};

/* A kernel of a method other than Jacobi. */
typedef void (*offload_method)(struct method_step *step);

struct offload_module {
    int version;          /* OFFLOAD_MODULE_VERSION */
    bool is_gpu;          /* the class of device it was built for */
    const char *compiler; /* "19.1.7" */

    /* Selects the device of the calling thread's target regions, and the scratch memory for their
     * sums and times. */
    void (*choose)(int device, struct device_scratch *scratch);

    /* Runs a region that copies a number there and back. Returns whether a device ran it. */
    bool (*try_out)(void);

    /* Calls work once for each row, with one host thread per core. */
    void (*for_rows)(int rows, void (*work)(void *context, int row), void *context);

    /* Whether the device has that much free memory: allocates it and frees it. Call this first: a
     * map clause that finds no memory ends the process. */
    bool (*has_free_memory)(size_t bytes);

    /* Run target enter data and exit data on the arrays of a schedule. */
    void (*enter_classic)(size_t N, real *U, real *AU, real *RES, real *RHS);
    void (*exit_classic)(size_t N, real *U, real *AU, real *RES, real *RHS);
    void (*enter_fused)(size_t N, real *U, real *U_next, real *RHS);
    void (*exit_fused)(size_t N, real *U, real *U_next, real *RHS);

    /* Copies to the host from an array on the chosen device; false on failure. */
    bool (*read)(size_t bytes, void *to, const void *array);

    /* Copies between two devices' copies of arrays mapped by `enter`; false on failure. */
    bool (*copy)(size_t N, real *to, int to_device, const real *from, int from_device);

    /* Copies an array from the host to the chosen device. */
    void (*update_to)(size_t bytes, void *values);

    /* Maps one more array and copies it to the device; unmaps it. */
    void (*enter_array)(size_t bytes, void *array);
    void (*exit_array)(size_t bytes, void *array);

    /* Allocates zeroed memory that host and device share in place; NULL if there is none. Regions
     * use it without mapping. */
    void *(*alloc_unified)(size_t bytes);
    void (*free_unified)(void *memory);

    /* Allocates zeroed host memory that the device's copy engine accesses directly; NULL if there
     * is none. Both functions are NULL if the device shares the host's memory. */
    void *(*alloc_pinned)(size_t bytes);
    void (*free_pinned)(void *memory);

    /* Opens scratch memory and maps it for the whole run; NULL if there is no memory. */
    struct device_scratch *(*open_scratch)(void);
    void (*close_scratch)(struct device_scratch *scratch);

    /* Measures the clock of the spans. NULL if this module's regions record no spans. */
    void (*measure_clock)(struct offload_clock *clock);

    const struct offload_depths *depths;

    /* Memory for blocked passes of up to `depth` iterations; NULL if there is no memory. */
    void *(*open_work)(const struct mesh *mesh, int depth);
    void (*close_work)(void *work);

    /* Jacobi's phases: ours and the blog's, on arrays that are unified or mapped by `enter`; those
     * that `scratch` selects, mapping the arrays for each. */
    struct kernels tuned, plain, structured;

    /* The other methods' kernels, METHOD_KERNELS each: without [false] and with [true] mapping. */
    const offload_method *methods[2];

    /* Refinement for mixed precision, in two regions: U += e, e = 0; g = RHS - A·U. Without [false]
     * or with [true] mapping of the arrays. */
    void (*refine[2])(const struct mesh *mesh, const double *RHS, double *U, real *e, real *g);

    /* Sums U, or base + U, over cells, as struct engine_ops defines them. `rows` selects rows of U,
     * whose row 0 is row `first` of the problem. Only `sums` is copied. */
    void (*downsample)(const struct mesh *mesh, int first, struct row_range rows,
                       const struct downsample *downsample, const real *U, const double *base,
                       double *sums);
};
