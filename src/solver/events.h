/* Events: the only source of times.
 *
 * Back ends report all their work for the solver (kernels, copies, allocations) as events. Each has
 * a start, a duration, bytes and the clock that measured it. Bars, timeline, roofline and tables
 * are all drawn from events. One log belongs to one lane and is written by one thread. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "solver/phase.h"

enum event_kind {
    EVENT_KERNEL,
    EVENT_TO_DEVICE,
    EVENT_FROM_DEVICE,
    EVENT_ALLOC, /* allocations and releases on the device; bytes are those of allocations */
    EVENT_WAIT,  /* a host call that lasts until the device is done: a synchronisation, or a target
                    region with its launch but without its copies; or a slab's thread waiting for a
                    neighbour's rows. Kernels run meanwhile */
    EVENT_HALO,  /* halo rows copied from a neighbouring slab */
    EVENT_KIND_COUNT
};

/* Names in reports: "kernel", "to_device", "from_device", "alloc", "wait". */
extern const char *const event_kind_keys[EVENT_KIND_COUNT];

/* The clock that measured a time. */
enum clock_source {
    CLOCK_NONE,          /* none: the duration is not known */
    CLOCK_HOST,          /* the host's monotonic clock around a blocking call */
    CLOCK_OMPT,          /* the host's clock, read by the OpenMP runtime's OMPT callbacks */
    CLOCK_TARGET_REGION, /* OMPT: the whole synchronous target region minus its data operations */
    CLOCK_DEVICE,        /* the device's own timestamps */
    CLOCK_COUNTER,       /* the device's clock, read by the kernel at its start and end */
    CLOCK_COUNT
};

/* "host", "ompt", "target-region", "device-event", "device-clock"; "none". */
extern const char *const clock_names[CLOCK_COUNT];

struct event {
    enum event_kind kind;
    enum phase phase; /* the phase during which it occurred; PHASE_SETUP outside the loop */
    enum array array; /* the array copied or allocated; ARRAY_NONE if not known */
    enum clock_source clock;
    long iteration;      /* the iteration during which it occurred, from 0 */
    int64_t start_ns;    /* host clock (clock_now_ns), or mapped to it */
    int64_t duration_ns; /* meaningless, as is start_ns, if clock is CLOCK_NONE */
    uint64_t bytes;      /* moved or allocated; a kernel's minimum traffic */
    int device;          /* its device, from 0; 0 in a single-device run */
};

/* Sums over events of one kind. */
struct event_stats {
    uint64_t count; /* number of events */
    uint64_t timed; /* number of events with a known duration */
    uint64_t bytes;
    int64_t total_ns; /* of the timed ones */
    enum clock_source clock;
};

/* Return the mean duration, and the total, with untimed events counted at the timed ones' mean; NaN
 * if none was timed. */
double event_stats_mean_ns(const struct event_stats *stats);
double event_stats_total_ns(const struct event_stats *stats);

/* Totals of a log: kernels by phase, copies and allocations by the phase that caused them. Column
 * PHASE_SETUP holds events outside the loop, PHASE_DOWNSAMPLE the cost of the display; neither
 * counts in the loop's own sums. */
struct event_totals {
    struct event_stats of[EVENT_KIND_COUNT][PHASE_COUNT];
};

/* Returns the sum over the phases of the loop (not Setup, not Downsample). */
struct event_stats event_totals_loop(const struct event_totals *totals, enum event_kind kind);

/* Entry by entry: adds `more`; returns now - before. */
void event_totals_add(struct event_totals *totals, const struct event_totals *more);
struct event_totals event_totals_since(const struct event_totals *now,
                                       const struct event_totals *before);

/* Durations of one kernel, or of whole iterations, in logarithmic buckets (32 per octave). A
 * quantile is its bucket's mean. The first iterations (warm-up) are kept separately. */
enum { DURATION_OCTAVES = 40, DURATION_STEPS = 32, DURATION_WARM_UP = 3 };

struct duration_histogram {
    uint32_t buckets[DURATION_OCTAVES * DURATION_STEPS];
    int64_t sums_ns[DURATION_OCTAVES * DURATION_STEPS];
    uint64_t count;
    int64_t warm_up_ns; /* the first iterations' durations, summed */
    int warm_up_count;
};

/* Returns the quantile `fraction` of the durations in ns; NaN if there are none. */
double duration_quantile(const struct duration_histogram *durations, double fraction);

/* Totals over some iterations of the loop, and their time. */
struct loop_totals {
    struct event_totals totals;
    long iterations;
    double seconds;
};

/* A GPU kernel's use of the multiprocessor; 0: not reported by the driver. */
struct kernel_usage {
    int registers;    /* per thread */
    double occupancy; /* resident warps or waves, in percent of the most that it can hold */
};

enum { EVENT_RING = 2048 };

struct event_log {
    struct event ring[EVENT_RING]; /* the latest timed events; event n is at n % EVENT_RING */
    uint64_t count;                /* number of timed events ever added */
    struct event_totals totals;
    struct duration_histogram durations[PHASE_COUNT]; /* of kernels */
    struct kernel_usage usage[PHASE_COUNT];           /* likewise, of the last launch */
    struct duration_histogram iterations;             /* by the host's clock, end to end */
    struct loop_totals typical; /* the iterations whose length is between the quartiles */
    bool may_be_typical;        /* the next iterations; then `ended` are the totals before them */
    struct event_totals ended;
    uint64_t additions;       /* by event_log_add_iterations */
    uint64_t quartiles_until; /* the quartiles of `iterations`, as buckets, are used until it has
                                 that many */
    int low_bucket, high_bucket;
    long warm_from;            /* first iteration whose durations count: event_log_begin_turn */
    double clock_step_ns;      /* resolution of the clock of CLOCK_COUNTER; 0: not known */
    double stamp_cost_ns;      /* cost of the timestamps of a CLOCK_DEVICE event, as measured by the
                                  back end; 0: not known */
    double further_cost_ns;    /* measuring cost so far beyond event_cost_ns per event: timestamps,
                                  and OMPT's further callbacks, each at about the cost of an event */
    long iteration;            /* the iteration of new events */
    bool is_shallow;           /* the events are of a pass of fewer iterations than the others: its
                                  kernel's duration is not typical */
    _Atomic(enum phase) phase; /* the current phase; any thread may read it */

    /* Called by the running thread as it enters each phase. NULL: none. */
    void (*on_phase)(void *context, enum phase phase);
    void *on_phase_context;
};

void event_log_reset(struct event_log *log);

/* Returns the cost of reporting one event in nanoseconds: two clock readings and the bookkeeping.
 * The first call measures it, in less than 1 ms. Any thread may call it. */
double event_cost_ns(void);

/* Begins a turn of `passes` passes of `depth` iterations, after another run has used the device.
 * Caches are cold in the first passes, so durations omit them if enough others follow. */
void event_log_begin_turn(struct event_log *log, long passes, long depth);

/* Adds the `count` iterations that ended last, with their total duration. */
void event_log_add_iterations(struct event_log *log, long count, int64_t duration_ns);

/* Sets the phase about to run: events added from now on belong to it. */
void event_log_enter(struct event_log *log, enum phase phase);

/* Adds an event of the current phase and iteration. */
void event_log_add(struct event_log *log, enum event_kind kind, enum array array,
                   enum clock_source clock, int64_t start_ns, int64_t duration_ns, uint64_t bytes);

/* Counts `times` equal events of unknown duration; `event` supplies kind, phase and bytes. */
void event_log_add_untimed(struct event_log *log, const struct event *event, long times);

/* Adds an event whose phase and iteration the caller supplies: for events read back later. */
void event_log_add_full(struct event_log *log, const struct event *event);

/* Moves all events of a run's slabs to the run's own log, by iteration and then by time. An event's
 * `device` becomes its slab's index. No other thread may use the logs meanwhile. */
enum { PART_LOGS_MAX = 16 };

void event_log_gather(struct event_log *log, struct event_log *const *slabs, int count);

/* Discards the events since the last event_log_gather: their work is repeated. */
void event_log_discard(struct event_log *slab);
