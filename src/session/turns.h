/* Whose turn it is, and for how many iterations. Pure: no clocks, no threads. */
#ifndef JACOBI_SESSION_TURNS_H
#define JACOBI_SESSION_TURNS_H

#include "session/plan.h"

struct turn {
    int lane;   /* -1: nobody can go on */
    long count; /* iterations to make, ≥ 1 */
};

/* Flat out: same iterations: the lane that is furthest behind goes on towards where the furthest
 * ahead is, or all go one slice further; same time: the lane with the least seconds in the loop takes
 * a slice. `slice` is the seconds one turn should take. A turn is of whole passes (see lane_pass), so
 * with `blocked` it may take longer. Lanes that go in step meet where the passes of all of them end;
 * where depths are such that this would be more than 512 iterations apart, where the deepest's do. */
struct turn turn_next(struct lane *const lanes[], int lane_count, enum race race, double slice);

#endif
