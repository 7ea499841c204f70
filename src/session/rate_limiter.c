#include "session/rate_limiter.h"

#include <time.h>

#include "core/system.h"
#include "session/scheduler.h"

static const int64_t second_ns = 1000000000;

/* At lower sample rates the field would jerk. A solver that is later does not catch up. */
static const int64_t slowest_ns = 100000000;

/* Lanes in lockstep become level within fewer turns. */
static const int turns_to_level = 16;

/* The longest sleep between two checks of `stop`. */
static const int64_t nap_ns = 5000000;

int64_t rate_limiter_wait_ns(const struct rate_limiter *limiter, const struct runner *runner) {
    const int64_t left = limiter->next_iteration_ns - clock_now_ns();
    return runner->plan.iterations_per_second > 0 && left > 0 ? left : 0;
}

int rate_limiter_turn(struct rate_limiter *limiter, struct runner *runner, double slice) {
    const struct plan *plan = &runner->plan;
    for (int64_t left;
         (left = rate_limiter_wait_ns(limiter, runner)) > 0 && !atomic_load(runner->stop);) {
        const struct timespec nap = {.tv_nsec = left < nap_ns ? left : nap_ns};
        nanosleep(&nap, NULL);
    }
    if (plan->iterations_per_second <= 0 || runner->state != SESSION_RUNNING ||
        !runner_is_level(runner))
        return runner_turn(runner, slice);
    const int64_t period = second_ns / plan->iterations_per_second, now = clock_now_ns();
    const long pass = scheduler_common_pass(runner->lanes, plan->lane_count);
    const long stride = pass * period <= slowest_ns ? pass : 1;
    long count = stride;
    while (count * period < limiter->least_turn_ns ||
           (limiter->next_iteration_ns + count * period < now && count * period < slowest_ns / 2))
        count += stride;
    limiter->next_iteration_ns += count * period;
    if (limiter->next_iteration_ns < now - slowest_ns)
        limiter->next_iteration_ns = now;
    runner_step(runner, count);
    return RUNNER_LANES_MAX;
}

bool rate_limiter_sample_is_due(struct rate_limiter *limiter, const struct runner *runner) {
    const bool level = runner_is_level(runner);
    const int64_t late_ns = clock_now_ns() - limiter->next_sample_ns;
    limiter->turns_apart = level ? 0 : limiter->turns_apart + 1;
    return level ? late_ns >= 0 : late_ns >= second_ns && limiter->turns_apart > turns_to_level;
}

/* Time spent so far on downsampling computed lanes. Recorded lanes are decoded for every sample. */
static double downsample_seconds(const struct sample *sample) {
    double seconds = 0;
    for (int l = 0; l < sample->lane_count; l++)
        seconds += *sample->lanes[l].recorded ? 0 : sample->lanes[l].downsample_seconds;
    return seconds;
}

void rate_limiter_snapshot(struct rate_limiter *limiter, struct runner *runner,
                           const struct view *view, bool downsample, struct sample *sample) {
    const int64_t start = clock_now_ns();
    const double before = downsample_seconds(sample);
    downsample |= start >= limiter->next_downsample_ns;
    runner_snapshot(runner, downsample ? view : NULL, sample);
    if (downsample)
        limiter->next_downsample_ns =
            clock_now_ns() +
            (int64_t)(1e9 * (downsample_seconds(sample) - before) / limiter->downsample_share);
    limiter->next_sample_ns = start + second_ns / limiter->samples_per_second;
}
