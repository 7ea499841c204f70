/* The run without a screen: a runner and a report. */
#include <math.h>

#include "core/process.h"
#include "core/system.h"
#include "record/recorder.h"
#include "report/report.h"
#include "session/pace.h"

/* A turn, in seconds, ends at least as often as samples are reported or recorded; a sample that is
 * just missed comes a turn late. A lone run of which no samples are taken is not interrupted. */
static double turn_seconds(const struct config *config) {
    const struct plan *plan = &config->plan;
    const bool lines = config->format == FORMAT_JSONL;
    const bool alone = plan->lane_count - plan_recorded_count(plan) == 1;
    const double seconds = !alone || lines ? 1.0 / plan->fps : progress_is_on() ? 0.2 : INFINITY;
    return *config->record ? fmin(seconds, 0.5 / RECORDER_RATE) : seconds;
}

enum status headless_run(const struct config *config, FILE *out, FILE *notices,
                         const atomic_bool *stop, struct error *error) {
    struct runner runner = {.plan = config->plan, .stop = stop, .began_ns = clock_now_ns()};
    struct pace pace = {.samples_per_second = RECORDER_RATE,
                        .downsample_share = 0.003,
                        .least_turn_ns = 500000000 / RECORDER_RATE};
    const struct view view = recorder_view(&config->view);
    const double slice = turn_seconds(config);
    struct sample *sample = sample_create();
    struct report report = report_make(config, sample);
    struct recorder *recorder = NULL;
    if (!sample)
        return error_set(error, STATUS_INTERNAL, "out of memory for the report");
    enum status status = recorder_open_asked(config, &recorder, error);
    runner.plan.paused = false;
    if (!recorder)
        runner.plan.iterations_per_second = 0; /* flat out: nobody watches */
    if (!status && (status = runner_open(&runner)))
        *error = runner.error;
    if (!status && config->probes_roof)
        runner_probe(&runner);
    if (!status && config->sweeps)
        runner_sweep(&runner);
    if (!status) {
        runner_snapshot(&runner, recorder ? &view : NULL, sample);
        report_notices(notices, &report);
        status = report_progress(out, &report, error);
    }
    if (recorder && !status) /* however soon the run ends, its beginning is recorded */
        status = recorder_add(recorder, sample, error);
    pace.next_iteration_ns = clock_now_ns();
    while (!status && !atomic_load(stop) && pace_turn(&pace, &runner, slice) >= 0) {
        if (recorder && runner.state == SESSION_RUNNING && pace_sample_is_due(&pace, &runner)) {
            pace_snapshot(&pace, &runner, &view, false, sample);
            sample->state = SESSION_RUNNING; /* until the last sample */
            status = recorder_add(recorder, sample, error);
        } else if (config->format == FORMAT_JSONL || progress_is_on()) {
            runner_snapshot(&runner, NULL, sample);
        }
        if (!status)
            status = report_progress(out, &report, error);
    }
    if (recorder && !status) {
        runner.plan.paused = runner.state == SESSION_RUNNING; /* interrupted */
        pace_snapshot(&pace, &runner, &view, true, sample);
        status = recorder_add(recorder, sample, error);
    }
    if (!status) {
        runner_finish(&runner, sample, report.solutions);
        report_missing_sweeps(notices, &report);
        status = report_write(out, &report, error);
    }
    if (!status && sample->state == SESSION_FAILED) {
        *error = sample->error;
        status = error->status;
    }
    runner_close(&runner, NULL);
    const enum status closed = recorder_close(recorder, status ? NULL : error);
    sample_destroy(sample);
    return status ? status : closed;
}
