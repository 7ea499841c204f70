#include "kernels/hip/timer.h"

#include <math.h>

#include "core/system.h"

enum { MANY_EVENTS = 16, EVERY_MAX = 1 << 20 };
static const double a_day = 86400; /* seconds */

static const double events_share = 0.0025; /* the maximum per iteration */

/* Device events are created on first use, and then reused. */
static int record_event(struct hip_timer *timer) {
    const int index = timer->events_used;
    if (index == timer->events_created)
        timer->events[index] = hip_stream_event(timer->stream, hipEventDefault);
    if (hip_failed(timer->stream))
        return 0;
    if (index == timer->events_created)
        timer->events_created++;
    timer->events_used++;
    timer->fresh = true;
    hip_stream_record(timer->stream, timer->events[index]);
    return index;
}

static void record_many(struct hip_timer *timer) {
    timer->events_used = 0;
    for (int e = 0; e < MANY_EVENTS; e++)
        record_event(timer);
}

static double elapsed(const struct hip_timer *timer, int start, int stop) {
    float milliseconds = 0;
    HIP_CALL(timer->stream, event_elapsed(&milliseconds, timer->events[start], timer->events[stop]),
             "the device's clock");
    return 1e-3 * (double)milliseconds;
}

void hip_timer_open(struct hip_timer *timer, const struct hip_stream *stream, struct event_log *log,
                    bool enabled) {
    timer->stream = stream;
    timer->log = log;
    timer->enabled = timer->sampled = enabled;
    timer->every = 1;
    if (!enabled || hip_failed(stream))
        return;
    timer->clock = stream->gpu->is_emulated ? CLOCK_HOST : CLOCK_DEVICE;

    /* The cost of a device event: the host's time to record it, or the device's to pass it,
     * whichever is more, averaged over many. The first round creates them. */
    record_many(timer);
    hip_stream_synchronize(stream);
    const int64_t recording = clock_now_ns();
    record_many(timer);
    const double on_host = 1e-9 * (double)(clock_now_ns() - recording) / MANY_EVENTS;
    hip_stream_synchronize(stream);
    const double on_device = elapsed(timer, 0, MANY_EVENTS - 1);

    /* Querying times costs the host, too: twice per span. */
    const int64_t asking = clock_now_ns();
    for (int e = 1; e < MANY_EVENTS; e++)
        elapsed(timer, 0, e);
    timer->event_seconds = fmax(on_host, on_device / (MANY_EVENTS - 1)) +
                           1e-9 * (double)(clock_now_ns() - asking) / (MANY_EVENTS - 1);
    log->stamp_cost_ns = 1e9 * timer->event_seconds;
    timer->events_used = 0;
    timer->fresh = false;
}

void hip_timer_close(struct hip_timer *timer) {
    while (timer->events_created > 0)
        timer->stream->driver->event_destroy(timer->events[--timer->events_created]);
}

void hip_timer_step(struct hip_timer *timer, long iteration) {
    timer->iteration = iteration;
    timer->sampled = timer->enabled && timer->steps++ % timer->every == 0;
}

void hip_timer_before(struct hip_timer *timer) {
    if (timer->sampled)
        timer->start = timer->fresh ? timer->events_used - 1 : record_event(timer);
}

static void add_span(struct hip_timer *timer, const struct event *event, int start, int stop) {
    if (timer->enabled && timer->span_count < TIMER_SPANS)
        timer->spans[timer->span_count++] =
            (struct hip_span){*event, 1, start, stop, timer->is_shallow};
}

void hip_timer_after(struct hip_timer *timer, enum event_kind kind, enum phase phase,
                     enum array array, uint64_t bytes) {
    /* An untimed span like the last one only increments a count. This happens in every untimed
     * pass, and must cost almost nothing. */
    const int count = timer->span_count;
    struct hip_span *last = count > 0 && !timer->sampled ? &timer->spans[count - 1] : NULL;
    const int stop = timer->sampled ? record_event(timer) : -1;
    timer->fresh &= timer->sampled;
    if (last && last->start < 0 && last->event.clock == CLOCK_NONE && last->event.kind == kind &&
        last->event.phase == phase && last->event.bytes == bytes) {
        last->times++;
        return;
    }
    const struct event event = {
        .kind = kind,
        .phase = phase,
        .array = array,
        .clock = timer->sampled ? timer->clock : CLOCK_NONE,
        .iteration = timer->iteration,
        .bytes = bytes,
    };
    add_span(timer, &event, timer->sampled ? timer->start : -1, stop);
}

void hip_timer_note(struct hip_timer *timer, enum event_kind kind, enum phase phase,
                    enum array array, enum clock_source clock, int64_t start_ns,
                    int64_t duration_ns, uint64_t bytes) {
    const struct event event = {
        .kind = kind,
        .phase = phase,
        .array = array,
        .clock = clock,
        .iteration = timer->iteration,
        .start_ns = start_ns,
        .duration_ns = duration_ns,
        .bytes = bytes,
    };
    add_span(timer, &event, -1, -1);
}

void hip_timer_count(struct hip_timer *timer, enum phase phase, uint64_t bytes, long times) {
    if (times < 1)
        return;
    hip_timer_note(timer, EVENT_KERNEL, phase, ARRAY_NONE, CLOCK_NONE, 0, 0, bytes);
    if (timer->enabled && timer->span_count > 0)
        timer->spans[timer->span_count - 1].times = times;
}

bool hip_timer_is_full(const struct hip_timer *timer, int spans) {
    return timer->span_count + spans > TIMER_SPANS || timer->events_used + 2 * spans > TIMER_EVENTS;
}

void hip_timer_break(struct hip_timer *timer) {
    timer->fresh = false;
}

void hip_timer_collect(struct hip_timer *timer) {
    const int64_t now = clock_now_ns(); /* shortly after the device passed the last event */
    for (int s = 0; s < timer->span_count; s++) {
        struct hip_span *span = &timer->spans[s];
        if (span->start >= 0) {
            const double duration = elapsed(timer, span->start, span->stop);
            const double ago = elapsed(timer, span->start, timer->events_used - 1);
            if (!(duration >= 0 && ago >= 0 && fmax(duration, ago) < a_day))
                span->event.clock = CLOCK_NONE; /* the driver's times can't be true */
            else {
                span->event.start_ns = now - (int64_t)(1e9 * ago);
                span->event.duration_ns = (int64_t)(1e9 * duration);
            }
        }
        if (hip_failed(timer->stream))
            break;
        timer->log->is_shallow = span->is_shallow;
        if (span->event.clock == CLOCK_NONE)
            event_log_add_untimed(timer->log, &span->event, span->times);
        else
            event_log_add_full(timer->log, &span->event);
    }
    timer->log->is_shallow = false;
    timer->span_count = timer->events_used = 0;
    timer->fresh = false;
}

struct hip_timer_position hip_timer_position(const struct hip_timer *timer) {
    const int spans = timer->span_count;
    return (struct hip_timer_position){spans, spans > 0 ? timer->spans[spans - 1].times : 0};
}

void hip_timer_rewind(struct hip_timer *timer, const struct hip_timer_position *position) {
    if (position->spans > timer->span_count)
        return;
    timer->span_count = position->spans;
    if (position->spans > 0)
        timer->spans[position->spans - 1].times = position->times;
}

void hip_timer_tune(struct hip_timer *timer, double events, double seconds) {
    const double share = events * timer->event_seconds / seconds;
    timer->every = 1;
    while (share > events_share * (double)timer->every && timer->every < EVERY_MAX)
        timer->every *= 2;
}
