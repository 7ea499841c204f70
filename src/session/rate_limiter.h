/* When the next iterations, sample and downsample are due. A worker and a local source share this
 * policy; a runner itself knows no clock. */
#ifndef JACOBI_SESSION_RATE_LIMITER_H
#define JACOBI_SESSION_RATE_LIMITER_H

#include "session/runner.h"

struct rate_limiter {
    int samples_per_second;  /* at most */
    double downsample_share; /* of the time that downsampling may take */
    int64_t least_turn_ns;   /* at a chosen speed, a turn is of at least the iterations due in it */

    int64_t next_sample_ns, next_downsample_ns, next_iteration_ns;
    int turns_apart; /* since the lanes were level */
};

/* Nanoseconds until the next iterations are due at the plan's speed; 0 without a limit. */
int64_t rate_limiter_wait_ns(const struct rate_limiter *limiter, const struct runner *runner);

/* Moves the runner. At a chosen speed it waits until iterations are due, and all lanes make those,
 * of whole passes unless the field would then move in jerks; a late solver does not catch up. Flat
 * out, and until all lanes are level, the next turn of `slice` seconds. Returns the lane that had
 * it, RUNNER_LANES_MAX if all did, or -1 if none can go on. */
int rate_limiter_turn(struct rate_limiter *limiter, struct runner *runner, double slice);

/* After each turn: whether a sample is due, and the lanes can be shown together. Lanes that one has
 * far to catch up with, as after a race for the same time, are shown every second meanwhile. */
bool rate_limiter_sample_is_due(struct rate_limiter *limiter, const struct runner *runner);

/* Makes a sample; it has new fields, of `view`, if a downsample is due too, or if `downsample`. */
void rate_limiter_snapshot(struct rate_limiter *limiter, struct runner *runner,
                           const struct view *view, bool downsample, struct sample *sample);

#endif
