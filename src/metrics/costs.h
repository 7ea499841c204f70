/* The costs of a lane: kernels, copies, allocations, and the rates of its loop.
 *
 * Every figure of times comes from here, whether a panel or a report shows it: sums over the loop's
 * events (solver/events.h), of the whole run so far or of the sample's window, without Setup and
 * Downsample. Times are in ms, rates in 1e9 bytes or operations per second. NaN: not measured. */
#ifndef JACOBI_METRICS_COSTS_H
#define JACOBI_METRICS_COSTS_H

#include "run/sample.h"

/* One sort of work: a kernel, the copies in one direction, or the allocations. */
struct cost {
    enum event_kind kind;
    enum phase phase; /* of a kernel; PHASE_COUNT: all phases of the loop together */

    double count;    /* calls, copies or allocations */
    double total_ms; /* of all; untimed ones count at the mean of their phase, or not at all if
                        none of the phase was timed: a norm of 8 B would count as an array */
    double total_bytes;
    double mean_ms;   /* of one: total_ms / count */
    double ms, bytes; /* of one: a kernel's median if its calls are equal, else the mean; a kernel's
                         bytes are its minimum traffic (phase_minimum_bytes) */
    double gbs;       /* bytes / ms; NaN for allocations, which move nothing */
    double count_per_iteration; /* of several devices, here and below, the mean of one */
    double ms_per_iteration, bytes_per_iteration; /* 0 if there was none */
    enum clock_source clock;                      /* CLOCK_NONE: not timed */
    double launch_ms; /* per call, the target region's time beyond the kernel: launch and wait; NaN
                         unless the kernel timed itself */

    /* The share that total_ms is of the time of … */
    double percent_of_kernels;  /* … all kernels: the blog's "Percentage"; NaN for other work */
    double percent_of_measured; /* … all that was timed: kernels, copies and allocations */
    double percent_of_loop;     /* … an iteration (see instrumented_ms) */
};

/* All figures NaN: for copies that could not be observed. */
extern const struct cost cost_unknown;

struct share {
    double ms; /* per iteration */
    double percent_of_loop;
};

struct costs {
    double seconds;          /* of the loop, by the host's clock */
    double ms_per_iteration; /* the median; the mean if no median was recorded */
    double low_ms, high_ms; /* the half of all iterations in the middle are between; NaN: unknown */
    double mean_ms;         /* seconds per iteration */
    double updates;         /* of unknowns: multigrid's on all levels (method_work) */
    double lattice_updates_per_second;
    double gflops;      /* 17 FLOP per lattice update: the counters of AMD's program, as in the */
    double blog_gbs;    /* blog, and 12 numbers (BLOG_NUMBERS_PER_UPDATE) */
    double minimum_gbs; /* what memory must really move: per lattice update 64 B classic, 24 B
                           fused; blocked the events' bytes, 24 B per unknown and pass, and
                           so of other methods than Jacobi */

    double copied_bytes;     /* per iteration, both ways; NaN as long as no kernel ran */
    double bytes_per_update; /* the kernels' minimum traffic per lattice update; as above */

    struct cost kernels[PHASE_COUNT];    /* by phase; `count` is 0 for those that did not run */
    struct cost work[EVENT_KIND_COUNT];  /* by kind, over the phases of the loop */
    struct cost setup[EVENT_KIND_COUNT]; /* before and after the loop, since the start */
    bool is_settling;                    /* too few iterations to rely on ms_per_iteration yet */
    bool is_observed; /* a kernel was timed; if not, copies could not have been reported either */

    /* The parts of an iteration, timed one by one. If they take more than ms_per_iteration
     * (other clocks, or kernels that overlap when nobody times them), shares are of this sum, so
     * that they add up to 100 %; else of ms_per_iteration. */
    double instrumented_ms;
    struct share moving;    /* copies and allocations that were timed; NaN if none of them was */
    struct share computing; /* kernels */
    struct share launching; /* launch and wait: launch_ms of the kernels; NaN if not known */
    struct share rest;      /* none of these: the loop itself, and launches if they are not known;
                               never negative */
    enum clock_source kernel_clock, copy_clock; /* CLOCK_NONE: nothing was timed */
    double calls_per_timed; /* kernels that ran per kernel that was timed; NaN if none was */

    /* Instrumentation overhead since the start, of the time of loop and Downsample. */
    double downsampling_percent_of_run, measuring_percent_of_run;
};

/* Of the whole run so far; of the sample's window. */
struct costs costs_of_run(const struct sample *sample, int lane);
struct costs costs_of_window(const struct sample *sample, int lane);

/* "11.6 ms ± 0.50 ms": an iteration, and how far the half of all in the middle is from the median;
 * "11.6 ms, settling" of too few, "11.6 ms" if the spread isn't known or is below the resolution of
 * the histogram, 9 %. `per` follows the figures: "/iteration" or "". Returns `buffer`. */
char *format_iteration(char *buffer, size_t size, const struct costs *costs, const char *per);

/* The phases that any of the lanes ran, by their total in the first lane that timed them, most
 * first, as the blog's table lists them. Returns how many. */
int costs_order(const struct costs *lanes, int lane_count, enum phase order[PHASE_COUNT]);

#endif
