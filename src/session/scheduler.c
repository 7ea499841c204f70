#include "session/scheduler.h"

#include <limits.h>
#include <math.h>

enum { FARTHEST_MEETING = 512 };

/* A lane in lockstep makes four passes per turn, so that the last ones find their own data in the
 * caches (event_log_begin_turn). If a round of all lanes would take longer than these seconds, it
 * makes two, or one. */
static const double longest_round_of_4 = 0.1, longest_round_of_2 = 0.3;

/* Rounds down to whole passes of `pass` iterations, at least one. */
static long whole_passes(double iterations, long pass) {
    return iterations < (double)(2 * pass) ? pass : (long)iterations / pass * pass;
}

/* Iterations that fit into `slice` seconds at the lane's mean speed; 1 if unknown. */
static double iterations_in(const struct lane *lane, double slice) {
    if (lane->iterations == 0 || lane->seconds <= 0)
        return 1;
    const double fit = slice * (double)lane->iterations / lane->seconds;
    /* At most twice the iterations so far: early figures are unreliable. */
    return fmin(fmin(fit, 2.0 * (double)lane->iterations), 1e6);
}

long scheduler_common_pass(struct lane *const lanes[], int lane_count) {
    long deepest = 1;
    for (int l = 0; l < lane_count; l++)
        if (lane_can_advance(lanes[l]) && lanes[l]->pass > deepest)
            deepest = lanes[l]->pass;
    for (long common = deepest; common <= FARTHEST_MEETING; common += deepest) {
        bool ends_all = true;
        for (int l = 0; l < lane_count && ends_all; l++)
            ends_all = !lane_can_advance(lanes[l]) || common % lanes[l]->pass == 0;
        if (ends_all)
            return common;
    }
    return deepest;
}

static struct turn next_in_lockstep(struct lane *const lanes[], int lane_count, double slice) {
    int hindmost = -1, racing = 0;
    long ahead = 0;
    double round = 0;    /* seconds for an iteration of every lane */
    double stride = 1e6; /* the slowest lane sets it, so that no lane runs ahead of the display */
    for (int l = 0; l < lane_count; l++)
        racing += lanes[l]->ops->advance != NULL;
    for (int l = 0; l < lane_count; l++) {
        const struct lane *lane = lanes[l];
        if (lane->ops->advance && lane->iterations > ahead)
            ahead = lane->iterations;
        if (!lane_can_advance(lane))
            continue;
        stride = fmin(stride, iterations_in(lane, slice / racing));
        round += lane->iterations ? lane->seconds / (double)lane->iterations : longest_round_of_4;
        /* Among equals, the longest pass: other lanes can follow in smaller turns. */
        if (hindmost < 0 || lane->iterations < lanes[hindmost]->iterations ||
            (lane->iterations == lanes[hindmost]->iterations && lane->pass > lanes[hindmost]->pass))
            hindmost = l;
    }
    if (hindmost < 0)
        return (struct turn){.lane = -1};
    const struct lane *lane = lanes[hindmost];
    const long behind = ahead - lane->iterations;
    const long fit = whole_passes(iterations_in(lane, slice), lane->pass);
    const long pass = scheduler_common_pass(lanes, lane_count);
    const double one = (double)pass * round;
    const long warm = 4 * one < longest_round_of_4 ? 4 : 2 * one < longest_round_of_2 ? 2 : 1;
    const long common =
        whole_passes(racing > 1 ? fmax(stride, (double)(warm * pass)) : stride, pass);
    return (struct turn){hindmost, behind == 0 ? common : behind < fit ? behind : fit};
}

struct turn scheduler_next(struct lane *const lanes[], int lane_count, int study_count,
                           enum race race, double slice) {
    struct turn turn = {.lane = -1};
    int first = 0; /* the first of the lanes that share the time */
    if (race == RACE_SAME_ITERATIONS) {
        turn = next_in_lockstep(lanes, lane_count, slice);
        first = lane_count;
    }
    for (int l = first; l < lane_count + study_count; l++)
        if (lane_can_advance(lanes[l]) &&
            (turn.lane < 0 || lanes[l]->seconds < lanes[turn.lane]->seconds))
            turn = (struct turn){l, whole_passes(iterations_in(lanes[l], slice), lanes[l]->pass)};
    if (turn.lane >= 0 && isinf(slice))
        turn.count = LONG_MAX;
    return turn;
}

bool scheduler_is_level(struct lane *const lanes[], int lane_count, enum race race) {
    const struct lane *first = NULL;
    for (int l = 0; l < lane_count && race == RACE_SAME_ITERATIONS; l++) {
        if (!lane_can_advance(lanes[l]))
            continue;
        if (first && lanes[l]->iterations != first->iterations)
            return false;
        first = lanes[l];
    }
    return true;
}
