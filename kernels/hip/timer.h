/* Times of what happens on a queue, by the device's own clock.
 *
 * Marks (device events) are put into the stream before and after each kernel and copy; when the
 * stream has been waited for, the times between them go to the event log, their starts mapped to
 * the host's clock. A mark costs a little time itself, so where marks would cost more than 0.25%
 * only every n-th iteration gets them; the other iterations' events go to the log untimed, so that
 * counts and bytes stay right.
 */
#ifndef JACOBI_HIP_TIMER_H
#define JACOBI_HIP_TIMER_H

#include "kernels/hip/queue.h"
#include "solver/events.h"

enum { TIMER_MARKS = 1024, TIMER_RECORDS = 1024 };

struct timer_record {
    struct event event;
    long times;      /* untimed events that are alike and follow each other are one record */
    int start, stop; /* marks; -1: untimed */
};

/* How far the records have got. */
struct timer_place {
    int records;
    long times; /* of the last of them */
};

struct timer {
    const struct queue *queue;
    struct event_log *log;
    bool enabled;
    double mark_seconds; /* what one mark costs, with the asking for its time */
    long every;          /* every so-many-th turn (an iteration, or a pass of several) is timed */
    long turns;
    bool sampled; /* the present one is */
    bool fresh;   /* nothing was enqueued since the last mark */
    long iteration;
    int start; /* the mark before what is being bracketed */

    hipEvent_t marks[TIMER_MARKS];
    int mark_count; /* made */
    int marks_used;
    struct timer_record records[TIMER_RECORDS];
    int record_count;
};

/* Measures what a mark costs; with `enabled` false nothing is ever recorded. To be
 * closed even when it fails. */
enum status timer_open(struct timer *timer, const struct queue *queue, struct event_log *log,
                       bool enabled, struct error *error);
void timer_close(struct timer *timer);

/* From now on everything belongs to that iteration, and a turn begins. */
void timer_iteration(struct timer *timer, long iteration);

/* Brackets what is enqueued between the two calls. */
enum status timer_before(struct timer *timer, struct error *error);
enum status timer_after(struct timer *timer, enum event_kind kind, enum phase phase,
                        enum array array, uint64_t bytes, struct error *error);

/* Records something that the device's clock can't time; `clock` may be CLOCK_NONE. */
void timer_note(struct timer *timer, enum event_kind kind, enum phase phase, enum array array,
                enum clock_source clock, int64_t start_ns, int64_t duration_ns, uint64_t bytes);

/* Whether there is no room for another `records` of them: then wait for the queue and collect. */
bool timer_is_full(const struct timer *timer, int records);

/* Says that the host has waited since the last mark, so that the next kernel needs one of its own.
 */
void timer_break(struct timer *timer);

/* Hands everything recorded to the log. The queue must have been waited for. */
enum status timer_collect(struct timer *timer, struct error *error);

/* Where the records are now, and back to there: what came since was of work that is thrown away. */
struct timer_place timer_place(const struct timer *timer);
void timer_forget(struct timer *timer, const struct timer_place *since);

/* Chooses `every` for iterations that last that long and put in so many marks. */
void timer_tune(struct timer *timer, double marks, double seconds);

#endif
