#include "session/runner.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "core/system.h"
#include "session/computed_lane.h"
#include "session/scheduler.h"

static const int64_t second_ns = 1000000000;

/* At lower sample rates the field would jerk. A solver that is later does not catch up. */
static const int64_t slowest_ns = 100000000;

/* Lanes in lockstep become level within fewer turns. */
static const int turns_to_level = 16;

/* The longest sleep between two checks of `stop`. */
static const int64_t nap_ns = 5000000;

static void runner_update_state(struct runner *runner) {
    bool any_runs = false;
    if (runner->count == 0)
        return;
    for (int l = 0; l < runner->count; l++) {
        const struct lane *lane = runner->lanes[l];
        if (lane->state == LANE_FAILED) {
            runner->state = SESSION_FAILED;
            runner->error = lane->error;
            return;
        }
        any_runs |= lane_can_advance(lane);
    }
    runner->state = any_runs ? SESSION_RUNNING : SESSION_FINISHED;
}

enum status runner_open(struct runner *runner) {
    const struct plan *plan = &runner->plan;
    struct error error = {0};
    enum status status = STATUS_OK;
    runner_close(runner, NULL);
    plan_fit(&runner->plan);
    for (int l = 0; l < plan->lane_count + plan->study_count && !status; l++) {
        const bool study = l >= plan->lane_count;
        struct lane **lane = &runner->lanes[l];
        if (!study && *plan->recordings[l].path) {
            status = recorded_lane_open(&plan->recordings[l], lane, &error);
        } else {
            struct lane_spec spec = study ? *plan_first_computed(plan) : plan->lanes[l];
            if (study)
                spec.engine.mesh = plan->study[l - plan->lane_count];
            spec.engine.stop = runner->stop;
            spec.engine.on_filling = runner->on_filling;
            spec.engine.filling_context = runner->filling_context;
            status = computed_lane_open(&spec, lane, &error);
        }
        runner->count += status == STATUS_OK;
    }
    if (status) {
        runner_close(runner, NULL);
        runner->state = SESSION_FAILED;
        runner->error = error;
    }
    runner_update_state(runner);
    return status;
}

void runner_close(struct runner *runner, struct sample *last) {
    for (int l = 0; l < runner->count; l++) {
        struct lane *lane = runner->lanes[l];
        lane->ops->close(lane, last && l < last->lane_count ? &last->lanes[l] : NULL);
    }
    runner->count = 0;
    runner->state = SESSION_OPENING;
    runner->error = (struct error){0};
}

/* Gives the lane a turn, which begins cold after a pause or another lane's turn. */
static void advance_lane(struct runner *runner, int l, long count) {
    struct lane *lane = runner->lanes[l];
    if (lane->log && (runner->last_lane != l || runner->plan.iterations_per_second > 0))
        event_log_begin_turn(lane->log, count / lane->pass, lane->pass);
    runner->last_lane = l;
    lane->ops->advance(lane, count);
}

void runner_step(struct runner *runner, long count) {
    for (int l = 0; l < runner->count; l++)
        if (runner->lanes[l]->ops->advance)
            advance_lane(runner, l, count);
    runner_update_state(runner);
}

static bool is_level(const struct runner *runner) {
    return scheduler_is_level(runner->lanes, runner->plan.lane_count, runner->plan.race);
}

int64_t runner_wait_ns(const struct runner *runner) {
    const int64_t left = runner->next_iteration_ns - clock_now_ns();
    return runner->plan.iterations_per_second > 0 && left > 0 ? left : 0;
}

/* The mean time of the lane's iterations; infinite before the first, 0 if it can't continue. */
static double seconds_per_iteration(const struct lane *lane) {
    return !lane_can_advance(lane) ? 0
           : lane->iterations == 0 ? INFINITY
                                   : lane->seconds / (double)lane->iterations;
}

static int take_turn(struct runner *runner, double slice) {
    const struct plan *plan = &runner->plan;
    const struct turn turn =
        scheduler_next(runner->lanes, plan->lane_count, plan->study_count, plan->race, slice);
    if (turn.lane >= 0)
        advance_lane(runner, turn.lane, turn.count);
    runner_update_state(runner);
    return turn.lane;
}

/* Makes the iterations that are due at the plan's speed, or as many of them as take about 50 ms. A
 * pass is made whole, even if it is longer: a part of it costs as much as all of it. In a race for
 * the same time, the slowest lane makes them. */
static void make_due_iterations(struct runner *runner) {
    const int64_t period = second_ns / runner->plan.iterations_per_second, now = clock_now_ns();
    const long pass = scheduler_common_pass(runner->lanes, runner->plan.lane_count);
    const long least =
        pass * RUN_SPEED_PAIRS <= runner->plan.iterations_per_second ? 2 * pass : pass;
    double iteration_ns = 0, slowest = 0;
    for (int l = 0; l < runner->count; l++) {
        const double seconds = seconds_per_iteration(runner->lanes[l]);
        iteration_ns += 1e9 * seconds;
        slowest = fmax(slowest, seconds);
    }
    long count = pass;
    while (
        (count < least || count * period < runner->least_turn_ns ||
         (runner->next_iteration_ns + count * period < now && count * period < slowest_ns / 2)) &&
        (double)(count + pass) * iteration_ns < (double)slowest_ns / 2)
        count += pass;
    runner->next_iteration_ns += count * period;
    if (runner->next_iteration_ns < now - slowest_ns)
        runner->next_iteration_ns = now;
    if (runner->plan.race == RACE_SAME_ITERATIONS) {
        runner_step(runner, count);
        return;
    }
    for (int l = 0; l < runner->count; l++)
        take_turn(runner, isfinite(slowest) ? slowest * (double)count : 0);
}

int runner_turn(struct runner *runner, double slice) {
    const struct plan *plan = &runner->plan;
    for (int64_t left; (left = runner_wait_ns(runner)) > 0 && !atomic_load(runner->stop);) {
        const struct timespec nap = {.tv_nsec = left < nap_ns ? left : nap_ns};
        nanosleep(&nap, NULL);
    }
    if (plan->iterations_per_second > 0 && runner->state == SESSION_RUNNING && is_level(runner)) {
        make_due_iterations(runner);
        return RUNNER_LANES_MAX;
    }
    return take_turn(runner, slice);
}

bool runner_sample_is_due(struct runner *runner) {
    const bool level = is_level(runner);
    const int64_t late_ns = clock_now_ns() - runner->next_sample_ns;
    runner->turns_apart = level ? 0 : runner->turns_apart + 1;
    return level ? late_ns >= 0 : late_ns >= second_ns && runner->turns_apart > turns_to_level;
}

void runner_snapshot(struct runner *runner, const struct view *view, struct sample *sample) {
    const struct plan *plan = &runner->plan;
    const struct lane_spec *spec = plan_first_computed(plan);
    const int lane_count = runner->count > 0 ? plan->lane_count : 0;
    long iterations = 0;
    double seconds = 0;
    for (int l = 0; l < lane_count; l++) {
        const struct lane *lane = runner->lanes[l];
        if (lane->ops->follow)
            continue;
        iterations = lane->iterations > iterations ? lane->iterations : iterations;
        seconds = lane->seconds > seconds ? lane->seconds : seconds;
    }
    for (int l = 0; l < runner->count; l++) {
        struct lane *lane = runner->lanes[l];
        if (lane->ops->follow)
            lane->ops->follow(lane, plan->race, iterations, seconds);
        if (l < lane_count)
            lane->ops->fill(lane, view, &sample->lanes[l]);
        else
            lane->ops->fill(lane, NULL, &sample->study[l - lane_count]);
    }
    runner_update_state(runner);
    sample->sequence++;
    sample->time_ns = clock_now_ns() - runner->began_ns;
    sample->state =
        runner->state == SESSION_RUNNING && plan->paused ? SESSION_PAUSED : runner->state;
    sample->error = runner->error;
    sample->is_last = false;
    sample->filled = 0;
    snprintf(sample->preset, sizeof sample->preset, "%s", plan->preset);
    snprintf(sample->problem, sizeof sample->problem, "%s", spec->engine.problem->name);
    sample->nx = spec->engine.mesh.Nx;
    sample->ny = spec->engine.mesh.Ny;
    sample->iteration_limit = spec->iterations;
    sample->tolerance = spec->tolerance;
    sample->measure = spec->measure;
    sample->race = plan->race;
    sample->iterations_per_second = plan->iterations_per_second;
    sample->lane_count = lane_count;
    sample->study_count = runner->count - lane_count;
}

/* Time spent so far on downsampling computed lanes. Recorded lanes are decoded for every sample. */
static double downsample_seconds(const struct sample *sample) {
    double seconds = 0;
    for (int l = 0; l < sample->lane_count; l++)
        seconds += *sample->lanes[l].recorded ? 0 : sample->lanes[l].downsample_seconds;
    return seconds;
}

void runner_sample(struct runner *runner, const struct view *view, bool downsample,
                   struct sample *sample) {
    const int64_t start = clock_now_ns();
    const double before = downsample_seconds(sample);
    downsample |= start >= runner->next_downsample_ns;
    runner_snapshot(runner, downsample ? view : NULL, sample);
    if (downsample) {
        const double still_ns =
            1e9 * (downsample_seconds(sample) - before) / runner->downsample_share;
        runner->next_downsample_ns =
            clock_now_ns() + (int64_t)fmin(still_ns, (double)runner->longest_still_ns);
    }
    runner->next_sample_ns = start + second_ns / runner->samples_per_second;
}

void runner_finish(struct runner *runner, const struct view *view, struct sample *last) {
    runner->plan.paused = runner->state == SESSION_RUNNING; /* interrupted */
    if (view)
        runner_sample(runner, view, true, last);
    for (int l = 0; l < runner->count && l < runner->plan.lane_count; l++)
        if (runner->lanes[l]->ops->measure_solution)
            runner->lanes[l]->ops->measure_solution(runner->lanes[l]);
    runner_snapshot(runner, NULL, last);
    last->is_last = true;
    if (runner->count > 0)
        runner_close(runner, last);
}

void runner_scan_tuning(struct runner *runner) {
    for (int l = 0; l < runner->count && l < runner->plan.lane_count; l++)
        if (runner->lanes[l]->ops->scan_tuning && lane_can_advance(runner->lanes[l]))
            runner->lanes[l]->ops->scan_tuning(runner->lanes[l]);
}

void runner_probe(struct runner *runner) {
    for (int l = 0; l < runner->count && l < runner->plan.lane_count; l++)
        if (runner->lanes[l]->ops->probe)
            runner->lanes[l]->ops->probe(runner->lanes[l]);
}
