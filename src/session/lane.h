/* A lane: one run, as the runner sees it.
 *
 * There are two kinds: computed here (session/computed_lane.h), and recorded (below). A third kind
 * is a struct that begins with a struct lane, a table of functions, and a line in runner_open. A
 * lane is used by one thread at a time, and its functions block until their work is done.
 */
#ifndef JACOBI_SESSION_LANE_H
#define JACOBI_SESSION_LANE_H

#include "run/sample.h"

struct lane;

/* A kind of lane. Exactly one of the first two is there; the others may be NULL if marked so. */
struct lane_ops {
    /* Makes up to `count` more iterations and updates the lane's figures. Does nothing once it has
     * ended. Returns the failure, which is in lane->error, too. */
    enum status (*advance)(struct lane *lane, long count);

    /* For a lane that takes no turns: goes to the keyframe to be shown beside lanes that have made
     * up to `iterations` iterations and have spent up to `seconds` in their loops. */
    void (*follow)(struct lane *lane, enum race race, long iterations, double seconds);

    /* Describes the lane as it is now. `sample` is the same from call to call: what has not changed
     * stays. `view` is the part of the grid to downsample; NULL: the field stays. A
     * field that can't be made is the lane's own failure and ends it. */
    void (*fill)(struct lane *lane, const struct view *view, struct lane_sample *sample);

    /* Copies U, Nx*Ny values, of a lane that has not failed; a failure ends it. NULL: it can't. */
    enum status (*read)(struct lane *lane, double *U);

    /* Measures the roof of the lane's device, about 0.3 s during which nothing else should run
     * there, unless it is known already. NULL: there is none to measure. */
    void (*probe)(struct lane *lane);

    /* Makes some iterations of the run with each launch geometry, and notes what one takes; goes on
     * with the one that it had. NULL: there is none to choose. */
    void (*scan_tuning)(struct lane *lane);

    /* Ends the run and frees the lane. `last`, unless it is NULL, is its last sample, whose totals
     * get what ending it costs. */
    void (*close)(struct lane *lane, struct lane_sample *last);
};

/* What every lane begins with. */
struct lane {
    const struct lane_ops *ops;
    struct mesh mesh;
    struct event_log *log; /* of a computed lane, whose `on_phase` may be set; else NULL */

    /* The iterations of one whole pass over U: the depth of `blocked`, 1 of the other schedules.
     * Fewer at a time cost nearly as much, so turns should end between passes.
     */
    long pass;

    enum lane_state state;
    struct error error; /* why, when state is LANE_FAILED */
    long iterations;    /* made so far */
    double seconds;     /* in the loop, as AMD's program counts: without setting up */
};

/* Whether it takes turns and can go on. */
static inline bool lane_can_advance(const struct lane *lane) {
    return lane->ops->advance && lane->state == LANE_RUNNING;
}

/* Opens a recorded lane. It follows those that are computed: what they have reached decides which
 * of its keyframes is shown, so it takes no turns and costs no time of any device. Same iterations:
 * as many as the computed lane that has made the most, between two keyframes if need be
 * (lane_recording_fill); all of it if there are no more. Same time: its last keyframe within the
 * longest time that a computed lane has spent in its loop. Its field has the cells of the view last
 * asked for; before that, those that were recorded.
 *
 * STATUS_BAD_INPUT if the recording can't be read, or if it isn't clear which of its lanes is
 * meant. */
enum status recorded_lane_open(const struct plan_recording *named, struct lane **opened,
                               struct error *error);

#endif
