#include "session/turns.h"

/* Iterations that fit into `slice` seconds at the lane's mean speed so far; 1 while unknown. */
static long iterations_in(const struct lane *lane, double slice) {
    if (lane->iterations == 0 || lane->seconds <= 0)
        return 1;
    const double fit = slice * (double)lane->iterations / lane->seconds;
    /* Never more than doubles the run: early figures are unsteady. */
    const double most = 2.0 * (double)lane->iterations;
    const double count = fit < most ? fit : most;
    return count < 1 ? 1 : count > 1e6 ? 1000000 : (long)count;
}

static struct turn next_in_time(struct lane *const lanes[], int lane_count, double slice) {
    struct turn turn = {.lane = -1};
    for (int l = 0; l < lane_count; l++)
        if (lanes[l]->state == LANE_RUNNING &&
            (turn.lane < 0 || lanes[l]->seconds < lanes[turn.lane]->seconds))
            turn.lane = l;
    if (turn.lane >= 0)
        turn.count = iterations_in(lanes[turn.lane], slice);
    return turn;
}

/* The slowest lane sets the stride, so that none runs ahead of the picture. */
static long common_stride(struct lane *const lanes[], int lane_count, double slice) {
    long stride = 1000000;
    for (int l = 0; l < lane_count; l++) {
        const long fit = iterations_in(lanes[l], slice);
        if (lanes[l]->state == LANE_RUNNING && fit < stride)
            stride = fit;
    }
    return stride;
}

static struct turn next_in_lockstep(struct lane *const lanes[], int lane_count, double slice) {
    struct turn turn = {.lane = -1};
    long ahead = 0;
    for (int l = 0; l < lane_count; l++) {
        if (lanes[l]->iterations > ahead)
            ahead = lanes[l]->iterations;
        if (lanes[l]->state == LANE_RUNNING &&
            (turn.lane < 0 || lanes[l]->iterations < lanes[turn.lane]->iterations))
            turn.lane = l;
    }
    if (turn.lane < 0)
        return turn;
    const long behind = ahead - lanes[turn.lane]->iterations;
    turn.count = behind > 0 ? behind : common_stride(lanes, lane_count, slice / lane_count);
    return turn;
}

struct turn turn_next(struct lane *const lanes[], int lane_count, enum race race, double slice) {
    return race == RACE_SAME_TIME ? next_in_time(lanes, lane_count, slice)
                                  : next_in_lockstep(lanes, lane_count, slice);
}
