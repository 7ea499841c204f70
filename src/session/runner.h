/* The runner: opens the lanes of a plan, moves them and describes them. Synchronous: there is no
 * thread, nothing is paced, and every function blocks until its work is done. A worker
 * (session/worker.h) moves one in a thread, a local source (session/local.h) in its caller's.
 *
 *     struct runner runner = {.plan = plan, .stop = stop, .began_ns = clock_now_ns()};
 *     if (runner_open(&runner) == STATUS_OK)
 *         while (runner_turn(&runner, 0.02) >= 0)
 *             runner_snapshot(&runner, &view, sample);
 *     runner_close(&runner, sample);
 */
#ifndef JACOBI_SESSION_RUNNER_H
#define JACOBI_SESSION_RUNNER_H

#include "session/lane.h"

enum { RUNNER_LANES_MAX = LANES_MAX + STUDY_MAX };

struct runner {
    /* The owner's: set before runner_open. Race, speed and pause may be changed at any time. */
    struct plan plan;
    const atomic_bool *stop;                        /* once it is true, turns end early */
    void (*on_filling)(void *context, double part); /* as in struct engine_spec */
    void *filling_context;
    int64_t began_ns; /* the clock's reading that samples count their time from */

    /* The runner's own: to be read. */
    int count;                            /* of the lanes that are open */
    struct lane *lanes[RUNNER_LANES_MAX]; /* the plan's, in its order, then the grid study's */
    enum session_state state;             /* opening (no lane), running, finished or failed */
    int last_lane;                        /* that had a turn */
    struct error error;                   /* of the first lane that has failed, or of opening */
};

/* Opens the plan's lanes; those that were open are closed. On failure none is open, the state is
 * SESSION_FAILED and runner->error has the reason. */
enum status runner_open(struct runner *runner);

/* Closes the lanes; what ending their runs costs is put into the totals of `last`, their last
 * sample, unless it is NULL. The state is that of a runner that was not opened. */
void runner_close(struct runner *runner, struct sample *last);

/* The scheduler's next turn, of about `slice` seconds (see scheduler_next). Returns the lane that
 * had it, -1 if none can go on. That a lane has failed does not keep the others from going on. */
int runner_turn(struct runner *runner, double slice);

/* Every lane makes `count` more iterations. */
void runner_step(struct runner *runner, long count);

/* Whether the lanes can be shown together: whether those that race for the same iterations have
 * made as many. */
bool runner_is_level(const struct runner *runner);

/* Describes the plan and all lanes in `sample`, which must be the same each time; `view` as in
 * lane_ops.fill. A paused plan's running lanes are called paused. */
void runner_snapshot(struct runner *runner, const struct view *view, struct sample *sample);

/* Ends the runs: reads the lanes' solutions, describes all in `last` as runner_snapshot does,
 * without new fields, and closes the lanes as runner_close does. For that U is copied to the host,
 * outside the loop's time. A solution stays unknown if the host has too little memory or the lane
 * has failed. If the copy fails, the lane fails. A runner that is not open is only described. */
void runner_finish(struct runner *runner, struct sample *last);

/* Measures the peaks not yet known, about 0.3 s each. */
void runner_probe(struct runner *runner);

/* Lets each lane that runs and can be launched in several ways make some iterations with each, some
 * hundredths of a second per lane. */
void runner_scan_tuning(struct runner *runner);

#endif
