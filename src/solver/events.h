/* Events: the only source of times.
 *
 * Whatever a back end does for the solver (a kernel, a copy, an allocation) it reports here as an
 * event with its start, duration, bytes and the clock that measured it. Bars, timeline, roofline
 * and tables are all drawn from these. One log belongs to one lane and is written by one thread.
 */
#ifndef JACOBI_SOLVER_EVENTS_H
#define JACOBI_SOLVER_EVENTS_H

#include <stdatomic.h>
#include <stdint.h>

#include "solver/phase.h"

enum event_kind {
    EVENT_KERNEL,
    EVENT_TO_DEVICE,
    EVENT_FROM_DEVICE,
    EVENT_ALLOC, /* allocations and releases on the device; bytes are those of allocations */
    EVENT_WAIT,  /* the host in a call that lasts until the device is done: a synchronisation, or a
                    target region with its launch, less its copies; of a slab, its thread until
                    a neighbour's rows are there. Kernels run meanwhile */
    EVENT_HALO,  /* halo rows copied from a neighbouring slab */
    EVENT_KIND_COUNT
};

/* As reports name it: "kernel", "to_device", "from_device", "alloc", "wait". */
extern const char *const event_kind_keys[EVENT_KIND_COUNT];

/* Who measured a time. */
enum clock_source {
    CLOCK_NONE,          /* nobody: the duration is not known */
    CLOCK_HOST,          /* the host's monotonic clock around a blocking call */
    CLOCK_OMPT,          /* the host's clock, read by the OpenMP runtime's OMPT callbacks */
    CLOCK_TARGET_REGION, /* OMPT: the whole synchronous target region less its data operations */
    CLOCK_DEVICE,        /* the device's own time stamps */
    CLOCK_COUNTER,       /* the device's clock, read by the kernel itself as it begins and ends */
    CLOCK_COUNT
};

/* "host", "ompt", "target-region", "device-event", "device-clock"; "none". */
extern const char *const clock_names[CLOCK_COUNT];

struct event {
    enum event_kind kind;
    enum phase phase; /* the phase during which it happened; PHASE_SETUP outside the loop */
    enum array array; /* what a copy or allocation was for; ARRAY_NONE if not known */
    enum clock_source clock;
    long iteration;      /* the iteration during which it happened, from 0 */
    int64_t start_ns;    /* host clock (clock_now_ns), or mapped to it */
    int64_t duration_ns; /* meaningless, as is start_ns, if clock is CLOCK_NONE */
    uint64_t bytes;      /* moved or allocated; a kernel's minimum traffic */
    int device;          /* that it belongs to, from 0; 0 if the run has one device */
};

/* Sums over events of one sort. */
struct event_stats {
    uint64_t count; /* how many there were */
    uint64_t timed; /* how many have a known duration */
    uint64_t bytes;
    int64_t total_ns; /* of the timed ones */
    enum clock_source clock;
};

/* Mean duration in nanoseconds, NaN if none was timed. */
double event_stats_mean_ns(const struct event_stats *stats);

/* The total with untimed events counted at the mean of the timed ones; NaN if none was timed. */
double event_stats_total_ns(const struct event_stats *stats);

/* Totals of a log: kernels by phase, copies and allocations by the phase that caused them.
 * Column PHASE_SETUP holds what happened outside the loop, PHASE_DOWNSAMPLE what showing costs;
 * neither belongs to the loop's own sums. */
struct event_totals {
    struct event_stats of[EVENT_KIND_COUNT][PHASE_COUNT];
};

/* The sum over the phases of the loop (not Setup, not Downsample). */
struct event_stats event_totals_loop(const struct event_totals *totals, enum event_kind kind);

/* Adds `more`, entry by entry. */
void event_totals_add(struct event_totals *totals, const struct event_totals *more);

/* now - before, entry by entry. */
struct event_totals event_totals_since(const struct event_totals *now,
                                       const struct event_totals *before);

/* Durations of one kernel, or of whole iterations, kept in logarithmic buckets (8 per octave); a
 * quantile is the mean of its bucket. The first iterations (warm-up) are kept apart. */
enum { DURATION_OCTAVES = 40, DURATION_STEPS = 8, DURATION_WARM_UP = 3 };

struct duration_histogram {
    uint32_t buckets[DURATION_OCTAVES * DURATION_STEPS];
    int64_t sums_ns[DURATION_OCTAVES * DURATION_STEPS];
    uint64_t count;
    int64_t warm_up_ns; /* the first iterations' durations, summed */
    int warm_up_count;
};

/* The duration below which `fraction` of them stay, in ns; NaN if there are none. */
double duration_quantile(const struct duration_histogram *durations, double fraction);

enum { EVENT_RING = 2048 };

struct event_log {
    struct event ring[EVENT_RING]; /* the last timed events; event n is at n % EVENT_RING */
    uint64_t count;                /* timed events ever added */
    struct event_totals totals;
    struct duration_histogram durations[PHASE_COUNT]; /* of kernels */
    struct duration_histogram iterations;             /* by the host's clock, end to end */
    long warm_from;         /* the iteration from which durations count: see event_log_begin_turn */
    double clock_step_ns;   /* the least step of the clock of CLOCK_COUNTER; 0: not known */
    double stamp_cost_ns;   /* of an event of CLOCK_DEVICE, its time stamps: as the back end has
                               measured them; 0: not known */
    double further_cost_ns; /* what timing took so far beyond event_cost_ns per event: those, and
                               of OMPT's events the further callbacks, each about an event's */
    long iteration;         /* what new events are stamped with */
    _Atomic(enum phase) phase; /* what runs now; may be read from any thread */

    /* Called at each phase as it is entered, by the thread that runs it; may be NULL. */
    void (*on_phase)(void *context, enum phase phase);
    void *on_phase_context;
};

/* Empties the log. */
void event_log_reset(struct event_log *log);

/* Nanoseconds that reporting one event takes here: two readings of the clock and the bookkeeping.
 * Measured by the first call, in some microseconds; any thread may call. */
double event_cost_ns(void);

/* Another run has had the device, and `passes` passes of `depth` iterations follow. The first find
 * cold caches: if there are enough others, durations leave them out.
 */
void event_log_begin_turn(struct event_log *log, long passes, long depth);

/* Adds `count` iterations, the last that have ended, which took that long together. */
void event_log_add_iterations(struct event_log *log, long count, int64_t duration_ns);

/* Sets the phase that is about to run: events added from now on belong to it. */
void event_log_enter(struct event_log *log, enum phase phase);

/* Adds an event of the phase and iteration that run now. */
void event_log_add(struct event_log *log, enum event_kind kind, enum array array,
                   enum clock_source clock, int64_t start_ns, int64_t duration_ns, uint64_t bytes);

/* Counts `times` equal events of unknown duration; `event` gives kind, phase and bytes. */
void event_log_add_untimed(struct event_log *log, const struct event *event, long times);

/* Adds an event whose phase and iteration the caller gives: for events read back later. */
void event_log_add_full(struct event_log *log, const struct event *event);

/* Moves all events from the logs of a run's slabs to the run's own, by iteration and then by time.
 * Each becomes the part whose log it was in. No other thread may use the logs meanwhile. */
enum { PART_LOGS_MAX = 16 };

void event_log_gather(struct event_log *log, struct event_log *const *slabs, int count);

/* Forgets what was added since the last event_log_gather: work that is thrown away. */
void event_log_discard(struct event_log *slab);

#endif
