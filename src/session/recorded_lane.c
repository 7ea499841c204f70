/* A lane that was recorded: it follows the computed ones through its moments (session/lane.h). */
#include "session/lane.h"

#include <stdlib.h>

#include "record/track.h"

struct recorded_lane {
    struct lane base;
    struct track track;
    int moment;        /* of the track, to be shown, */
    long shown;        /* with so many iterations; -1: all */
    int filled_moment; /* what is in the sample; -1: nothing */
    long filled;
    struct view view; /* cols is 0 until one was asked for */
};

static void recorded_lane_follow(struct lane *base, enum race race, long iterations,
                                 double seconds) {
    struct recorded_lane *lane = (struct recorded_lane *)base;
    const struct moment *moments = lane->track.moments;
    const int last = lane->track.count - 1;
    int at = 0;
    lane->shown = -1;
    if (race == RACE_SAME_TIME) {
        while (at < last && moments[at + 1].seconds <= seconds)
            at++;
    } else {
        at = track_moment(&lane->track, 0, iterations);
        if (moments[at].iterations > iterations)
            lane->shown = iterations;
    }
    lane->moment = at;
    base->iterations = lane->shown < 0 ? moments[at].iterations : lane->shown;
    base->seconds = track_seconds(&lane->track, at, lane->shown);
}

static void recorded_lane_fill(struct lane *base, const struct view *view,
                               struct lane_sample *sample) {
    struct recorded_lane *lane = (struct recorded_lane *)base;
    if (view)
        lane->view = *view;
    else if (lane->filled_moment == lane->moment && lane->filled == lane->shown)
        return;
    track_fill(&lane->track, lane->moment, lane->shown, sample);
    if (lane->view.cols > 0)
        field_resample(&sample->field, &lane->view, base->mesh.Nx, base->mesh.Ny);
    lane->filled_moment = lane->moment;
    lane->filled = lane->shown;
}

static void recorded_lane_close(struct lane *base, struct lane_sample *last) {
    struct recorded_lane *lane = (struct recorded_lane *)base;
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
    lane->filled_moment = -1;
    *opened = &lane->base;
    return STATUS_OK;
}
