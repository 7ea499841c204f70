/* The runner: opens the lanes of a plan, advances them at its speed and describes them. It has no
 * thread: every function blocks until its work is done. A worker (session/worker.h) drives it in a
 * thread, a local source (session/local.h) in the caller's.
 *
 *     struct runner runner = {.plan = plan, .stop = stop, .began_ns = clock_now_ns()};
 *     if (runner_open(&runner) == STATUS_OK)
 *         while (runner_turn(&runner, 0.02) >= 0)
 *             runner_snapshot(&runner, &view, sample);
 *     runner_close(&runner, sample); */
#pragma once

#include "session/lane.h"

enum { RUNNER_LANES_MAX = LANES_MAX + STUDY_MAX };

struct runner {
    /* The owner sets these before runner_open. Race, speed and pause may be changed at any time. */
    struct plan plan;
    const atomic_bool *stop;                        /* makes turns end early when true */
    void (*on_filling)(void *context, double part); /* see struct engine_spec */
    void *filling_context;
    int64_t began_ns; /* the clock's value at the samples' time 0 */

    /* The rates of runner_turn and runner_sample; the owner may change the next times. */
    int samples_per_second;   /* the maximum */
    double downsample_share;  /* the share of the time that downsampling may take */
    int64_t longest_still_ns; /* a field is then due even if it exceeds the share */
    int64_t least_turn_ns;    /* at a limited speed, a turn has at least the iterations due in it */
    int64_t next_sample_ns, next_downsample_ns, next_iteration_ns;

    /* Set by the runner; read-only for the owner. */
    int count;                            /* number of open lanes */
    struct lane *lanes[RUNNER_LANES_MAX]; /* the plan's, in its order, then the grid study's */
    enum session_state state;             /* opening (no lane), running, finished or failed */
    int last_lane;                        /* the last lane that had a turn */
    int turns_apart;                      /* turns since the lanes were level */
    struct error error;                   /* of the first failed lane, or of opening */
};

/* Closes any open lanes and opens the plan's. On failure none is open, the state is SESSION_FAILED
 * and runner->error has the reason. */
enum status runner_open(struct runner *runner);

/* Closes the lanes. `last`, if not NULL, is their last sample: its totals then include the cost of
 * ending the runs. The state is then that of an unopened runner. */
void runner_close(struct runner *runner, struct sample *last);

/* Nanoseconds until the next iterations are due at the plan's speed; 0 without a limit. */
int64_t runner_wait_ns(const struct runner *runner);

/* Makes the next turn. At a limited speed it waits until iterations are due, and then every lane
 * makes them: whole passes, unless the field would move in jerks. A late solver does not catch up.
 * At full speed, and until all lanes are level, it makes the scheduler's next turn of about `slice`
 * seconds (scheduler_next). Returns the lane that had the turn, RUNNER_LANES_MAX if all had, or -1
 * if none can continue. A failed lane does not stop the others. */
int runner_turn(struct runner *runner, double slice);

/* Makes `count` more iterations in every lane. */
void runner_step(struct runner *runner, long count);

/* After each turn: whether a sample is due and the lanes can be shown together. Lanes that need
 * long to become level, as after a same-time race, are shown every second meanwhile. */
bool runner_sample_is_due(struct runner *runner);

/* Describes the plan and all lanes in `sample`, which must be the same in each call. `view`: see
 * lane_ops.fill. Running lanes of a paused plan are described as paused. */
void runner_snapshot(struct runner *runner, const struct view *view, struct sample *sample);

/* The same, at the runner's rates: with new fields, of `view`, if a downsample is due or
 * `downsample` is set. */
void runner_sample(struct runner *runner, const struct view *view, bool downsample,
                   struct sample *sample);

/* Ends the runs: measures the lanes' solutions, describes all lanes in `last`, with new fields
 * unless `view` is NULL, and closes them like runner_close. Running lanes are paused. U is copied
 * to the host for this, outside the loop's time. An unopened runner is only described. */
void runner_finish(struct runner *runner, const struct view *view, struct sample *last);

/* Measures the unknown peaks, about 0.3 s each. */
void runner_probe(struct runner *runner);

/* Times some iterations with each launch geometry of each running lane that has several, which
 * takes some hundredths of a second per lane. */
void runner_scan_tuning(struct runner *runner);
