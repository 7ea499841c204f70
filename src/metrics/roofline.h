/* The roofline: how fast each kernel runs, compared with what its device can do. Pure.
 *
 * A roof is the highest speed of a device at an arithmetic intensity, in FLOP per byte of memory
 * traffic: bandwidth × intensity as long as memory limits, the peak GFLOP/s from there on
 * (Williams, Waterman and Patterson, CACM 52(4), 2009). A point is a kernel: its intensity is that
 * of its minimum traffic, its speed that of its mean call over the whole run (metrics/costs.h).
 */
#ifndef JACOBI_METRICS_ROOFLINE_H
#define JACOBI_METRICS_ROOFLINE_H

#include "config/config.h"
#include "run/sample.h"

/* What bounds a kernel or a lane. */
enum bottleneck_kind {
    BOTTLENECK_NONE,   /* none that is known */
    BOTTLENECK_MEMORY, /* the main memory's bandwidth */
    BOTTLENECK_FP64,   /* arithmetic in double precision */
    BOTTLENECK_CACHES, /* faster than the main memory, or arrays that fit the last cache, or
                          blocked below half of memory and FP64: caches or shared memory */
    BOTTLENECK_LAUNCH, /* launching kernels and waiting for them */
    BOTTLENECK_COPIES, /* copies and allocations; of a lane */
};

/* By the name that reports and panels give it; BOTTLENECK_NONE has none: NULL. */
const char *bottleneck_name(enum bottleneck_kind kind);

/* The limit of which a kernel or a lane reached the largest share, if that is at least half. The
 * share of launch is that of a call's time or of the loop's. */
struct bottleneck {
    enum bottleneck_kind kind;
    double percent; /* of that limit; NaN for BOTTLENECK_NONE and BOTTLENECK_CACHES */
};

struct roofline_point {
    enum phase phase;
    int lane;         /* -1: the preset's reference; -2: its second one */
    struct roof roof; /* of the device that it was measured on; unknown for a reference */
    double intensity; /* FLOP/B */
    double gflops;
    double gbs;
    bool fits;       /* all arrays of its run fit half of the device's last cache */
    double total_ms; /* what the kernel costs the run so far; NaN for a reference */
    struct bottleneck bottleneck;
};

enum { ROOFLINE_POINTS = (LANES_MAX + 2) * PHASE_COUNT };

struct interval {
    double low, high;
};

struct roofline {
    struct roof roof;  /* of the device of `lane`: measured there, or given by a preset that is
                          about this very device */
    struct roof given; /* the preset's, as a reference beside that: of the machine that its
                          reference ran on; unknown if it is `roof` itself */
    int count;
    struct roofline_point points[ROOFLINE_POINTS]; /* measured ones first, then references */
    struct interval intensity, gflops; /* hold every point and the peaks' corners, with a margin */
    struct bottleneck bottleneck;      /* of `lane`: launch, copies, or as its costliest kernel */
    char sentence[256];                /* the same in words, and what is known of that kernel */
};

/* A preset's [machine] counts for a lane only if its `device` names the lane's; else, and if it
 * names none, it is only drawn. */
struct roofline roofline_make(const struct sample *sample, const struct config *config, int lane);

/* What bounds a kernel of a lane; BOTTLENECK_NONE if it was not timed. */
struct bottleneck roofline_bottleneck(const struct roofline *roofline, int lane, enum phase phase);

/* "memory, 84 %", "caches"; "" for BOTTLENECK_NONE. Writes into the caller's buffer and returns it.
 */
char *format_bottleneck(char *buffer, size_t size, struct bottleneck bottleneck);

/* The GFLOP/s that a roof allows at that intensity; infinite under a roof that is not known. */
double roof_at(const struct roof *roof, double intensity);

/* The letter of a kernel: L, B, U, N, F, T. */
char roofline_letter(enum phase phase);

#endif
