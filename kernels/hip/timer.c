#include "kernels/hip/timer.h"

#include <math.h>

#include "core/clock.h"

enum { TRIAL_MARKS = 16 };

static const double marks_share = 0.0025; /* of an iteration, at most */

static enum status check(const struct hip_timer *timer, hipError_t code, struct error *error) {
    return hip_check(timer->stream->driver, code, "the device's clock", error);
}

/* Marks are made when they are first needed, and then used again. */
static enum status make_mark(struct hip_timer *timer, struct error *error) {
    if (timer->device_events_used < timer->device_event_count)
        return STATUS_OK;
    const hipError_t code = timer->stream->driver->event_create(
        &timer->device_events[timer->device_event_count], hipEventDefault);
    timer->device_event_count += code == hipSuccess;
    return check(timer, code, error);
}

static enum status put_mark(struct hip_timer *timer, int *mark, struct error *error) {
    const enum status status = make_mark(timer, error);
    if (status)
        return status;
    *mark = timer->device_events_used++;
    timer->fresh = true;
    return check(
        timer,
        timer->stream->driver->event_record(timer->device_events[*mark], timer->stream->handle),
        error);
}

static enum status between(const struct hip_timer *timer, int start, int stop, double *seconds,
                           struct error *error) {
    float milliseconds = 0;
    const hipError_t code = timer->stream->driver->event_elapsed(
        &milliseconds, timer->device_events[start], timer->device_events[stop]);
    *seconds = 1e-3 * (double)milliseconds;
    return check(timer, code, error);
}

static enum status put_marks(struct hip_timer *timer, struct error *error) {
    enum status status = STATUS_OK;
    int mark;
    timer->device_events_used = 0;
    for (int m = 0; m < TRIAL_MARKS && !status; m++)
        status = put_mark(timer, &mark, error);
    return status;
}

/* Asking for times costs the host, too: twice for each record. */
static enum status time_of_asking(struct hip_timer *timer, double *seconds, struct error *error) {
    enum status status = STATUS_OK;
    double ignored = 0;
    const int64_t start = clock_now_ns();
    for (int m = 1; m < TRIAL_MARKS && !status; m++)
        status = between(timer, 0, m, &ignored, error);
    *seconds = 1e-9 * (double)(clock_now_ns() - start) / (TRIAL_MARKS - 1);
    return status;
}

/* Marks one after another: what one costs the host to put in, or the device to pass, whichever is
 * more, and to ask for its time. The first round makes them. */
static enum status measure_mark(struct hip_timer *timer, struct error *error) {
    double on_device = 0;
    enum status status = put_marks(timer, error);
    if (!status)
        status = hip_stream_synchronize(timer->stream, error);
    const int64_t start = clock_now_ns();
    if (!status)
        status = put_marks(timer, error);
    const double on_host = 1e-9 * (double)(clock_now_ns() - start) / TRIAL_MARKS;
    if (!status)
        status = hip_stream_synchronize(timer->stream, error);
    if (!status)
        status = between(timer, 0, TRIAL_MARKS - 1, &on_device, error);
    double asking = 0;
    if (!status)
        status = time_of_asking(timer, &asking, error);
    timer->device_event_seconds = fmax(on_host, on_device / (TRIAL_MARKS - 1)) + asking;
    timer->device_events_used = 0;
    timer->fresh = false;
    return status;
}

enum status hip_timer_open(struct hip_timer *timer, const struct hip_stream *stream,
                           struct event_log *log, bool enabled, struct error *error) {
    timer->stream = stream;
    timer->log = log;
    timer->enabled = enabled;
    timer->every = 1;
    timer->sampled = enabled;
    return enabled ? measure_mark(timer, error) : STATUS_OK;
}

void hip_timer_close(struct hip_timer *timer) {
    while (timer->device_event_count > 0)
        timer->stream->driver->event_destroy(timer->device_events[--timer->device_event_count]);
}

void hip_timer_iteration(struct hip_timer *timer, long iteration) {
    timer->iteration = iteration;
    timer->sampled = timer->enabled && timer->steps++ % timer->every == 0;
}

enum status hip_timer_before(struct hip_timer *timer, struct error *error) {
    if (!timer->sampled)
        return STATUS_OK;
    if (timer->fresh) {
        timer->start = timer->device_events_used - 1;
        return STATUS_OK;
    }
    return put_mark(timer, &timer->start, error);
}

static void record(struct hip_timer *timer, const struct event *event, int start, int stop) {
    if (timer->enabled && timer->span_count < TIMER_SPANS)
        timer->spans[timer->span_count++] =
            (struct hip_span){.event = *event, .times = 1, .start = start, .stop = stop};
}

/* Whether it is what the last record was, which then stands for it, too: this comes with every pass
 * that nobody times, and must cost next to nothing. */
static bool once_more(struct hip_timer *timer, enum event_kind kind, enum phase phase,
                      uint64_t bytes) {
    if (timer->span_count == 0)
        return false;
    struct hip_span *last = &timer->spans[timer->span_count - 1];
    if (last->start >= 0 || last->event.clock != CLOCK_NONE || last->event.kind != kind ||
        last->event.phase != phase || last->event.bytes != bytes)
        return false;
    last->times++;
    return true;
}

enum status hip_timer_after(struct hip_timer *timer, enum event_kind kind, enum phase phase,
                            enum array array, uint64_t bytes, struct error *error) {
    if (!timer->sampled)
        timer->fresh = false;
    if (!timer->sampled && once_more(timer, kind, phase, bytes))
        return STATUS_OK;
    struct event event = {
        .kind = kind,
        .phase = phase,
        .array = array,
        .clock = CLOCK_NONE,
        .iteration = timer->iteration,
        .bytes = bytes,
    };
    if (!timer->sampled) {
        record(timer, &event, -1, -1);
        return STATUS_OK;
    }
    int stop = -1;
    const enum status status = put_mark(timer, &stop, error);
    event.clock = CLOCK_DEVICE;
    record(timer, &event, timer->start, stop);
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
    record(timer, &event, -1, -1);
}

bool hip_timer_is_full(const struct hip_timer *timer, int records) {
    return timer->span_count + records > TIMER_SPANS ||
           timer->device_events_used + 2 * records > TIMER_EVENTS;
}

void hip_timer_break(struct hip_timer *timer) {
    timer->fresh = false;
}

/* `now`: the host's clock when the last mark had just been passed. */
static enum status settle(const struct hip_timer *timer, struct hip_span *record, int64_t now,
                          struct error *error) {
    double duration = 0, ago = 0;
    enum status status = between(timer, record->start, record->stop, &duration, error);
    if (!status)
        status = between(timer, record->start, timer->device_events_used - 1, &ago, error);
    record->event.start_ns = now - (int64_t)(1e9 * ago);
    record->event.duration_ns = (int64_t)(1e9 * duration);
    return status;
}

enum status hip_timer_collect(struct hip_timer *timer, struct error *error) {
    const int64_t now = clock_now_ns();
    enum status status = STATUS_OK;
    for (int r = 0; r < timer->span_count && !status; r++) {
        struct hip_span *record = &timer->spans[r];
        if (record->start >= 0)
            status = settle(timer, record, now, error);
        if (!status && record->event.clock == CLOCK_NONE)
            event_log_add_untimed(timer->log, &record->event, record->times);
        else if (!status)
            event_log_add_full(timer->log, &record->event);
    }
    timer->span_count = timer->device_events_used = 0;
    timer->fresh = false;
    return status;
}

struct hip_timer_position hip_timer_position(const struct hip_timer *timer) {
    const int records = timer->span_count;
    return (struct hip_timer_position){records, records > 0 ? timer->spans[records - 1].times : 0};
}

void hip_timer_rewind(struct hip_timer *timer, const struct hip_timer_position *since) {
    if (since->spans > timer->span_count)
        return;
    timer->span_count = since->spans;
    if (since->spans > 0)
        timer->spans[since->spans - 1].times = since->times;
}

void hip_timer_tune(struct hip_timer *timer, double marks, double seconds) {
    const double share = marks * timer->device_event_seconds / seconds;
    timer->every = share > marks_share ? (long)ceil(share / marks_share) : 1;
}
