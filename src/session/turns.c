#include "session/turns.h"

enum { FARTHEST_MEETING = 512 };

/* Rounded down to whole passes of `pass` iterations, at least one. */
static long whole_passes(double iterations, long pass) {
    return iterations < (double)(2 * pass) ? pass : (long)iterations / pass * pass;
}

/* Iterations that fit into `slice` seconds at the lane's mean speed so far; 1 while unknown. */
static double iterations_in(const struct lane *lane, double slice) {
    if (lane->iterations == 0 || lane->seconds <= 0)
        return 1;
    const double fit = slice * (double)lane->iterations / lane->seconds;
    /* Never more than doubles the run: early figures are unsteady. */
    const double most = 2.0 * (double)lane->iterations;
    const double count = fit < most ? fit : most;
    return count > 1e6 ? 1e6 : count;
}

static long slice_of(const struct lane *lane, double slice) {
    return whole_passes(iterations_in(lane, slice), lane_pass(lane));
}

static struct turn next_in_time(struct lane *const lanes[], int lane_count, double slice) {
    struct turn turn = {.lane = -1};
    for (int l = 0; l < lane_count; l++)
        if (lanes[l]->state == LANE_RUNNING &&
            (turn.lane < 0 || lanes[l]->seconds < lanes[turn.lane]->seconds))
            turn.lane = l;
    if (turn.lane >= 0)
        turn.count = slice_of(lanes[turn.lane], slice);
    return turn;
}

static bool ends_passes_of_all(long iterations, struct lane *const lanes[], int lane_count) {
    for (int l = 0; l < lane_count; l++)
        if (lanes[l]->state == LANE_RUNNING && iterations % lane_pass(lanes[l]) != 0)
            return false;
    return true;
}

long turn_common_pass(struct lane *const lanes[], int lane_count) {
    long deepest = 1;
    for (int l = 0; l < lane_count; l++)
        if (lanes[l]->state == LANE_RUNNING && lane_pass(lanes[l]) > deepest)
            deepest = lane_pass(lanes[l]);
    for (long common = deepest; common <= FARTHEST_MEETING; common += deepest)
        if (ends_passes_of_all(common, lanes, lane_count))
            return common;
    return deepest;
}

/* The slowest lane sets the stride, so that none runs ahead of the picture. */
static long common_stride(struct lane *const lanes[], int lane_count, double slice) {
    double stride = 1e6;
    for (int l = 0; l < lane_count; l++) {
        const double fit = iterations_in(lanes[l], slice);
        if (lanes[l]->state == LANE_RUNNING && fit < stride)
            stride = fit;
    }
    return whole_passes(stride, turn_common_pass(lanes, lane_count));
}

/* The furthest behind; among equals the one whose pass is the longest, for the others can make
 * their way there in smaller turns. */
static int hindmost(struct lane *const lanes[], int lane_count) {
    int last = -1;
    for (int l = 0; l < lane_count; l++) {
        if (lanes[l]->state != LANE_RUNNING)
            continue;
        if (last < 0 || lanes[l]->iterations < lanes[last]->iterations ||
            (lanes[l]->iterations == lanes[last]->iterations &&
             lane_pass(lanes[l]) > lane_pass(lanes[last])))
            last = l;
    }
    return last;
}

static struct turn next_in_lockstep(struct lane *const lanes[], int lane_count, double slice) {
    struct turn turn = {.lane = hindmost(lanes, lane_count)};
    if (turn.lane < 0)
        return turn;
    const struct lane *lane = lanes[turn.lane];
    long ahead = 0;
    for (int l = 0; l < lane_count; l++)
        if (lanes[l]->iterations > ahead)
            ahead = lanes[l]->iterations;
    const long behind = ahead - lane->iterations;
    const long slice_here = slice_of(lane, slice);
    if (behind == 0)
        turn.count = common_stride(lanes, lane_count, slice / lane_count);
    else
        turn.count = behind < slice_here ? behind : slice_here;
    return turn;
}

struct turn turn_next(struct lane *const lanes[], int lane_count, enum race race, double slice) {
    return race == RACE_SAME_TIME ? next_in_time(lanes, lane_count, slice)
                                  : next_in_lockstep(lanes, lane_count, slice);
}

bool turn_lanes_level(struct lane *const lanes[], int lane_count, enum race race) {
    const struct lane *first = NULL;
    for (int l = 0; l < lane_count && race == RACE_SAME_ITERATIONS; l++) {
        if (lanes[l]->state != LANE_RUNNING)
            continue;
        if (first && lanes[l]->iterations != first->iterations)
            return false;
        first = lanes[l];
    }
    return true;
}
