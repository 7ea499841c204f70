/* Times the work on a stream by the device's own clock.
 *
 * Device events are recorded in the stream before and after each kernel and copy; the work between
 * two of them is a span. After a wait for the stream, the spans go to the event log, with
 * their starts mapped to the host's clock. A device event itself costs a little time. To limit this
 * cost to 0.25%, only every n-th iteration gets them if necessary. The other iterations' spans go
 * to the log untimed, so that counts and bytes stay correct. */
#pragma once

#include "kernels/hip/stream.h"

enum { TIMER_EVENTS = 1024, TIMER_SPANS = 1024 };

struct hip_span {
    struct event event; /* as it goes to the log */
    long times;         /* consecutive untimed events that are alike share one span */
    int start, stop;    /* device events; -1: untimed */
    bool is_shallow;    /* struct event_log's, for these events */
};

/* A position in the list of spans. */
struct hip_timer_position {
    int spans;
    long times; /* of the last span */
};

struct hip_timer {
    const struct hip_stream *stream;
    struct event_log *log;
    enum clock_source clock; /* the clock of the device events */
    bool enabled;
    double event_seconds; /* the cost of one device event, including the query of its time */
    long every;           /* one in `every` steps (an iteration, or a pass of several) is timed */
    long steps;
    bool sampled;    /* the current step is timed */
    bool is_shallow; /* for struct hip_span */
    bool fresh;      /* nothing was enqueued since the last device event */
    long iteration;
    int start; /* the device event before the work being timed */

    hipEvent_t events[TIMER_EVENTS];
    int events_created;
    int events_used;
    struct hip_span spans[TIMER_SPANS];
    int span_count;
};

/* Measures the cost of a device event. If not `enabled`, nothing is ever timed or logged. */
void hip_timer_open(struct hip_timer *timer, const struct hip_stream *stream, struct event_log *log,
                    bool enabled);
void hip_timer_close(struct hip_timer *timer);

/* Begins a step; later spans belong to that iteration. */
void hip_timer_step(struct hip_timer *timer, long iteration);

/* Time the work enqueued between the two calls. */
void hip_timer_before(struct hip_timer *timer);
void hip_timer_after(struct hip_timer *timer, enum event_kind kind, enum phase phase,
                     enum array array, uint64_t bytes);

/* Adds a span that the device's clock can't time; `clock` may be CLOCK_NONE. */
void hip_timer_note(struct hip_timer *timer, enum event_kind kind, enum phase phase,
                    enum array array, enum clock_source clock, int64_t start_ns,
                    int64_t duration_ns, uint64_t bytes);

/* Adds `times` untimed kernels. */
void hip_timer_count(struct hip_timer *timer, enum phase phase, uint64_t bytes, long times);

/* Whether there is no room for `spans` more spans. If so, synchronize the stream and collect. */
bool hip_timer_is_full(const struct hip_timer *timer, int spans);

/* Marks that the next span needs its own device event at its start, because the device has waited
 * for the host since the last span. */
void hip_timer_break(struct hip_timer *timer);

/* Moves all spans to the log, unless there was a failure. Synchronize the stream first. */
void hip_timer_collect(struct hip_timer *timer);

/* Returns to an earlier position: drops the spans of discarded work. */
struct hip_timer_position hip_timer_position(const struct hip_timer *timer);
void hip_timer_rewind(struct hip_timer *timer, const struct hip_timer_position *position);

/* Chooses `every` for steps that last `seconds` and record `events` device events: a power of two,
 * so that several devices time the same steps. */
void hip_timer_tune(struct hip_timer *timer, double events, double seconds);
