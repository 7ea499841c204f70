/* Whose turn it is, and for how many iterations. Pure: no clocks, no threads. */
#ifndef JACOBI_SESSION_TURNS_H
#define JACOBI_SESSION_TURNS_H

#include "session/lane.h"

struct turn {
    int lane;   /* -1: nobody can go on */
    long count; /* iterations to make, ≥ 1 */
};

/* The fewest iterations that are whole passes (see lane_pass) of every lane that runs; where depths
 * are such that this would be more than 512, those of the deepest. ≥ 1. */
long turn_common_pass(struct lane *const lanes[], int lane_count);

/* Flat out: same iterations: the lane that is furthest behind goes on towards where the furthest
 * ahead is, or all go one slice further; same time: the lane with the least seconds in the loop
 * takes a slice. `slice` is the seconds one turn should take. A turn is of whole passes, so with
 * `blocked` it may take longer; lanes that go in step meet every so many common passes. */
struct turn turn_next(struct lane *const lanes[], int lane_count, enum race race, double slice);

/* Whether the lanes can be shown together: in a race for the same iterations, whether all that run
 * have made as many. */
bool turn_lanes_level(struct lane *const lanes[], int lane_count, enum race race);

#endif
