/* The roofline: the speed of each kernel, compared with the ceilings of its device. Pure.
 *
 * A roof is a device's highest speed at an arithmetic intensity, in FLOP per byte of memory
 * traffic: bandwidth × intensity up to the peak GFLOP/s (Williams, Waterman and Patterson, CACM
 * 52(4), 2009). A point is a kernel: its intensity follows from its minimum traffic, its speed from
 * the time of a typical call in the whole run (struct cost, `ms`). */
#pragma once

#include "config/config.h"
#include "run/sample.h"

enum bottleneck_kind {
    BOTTLENECK_NONE,   /* none known */
    BOTTLENECK_MEMORY, /* the main memory's bandwidth */
    BOTTLENECK_FP64,   /* arithmetic in double precision */
    BOTTLENECK_CACHES, /* caches or shared memory: faster than main memory, or arrays that fit the
                          last-level cache, or blocked below half of memory and FP64 */
    BOTTLENECK_LAUNCH, /* launching kernels and waiting for them */
    BOTTLENECK_COPIES, /* copies and allocations; only for a lane */
};

/* The name in reports and panels; NULL for BOTTLENECK_NONE. */
const char *bottleneck_name(enum bottleneck_kind kind);

/* The limit of a kernel or a lane: launch or copies if they take at least half of the time of a
 * call or of the loop; otherwise memory or arithmetic, if its share is larger and at least half. */
struct bottleneck {
    enum bottleneck_kind kind;
    double percent; /* of the limit; NaN for BOTTLENECK_NONE and BOTTLENECK_CACHES */
};

struct roofline_point {
    enum phase phase;
    int lane;         /* -1: the preset's reference; -2: its second one */
    struct roof roof; /* of the measured device; unknown for a reference */
    double intensity; /* FLOP/B */
    double gflops;
    double gbs;
    bool fits;       /* all arrays of the run fit half of the device's last-level cache */
    double total_ms; /* the kernel's total so far; NaN for a reference */
    struct bottleneck bottleneck;
};

enum { ROOFLINE_POINTS = (LANES_MAX + 2) * PHASE_COUNT };

struct interval {
    double low, high;
};

struct roofline {
    struct roof roof;  /* of the device of `lane`: measured, or given by a preset for this device */
    struct roof given; /* the preset's, drawn for comparison: the roof of the reference's machine;
                          unknown if `roof` is the same */
    int count;
    struct roofline_point points[ROOFLINE_POINTS]; /* first measured points, then references */
    struct interval intensity, gflops; /* span all points and the peaks' corners, with a margin */
    struct bottleneck bottleneck;      /* of `lane`: launch, copies, or its costliest kernel's */
    char sentence[256];                /* the bottleneck in words, with that kernel's figures */
};

/* A preset's [machine] applies to a lane only if its `device` names the lane's device. Otherwise it
 * is only drawn. */
struct roofline roofline_make(const struct sample *sample, const struct config *config, int lane);

/* The bottleneck of a kernel in a lane; BOTTLENECK_NONE if it was not timed. */
struct bottleneck roofline_bottleneck(const struct roofline *roofline, int lane, enum phase phase);

/* "memory, 84 %", "caches"; "" for BOTTLENECK_NONE. Writes into `buffer` and returns it. */
char *format_bottleneck(char *buffer, size_t size, struct bottleneck bottleneck);

/* The GFLOP/s that a roof allows at that intensity; infinite if the roof is unknown. */
double roof_at(const struct roof *roof, double intensity);

/* The letter of a kernel: L, B, U, N, F, T, S, R or P. */
char roofline_letter(enum phase phase);
