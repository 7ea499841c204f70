#include "report/headless.h"

#include <math.h>
#include <poll.h>
#include <time.h>

#include "core/process.h"
#include "core/system.h"
#include "record/recorder.h"
#include "session/pace.h"

struct headless {
    struct runner runner;
    struct pace pace;          /* of what is recorded */
    struct recorder *recorder; /* NULL: nothing is */
    struct view view;          /* of its fields */
    bool lines;                /* every turn is reported, as JSON lines are */
    struct sample *sample;
    struct report report;
    FILE *out;
};

/* The next turn, and what is told of it. *lane: who had it; -1: the run has ended. */
static enum status make_turn(struct headless *run, double slice, int *lane, struct error *error) {
    struct runner *runner = &run->runner;
    const bool record = run->recorder;
    bool can_advance[LANES_MAX] = {false};
    for (int64_t left; record && (left = pace_until_due(&run->pace, runner)) > 0;) {
        const struct timespec nap = {.tv_nsec = left < 5000000 ? left : 5000000};
        if (atomic_load(runner->stop))
            return STATUS_OK;
        nanosleep(&nap, NULL);
    }
    for (int l = 0; l < run->sample->lane_count; l++)
        can_advance[l] = lane_can_advance(runner->lanes[l]);
    *lane = record ? pace_turn(&run->pace, runner, slice) : runner_turn(runner, slice);
    enum status status = STATUS_OK;
    if (record && *lane >= 0 && pace_sample_is_due(&run->pace, runner)) {
        pace_snapshot(&run->pace, runner, &run->view, false, run->sample);
        run->sample->state = SESSION_RUNNING; /* until the last sample */
        status = recorder_add(run->recorder, run->sample, error);
    } else if (run->lines) {
        runner_snapshot(runner, NULL, run->sample);
    }
    for (int l = 0; l < run->sample->lane_count && run->lines && *lane >= 0 && !status; l++)
        if (l == *lane || (*lane == RUNNER_LANES_MAX && can_advance[l]))
            status = report_jsonl_sample(run->out, &run->report, l, error);
    if (run->lines && !status)
        status = process_flush(run->out, "the report", error);
    return status;
}

static enum status run_lanes(struct headless *run, struct error *error) {
    struct runner *runner = &run->runner;
    const struct plan *plan = &runner->plan;
    /* A turn ends at least as often as samples are reported or recorded; a sample that is just
     * missed comes a turn late. A lone run of which no samples are taken is not interrupted. */
    const double half_a_sample = 0.5 / RECORDER_RATE;
    const bool alone = plan->lane_count - plan_recorded_count(plan) == 1;
    double slice = alone && !run->lines ? INFINITY : 1.0 / plan->fps;
    if (run->recorder && (!run->lines || half_a_sample < slice))
        slice = half_a_sample;
    enum status status = run->lines ? report_jsonl_start(run->out, &run->report, error) : STATUS_OK;
    for (int lane = 0; lane >= 0 && !status && !atomic_load(runner->stop);)
        status = make_turn(run, slice, &lane, error);
    if (run->recorder && !status) {
        runner->plan.paused = runner->state == SESSION_RUNNING; /* interrupted */
        pace_snapshot(&run->pace, runner, &run->view, true, run->sample);
        status = recorder_add(run->recorder, run->sample, error);
    }
    for (int l = 0; l < run->sample->lane_count; l++)
        run->report.solutions[l] = solution_read(runner->lanes[l], plan->lanes[l].engine.problem);
    runner_snapshot(runner, NULL, run->sample);
    const struct error failure = runner->error;
    runner_close(runner, run->sample); /* the final mapping is in the last totals */
    if (!status)
        status = report_write(run->out, &run->report, error);
    if (status || !failure.status)
        return status;
    *error = failure;
    return failure.status;
}

static enum status open_recorder(struct headless *run, const struct config *config,
                                 struct error *error) {
    struct recording_about about;
    if (!run->sample)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    if (!*config->record)
        return STATUS_OK;
    about_from_config(&about, config);
    return recorder_open(config->record, config->overwrite, &about, &run->recorder, error);
}

static enum status close_headless(struct headless *run, enum status status, struct error *error) {
    struct error unfinished;
    if (recorder_close(run->recorder, &unfinished) && !status) {
        *error = unfinished;
        status = unfinished.status;
    }
    sample_destroy(run->sample);
    return status;
}

enum status headless_run(const struct config *config, FILE *out, FILE *notices,
                         const atomic_bool *stop, struct error *error) {
    struct headless run = {
        .runner = {.plan = config->plan, .stop = stop, .began_ns = clock_now_ns()},
        .pace = {.samples_per_second = RECORDER_RATE,
                 .downsample_share = 0.003,
                 .least_turn_ns = 500000000 / RECORDER_RATE},
        /* More cells than most screens show, few enough for a small file. */
        .view = {.cols = 96,
                 .rows = 64,
                 .x0 = config->view.x0,
                 .x1 = config->view.x1,
                 .y0 = config->view.y0,
                 .y1 = config->view.y1,
                 .quantity = config->view.quantity},
        .lines = config->format == FORMAT_JSONL,
        .sample = sample_create(),
        .out = out,
    };
    run.runner.plan.paused = false;
    run.report = report_make(config, run.sample);
    enum status status = open_recorder(&run, config, error);
    if (!status && (status = runner_open(&run.runner)))
        *error = run.runner.error;
    if (!status) {
        run.pace.next_iteration_ns = clock_now_ns();
        runner_snapshot(&run.runner, NULL, run.sample);
        report_notices(notices, &run.runner.plan, run.sample);
        status = run_lanes(&run, error);
    }
    runner_close(&run.runner, NULL);
    return close_headless(&run, status, error);
}

/* ---- a source that runs somewhere else ------------------------------------------------------ */

/* What is told of the newest sample; before[l]: the iterations of the lane in the one before. */
static enum status tell_sample(struct headless *run, long before[LANES_MAX], FILE *notices,
                               struct error *error) {
    const struct sample *sample = run->sample;
    enum status status = STATUS_OK;
    const bool first = before[0] < 0 && sample->lane_count > 0;
    if (first)
        report_notices(notices, &run->runner.plan, sample);
    if (first && run->lines)
        status = report_jsonl_start(run->out, &run->report, error);
    if (!status && run->recorder)
        status = recorder_add(run->recorder, sample, error);
    for (int l = 0; l < sample->lane_count; l++) {
        const long iterations = sample->lanes[l].iterations;
        if (run->lines && !status && iterations > (before[l] > 0 ? before[l] : 0))
            status = report_jsonl_sample(run->out, &run->report, l, error);
        before[l] = iterations;
    }
    return run->lines && !status ? process_flush(run->out, "the report", error) : status;
}

enum status headless_watch(const struct config *config, struct source *source, FILE *out,
                           FILE *notices, const atomic_bool *stop, struct error *error) {
    static const struct command finish = {.kind = COMMAND_FINISH};
    struct headless run = {.runner.plan = config->plan,
                           .lines = config->format == FORMAT_JSONL,
                           .sample = sample_create(),
                           .out = out};
    long before[LANES_MAX] = {-1, -1, -1, -1};
    bool ends = false, ended = false;
    run.report = report_make(config, run.sample);
    enum status status = open_recorder(&run, config, error);
    while (!status && !ended) {
        struct pollfd ready = {.fd = source->ops->descriptor(source), .events = POLLIN};
        poll(&ready, 1, 100);
        const struct sample *sample = source->ops->latest(source);
        const bool done =
            atomic_load(stop) ||
            (sample && (sample->state == SESSION_FINISHED || sample->state == SESSION_FAILED));
        if (done && !ends)
            source->ops->command(source, &finish);
        ends |= done;
        if (sample && sample->sequence != run.sample->sequence) {
            sample_copy(run.sample, sample);
            status = tell_sample(&run, before, notices, error);
        }
        ended = ends &&
                (!source->ops->solutions || source->ops->solutions(source, run.report.solutions));
    }
    if (!status)
        status = report_write(out, &run.report, error);
    if (!status && run.sample->state == SESSION_FAILED) {
        *error = run.sample->error;
        status = error->status;
    }
    return close_headless(&run, status, error);
}
