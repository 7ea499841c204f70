/* A recorded lane, which follows the computed ones (session/lane.h). */
#include "session/lane.h"

#include <stdlib.h>

#include "record/lane_recording.h"

struct recorded_lane {
    struct lane base;
    struct lane_recording recorded;
    int keyframe;        /* the keyframe to show */
    long shown;          /* and its iterations; -1: all */
    int filled_keyframe; /* the keyframe in the sample; -1: none */
    long filled;
    struct view view; /* cols is 0 until a view is requested */
};

static void recorded_lane_follow(struct lane *base, enum race race, long iterations,
                                 double seconds) {
    struct recorded_lane *lane = (struct recorded_lane *)base;
    const struct keyframe *keyframes = lane->recorded.keyframes;
    const int last = lane->recorded.count - 1;
    int at = 0;
    lane->shown = -1;
    if (race == RACE_SAME_TIME) {
        while (at < last && keyframes[at + 1].seconds <= seconds)
            at++;
    } else {
        at = lane_recording_find(&lane->recorded, 0, iterations);
        if (keyframes[at].iterations > iterations)
            lane->shown = iterations;
    }
    lane->keyframe = at;
    base->iterations = lane->shown < 0 ? keyframes[at].iterations : lane->shown;
    base->seconds = lane_recording_seconds(&lane->recorded, at, lane->shown);
}

static void recorded_lane_fill(struct lane *base, const struct view *view,
                               struct lane_sample *sample) {
    struct recorded_lane *lane = (struct recorded_lane *)base;
    if (view)
        lane->view = *view;
    else if (lane->filled_keyframe == lane->keyframe && lane->filled == lane->shown)
        return;
    lane_recording_fill(&lane->recorded, lane->keyframe, lane->shown, sample);
    if (lane->view.cols > 0)
        field_resample(&sample->field, &lane->view, base->mesh.Nx, base->mesh.Ny);
    lane->filled_keyframe = lane->keyframe;
    lane->filled = lane->shown;
}

static void recorded_lane_close(struct lane *base, struct lane_sample *last) {
    struct recorded_lane *lane = (struct recorded_lane *)base;
    lane_recording_close(&lane->recorded);
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
    if (lane_recording_open(named, &lane->recorded, error)) {
        free(lane);
        return error->status;
    }
    const struct sample *first = lane_recording_sample(&lane->recorded, 0);
    lane->base = (struct lane){
        .ops = &recorded_lane_ops, .mesh = mesh_make(first->nx, first->ny), .pass = 1};
    lane->filled_keyframe = -1;
    *opened = &lane->base;
    return STATUS_OK;
}
