/* The report as one JSON object, and as JSON lines. */
#include <math.h>
#include <string.h>

#include "build_info.h"
#include "core/json.h"
#include "metrics/costs.h"
#include "metrics/words.h"
#include "report/report.h"

static void add_figure(cJSON *object, const char *name, double figure) {
    if (isfinite(figure))
        cJSON_AddNumberToObject(object, name, figure);
    else
        cJSON_AddNullToObject(object, name);
}

static void add_text(cJSON *object, const char *name, const char *text) {
    if (text && *text)
        cJSON_AddStringToObject(object, name, text);
    else
        cJSON_AddNullToObject(object, name);
}

static void add_header(cJSON *object, const struct sample *sample) {
    cJSON_AddStringToObject(object, "program", "jacobi-tui");
    cJSON_AddStringToObject(object, "version", BUILD_VERSION);
    add_text(object, "preset", sample->preset);
    cJSON_AddStringToObject(object, "problem", sample->problem);
    cJSON *grid = cJSON_AddObjectToObject(object, "grid");
    cJSON_AddNumberToObject(grid, "nx", sample->nx);
    cJSON_AddNumberToObject(grid, "ny", sample->ny);
    cJSON_AddStringToObject(object, "precision", "double");
    if (*sample->playback.label)
        cJSON_AddStringToObject(object, "replay", sample->playback.label);
}

/* `spreads`: of the kernels' calls, by phase; NULL: left out. */
static void add_kernels(cJSON *run, const struct costs *costs,
                        const struct kernel_spread *spreads) {
    cJSON *kernels = cJSON_AddArrayToObject(run, "kernels");
    for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++) {
        const struct cost *kernel = &costs->kernels[phase];
        if (!(kernel->count > 0))
            continue;
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "name", phase_name(kernel->phase));
        add_figure(object, "count", kernel->count);
        add_figure(object, "total_ms", kernel->total_ms);
        add_figure(object, "avg_ms", kernel->ms);
        add_figure(object, "percent", kernel->percent_of_kernels);
        add_figure(object, "bytes", kernel->bytes);
        add_figure(object, "gbs", kernel->gbs);
        add_text(object, "clock", kernel->clock ? clock_name(kernel->clock) : NULL);
        if (spreads) {
            add_figure(object, "median_ms", 1e-6 * spreads[phase].median);
            add_figure(object, "p05_ms", 1e-6 * spreads[phase].p05);
            add_figure(object, "p95_ms", 1e-6 * spreads[phase].p95);
            add_figure(object, "warm_up_ms", 1e-6 * spreads[phase].warm_up_mean);
        }
        json_append(kernels, object);
    }
}

static void add_copies(cJSON *transfers, const struct cost copies[EVENT_KIND_COUNT],
                       bool is_observed) {
    static const char *const names[EVENT_KIND_COUNT] = {
        [EVENT_TO_DEVICE] = "to_device",
        [EVENT_FROM_DEVICE] = "from_device",
        [EVENT_ALLOC] = "alloc",
    };
    for (int kind = EVENT_TO_DEVICE; kind < EVENT_KIND_COUNT; kind++) {
        const struct cost *cost = is_observed ? &copies[kind] : &cost_unknown;
        cJSON *object = cJSON_AddObjectToObject(transfers, names[kind]);
        add_figure(object, "count", cost->count);
        if (kind != EVENT_ALLOC)
            add_figure(object, "bytes", cost->total_bytes);
        add_figure(object, "ms", cost->total_ms);
    }
}

static void add_identity(cJSON *run, const struct lane_sample *lane) {
    char schedule[32];
    cJSON_AddStringToObject(run, "backend", lane->backend);
    cJSON_AddStringToObject(run, "device", lane->device);
    cJSON_AddStringToObject(run, "mapping", mapping_name(lane->mapping));
    cJSON_AddStringToObject(run, "schedule",
                            schedule_print(schedule, sizeof schedule, lane->schedule));
    if (*lane->recorded) {
        char replay[LABEL_REPLAY_SIZE];
        cJSON_AddStringToObject(run, "replay", lane_replay_label(replay, sizeof replay, lane));
    }
    add_text(run, "fallback_from", lane->fallback_from);
    add_text(run, "fallback_reason", lane->fallback_reason);
}

static void add_runs(cJSON *object, const struct report *report) {
    cJSON *runs = cJSON_AddArrayToObject(object, "runs");
    for (int l = 0; l < report->sample->lane_count; l++) {
        const struct lane_sample *lane = &report->sample->lanes[l];
        const struct solution *solution = &report->solutions[l];
        const struct costs costs = costs_of_run(report->sample, l);
        cJSON *run = cJSON_CreateObject();
        add_identity(run, lane);
        cJSON_AddNumberToObject(run, "iterations", (double)lane->iterations);
        cJSON_AddBoolToObject(run, "converged", lane->state == LANE_CONVERGED);
        add_figure(run, "initial_residual", lane->initial_residual);
        add_figure(run, "residual", lane->residual);
        cJSON *values = cJSON_AddObjectToObject(run, "solution");
        add_figure(values, "min", solution->min);
        add_figure(values, "max", solution->max);
        add_figure(values, "l2", solution->l2);
        add_figure(values, "error", solution->error);
        add_figure(run, "seconds", costs.seconds);
        add_figure(run, "ms_per_iteration", costs.ms_per_iteration);
        add_figure(run, "lattice_updates_per_second", costs.lattice_updates_per_second);
        add_figure(run, "gflops", costs.gflops);
        add_figure(run, "blog_bandwidth_gbs", costs.blog_gbs);
        add_figure(run, "minimum_bandwidth_gbs", costs.minimum_gbs);
        add_kernels(run, &costs, lane->spreads);
        cJSON *transfers = cJSON_AddObjectToObject(run, "transfers");
        add_copies(transfers, costs.work, costs.is_observed);
        add_copies(cJSON_AddObjectToObject(transfers, "setup"), costs.setup, costs.is_observed);
        if (lane->state == LANE_FAILED)
            add_text(run, "failure", lane->error.message);
        json_append(runs, run);
    }
}

/* Takes the object over. */
static enum status print_object(FILE *out, cJSON *object, bool indented, struct error *error) {
    char *text = json_finish(object, indented);
    if (!text)
        return error_set(error, STATUS_INTERNAL, "out of memory for the report");
    fprintf(out, "%s\n", text);
    cJSON_free(text);
    return STATUS_OK;
}

enum status report_json(FILE *out, const struct report *report, struct error *error) {
    json_begin();
    cJSON *object = cJSON_CreateObject();
    add_header(object, report->sample);
    add_runs(object, report);
    return print_object(out, object, true, error);
}

static cJSON *make_line(const char *type) {
    json_begin();
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "type", type);
    return object;
}

enum status report_jsonl_start(FILE *out, const struct report *report, struct error *error) {
    const struct sample *sample = report->sample;
    cJSON *object = make_line("start");
    add_header(object, sample);
    add_figure(object, "iteration_limit", (double)sample->iteration_limit);
    add_figure(object, "tolerance", sample->tolerance);
    cJSON *runs = cJSON_AddArrayToObject(object, "runs");
    for (int l = 0; l < sample->lane_count; l++) {
        cJSON *run = cJSON_CreateObject();
        add_identity(run, &sample->lanes[l]);
        json_append(runs, run);
    }
    return print_object(out, object, false, error);
}

enum status report_jsonl_sample(FILE *out, const struct report *report, int l,
                                struct error *error) {
    const struct sample *sample = report->sample;
    const struct lane_sample *lane = &sample->lanes[l];
    const struct costs costs = costs_of_window(sample, l);
    cJSON *object = make_line("sample");
    cJSON_AddNumberToObject(object, "run", l);
    add_figure(object, "time_seconds", 1e-9 * (double)sample->time_ns);
    add_figure(object, "iterations", (double)lane->iterations);
    add_figure(object, "residual", lane->residual);
    add_figure(object, "seconds", lane->seconds);
    add_figure(object, "window_iterations", (double)lane->window_iterations);
    add_figure(object, "ms_per_iteration", costs.ms_per_iteration);
    add_kernels(object, &costs, NULL);
    add_copies(cJSON_AddObjectToObject(object, "transfers"), costs.work, costs.is_observed);
    return print_object(out, object, false, error);
}

enum status report_jsonl_end(FILE *out, const struct report *report, struct error *error) {
    cJSON *object = make_line("report");
    add_header(object, report->sample);
    add_runs(object, report);
    return print_object(out, object, false, error);
}
