/* A lane that was recorded: it follows the computed ones through its moments (session/lane.h). */
#include "session/lane.h"

#include <stdlib.h>

#include "record/track.h"

struct recorded_lane {
    struct lane base;
    struct track track;
    int moment, filled; /* of the track: to be shown; in the sample, -1: none */
    struct view view;   /* cols is 0 until one was asked for */
};

static void recorded_lane_follow(struct lane *base, enum race race, long iterations,
                                 double seconds) {
    struct recorded_lane *lane = (struct recorded_lane *)base;
    const struct moment *moments = lane->track.moments;
    const int last = lane->track.count - 1;
    int at = 0;
    if (race == RACE_SAME_TIME)
        while (at < last && moments[at + 1].seconds <= seconds)
            at++;
    else
        while (at < last && moments[at].iterations < iterations)
            at++;
    lane->moment = at;
    base->iterations = moments[at].iterations;
    base->seconds = moments[at].seconds;
}

static void recorded_lane_fill(struct lane *base, const struct view *view,
                               struct lane_sample *sample) {
    struct recorded_lane *lane = (struct recorded_lane *)base;
    if (view)
        lane->view = *view;
    else if (lane->filled == lane->moment)
        return;
    lane_sample_copy(sample, track_lane(&lane->track, lane->moment));
    if (lane->view.cols > 0)
        field_resample(&sample->field, &lane->view, base->mesh.Nx, base->mesh.Ny);
    lane->filled = lane->moment;
}

static void recorded_lane_close(struct lane *base, struct lane_sample *last) {
    struct recorded_lane *lane = (struct recorded_lane *)base;
    (void)last;
    track_close(&lane->track);
    free(lane);
}

static const struct lane_ops recorded_lane_ops = {
    .follow = recorded_lane_follow,
    .fill = recorded_lane_fill,
    .close = recorded_lane_close,
};

enum status recorded_lane_open(const struct plan_recording *named, struct lane **opened,
                               struct error *error) {
    struct recorded_lane *lane = calloc(1, sizeof *lane);
    if (!lane)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    if (track_open(named, &lane->track, error)) {
        free(lane);
        return error->status;
    }
    const struct sample *first = track_sample(&lane->track, 0);
    lane->base = (struct lane){
        .ops = &recorded_lane_ops, .mesh = mesh_make(first->nx, first->ny), .pass = 1};
    lane->filled = -1;
    *opened = &lane->base;
    return STATUS_OK;
}
