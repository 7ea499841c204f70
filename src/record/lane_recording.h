/* One lane of a recording, from its first keyframe to its last.
 *
 * If a recording contains several consecutive runs, because the user restarted, this is the last
 * one. */
#pragma once

#include "record/recording.h"

/* The summary of a recorded sample of a lane. */
struct keyframe {
    long iterations; /* never fewer than in the previous keyframe */
    double seconds;  /* in the loop, as stored in the file: unchecked */
    long stride;     /* distance of its known residuals, in iterations; < 1: 1 */
};

struct lane_recording {
    struct keyframe *keyframes;
    struct recording *recording;
    struct sample *earlier; /* its first lane: the keyframe before the last one filled */
    int earlier_keyframe;   /* the number of that keyframe; -1: none */
    struct sample *last;    /* its first lane: the last keyframe */
    int count;              /* number of keyframes, ≥ 1 */
    int lane;               /* index in the recording's samples */
    int first;              /* sample of the first keyframe; the others follow without gaps */
    bool converged;         /* at the last keyframe */
};

/* STATUS_BAD_INPUT if the file can't be read or the lane is ambiguous. A zeroed struct can be
 * closed, too. */
enum status lane_recording_open(const struct plan_recording *named, struct lane_recording *recorded,
                                struct error *error);
void lane_recording_close(struct lane_recording *recorded);

/* The sample of a keyframe, and its lane; valid until the next call. */
const struct sample *lane_recording_sample(struct lane_recording *recorded, int keyframe);
const struct lane_sample *lane_recording_lane(struct lane_recording *recorded, int keyframe);

/* The keyframe that shows `iterations`: the last one with exactly as many, otherwise the first one
 * with more, otherwise the last keyframe. Searches from `from` on. */
int lane_recording_find(const struct lane_recording *recorded, int from, long iterations);

/* Seconds in the loop after `iterations`, which the keyframe shows. Interpolated between the
 * previous keyframe (or the start at 0) and this one. Finite, and not below 0. */
double lane_recording_seconds(const struct lane_recording *recorded, int keyframe, long iterations);

/* Makes the lane's figures those of the whole run, which ends with `last`, with totals in
 * proportion to its iterations: what is computed from them doesn't depend on the position of a
 * replay. If no iterations are known to be typical, all are. */
void lane_take_figures(struct lane_sample *lane, const struct lane_sample *last);

/* Fills in the lane's state after `iterations`, which the keyframe shows; negative: all of the
 * keyframe's. Totals since the start are the whole recording's in proportion to the iterations, and
 * its times per iteration are shown from the first keyframe on (`times` without a count: their
 * mean). If the keyframe has more iterations, the residual comes from the history (NaN if absent),
 * and the field is not a later one if there is an earlier one. Events and means of the last
 * iterations are the keyframe's. */
void lane_recording_fill(struct lane_recording *recorded, int keyframe, long iterations,
                         struct lane_sample *lane);

/* Sets `spec` to the run of lane `l` of the sample. Names unknown to this program are left out. */
void lane_spec_of_sample(const struct sample *sample, int l, struct lane_spec *spec);
