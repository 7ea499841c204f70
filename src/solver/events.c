#include "solver/events.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/system.h"

static const char *const clock_names[CLOCK_COUNT] = {
    [CLOCK_NONE] = "none",           [CLOCK_HOST] = "host",
    [CLOCK_OMPT] = "ompt",           [CLOCK_TARGET_REGION] = "target-region",
    [CLOCK_DEVICE] = "device-event", [CLOCK_COUNTER] = "device-clock",
};

const char *event_kind_key(enum event_kind kind) {
    static const char *const keys[EVENT_KIND_COUNT] = {
        [EVENT_KERNEL] = "kernel",
        [EVENT_TO_DEVICE] = "to_device",
        [EVENT_FROM_DEVICE] = "from_device",
        [EVENT_ALLOC] = "alloc",
        [EVENT_WAIT] = "wait",
    };
    return keys[kind];
}

const char *clock_name(enum clock_source clock) {
    return clock_names[clock];
}

double tally_mean_ns(const struct tally *tally) {
    return tally->timed ? (double)tally->total_ns / (double)tally->timed : NAN;
}

double tally_total_ns(const struct tally *tally) {
    return tally_mean_ns(tally) * (double)tally->count;
}

static void tally_add(struct tally *sum, const struct tally *more) {
    sum->count += more->count;
    sum->timed += more->timed;
    sum->bytes += more->bytes;
    sum->total_ns += more->total_ns;
    if (more->clock != CLOCK_NONE)
        sum->clock = more->clock;
}

struct tally event_totals_loop(const struct event_totals *totals, enum event_kind kind) {
    struct tally sum = {0};
    for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++)
        tally_add(&sum, &totals->of[kind][phase]);
    return sum;
}

void event_totals_add(struct event_totals *totals, const struct event_totals *more) {
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
        for (int phase = 0; phase < PHASE_COUNT; phase++)
            tally_add(&totals->of[kind][phase], &more->of[kind][phase]);
}

struct event_totals event_totals_since(const struct event_totals *now,
                                       const struct event_totals *before) {
    struct event_totals since = *now;
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
        for (int phase = 0; phase < PHASE_COUNT; phase++) {
            struct tally *tally = &since.of[kind][phase];
            const struct tally *old = &before->of[kind][phase];
            tally->count -= old->count;
            tally->timed -= old->timed;
            tally->bytes -= old->bytes;
            tally->total_ns -= old->total_ns;
        }
    return since;
}

static void spread_add(struct spread *spread, long iteration, int64_t ns) {
    if (iteration < SPREAD_WARM_UP) {
        spread->warm_up_ns += ns;
        spread->warm_up_count++;
        return;
    }
    const int bucket = ns < 1 ? 0 : (int)(log2((double)ns) * SPREAD_STEPS);
    const int last = SPREAD_OCTAVES * SPREAD_STEPS - 1;
    spread->buckets[bucket < last ? bucket : last]++;
    spread->count++;
}

double spread_quantile(const struct spread *spread, double fraction) {
    if (spread->count == 0)
        return NAN;
    const double wanted = fraction * (double)spread->count;
    double below = 0;
    int bucket = 0;
    for (; bucket < SPREAD_OCTAVES * SPREAD_STEPS - 1; bucket++) {
        below += spread->buckets[bucket];
        if (below >= wanted && below > 0)
            break;
    }
    return exp2((bucket + 0.5) / SPREAD_STEPS);
}

void event_log_reset(struct event_log *log) {
    memset(log, 0, sizeof *log);
    atomic_store(&log->phase, PHASE_SETUP);
}

void event_log_enter(struct event_log *log, enum phase phase) {
    atomic_store_explicit(&log->phase, phase, memory_order_relaxed);
    if (log->on_phase)
        log->on_phase(log->on_phase_context, phase);
}

void event_log_add_untimed(struct event_log *log, const struct event *event, long times) {
    struct tally *tally = &log->totals.of[event->kind][event->phase];
    tally->count += (uint64_t)times;
    tally->bytes += (uint64_t)times * event->bytes;
}

void event_log_add_full(struct event_log *log, const struct event *event) {
    if (event->clock == CLOCK_NONE) {
        event_log_add_untimed(log, event, 1);
        return;
    }
    const struct tally one = {.count = 1,
                              .timed = 1,
                              .bytes = event->bytes,
                              .total_ns = event->duration_ns,
                              .clock = event->clock};
    log->ring[log->count++ % EVENT_RING] = *event;
    if (event->clock == CLOCK_DEVICE)
        log->further_cost_ns += log->stamp_cost_ns;
    else if (event->clock != CLOCK_HOST)
        log->further_cost_ns += event_cost_ns();
    tally_add(&log->totals.of[event->kind][event->phase], &one);
    if (event->kind == EVENT_KERNEL)
        spread_add(&log->spreads[event->phase], event->iteration, event->duration_ns);
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

void event_log_discard(struct event_log *slab) {
    memset(&slab->totals, 0, sizeof slab->totals);
    memset(slab->spreads, 0, sizeof slab->spreads);
    slab->count = 0;
    slab->further_cost_ns = 0;
}

static void add_sums(struct event_log *log, const struct event_log *slab) {
    event_totals_add(&log->totals, &slab->totals);
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        struct spread *spread = &log->spreads[phase];
        const struct spread *more = &slab->spreads[phase];
        for (int b = 0; b < SPREAD_OCTAVES * SPREAD_STEPS; b++)
            spread->buckets[b] += more->buckets[b];
        spread->count += more->count;
        spread->warm_up_ns += more->warm_up_ns;
        spread->warm_up_count += more->warm_up_count;
    }
    log->further_cost_ns += slab->further_cost_ns;
    log->clock_step_ns = slab->clock_step_ns;
    log->stamp_cost_ns = slab->stamp_cost_ns;
}

void event_log_gather(struct event_log *log, struct event_log *const *slabs, int count) {
    uint64_t next[PART_LOGS_MAX];
    for (int s = 0; s < count; s++) {
        next[s] = slabs[s]->count > EVENT_RING ? slabs[s]->count - EVENT_RING : 0;
        add_sums(log, slabs[s]);
    }
    for (;;) {
        const struct event *earliest = NULL;
        int from = 0;
        for (int s = 0; s < count; s++) {
            const struct event *event = &slabs[s]->ring[next[s] % EVENT_RING];
            if (next[s] < slabs[s]->count && (!earliest || event->start_ns < earliest->start_ns)) {
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

/* ---- what events cost --------------------------------------------------------------------- */

static double cost_ns;
static pthread_once_t cost_once = PTHREAD_ONCE_INIT;

/* The least of some tries: others may disturb one, nothing makes one too short. */
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
