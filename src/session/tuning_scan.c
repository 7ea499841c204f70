#include "session/computed_lane.h"

enum { TURN_ITERATIONS = 33, TURNS_MAX = 8 };

static const double long_enough = 0.01; /* seconds in the loop per value */

/* The scanned field: the first one that the lane's kernels have. At most TUNING_SCAN_MAX powers of
 * two. */
static const struct {
    enum tuning_field field;
    int least, most;
} scans[] = {{TUNING_BLOCK, 32, 1024},
             {TUNING_FUSED_BLOCKS, 1, 8},
             {TUNING_BLOCKED_BLOCKS, 1, 32},
             {TUNING_NORM_BLOCKS, 64, 2048}};

enum { SCANS = sizeof scans / sizeof *scans };

/* Milliseconds per iteration after a warm-up turn; *ms is unchanged if the run ended before. */
static enum status time_iterations(struct lane *lane, double *ms) {
    /* Two replays of HIP classic's graph of 16 iterations, plus one. For longer passes, whole
     * passes with at least as many iterations. */
    const long count =
        lane->pass > 1 ? (TURN_ITERATIONS / lane->pass + 1) * lane->pass : TURN_ITERATIONS;
    enum status status = lane->ops->advance(lane, count);
    const long made = lane->iterations;
    const double seconds = lane->seconds;
    for (int turn = 0; turn < TURNS_MAX && !status && lane->state == LANE_RUNNING &&
                       lane->seconds - seconds < long_enough;
         turn++)
        status = lane->ops->advance(lane, count);
    if (!status && lane->iterations > made)
        *ms = 1e3 * (lane->seconds - seconds) / (double)(lane->iterations - made);
    return status;
}

void scan_tuning(struct lane *base) {
    struct computed_lane *lane = (struct computed_lane *)base;
    struct engine *engine = lane->engine;
    const struct tuning before = engine->spec.run.tuning;
    struct tuning tuning = before;
    enum status status = STATUS_OK;
    int s = 0;
    while (s < SCANS && tuning.of[scans[s].field] == 0)
        s++;
    if (!engine->ops->retune || s == SCANS)
        return;
    struct tuning_scan scan = {.field = scans[s].field};
    for (int value = scans[s].least;
         value <= scans[s].most && !status && base->state == LANE_RUNNING; value *= 2) {
        double ms = 0;
        tuning.of[scan.field] = value;
        status = engine->ops->retune(engine, &tuning, &base->error);
        if (!status && engine->spec.run.tuning.of[scan.field] != value)
            continue; /* the grid can't be divided into such blocks */
        if (!status)
            status = time_iterations(base, &ms);
        if (status || ms <= 0)
            break;
        scan.value[scan.count] = value;
        scan.ms[scan.count++] = ms;
    }
    if (!status)
        status = engine->ops->retune(engine, &before, &base->error);
    if (status)
        base->state = LANE_FAILED;
    lane->known.tuning_scan = scan;
}
