#include "session/pace.h"

#include <time.h>

#include "core/system.h"
#include "session/scheduler.h"

static const int64_t second_ns = 1000000000;

/* Fewer samples per second would be jerks; a solver that is later than this does not catch up. */
static const int64_t slowest_ns = 100000000;

/* In lockstep lanes are level again after fewer turns. */
static const int turns_to_level = 16;

/* The longest sleep: then it sees whether it is to stop. */
static const int64_t nap_ns = 5000000;

int64_t pace_until_due(const struct pace *pace, const struct runner *runner) {
    const int64_t left = pace->next_iteration_ns - clock_now_ns();
    return runner->plan.iterations_per_second > 0 && left > 0 ? left : 0;
}

int pace_turn(struct pace *pace, struct runner *runner, double slice) {
    const struct plan *plan = &runner->plan;
    for (int64_t left; (left = pace_until_due(pace, runner)) > 0 && !atomic_load(runner->stop);) {
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
    while (count * period < pace->least_turn_ns ||
           (pace->next_iteration_ns + count * period < now && count * period < slowest_ns / 2))
        count += stride;
    pace->next_iteration_ns += count * period;
    if (pace->next_iteration_ns < now - slowest_ns)
        pace->next_iteration_ns = now;
    runner_step(runner, count);
    return RUNNER_LANES_MAX;
}

bool pace_sample_is_due(struct pace *pace, const struct runner *runner) {
    const bool level = runner_is_level(runner);
    const int64_t late_ns = clock_now_ns() - pace->next_sample_ns;
    pace->turns_apart = level ? 0 : pace->turns_apart + 1;
    return level ? late_ns >= 0 : late_ns >= second_ns && pace->turns_apart > turns_to_level;
}

/* Spent so far on downsampling what is computed; what was recorded is decoded for every sample. */
static double downsample_seconds(const struct sample *sample) {
    double seconds = 0;
    for (int l = 0; l < sample->lane_count; l++)
        seconds += *sample->lanes[l].recorded ? 0 : sample->lanes[l].downsample_seconds;
    return seconds;
}

void pace_snapshot(struct pace *pace, struct runner *runner, const struct view *view,
                   bool downsample, struct sample *sample) {
    const int64_t start = clock_now_ns();
    const double before = downsample_seconds(sample);
    downsample |= start >= pace->next_downsample_ns;
    runner_snapshot(runner, downsample ? view : NULL, sample);
    if (downsample)
        pace->next_downsample_ns =
            clock_now_ns() +
            (int64_t)(1e9 * (downsample_seconds(sample) - before) / pace->downsample_share);
    pace->next_sample_ns = start + second_ns / pace->samples_per_second;
}
