/* The figures that reports show, derived from a sample's events. Pure. What was not measured is
 * NaN. */
#ifndef JACOBI_METRICS_FIGURES_H
#define JACOBI_METRICS_FIGURES_H

#include "run/sample.h"

struct kernel_figures {
    enum phase phase;
    double count;
    double total_ms, avg_ms;
    double percent;    /* of all kernels of the loop */
    double bytes;      /* minimum traffic of a call */
    double gbs;        /* bytes over avg_ms */
    const char *clock; /* NULL where no call was timed */
};

struct copy_figures {
    double count, bytes, ms;
    const char *clock; /* NULL where none was timed */
};

struct lane_figures {
    double seconds, ms_per_iteration;
    double lattice_updates_per_second;
    double gflops;      /* 17 a lattice update, as the blog counts */
    double blog_gbs;    /* 96 B a lattice update, as the blog counts */
    double minimum_gbs; /* what memory must really move: 64 B classic, 24 fused, less blocked */

    int kernel_count; /* those that ran, in the order of enum phase */
    struct kernel_figures kernels[PHASE_COUNT];

    /* In the loop, and before and after it. Entry EVENT_KERNEL is unused. */
    struct copy_figures loop[EVENT_KIND_COUNT], setup[EVENT_KIND_COUNT];
};

/* Of the whole run so far. */
struct lane_figures figures_of_run(const struct lane_sample *lane, const struct mesh *mesh);

/* Of the sample's window alone. */
struct lane_figures figures_of_window(const struct lane_sample *lane, const struct mesh *mesh);

/* The kernels' indices by the time that they took, most first, as the blog's table lists them. */
void figures_order_by_time(const struct lane_figures *figures, int order[PHASE_COUNT]);

#endif
