/* A lane: one run, as the runner sees it.
 *
 * There are two kinds: computed (session/computed_lane.h) and recorded (below). A new kind needs a
 * struct that begins with a struct lane, a table of functions, and a line in runner_open. One
 * thread at a time uses a lane. Its functions block until their work is done. */
#pragma once

#include "run/sample.h"

struct lane;

/* A kind of lane. Exactly one of the first two functions is set; others may be NULL if marked
 * so. */
struct lane_ops {
    /* Makes up to `count` more iterations and updates the lane's figures. Does nothing once the
     * lane has ended. Returns the failure, which lane->error also contains. */
    enum status (*advance)(struct lane *lane, long count);

    /* For a lane that takes no turns: selects the keyframe to show next to lanes that have made up
     * to `iterations` iterations and have spent up to `seconds` in their loops. */
    void (*follow)(struct lane *lane, enum race race, long iterations, double seconds);

    /* Describes the current state of the lane. `sample` is the same in each call: fields that have
     * not changed are kept. `view` is the part of the grid to downsample; NULL: the field is
     * unchanged. If a field can't be computed, the lane fails and ends. */
    void (*fill)(struct lane *lane, const struct view *view, struct lane_sample *sample);

    /* Adds the figures of U to later samples, unless U is not finite, the host has too little
     * memory to copy it, or the lane has failed. A failed copy ends the lane. NULL: no U. */
    void (*measure_solution)(struct lane *lane);

    /* Measures the roof of the lane's device unless it is known. Takes about 0.3 s, during which
     * nothing else should run on the device. NULL: there is none to measure. */
    void (*probe)(struct lane *lane);

    /* Times some iterations of the run with each launch geometry, then continues with the previous
     * one. NULL: there is none to choose. */
    void (*scan_tuning)(struct lane *lane);

    /* Ends the run and frees the lane. `last`, if not NULL, is its last sample. Its totals then
     * include the cost of ending the run. */
    void (*close)(struct lane *lane, struct lane_sample *last);
};

struct lane {
    const struct lane_ops *ops;
    struct mesh mesh;
    struct event_log *log; /* of a computed lane, whose `on_phase` may be set; otherwise NULL */

    /* The iterations of a whole pass over U: the depth of `blocked`, 1 for other schedules. Fewer
     * iterations cost nearly as much, so turns should end between passes. */
    long pass;

    enum lane_state state;
    struct error error; /* the reason if state is LANE_FAILED */
    long iterations;    /* made so far */
    double seconds;     /* in the loop, as AMD's program counts: without setup and stops */
};

/* The seconds that `count` iterations count for: `elapsed`, unless the process was probably stopped
 * meanwhile, as by Ctrl-Z. It was if they took over a second and ten times as long as at the lane's
 * mean speed, which then gives the seconds. */
static inline double lane_awake_seconds(const struct lane *lane, long count, double elapsed) {
    const double usual = lane->seconds * (double)count / (double)lane->iterations;
    return lane->iterations > 0 && elapsed > 1 && elapsed > 10 * usual ? usual : elapsed;
}

/* Whether the lane takes turns and can continue. */
static inline bool lane_can_advance(const struct lane *lane) {
    return lane->ops->advance && lane->state == LANE_RUNNING;
}

/* Opens a recorded lane. It takes no turns and no device time: the progress of the computed lanes
 * selects its keyframe. Same iterations: as many as the most advanced computed lane, interpolated
 * between two keyframes if necessary (lane_recording_fill), or the whole recording if it has fewer.
 * Same time: its last keyframe within the longest time that a computed lane has spent in its loop.
 * Its field has the cells of the last requested view, or before that, those recorded.
 *
 * STATUS_BAD_INPUT if the recording can't be read, or if its lane is ambiguous. */
enum status recorded_lane_open(const struct plan_recording *named, struct lane **opened,
                               struct error *error);
