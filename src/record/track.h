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
};

struct track {
    struct moment *moments;
    int count; /* ≥ 1 */
    struct recording *recording;
    char name[PATH_SIZE]; /* for messages */
    int lane;             /* of those in its samples */
    int first;            /* sample of the first moment; those after it follow without a gap */
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

/* Makes `spec` what lane `l` of the sample ran, as far as this program knows its names. */
void lane_spec_of_sample(const struct sample *sample, int l, struct lane_spec *spec);

#endif
