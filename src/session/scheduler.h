/* The scheduler: whose turn it is, and for how many iterations. Pure: no clocks, no threads.
 *
 * Of `lanes`, the first `lane_count` are side by side and race each other; `study_count` more, of a
 * grid study, follow them. Lanes that were recorded have no turns. */
#ifndef JACOBI_SESSION_SCHEDULER_H
#define JACOBI_SESSION_SCHEDULER_H

#include "session/lane.h"

struct turn {
    int lane;   /* -1: none can go on */
    long count; /* iterations to make, ≥ 1 */
};

/* The fewest iterations that are whole passes (lane->pass) of every lane that runs; if depths are
 * such that this would be more than 512, those of the deepest. ≥ 1. */
long scheduler_common_pass(struct lane *const lanes[], int lane_count);

/* The next turn at full speed. Same iterations: the lane furthest behind catches up with the one
 * furthest ahead; if all are level, one of them goes a slice further and the others follow. Same
 * time: the lane with the least seconds in the loop takes a slice; so do the lanes of a grid study,
 * in any race. `slice` is the seconds that one turn should take; INFINITY: until the lane has
 * ended. A turn consists of whole passes, so with `blocked` it may take longer. Lanes in lockstep
 * meet where all finish a pass. */
struct turn scheduler_next(struct lane *const lanes[], int lane_count, int study_count,
                           enum race race, double slice);

/* Whether the lanes can be shown together: in a race for the same iterations, whether all that run
 * have made as many. */
bool scheduler_is_level(struct lane *const lanes[], int lane_count, enum race race);

#endif
