#include "report/report.h"

#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "core/process.h"
#include "core/system.h"
#include "core/text.h"
#include "metrics/labels.h"
#include "record/recorder.h"
#include "record/replay.h"
#include "session/local.h"
#include "session/ranks.h"

int report_first_live(const struct sample *sample) {
    int l = 0;
    while (l + 1 < sample->lane_count && *sample->lanes[l].recorded)
        l++;
    return l;
}

struct provenance report_provenance(const struct sample *sample, int l) {
    struct provenance made = {.date = ""};
    struct utsname machine;
    struct tm utc;
    const time_t now = time(NULL);
    if (*sample->playback.label || *sample->lanes[l].recorded)
        return made;
    if (gmtime_r(&now, &utc))
        strftime(made.date, sizeof made.date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (uname(&machine) == 0)
        snprintf(made.host, sizeof made.host, "%.63s", machine.nodename);
    text_sanitize(made.host);
    snprintf(made.cpu, sizeof made.cpu, "%s", cpu_name());
#ifdef __clang__
    snprintf(made.compiler, sizeof made.compiler, "%.63s", __VERSION__);
#else
    snprintf(made.compiler, sizeof made.compiler, "gcc %.59s", __VERSION__);
#endif
    snprintf(made.commit, sizeof made.commit, "%.63s", build_commit);
    return made;
}

enum status report_write(FILE *out, const struct report *report, struct error *error) {
    static enum status (*const writers[])(FILE *out, const struct report *report,
                                          struct error *error) = {
        [FORMAT_TABLE] = report_text,        [FORMAT_JSON] = report_json,
        [FORMAT_JSONL] = report_json,        [FORMAT_CSV] = report_csv,
        [FORMAT_MARKDOWN] = report_markdown,
    };
    progress_end();
    TRY(writers[report->config->format](out, report, error));
    return process_flush(out, "the report", error);
}

enum status report_replay(struct config *config, FILE *out, struct error *error) {
    struct playlist *playlist;
    TRY(replay_load(config, &playlist, error));
    int index = playlist->count - 1;
    const int64_t begin = playlist_time_ns(playlist, 0);
    const double length = (double)(playlist_time_ns(playlist, index) - begin);
    if (isfinite(config->at_percent))
        index = playlist_find(playlist, begin + (int64_t)(config->at_percent / 100 * length));
    else if (isfinite(config->at_seconds))
        index = playlist_find(playlist, begin + (int64_t)(1e9 * config->at_seconds));
    const struct report report = {.config = config, .sample = playlist_sample(playlist, index)};
    const enum status status = report_write(out, &report, error);
    playlist_close(playlist);
    return status;
}

/* ---- a live run ------------------------------------------------------------------------------ */

/* A line for each difference from the plan. */
static void write_warnings(const struct report *report) {
    const struct plan *plan = &report->config->plan;
    const struct sample *sample = report->sample;
    /* Cores of other processes are unknown: launchers bind each rank to cores of its own. */
    const int cores = *report->config->on || ranks_are_led() ? 0 : cpus_usable();
    progress_end(); /* ends the line of the opening, such as autotuning of the depth */
    for (int l = 0; l < sample->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        const char *const note = AS(format_notes, &plan->lanes[l].engine, lane, cores);
        if (*lane->recorded)
            continue;
        if (*lane->fallback_from)
            fprintf(stderr, "jacobi-tui: %s runs instead of %s (%s)\n", lane->run.backend,
                    lane->fallback_from, lane->fallback_reason);
        if (*note)
            fprintf(stderr, "jacobi-tui: %s\n", note);
    }
}

/* "iteration 1200 of 20000, 0.146 ms per iteration, at most 3 s left", for the lane that is
 * furthest behind. The remaining time is up to the iteration limit. */
static void show_progress(const struct sample *sample) {
    const struct lane_sample *slowest = NULL;
    for (int l = 0; l < sample->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        if (lane->state == LANE_RUNNING && !*lane->recorded &&
            (!slowest || lane->iterations < slowest->iterations))
            slowest = lane;
    }
    if (!slowest || slowest->iterations < 1)
        return;
    double each = 0; /* lanes take turns: the time of one iteration in all lanes */
    for (int l = 0; l < sample->lane_count; l++)
        if (sample->lanes[l].iterations > 0 && !*sample->lanes[l].recorded)
            each += sample->lanes[l].seconds / (double)sample->lanes[l].iterations;
    const long to_go = slowest->iteration_limit - slowest->iterations;
    const double left = each * (double)to_go;
    progress_update(PROGRESS_STEP, "%siteration %ld of %ld, %s %s, at most %.0f %s left",
                    sample->lane_count > 1 ? "all runs: " : "", slowest->iterations,
                    slowest->iteration_limit, AS(format_duration, each),
                    sample->lane_count > 1 ? "for all" : "per iteration",
                    left < 100 ? left : left / 60, left < 100 ? "s" : "min");
}

/* The state of a reported run. */
struct headless {
    struct source *source;
    FILE *out;
    struct report report;
    struct recorder *recorder; /* NULL: nothing is recorded */
    struct error unrecorded;   /* why recording has failed, which ends the run */
    uint64_t sequence;         /* of the last reported sample */
    bool ends;                 /* COMMAND_FINISH was sent */
    bool is_silent;            /* the sample's warning: no answer */
};

static enum status report_sample(struct headless *run, const struct sample *sample,
                                 struct error *error) {
    const bool first = run->sequence == 0 || run->report.sample->lane_count == 0;
    run->report.sample = sample;
    run->sequence = sample->sequence;
    if (first && sample->lane_count > 0)
        write_warnings(&run->report);
    if (run->recorder) /* once it has failed, it does nothing */
        recorder_add(run->recorder, sample, &run->unrecorded);
    if (run->report.config->format == FORMAT_JSONL)
        return report_jsonl_progress(run->out, &run->report, error);
    show_progress(sample);
    return STATUS_OK;
}

/* Runs until the end. If a signal interrupts the program, finishes the run. */
static enum status run_to_end(struct headless *run, struct error *error) {
    static const struct command finish = {.kind = COMMAND_FINISH};
    const struct source_ops *ops = run->source->ops;
    bool ended = false;
    while (!ended) {
        /* A local source computes the next sample in `latest`. */
        struct pollfd ready = {.fd = ops->descriptor(run->source), .events = POLLIN};
        poll(&ready, 1, ready.fd < 0 ? 0 : 100);
        const struct sample *sample = ops->latest(run->source);
        const bool done =
            atomic_load(interrupt_flag()) || run->unrecorded.status ||
            (sample && (sample->state == SESSION_FINISHED || sample->state == SESSION_FAILED));
        if (done && !run->ends)
            ops->command(run->source, &finish);
        run->ends |= done;
        if (sample && sample->sequence != run->sequence && report_sample(run, sample, error))
            return error->status;
        const bool was_silent = run->is_silent;
        /* A replay's warning is the error at its end, too. */
        run->is_silent = sample && *sample->warning && !*sample->playback.label;
        if (run->is_silent && !was_silent)
            fprintf(stderr, "jacobi-tui: %s\n", sample->warning);
        ended = run->ends && sample && (sample->is_last || *sample->playback.label);
        /* Don't wait for a silent peer. */
        ended |= run->is_silent && (atomic_load(interrupt_flag()) || run->unrecorded.status);
    }
    return STATUS_OK;
}

/* Writes the report; a failed run is reported up to its failure. */
static enum status report_end(struct headless *run, struct error *error) {
    const struct sample *sample = run->report.sample;
    const bool has_begun = sample && (sample->lane_count > 0 || sample->state != SESSION_FAILED);
    for (int l = 0; has_begun && run->report.config->scans_tuning && l < sample->lane_count; l++)
        if (!sample->lanes[l].tuning_scan.count)
            fprintf(stderr, "jacobi-tui: %s: %s\n", sample->lanes[l].title,
                    format_no_scan(&sample->lanes[l]));
    if (has_begun && report_write(run->out, &run->report, error))
        return error->status;
    if (!sample || sample->state != SESSION_FAILED)
        return STATUS_OK;
    *error = sample->error;
    return error->status;
}

enum status report_source(const struct config *config, struct source *source, FILE *out,
                          struct error *error) {
    static const struct command probe = {.kind = COMMAND_PROBE},
                                scan = {.kind = COMMAND_TUNING_SCAN};
    struct headless run = {.source = source, .out = out, .report = {.config = config}};
    struct recording_header header;
    header_from_config(&header, config);
    if (*config->record &&
        recorder_open(config->record, config->overwrite, &header, &run.recorder, error))
        return error->status;
    if (config->probes_roof)
        source->ops->command(source, &probe);
    if (config->scans_tuning)
        source->ops->command(source, &scan);
    enum status status = run_to_end(&run, error);
    if (!status)
        status = report_end(&run, error);
    status = error_keep_first(status, &run.unrecorded, error);
    const enum status closed = recorder_close(run.recorder, status ? NULL : error);
    return status ? status : closed;
}

/* ---- in this process ------------------------------------------------------------------------ */

enum status headless_run(struct config *config, FILE *out, struct error *error) {
    const bool lines = config->format == FORMAT_JSONL;
    const bool alone = config->plan.lane_count - plan_recorded_count(&config->plan) == 1;
    /* A turn ends at least as often as samples are reported or recorded. A sample that just misses
     * its time is one turn late. A lone run without samples is not interrupted. */
    const double seconds = !alone || lines    ? 1.0 / config->plan.fps
                           : progress_is_on() ? 0.2
                                              : INFINITY;
    const struct local_settings settings = {
        .slice = *config->record ? fmin(seconds, 0.5 / RECORDER_RATE) : seconds,
        .every_turn = lines || progress_is_on(),
        .samples_per_second = *config->record ? RECORDER_RATE : 0};
    const struct view view = recorder_view(&config->view);
    struct plan plan = config->plan;
    struct source *source;
    if (!*config->record)
        plan.iterations_per_second = 0; /* no speed limit: nobody watches */
    TRY(local_start(&settings, &plan, &view, &source, error));
    const enum status status = report_source(config, source, out, error);
    source->ops->close(source);
    return status;
}
