/* A lane of a recording: one run, from its first recorded moment to its last.
 *
 * Where a recording holds several runs one after another, as when the user started anew, it is the
 * last of them. */
#ifndef JACOBI_RECORD_RECORDED_H
#define JACOBI_RECORD_RECORDED_H

#include "record/interleave.h"
#include "record/recording.h"

struct recorded {
    struct recording *recording;
    char name[PATH_SIZE]; /* for messages */
    int lane;             /* of those in its samples */
    int first;            /* sample of the first moment; those after it follow without a gap */
    struct track track;
};

/* The path of a recording: the file of that name, or "h200-hip-classic" for one that comes with the
 * program. `path` has PATH_SIZE bytes. */
void recorded_find(const char *name, char *path);

/* STATUS_BAD_INPUT where it can't be read, or where it isn't clear which of its lanes is meant. */
enum status recorded_open(const struct plan_recording *named, struct recorded *recorded,
                          struct error *error);

/* Closing what was not opened, but is zero, is allowed. */
void recorded_close(struct recorded *recorded);

/* The sample of a moment, and the lane in it; valid until the next call. */
const struct sample *recorded_sample(struct recorded *recorded, int moment);
const struct lane_sample *recorded_moment(struct recorded *recorded, int moment);

/* Makes `spec` what lane `l` of the sample ran, as far as this program knows its names. */
void recorded_spec(const struct sample *sample, int l, struct lane_spec *spec);

/* The same of the recorded lane; STATUS_BAD_INPUT where this program does not know its problem. */
enum status recorded_describe(struct recorded *recorded, struct lane_spec *spec,
                              struct error *error);

#endif
