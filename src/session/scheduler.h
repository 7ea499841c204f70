/* The scheduler: which lane has the next turn, and for how many iterations. Pure: no clocks, no
 * threads.
 *
 * Of `lanes`, the first `lane_count` are side by side and race each other; the next `study_count`
 * are those of a grid study. Recorded lanes have no turns. */
#pragma once

#include "session/lane.h"

struct turn {
    int lane;   /* -1: none can continue */
    long count; /* iterations to make, ≥ 1 */
};

/* The smallest number of iterations that is a multiple of every running lane's pass; if that is
 * more than 512, the longest pass. ≥ 1. */
long scheduler_common_pass(struct lane *const lanes[], int lane_count);

/* The next turn at full speed. Same iterations: the last lane catches up with the first one; if all
 * are level, one of them runs for a slice and the others follow. Same time: the lane with the
 * fewest seconds in the loop runs for a slice. The lanes of a grid study do so in any race. `slice`
 * is the duration of a turn in seconds; INFINITY: until the lane has ended. A turn consists of
 * whole passes, so with `blocked` it may take longer. Lanes in lockstep meet where all finish a
 * pass. */
struct turn scheduler_next(struct lane *const lanes[], int lane_count, int study_count,
                           enum race race, double slice);

/* Whether the lanes can be shown together: in a race for the same iterations, whether all running
 * lanes have made equally many. */
bool scheduler_is_level(struct lane *const lanes[], int lane_count, enum race race);
