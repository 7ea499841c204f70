/* A track: one lane of a recording, from its first recorded moment to its last.
 *
 * If a recording holds several runs one after another, as when the user started anew, it is the
 * last of them. */
#ifndef JACOBI_RECORD_TRACK_H
#define JACOBI_RECORD_TRACK_H

#include "record/recording.h"

/* What is known of one recorded moment of a lane. */
struct moment {
    long iterations; /* never less than the moment's before */
    double seconds;  /* in the loop; whatever the file claims */
    long stride;     /* every so many of its residuals are known; < 1: each */
};

struct track {
    struct moment *moments;
    struct recording *recording;
    struct sample *earlier; /* its first lane: the moment before one that track_fill took */
    int count;              /* of moments, ≥ 1 */
    int lane;               /* of those in its samples */
    int first;              /* sample of the first moment; those after it follow without a gap */
    int earlier_moment;     /* which `earlier` is; -1: none */
    bool converged;         /* at the last moment */
    char name[PATH_SIZE];   /* for messages */
};

/* The path of a recording: the file of that name, or "h200-hip-classic" for one that comes with the
 * program. `path` has PATH_SIZE bytes. */
void track_find(const char *name, char *path);

/* STATUS_BAD_INPUT if it can't be read, or if it isn't clear which of its lanes is meant. */
enum status track_open(const struct plan_recording *named, struct track *track,
                       struct error *error);

/* Closing what was not opened, but is zero, is allowed. */
void track_close(struct track *track);

/* The sample of a moment, and the lane in it; valid until the next call. */
const struct sample *track_sample(struct track *track, int moment);
const struct lane_sample *track_lane(struct track *track, int moment);

/* The moment that shows so many iterations: the last one of as many or, if there is none, the first
 * of more; the last one of all if the track ends before. Looks from moment `from` on. */
int track_moment(const struct track *track, int from, long iterations);

/* Seconds in the loop after so many iterations, which that moment shows: between it and the one
 * before, or a beginning from 0, in proportion. Finite, and not below 0. */
double track_seconds(const struct track *track, int moment, long iterations);

/* Fills the lane as it was after so many iterations, which that moment shows. If it has more of
 * them: times, counts and bytes since the start in proportion between the moment before and it, the
 * residual from its history (NaN if that doesn't hold it), and no field ahead if there is one
 * before; the events and means of the last iterations are its own. Negative iterations: its own. */
void track_fill(struct track *track, int moment, long iterations, struct lane_sample *lane);

/* Makes `spec` what lane `l` of the sample ran, as far as this program knows its names. */
void lane_spec_of_sample(const struct sample *sample, int l, struct lane_spec *spec);

#endif
