/* The times of the next iterations, sample and downsample. Workers and local sources share this
 * policy. A runner itself has no clock. */
#ifndef JACOBI_SESSION_RATE_LIMITER_H
#define JACOBI_SESSION_RATE_LIMITER_H

#include "session/runner.h"

struct rate_limiter {
    int samples_per_second;  /* the maximum */
    double downsample_share; /* the share of the time that downsampling may take */
    int64_t least_turn_ns;   /* at a limited speed, a turn has at least the iterations due in it */

    int64_t next_sample_ns, next_downsample_ns, next_iteration_ns;
    int turns_apart; /* turns since the lanes were level */
};

/* Nanoseconds until the next iterations are due at the plan's speed; 0 without a limit. */
int64_t rate_limiter_wait_ns(const struct rate_limiter *limiter, const struct runner *runner);

/* Moves the runner. At a limited speed it waits until iterations are due, and then every lane makes
 * them: whole passes, unless the field would move in jerks. A late solver does not catch up. At
 * full speed, and until all lanes are level, it makes the next turn of `slice` seconds. Returns the
 * lane that had the turn, RUNNER_LANES_MAX if all had, or -1 if none can continue. */
int rate_limiter_turn(struct rate_limiter *limiter, struct runner *runner, double slice);

/* After each turn: whether a sample is due and the lanes can be shown together. Lanes that need
 * long to become level, as after a same-time race, are shown every second meanwhile. */
bool rate_limiter_sample_is_due(struct rate_limiter *limiter, const struct runner *runner);

/* Makes a sample. It has new fields, of `view`, if a downsample is due or `downsample` is set. */
void rate_limiter_snapshot(struct rate_limiter *limiter, struct runner *runner,
                           const struct view *view, bool downsample, struct sample *sample);

#endif
