/* From a lane to a lane_sample. */
#ifndef JACOBI_SESSION_SNAPSHOT_H
#define JACOBI_SESSION_SNAPSHOT_H

#include "run/sample.h"
#include "run/source.h"
#include "session/lane.h"

/* What a lane had done when the last sample was made: where the next window begins. */
struct snapshot_mark {
    struct event_totals totals;
    long iterations;
    double seconds;
};

/* Fills what a sample says of its plan. */
void snapshot_describe(const struct plan *plan, struct sample *sample);

/* Fills everything but the field. The window runs from `mark`, which moves on, unless no iteration
 * has ended since or the lane has failed: then the window of `sample` stays as it was. */
void snapshot_take(const struct lane *lane, struct snapshot_mark *mark, struct lane_sample *sample);

#endif
