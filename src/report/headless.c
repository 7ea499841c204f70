/* The run without a screen: a source, its recording and its report. */
#include <math.h>
#include <poll.h>

#include "core/process.h"
#include "record/recorder.h"
#include "report/report.h"
#include "session/local.h"

/* A run that is being reported. */
struct headless {
    const struct config *config;
    struct source *source;
    FILE *out, *warnings;
    struct report report;
    struct recorder *recorder; /* NULL: nothing is recorded */
    uint64_t sequence;         /* of the sample reported last */
    bool ends;                 /* COMMAND_FINISH was sent */
    bool is_silent;            /* it does not answer: the sample's warning */
};

/* Waits for the next sample, which a local source makes meanwhile. */
static const struct sample *wait_for_sample(struct source *source) {
    struct pollfd ready = {.fd = source->ops->descriptor(source), .events = POLLIN};
    poll(&ready, 1, ready.fd < 0 ? 0 : 100);
    return source->ops->latest(source);
}

static enum status report_sample(struct headless *run, const struct sample *sample,
                                 struct error *error) {
    const bool first = run->sequence == 0 || run->report.sample->lane_count == 0;
    run->report.sample = sample;
    run->sequence = sample->sequence;
    if (first && sample->lane_count > 0)
        report_warnings(run->warnings, &run->report);
    if (run->recorder && recorder_add(run->recorder, sample, error))
        return error->status;
    return report_progress(run->out, &run->report, error);
}

/* Until the run has ended, or *stop is true: then it is finished. */
static enum status run_to_end(struct headless *run, const atomic_bool *stop, struct error *error) {
    static const struct command finish = {.kind = COMMAND_FINISH};
    const struct source_ops *ops = run->source->ops;
    bool ended = false;
    while (!ended) {
        const struct sample *sample = wait_for_sample(run->source);
        const bool done =
            atomic_load(stop) ||
            (sample && (sample->state == SESSION_FINISHED || sample->state == SESSION_FAILED));
        if (done && !run->ends)
            ops->command(run->source, &finish);
        run->ends |= done;
        if (sample && sample->sequence != run->sequence && report_sample(run, sample, error))
            return error->status;
        const bool was_silent = run->is_silent;
        run->is_silent = sample && *sample->warning;
        if (run->is_silent && !was_silent)
            fprintf(run->warnings, "jacobi-tui: %s\n", sample->warning);
        ended = run->ends && sample && (sample->is_last || *sample->playback.label);
        ended |= run->is_silent && atomic_load(stop); /* who does not answer is not waited for */
    }
    return STATUS_OK;
}

/* The report, also of a run that has failed as far as it got. */
static enum status report_end(struct headless *run, struct error *error) {
    const struct sample *sample = run->report.sample;
    const bool has_begun = sample && (sample->lane_count > 0 || sample->state != SESSION_FAILED);
    if (has_begun)
        report_missing_scans(run->warnings, &run->report);
    if (has_begun && report_write(run->out, &run->report, error))
        return error->status;
    if (!sample || sample->state != SESSION_FAILED)
        return STATUS_OK;
    *error = sample->error;
    return error->status;
}

enum status report_source(const struct config *config, struct source *source, FILE *out,
                          FILE *warnings, const atomic_bool *stop, struct error *error) {
    static const struct command probe = {.kind = COMMAND_PROBE},
                                scan = {.kind = COMMAND_TUNING_SCAN};
    struct headless run = {.config = config,
                           .source = source,
                           .out = out,
                           .warnings = warnings,
                           .report = report_make(config, NULL)};
    if (recorder_open_asked(config, &run.recorder, error))
        return error->status;
    if (config->probes_roof)
        source->ops->command(source, &probe);
    if (config->scans_tuning)
        source->ops->command(source, &scan);
    enum status status = run_to_end(&run, stop, error);
    if (!status)
        status = report_end(&run, error);
    const enum status closed = recorder_close(run.recorder, status ? NULL : error);
    return status ? status : closed;
}

/* ---- in this process ------------------------------------------------------------------------ */

/* A turn, in seconds, ends at least as often as samples are reported or recorded; a sample that is
 * just missed comes a turn late. A lone run of which no samples are taken is not interrupted. */
static double turn_seconds(const struct config *config) {
    const struct plan *plan = &config->plan;
    const bool lines = config->format == FORMAT_JSONL;
    const bool alone = plan->lane_count - plan_recorded_count(plan) == 1;
    const double seconds = !alone || lines ? 1.0 / plan->fps : progress_is_on() ? 0.2 : INFINITY;
    return *config->record ? fmin(seconds, 0.5 / RECORDER_RATE) : seconds;
}

enum status headless_run(const struct config *config, FILE *out, FILE *warnings,
                         const atomic_bool *stop, struct error *error) {
    const struct local_settings settings = {
        .slice = turn_seconds(config),
        .every_turn = config->format == FORMAT_JSONL || progress_is_on(),
        .samples_per_second = *config->record ? RECORDER_RATE : 0,
        .stop = stop};
    const struct view view = recorder_view(&config->view);
    struct plan plan = config->plan;
    struct source *source;
    if (!*config->record)
        plan.iterations_per_second = 0; /* flat out: nobody watches */
    if (local_start(&settings, &plan, &view, &source, error))
        return error->status;
    const enum status status = report_source(config, source, out, warnings, stop, error);
    source->ops->close(source);
    return status;
}
