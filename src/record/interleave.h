/* Recorded runs side by side: which moment of each is shown when. Pure.
 *
 * Same iterations: the lanes wait for each other as live ones do. The lane that has made the fewest
 * iterations plays on, at the pace at which it was recorded, to its next moment; the others stand.
 * A lane that has ended is waited for no more. Same time: every lane shows its last moment at or
 * before the same time spent in its loop, beginning where the last of them has its first moment.
 */
#ifndef JACOBI_RECORD_INTERLEAVE_H
#define JACOBI_RECORD_INTERLEAVE_H

#include <stdint.h>

#include "run/plan.h"

/* What is known of one recorded moment of a lane. */
struct moment {
    long iterations; /* never less than the moment's before */
    double seconds;  /* in the loop; whatever a file may claim */
};

struct track {
    struct moment *moments;
    int count; /* ≥ 1 */
};

/* At that time, ns from the beginning, each lane is at that one of its moments. */
struct cue {
    int64_t time_ns;
    int at[LANES_MAX];
};

/* Fills `cues`, which has room for as many as there are moments in all tracks; returns their
 * number, at least 1. Their times always grow. */
int interleave(const struct track tracks[], int track_count, enum race race, struct cue *cues);

#endif
