#include "solver/events.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/system.h"

const char *const clock_names[CLOCK_COUNT] = {
    [CLOCK_NONE] = "none",           [CLOCK_HOST] = "host",
    [CLOCK_OMPT] = "ompt",           [CLOCK_TARGET_REGION] = "target-region",
    [CLOCK_DEVICE] = "device-event", [CLOCK_COUNTER] = "device-clock",
};

const char *const event_kind_keys[EVENT_KIND_COUNT] = {
    [EVENT_KERNEL] = "kernel", [EVENT_TO_DEVICE] = "to_device", [EVENT_FROM_DEVICE] = "from_device",
    [EVENT_ALLOC] = "alloc",   [EVENT_WAIT] = "wait",
};

double event_stats_mean_ns(const struct event_stats *stats) {
    return stats->timed ? (double)stats->total_ns / (double)stats->timed : NAN;
}

double event_stats_total_ns(const struct event_stats *stats) {
    return event_stats_mean_ns(stats) * (double)stats->count;
}

static void event_stats_add(struct event_stats *sum, const struct event_stats *more) {
    sum->count += more->count;
    sum->timed += more->timed;
    sum->bytes += more->bytes;
    sum->total_ns += more->total_ns;
    if (more->clock != CLOCK_NONE)
        sum->clock = more->clock;
}

struct event_stats event_totals_loop(const struct event_totals *totals, enum event_kind kind) {
    struct event_stats sum = {0};
    for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++)
        event_stats_add(&sum, &totals->of[kind][phase]);
    return sum;
}

void event_totals_add(struct event_totals *totals, const struct event_totals *more) {
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
        for (int phase = 0; phase < PHASE_COUNT; phase++)
            event_stats_add(&totals->of[kind][phase], &more->of[kind][phase]);
}

struct event_totals event_totals_since(const struct event_totals *now,
                                       const struct event_totals *before) {
    struct event_totals since = *now;
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
        for (int phase = 0; phase < PHASE_COUNT; phase++) {
            struct event_stats *stats = &since.of[kind][phase];
            const struct event_stats *old = &before->of[kind][phase];
            stats->count -= old->count;
            stats->timed -= old->timed;
            stats->bytes -= old->bytes;
            stats->total_ns -= old->total_ns;
        }
    return since;
}

static int bucket_of(int64_t ns) {
    const int last = DURATION_OCTAVES * DURATION_STEPS - 1;
    const int bucket = ns < 1 ? 0 : (int)(log2((double)ns) * DURATION_STEPS);
    return bucket < last ? bucket : last;
}

/* Adds `times` durations of `ns`, the first for `iteration`. They count if half of them are warm,
 * because engines that report a whole batch at a time include cold passes in the mean. */
static void add_duration(const struct event_log *log, struct duration_histogram *durations,
                         long iteration, int64_t ns, long times) {
    if (iteration < DURATION_WARM_UP) {
        durations->warm_up_ns += ns * times;
        durations->warm_up_count += (int)times;
    }
    if (iteration + times / 2 < log->warm_from)
        return;
    const int bucket = bucket_of(ns);
    durations->buckets[bucket] += (uint32_t)times;
    durations->sums_ns[bucket] += ns * times;
    durations->count += (uint64_t)times;
}

/* The bucket of the quantile `fraction` of at least one duration. */
static int quantile_bucket(const struct duration_histogram *durations, double fraction) {
    const double wanted = fraction * (double)durations->count;
    double below = 0;
    int bucket = 0;
    for (; bucket < DURATION_OCTAVES * DURATION_STEPS - 1; bucket++) {
        below += durations->buckets[bucket];
        if (below >= wanted && below > 0)
            break;
    }
    return bucket;
}

double duration_quantile(const struct duration_histogram *durations, double fraction) {
    if (durations->count == 0)
        return NAN;
    const int bucket = quantile_bucket(durations, fraction);
    return (double)durations->sums_ns[bucket] / durations->buckets[bucket];
}

void event_log_reset(struct event_log *log) {
    memset(log, 0, sizeof *log);
    log->warm_from = DURATION_WARM_UP;
    atomic_store(&log->phase, PHASE_SETUP);
}

void event_log_begin_turn(struct event_log *log, long passes, long depth) {
    const long cold = depth * (passes >= 2 * DURATION_WARM_UP ? DURATION_WARM_UP : passes / 2);
    if (log->iteration + cold > log->warm_from)
        log->warm_from = log->iteration + cold;
}

/* Adds the events of the last `count` iterations to the typical ones if their length is between the
 * quartiles. If the mean of the typical ones so far is not, the speed has changed: resets them. */
static void add_typical(struct event_log *log, long count, int64_t duration_ns) {
    struct loop_totals *typical = &log->typical;
    const struct duration_histogram *iterations = &log->iterations;
    if (iterations->count >= log->quartiles_until) {
        log->low_bucket = quantile_bucket(iterations, 0.25);
        log->high_bucket = quantile_bucket(iterations, 0.75);
        log->quartiles_until = iterations->count + iterations->count / 8 + 1;
        const int bucket = typical->iterations
                               ? bucket_of((int64_t)(1e9 * typical->seconds) / typical->iterations)
                               : 0;
        if (bucket < log->low_bucket || bucket > log->high_bucket)
            *typical = (struct loop_totals){0};
    }
    const int bucket = bucket_of(duration_ns / count);
    if (bucket < log->low_bucket || bucket > log->high_bucket)
        return;
    const struct event_totals made = event_totals_since(&log->totals, &log->ended);
    event_totals_add(&typical->totals, &made);
    typical->iterations += count;
    typical->seconds += 1e-9 * (double)duration_ns;
}

void event_log_add_iterations(struct event_log *log, long count, int64_t duration_ns) {
    /* Of short iterations only some can be typical, because adding totals costs 100 ns. The number
     * has no common factor with that of the iterations of which one has its events timed. */
    enum { SHORT_NS = 20000, ONE_OF = 17 };
    const uint64_t before = log->iterations.count;
    log->iteration += count;
    if (count > 0)
        add_duration(log, &log->iterations, log->iteration - count, duration_ns / count, count);
    if (log->may_be_typical && log->iterations.count > before)
        add_typical(log, count, duration_ns);
    log->may_be_typical = duration_ns >= SHORT_NS || log->additions++ % ONE_OF == 0;
    if (log->may_be_typical)
        log->ended = log->totals;
}

void event_log_enter(struct event_log *log, enum phase phase) {
    atomic_store_explicit(&log->phase, phase, memory_order_relaxed);
    if (log->on_phase)
        log->on_phase(log->on_phase_context, phase);
}

void event_log_add_untimed(struct event_log *log, const struct event *event, long times) {
    struct event_stats *stats = &log->totals.of[event->kind][event->phase];
    stats->count += (uint64_t)times;
    stats->bytes += (uint64_t)times * event->bytes;
}

void event_log_add_full(struct event_log *log, const struct event *event) {
    if (event->clock == CLOCK_NONE) {
        event_log_add_untimed(log, event, 1);
        return;
    }
    const struct event_stats one = {.count = 1,
                                    .timed = 1,
                                    .bytes = event->bytes,
                                    .total_ns = event->duration_ns,
                                    .clock = event->clock};
    log->ring[log->count++ % EVENT_RING] = *event;
    if (event->clock == CLOCK_DEVICE)
        log->further_cost_ns += log->stamp_cost_ns;
    else if (event->clock != CLOCK_HOST)
        log->further_cost_ns += event_cost_ns();
    event_stats_add(&log->totals.of[event->kind][event->phase], &one);
    if (event->kind == EVENT_KERNEL && !log->is_shallow)
        add_duration(log, &log->durations[event->phase], event->iteration, event->duration_ns, 1);
}

void event_log_add(struct event_log *log, enum event_kind kind, enum array array,
                   enum clock_source clock, int64_t start_ns, int64_t duration_ns, uint64_t bytes) {
    const struct event event = {
        .kind = kind,
        .phase = atomic_load_explicit(&log->phase, memory_order_relaxed),
        .array = array,
        .clock = clock,
        .iteration = log->iteration,
        .start_ns = start_ns,
        .duration_ns = duration_ns,
        .bytes = bytes,
    };
    event_log_add_full(log, &event);
}

static bool has_durations(const struct duration_histogram *durations) {
    return durations->count > 0 || durations->warm_up_count > 0;
}

void event_log_discard(struct event_log *slab) {
    memset(&slab->totals, 0, sizeof slab->totals);
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        if (has_durations(&slab->durations[phase]))
            memset(&slab->durations[phase], 0, sizeof slab->durations[phase]);
    slab->count = 0;
    slab->further_cost_ns = 0;
}

static void add_sums(struct event_log *log, const struct event_log *slab) {
    event_totals_add(&log->totals, &slab->totals);
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        struct duration_histogram *durations = &log->durations[phase];
        const struct duration_histogram *more = &slab->durations[phase];
        if (!has_durations(more))
            continue;
        for (int b = 0; b < DURATION_OCTAVES * DURATION_STEPS; b++) {
            durations->buckets[b] += more->buckets[b];
            durations->sums_ns[b] += more->sums_ns[b];
        }
        durations->count += more->count;
        durations->warm_up_ns += more->warm_up_ns;
        durations->warm_up_count += more->warm_up_count;
    }
    memcpy(log->usage, slab->usage, sizeof log->usage);
    log->further_cost_ns += slab->further_cost_ns;
    log->clock_step_ns = slab->clock_step_ns;
    log->stamp_cost_ns = slab->stamp_cost_ns;
}

/* Orders by iteration, then by time: the last events of a log are then whole iterations of every
 * slab, although a slab adds a batch's events stream by stream. */
static int compare_events(const void *a, const void *b) {
    const struct event *one = a, *other = b;
    const int64_t difference = one->iteration != other->iteration
                                   ? one->iteration - other->iteration
                                   : one->start_ns - other->start_ns;
    return (difference > 0) - (difference < 0);
}

void event_log_gather(struct event_log *log, struct event_log *const *slabs, int count) {
    uint64_t next[PART_LOGS_MAX];
    for (int s = 0; s < count; s++) {
        next[s] = slabs[s]->count > EVENT_RING ? slabs[s]->count - EVENT_RING : 0;
        if (next[s] == 0)
            qsort(slabs[s]->ring, slabs[s]->count, sizeof slabs[s]->ring[0], compare_events);
        add_sums(log, slabs[s]);
    }
    for (;;) {
        const struct event *earliest = NULL;
        int from = 0;
        for (int s = 0; s < count; s++) {
            const struct event *event = &slabs[s]->ring[next[s] % EVENT_RING];
            if (next[s] < slabs[s]->count && (!earliest || compare_events(event, earliest) < 0)) {
                earliest = event;
                from = s;
            }
        }
        if (!earliest)
            break;
        struct event *to = &log->ring[log->count++ % EVENT_RING];
        *to = *earliest;
        to->device = from;
        next[from]++;
    }
    for (int s = 0; s < count; s++)
        event_log_discard(slabs[s]);
}

/* ---- the cost of events ------------------------------------------------------------------- */

static double cost_ns;
static pthread_once_t cost_once = PTHREAD_ONCE_INIT;

/* Takes the minimum of several tries: other processes can only make a try longer. */
static void measure_cost(void) {
    enum { TRIES = 5, EVENTS = 200 };
    struct event_log *log = calloc(1, sizeof *log);
    for (int try = 0; log && try < TRIES; try++) {
        const int64_t start = clock_now_ns();
        for (int e = 0; e < EVENTS; e++) {
            const int64_t began = clock_now_ns();
            event_log_add(log, EVENT_KERNEL, ARRAY_NONE, CLOCK_HOST, began, clock_now_ns() - began,
                          8);
        }
        const double each = (double)(clock_now_ns() - start) / EVENTS;
        cost_ns = try == 0 || each < cost_ns ? each : cost_ns;
    }
    free(log);
}

double event_cost_ns(void) {
    pthread_once(&cost_once, measure_cost);
    return cost_ns;
}
