#include "report/report.h"

#include <math.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "core/process.h"
#include "core/system.h"
#include "core/text.h"
#include "metrics/labels.h"
#include "record/replay.h"

struct report report_make(const struct config *config, const struct sample *sample) {
    return (struct report){.config = config, .sample = sample};
}

struct provenance report_provenance(const struct report *report) {
    struct provenance made = {.date = ""};
    struct utsname machine;
    struct tm utc;
    const time_t now = time(NULL);
    if (*report->sample->playback.label)
        return made;
    if (gmtime_r(&now, &utc))
        strftime(made.date, sizeof made.date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (uname(&machine) == 0)
        snprintf(made.host, sizeof made.host, "%.63s", machine.nodename);
    text_sanitize(made.host);
    cpu_name(made.cpu, sizeof made.cpu);
#ifdef __clang__
    snprintf(made.compiler, sizeof made.compiler, "%.63s", __VERSION__);
#else
    snprintf(made.compiler, sizeof made.compiler, "gcc %.59s", __VERSION__);
#endif
    snprintf(made.commit, sizeof made.commit, "%.63s", build_commit);
    return made;
}

void report_warnings(FILE *out, const struct report *report) {
    const struct plan *plan = &report->config->plan;
    const struct sample *sample = report->sample;
    progress_end(); /* of opening: the depth trial */
    for (int l = 0; l < sample->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        char note[128] = "";
        if (*lane->recorded)
            continue;
        if (*lane->fallback_from)
            fprintf(out, "jacobi-tui: %s runs instead of %s (%s)\n", lane->run.backend,
                    lane->fallback_from, lane->fallback_reason);
        schedule_note(note, sizeof note, lane->run.backend, plan->lanes[l].engine.run.schedule,
                      lane->run.schedule);
        if (*note)
            fprintf(out, "jacobi-tui: %s\n", note);
        if (plan->lanes[l].engine.run.method == METHOD_JACOBI &&
            *mesh_note(note, sizeof note, &plan->lanes[l].engine.mesh))
            fprintf(out, "jacobi-tui: %s\n", note);
        if (*host_memory_note(note, sizeof note, lane->run.mapping,
                              plan->lanes[l].engine.run.host_memory, lane->run.host_memory))
            fprintf(out, "jacobi-tui: %s\n", note);
    }
}

void report_missing_scans(FILE *out, const struct report *report) {
    const struct sample *sample = report->sample;
    for (int l = 0; l < sample->lane_count && report->config->scans_tuning; l++)
        if (!sample->lanes[l].tuning_scan.count)
            fprintf(out, "jacobi-tui: %s: %s\n", sample->lanes[l].title,
                    format_no_scan(&sample->lanes[l]));
}

/* "iteration 1200 of 20000, 0.146 ms per iteration, 3 s left" of the lane that is the farthest
 * back; left are as many iterations as the limit allows. */
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
    double each = 0; /* lanes take turns: an iteration of all */
    for (int l = 0; l < sample->lane_count; l++)
        if (sample->lanes[l].iterations > 0 && !*sample->lanes[l].recorded)
            each += sample->lanes[l].seconds / (double)sample->lanes[l].iterations;
    char time[32];
    const long to_go = slowest->iteration_limit - slowest->iterations;
    const double left = each * (double)to_go;
    progress_update("%siteration %ld of %ld, %s %s, at most %.0f %s left",
                    sample->lane_count > 1 ? "all lanes: " : "", slowest->iterations,
                    slowest->iteration_limit, format_duration(time, sizeof time, each),
                    sample->lane_count > 1 ? "for all" : "per iteration",
                    left < 100 ? left : left / 60, left < 100 ? "s" : "min");
}

enum status report_progress(FILE *out, struct report *report, struct error *error) {
    if (report->config->format == FORMAT_JSONL)
        return report_jsonl_progress(out, report, error);
    show_progress(report->sample);
    return STATUS_OK;
}

enum status report_write(FILE *out, const struct report *report, struct error *error) {
    static enum status (*const writers[])(FILE *out, const struct report *report,
                                          struct error *error) = {
        [FORMAT_TABLE] = report_text,        [FORMAT_JSON] = report_json,
        [FORMAT_JSONL] = report_jsonl_end,   [FORMAT_CSV] = report_csv,
        [FORMAT_MARKDOWN] = report_markdown,
    };
    progress_end();
    if (writers[report->config->format](out, report, error))
        return error->status;
    return process_flush(out, "the report", error);
}

enum status report_replay(struct config *config, FILE *out, struct error *error) {
    struct playlist *playlist;
    enum status status = replay_load(config, &playlist, error);
    if (status)
        return status;
    int index = playlist_sample_count(playlist) - 1;
    const int64_t begin = playlist_time_ns(playlist, 0);
    const double length = (double)(playlist_time_ns(playlist, index) - begin);
    if (isfinite(config->at_percent))
        index = playlist_find(playlist, begin + (int64_t)(config->at_percent / 100 * length));
    else if (isfinite(config->at_seconds))
        index = playlist_find(playlist, begin + (int64_t)(1e9 * config->at_seconds));
    const struct report report = report_make(config, playlist_sample(playlist, index));
    status = report_write(out, &report, error);
    playlist_close(playlist);
    return status;
}
