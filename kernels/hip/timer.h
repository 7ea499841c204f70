/* Times of what happens on a stream, by the device's own clock.
 *
 * Marks (device events) are put into the stream before and after each kernel and copy; when the
 * stream has been waited for, the times between them go to the event log, their starts mapped to
 * the host's clock. A mark costs a little time itself, so where marks would cost more than 0.25%
 * only every n-th iteration gets them; the other iterations' events go to the log untimed, so that
 * counts and bytes stay right.
 */
#ifndef JACOBI_HIP_TIMER_H
#define JACOBI_HIP_TIMER_H

#include "kernels/hip/stream.h"
#include "solver/events.h"

enum { TIMER_EVENTS = 1024, TIMER_SPANS = 1024 };

struct hip_span {
    struct event event;
    long times;      /* untimed events that are alike and follow each other are one record */
    int start, stop; /* marks; -1: untimed */
};

/* How far the records have got. */
struct hip_timer_position {
    int spans;
    long times; /* of the last of them */
};

struct hip_timer {
    const struct hip_stream *stream;
    struct event_log *log;
    bool enabled;
    double device_event_seconds; /* what one mark costs, with the asking for its time */
    long every; /* every so-many-th turn (an iteration, or a pass of several) is timed */
    long steps;
    bool sampled; /* the present one is */
    bool fresh;   /* nothing was enqueued since the last mark */
    long iteration;
    int start; /* the mark before what is being bracketed */

    hipEvent_t device_events[TIMER_EVENTS];
    int device_event_count; /* made */
    int device_events_used;
    struct hip_span spans[TIMER_SPANS];
    int span_count;
};

/* Measures what a mark costs; with `enabled` false nothing is ever recorded. To be
 * closed even when it fails. */
enum status hip_timer_open(struct hip_timer *timer, const struct hip_stream *stream,
                           struct event_log *log, bool enabled, struct error *error);
void hip_timer_close(struct hip_timer *timer);

/* From now on everything belongs to that iteration, and a turn begins. */
void hip_timer_iteration(struct hip_timer *timer, long iteration);

/* Brackets what is enqueued between the two calls. */
enum status hip_timer_before(struct hip_timer *timer, struct error *error);
enum status hip_timer_after(struct hip_timer *timer, enum event_kind kind, enum phase phase,
                            enum array array, uint64_t bytes, struct error *error);

/* Records something that the device's clock can't time; `clock` may be CLOCK_NONE. */
void hip_timer_note(struct hip_timer *timer, enum event_kind kind, enum phase phase,
                    enum array array, enum clock_source clock, int64_t start_ns,
                    int64_t duration_ns, uint64_t bytes);

/* Whether there is no room for another `records` of them: then wait for the queue and collect. */
bool hip_timer_is_full(const struct hip_timer *timer, int records);

/* Says that the host has waited since the last mark, so that the next kernel needs one of its own.
 */
void hip_timer_break(struct hip_timer *timer);

/* Hands everything recorded to the log. The queue must have been waited for. */
enum status hip_timer_collect(struct hip_timer *timer, struct error *error);

/* Where the records are now, and back to there: what came since was of work that is thrown away. */
struct hip_timer_position hip_timer_position(const struct hip_timer *timer);
void hip_timer_rewind(struct hip_timer *timer, const struct hip_timer_position *since);

/* Chooses `every` for iterations that last that long and put in so many marks. */
void hip_timer_tune(struct hip_timer *timer, double marks, double seconds);

#endif
