/* One lane of a recording, from its first keyframe to its last.
 *
 * If a recording holds several runs one after another, as when the user restarted, it is the
 * last of them. */
#ifndef JACOBI_RECORD_LANE_RECORDING_H
#define JACOBI_RECORD_LANE_RECORDING_H

#include "record/recording.h"

/* A recorded sample of a lane, in short. */
struct keyframe {
    long iterations; /* never less than the keyframe's before */
    double seconds;  /* in the loop; whatever the file claims */
    long stride;     /* every so many of its residuals are known; < 1: each */
};

struct lane_recording {
    struct keyframe *keyframes;
    struct recording *recording;
    struct sample *earlier; /* its first lane: the keyframe before the one filled last */
    int earlier_keyframe;   /* which that is; -1: none */
    int count;              /* of keyframes, ≥ 1 */
    int lane;               /* of those in the recording's samples */
    int first;              /* sample of the first keyframe; those after it follow without a gap */
    bool converged;         /* at the last keyframe */
};

/* The path of a recording: the file of that name, or "h200-hip-classic" for one that comes with the
 * program. `path` has PATH_SIZE bytes. */
void recording_path(const char *name, char *path);

/* STATUS_BAD_INPUT if it can't be read, or if it isn't clear which of its lanes is meant. */
enum status lane_recording_open(const struct plan_recording *named, struct lane_recording *recorded,
                                struct error *error);

/* Closing what was not opened, but is zero, is allowed. */
void lane_recording_close(struct lane_recording *recorded);

/* The sample of a keyframe, and the lane in it; valid until the next call. */
const struct sample *lane_recording_sample(struct lane_recording *recorded, int keyframe);
const struct lane_sample *lane_recording_lane(struct lane_recording *recorded, int keyframe);

/* The keyframe that shows so many iterations: the last one of as many or, if there is none, the
 * first of more; the last one of all if the recording ends before. Looks from `from` on. */
int lane_recording_find(const struct lane_recording *recorded, int from, long iterations);

/* Seconds in the loop after so many iterations, which that keyframe shows: interpolated between the
 * one before, or a beginning from 0, and it. Finite, and not below 0. */
double lane_recording_seconds(const struct lane_recording *recorded, int keyframe, long iterations);

/* Fills the lane as it was after so many iterations, which that keyframe shows. If it has more of
 * them, figures since the start are interpolated between the keyframe before and it, the residual
 * is taken from its history (NaN if that doesn't hold it), and the field is not one ahead if there
 * is one before; events and means of the last iterations are its own. Negative iterations: its
 * own. */
void lane_recording_fill(struct lane_recording *recorded, int keyframe, long iterations,
                         struct lane_sample *lane);

/* Makes `spec` what lane `l` of the sample ran, as far as this program knows its names. */
void lane_spec_of_sample(const struct sample *sample, int l, struct lane_spec *spec);

#endif
