#include "kernels/hip/timer.h"

#include <math.h>

#include "core/system.h"

enum { MANY_EVENTS = 16 };

static const double events_share = 0.0025; /* of an iteration, at most */

static enum status check_clock(const struct hip_timer *timer, hipError_t code,
                               struct error *error) {
    return hip_check(timer->stream->driver, code, "the device's clock", error);
}

/* Device events are created when they are first needed, and then used again. */
static enum status record_event(struct hip_timer *timer, int *index, struct error *error) {
    const struct hip_driver *driver = timer->stream->driver;
    if (timer->events_used == timer->events_created) {
        const hipError_t code =
            driver->event_create(&timer->events[timer->events_created], hipEventDefault);
        if (code != hipSuccess)
            return check_clock(timer, code, error);
        timer->events_created++;
    }
    *index = timer->events_used++;
    timer->fresh = true;
    return check_clock(timer, driver->event_record(timer->events[*index], timer->stream->handle),
                       error);
}

static enum status record_many(struct hip_timer *timer, struct error *error) {
    enum status status = STATUS_OK;
    int index;
    timer->events_used = 0;
    for (int e = 0; e < MANY_EVENTS && !status; e++)
        status = record_event(timer, &index, error);
    return status;
}

static enum status elapsed(const struct hip_timer *timer, int start, int stop, double *seconds,
                           struct error *error) {
    float milliseconds = 0;
    const hipError_t code = timer->stream->driver->event_elapsed(
        &milliseconds, timer->events[start], timer->events[stop]);
    *seconds = 1e-3 * (double)milliseconds;
    return check_clock(timer, code, error);
}

enum status hip_timer_open(struct hip_timer *timer, const struct hip_stream *stream,
                           struct event_log *log, bool enabled, struct error *error) {
    timer->stream = stream;
    timer->clock = stream->gpu->is_emulated ? CLOCK_HOST : CLOCK_DEVICE;
    timer->log = log;
    timer->enabled = enabled;
    timer->every = 1;
    timer->sampled = enabled;
    if (!enabled)
        return STATUS_OK;

    /* What one device event costs: the host to record it or the device to pass it, whichever is
     * more, from many in a row. The first round creates them. */
    double on_device = 0, ignored = 0;
    enum status status = record_many(timer, error);
    if (!status)
        status = hip_stream_synchronize(stream, error);
    const int64_t recording = clock_now_ns();
    if (!status)
        status = record_many(timer, error);
    const double on_host = 1e-9 * (double)(clock_now_ns() - recording) / MANY_EVENTS;
    if (!status)
        status = hip_stream_synchronize(stream, error);
    if (!status)
        status = elapsed(timer, 0, MANY_EVENTS - 1, &on_device, error);

    /* Asking for times costs the host, too: twice per span. */
    const int64_t asking = clock_now_ns();
    for (int e = 1; e < MANY_EVENTS && !status; e++)
        status = elapsed(timer, 0, e, &ignored, error);
    timer->event_seconds = fmax(on_host, on_device / (MANY_EVENTS - 1)) +
                           1e-9 * (double)(clock_now_ns() - asking) / (MANY_EVENTS - 1);
    log->stamp_cost_ns = 1e9 * timer->event_seconds;
    timer->events_used = 0;
    timer->fresh = false;
    return status;
}

void hip_timer_close(struct hip_timer *timer) {
    while (timer->events_created > 0)
        timer->stream->driver->event_destroy(timer->events[--timer->events_created]);
}

void hip_timer_step(struct hip_timer *timer, long iteration) {
    timer->iteration = iteration;
    timer->sampled = timer->enabled && timer->steps++ % timer->every == 0;
}

enum status hip_timer_before(struct hip_timer *timer, struct error *error) {
    if (!timer->sampled)
        return STATUS_OK;
    if (timer->fresh) {
        timer->start = timer->events_used - 1;
        return STATUS_OK;
    }
    return record_event(timer, &timer->start, error);
}

static void add_span(struct hip_timer *timer, const struct event *event, int start, int stop) {
    if (timer->enabled && timer->span_count < TIMER_SPANS)
        timer->spans[timer->span_count++] =
            (struct hip_span){.event = *event, .times = 1, .start = start, .stop = stop};
}

enum status hip_timer_after(struct hip_timer *timer, enum event_kind kind, enum phase phase,
                            enum array array, uint64_t bytes, struct error *error) {
    int stop = -1;
    enum status status = STATUS_OK;
    if (timer->sampled) {
        status = record_event(timer, &stop, error);
    } else {
        /* An untimed span like the last is counted there. This happens in every pass that nobody
         * times, and must cost next to nothing. */
        const int count = timer->span_count;
        struct hip_span *last = count > 0 ? &timer->spans[count - 1] : NULL;
        timer->fresh = false;
        if (last && last->start < 0 && last->event.clock == CLOCK_NONE &&
            last->event.kind == kind && last->event.phase == phase && last->event.bytes == bytes) {
            last->times++;
            return STATUS_OK;
        }
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
    return status;
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

enum status hip_timer_collect(struct hip_timer *timer, struct error *error) {
    const int64_t now = clock_now_ns(); /* when the last device event had just been passed */
    enum status status = STATUS_OK;
    for (int s = 0; s < timer->span_count && !status; s++) {
        struct hip_span *span = &timer->spans[s];
        if (span->start >= 0) {
            double duration = 0, ago = 0;
            status = elapsed(timer, span->start, span->stop, &duration, error);
            if (!status)
                status = elapsed(timer, span->start, timer->events_used - 1, &ago, error);
            span->event.start_ns = now - (int64_t)(1e9 * ago);
            span->event.duration_ns = (int64_t)(1e9 * duration);
        }
        if (!status && span->event.clock == CLOCK_NONE)
            event_log_add_untimed(timer->log, &span->event, span->times);
        else if (!status)
            event_log_add_full(timer->log, &span->event);
    }
    timer->span_count = timer->events_used = 0;
    timer->fresh = false;
    return status;
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
    timer->every = share > events_share ? (long)ceil(share / events_share) : 1;
}
