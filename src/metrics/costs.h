/* The costs of a lane: kernels, copies, allocations, and the rates of its loop.
 *
 * Panels and reports take every time and rate from here. They are sums over the loop's events
 * (solver/events.h), of the whole run so far or of the sample's window, without Setup and
 * Downsample. Times are in ms, rates in 1e9 bytes or operations per second. NaN: not measured.
 *
 * A typical iteration has the median length. Its parts are means over the iterations between the
 * quartiles, or over all if those are unknown, scaled to add up to the median. */
#pragma once

#include "run/sample.h"

/* One kind of work: a kernel, the copies in one direction, or the allocations. */
struct cost {
    enum event_kind kind;
    enum phase phase; /* of a kernel; PHASE_COUNT: all phases of the loop together */

    double count;    /* calls, copies or allocations */
    double total_ms; /* total; untimed events count as the mean of their phase, or not at all if
                        none of the phase was timed: a norm of 8 B would count like an array */
    double total_bytes;
    double mean_ms;   /* per event: total_ms / count */
    double ms, bytes; /* per event, in a typical iteration; a kernel's bytes are its minimum traffic
                         (phase_minimum_bytes) */
    double gbs;       /* bytes / ms; NaN for allocations, which move no data */
    double count_per_iteration; /* here and below, the mean per device, in a typical iteration */
    double ms_per_iteration, bytes_per_iteration; /* 0 if there were no events; bytes of copies: the
                                                     sum over the devices */
    enum clock_source clock;                      /* CLOCK_NONE: not timed */
    double launch_ms; /* like `ms`, the target region's time beyond the kernel: launch and wait; NaN
                         unless the kernel timed itself */

    double percent_of_kernels;  /* the blog's "Percentage"; NaN for other work */
    double percent_of_measured; /* ms_per_iteration as a share of all kernels, copies and
                                   allocations, if timed; … */
    double percent_of_loop;     /* … and of an iteration (whole_ms) */
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
    double low_ms, high_ms;  /* quartiles: half of all iterations are between; NaN: unknown */
    double mean_ms;          /* `seconds` per iteration */
    double updates;          /* of unknowns; for multigrid, on all levels (method_work) */
    double lattice_updates_per_second;
    double gflops;      /* 17 FLOP per lattice update, AMD's counters in the blog */
    double blog_gbs;    /* 12 numbers (BLOG_NUMBERS_PER_UPDATE), as in the blog */
    double minimum_gbs; /* with the minimum memory traffic, in double: per lattice update 64 B for
                           classic, 24 B for fused; the events' bytes for blocked (24 B per unknown
                           and pass) and for methods other than Jacobi */

    double copied_bytes; /* per iteration, in both directions; NaN until a kernel has run */
    double copied_total_bytes, copied_total_ms; /* of all copies, without allocations */
    double halo_bytes;       /* of the run, between devices; NaN: one device, or not observed */
    double bytes_per_update; /* minimum traffic of the kernels per lattice update, as above */

    struct cost kernels[PHASE_COUNT];    /* by phase; `count` is 0 for phases that did not run */
    struct cost work[EVENT_KIND_COUNT];  /* by kind, over the phases of the loop */
    struct cost setup[EVENT_KIND_COUNT]; /* before and after the loop, in the whole run */
    bool is_settling;                    /* too few iterations for a reliable ms_per_iteration */
    bool is_observed; /* a kernel was timed; if not, copies could not be reported either */

    /* The 100 % of an iteration's shares: ms_per_iteration, or the sum of the separately timed
     * parts if that is larger: if clocks differ, or if kernels overlap when they are not timed. */
    double whole_ms;
    struct share moving;    /* timed copies and allocations; NaN if none was timed */
    struct share computing; /* kernels */
    struct share launching; /* launch and wait: launch_ms of the kernels; NaN if unknown */
    struct share rest;      /* the remainder: the loop itself, and launches if they are unknown;
                               never negative */
    enum clock_source kernel_clock, copy_clock; /* CLOCK_NONE: not timed */
    double calls_per_timed; /* kernels that ran per timed kernel; NaN if none was timed */

    /* Instrumentation overhead since the start, as a share of the time of loop and Downsample. */
    double downsampling_percent_of_run, measuring_percent_of_run;
};

/* The costs of the whole run so far; of the sample's window. */
struct costs costs_of_run(const struct sample *sample, int lane);
struct costs costs_of_window(const struct sample *sample, int lane);

/* "11.6 ms ± 0.5 ms": the median iteration time and its quartiles (format_spread). "11.6 ms,
 * settling" after too few iterations. "11.6 ms" if the spread is unknown or below the histogram's
 * resolution of 2 %. `per` follows the figures: "/iteration" or "". Returns `buffer`. */
char *format_iteration(char *buffer, size_t size, const struct costs *costs, const char *per);

/* "median so far", "mean of the recordings": what ms_per_iteration is in the sample's lanes. */
char *format_statistic(char *buffer, size_t size, const struct sample *sample);

/* Lists the phases that any lane ran, in the order of the blog's table: by descending time per
 * iteration in the first lane that timed them. Returns their number. */
int costs_order(const struct costs *lanes, int lane_count, enum phase order[PHASE_COUNT]);
