/* The report as one JSON object, and as JSON lines. */
#include <math.h>
#include <string.h>

#include "build_info.h"
#include "core/json.h"
#include "core/process.h"
#include "metrics/costs.h"
#include "metrics/labels.h"
#include "metrics/roofline.h"
#include "report/report.h"

static void add_grid(cJSON *object, int nx, int ny) {
    cJSON *grid = cJSON_AddObjectToObject(object, "grid");
    cJSON_AddNumberToObject(grid, "nx", nx);
    cJSON_AddNumberToObject(grid, "ny", ny);
}

/* Null for a replay. */
static void add_provenance(cJSON *object, const struct sample *sample) {
    const int live = report_first_live(sample);
    const struct provenance made = report_provenance(sample, live);
    if (!*made.date) {
        cJSON_AddNullToObject(object, "provenance");
        return;
    }
    cJSON *provenance = cJSON_AddObjectToObject(object, "provenance");
    json_add_text(provenance, "date", made.date);
    json_add_text(provenance, "host", made.host);
    json_add_text(provenance, "cpu", made.cpu);
    json_add_text(provenance, "compiler", made.compiler);
    json_add_text(provenance, "driver", sample->lane_count > 0 ? sample->lanes[live].driver : NULL);
    json_add_text(provenance, "commit", made.commit);
}

static void add_header(cJSON *object, const struct report *report) {
    const struct sample *sample = report->sample;
    cJSON_AddStringToObject(object, "program", "jacobi-tui");
    cJSON_AddStringToObject(object, "version", BUILD_VERSION);
    json_add_text(object, "preset", sample->preset);
    cJSON_AddStringToObject(object, "problem", sample->problem);
    add_grid(object, sample->nx, sample->ny);
    cJSON_AddStringToObject(object, "precision", precision_names[sample->lanes[0].run.precision]);
    if (*sample->playback.label)
        cJSON_AddStringToObject(object, "replay", sample->playback.label);
    add_provenance(object, sample);
}

/* {"wall": "memory", "percent": 97}; both are null if no bottleneck is known. */
static void add_stand(cJSON *object, struct bottleneck bottleneck) {
    const bool known = bottleneck.kind != BOTTLENECK_NONE;
    cJSON *stands_at = cJSON_AddObjectToObject(object, "stands_at");
    json_add_text(stands_at, "wall", known ? bottleneck_name(bottleneck.kind) : NULL);
    json_add_figure(stands_at, "percent", known ? bottleneck.percent : NAN);
}

/* Adds a number to a list; null if it was not measured. */
static void add_number(cJSON *list, double number) {
    json_append(list, isfinite(number) ? cJSON_CreateNumber(number) : cJSON_CreateNull());
}

/* `roofline` is the lane's, in a report of the whole run. NULL: without the statistics of calls. */
static void add_kernels(cJSON *run, const struct costs *costs, const struct sample *sample,
                        const struct roofline *roofline, int lane) {
    cJSON *kernels = cJSON_AddArrayToObject(run, "kernels");
    for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++) {
        const struct cost *kernel = &costs->kernels[phase];
        if (!(kernel->count > 0))
            continue;
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "name", phase_names[kernel->phase]);
        JSON_FIGURES(object, {"count", kernel->count}, {"total_ms", kernel->total_ms},
                     {"avg_ms", kernel->mean_ms}, {"percent", kernel->percent_of_kernels},
                     {"percent_of_loop", kernel->percent_of_loop}, {"bytes", kernel->bytes},
                     {"gbs", kernel->gbs}, {"launch_and_wait_ms", kernel->launch_ms});
        json_add_text(object, "clock", kernel->clock ? clock_names[kernel->clock] : NULL);
        if (roofline) {
            const struct kernel_durations *durations = sample->lanes[lane].durations;
            const struct kernel_usage *usage = &sample->lanes[lane].usage[phase];
            JSON_FIGURES(object, {"median_ms", 1e-6 * durations[phase].median},
                         {"p05_ms", 1e-6 * durations[phase].p05},
                         {"p95_ms", 1e-6 * durations[phase].p95},
                         {"warm_up_ms", 1e-6 * durations[phase].warm_up_mean},
                         {"registers", usage->registers > 0 ? usage->registers : NAN},
                         {"occupancy", usage->occupancy > 0 ? usage->occupancy : NAN});
            cJSON *spread = cJSON_AddArrayToObject(object, "spread");
            add_number(spread, 1e-6 * durations[phase].p05);
            add_number(spread, 1e-6 * durations[phase].p95);
            add_stand(object, roofline_bottleneck(roofline, lane, (enum phase)phase));
        }
        json_append(kernels, object);
    }
}

static void add_copies(cJSON *transfers, const struct cost copies[EVENT_KIND_COUNT],
                       bool is_observed) {
    for (int kind = EVENT_TO_DEVICE; kind <= EVENT_ALLOC; kind++) {
        const struct cost *cost = is_observed ? &copies[kind] : &cost_unknown;
        cJSON *object = cJSON_AddObjectToObject(transfers, event_kind_keys[kind]);
        json_add_figure(object, "count", cost->count);
        if (kind != EVENT_ALLOC)
            json_add_figure(object, "bytes", cost->total_bytes);
        json_add_figure(object, "ms", cost->total_ms);
    }
}

/* The launch geometry, null where it does not apply, and its scan. */
static void add_geometry(cJSON *run, const struct lane_sample *lane) {
    cJSON *geometry = cJSON_AddObjectToObject(run, "geometry");
    for (int field = 0; field < TUNING_FIELDS; field++) {
        const int used = lane->run.tuning.of[field];
        const int tried = lane->tuning_tried.of[field];
        char key[16];
        snprintf(key, sizeof key, "%s", tuning_names[field]);
        for (char *hyphen = key; (hyphen = strchr(hyphen, '-'));)
            *hyphen = '_';
        cJSON *object = cJSON_AddObjectToObject(geometry, key);
        json_add_figure(object, "used", used ? used : NAN);
        cJSON *list = tried ? cJSON_AddArrayToObject(object, "tried")
                            : cJSON_AddNullToObject(object, "tried");
        for (int bit = 0; bit < TUNING_TRIED_BITS; bit++)
            if (tried >> bit & 1)
                json_append(list, cJSON_CreateNumber(tuning_tried((enum tuning_field)field, bit)));
    }
    const struct tuning_scan *scan = &lane->tuning_scan;
    cJSON *made =
        scan->count ? cJSON_AddObjectToObject(run, "sweep") : cJSON_AddNullToObject(run, "sweep");
    if (!scan->count)
        return;
    cJSON_AddStringToObject(made, "of", tuning_names[scan->field]);
    cJSON_AddStringToObject(made, "clock", "host");
    cJSON *points = cJSON_AddArrayToObject(made, "points");
    for (int k = 0; k < scan->count; k++) {
        cJSON *point = cJSON_CreateObject();
        cJSON_AddNumberToObject(point, "value", scan->value[k]);
        json_add_figure(point, "ms_per_iteration", scan->ms[k]);
        json_append(points, point);
    }
}

static void add_identity(cJSON *run, const struct lane_sample *lane) {
    cJSON_AddStringToObject(run, "backend", lane->run.backend);
    cJSON_AddStringToObject(run, "device", lane->device);
    add_grid(run, lane->nx, lane->ny);
    cJSON_AddStringToObject(run, "mapping", mapping_names[lane->run.mapping]);
    cJSON_AddStringToObject(run, "precision", precision_names[lane->run.precision]);
    cJSON_AddStringToObject(run, "host_memory", host_memory_names[lane->run.host_memory]);
    cJSON_AddStringToObject(run, "schedule", AS(schedule_print, lane->run.schedule));
    cJSON *tried = lane->depths_tried ? cJSON_AddArrayToObject(run, "depths_tried")
                                      : cJSON_AddNullToObject(run, "depths_tried");
    for (int depth = 1; depth < 64; depth++)
        if (lane->depths_tried >> depth & 1)
            json_append(tried, cJSON_CreateNumber(depth));
    char cycle[CYCLE_SIZE];
    cJSON_AddStringToObject(run, "method", method_names[lane->run.method]);
    json_add_text(run, "cycle",
                  lane->run.method == METHOD_MULTIGRID ? cycle_print(cycle, lane->run.cycle) : "");
    add_geometry(run, lane);
    json_add_figure(run, "omega", lane->run.omega);
    if (*lane->recorded) {
        cJSON_AddStringToObject(run, "replay", AS(lane_replay_label, lane));
    }
    json_add_text(run, "fallback_from", lane->fallback_from);
    json_add_text(run, "fallback_reason", lane->fallback_reason);
}

/* The blog's residual, the other measures, and the error if it is known. */
static void add_residuals(cJSON *object, const struct lane_sample *lane, double error) {
    const struct mesh mesh = mesh_make(lane->nx, lane->ny);
    const double initial = lane->initial_residual;
    JSON_FIGURES(
        object, {"residual", lane->residual},
        {"residual_rms", lane->residual * measure_scale(MEASURE_RMS, &mesh, initial)},
        {"residual_relative", lane->residual * measure_scale(MEASURE_RELATIVE, &mesh, initial)},
        {"error", error});
    double least;
    long iterate;
    const bool stagnates = lane_stagnates(lane, &least, &iterate);
    json_add_figure(object, "stagnates_at", stagnates ? least : NAN);
    json_add_figure(object, "stagnates_at_iteration", stagnates ? (double)iterate : NAN);
}

/* All null if the run has only one device. */
static void add_devices(cJSON *run, const struct device_stats_list *devices, double halo_bytes) {
    const bool several = devices->count > 0;
    cJSON *list =
        several ? cJSON_AddArrayToObject(run, "parts") : cJSON_AddNullToObject(run, "parts");
    for (int p = 0; p < devices->count; p++) {
        const struct device_stats *stats = &devices->device[p];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddNumberToObject(object, "rank", stats->rank);
        json_add_text(object, "host", stats->host);
        json_add_text(object, "device", stats->device);
        json_add_figure(object, "device_index",
                        stats->device_index < 0 ? NAN : stats->device_index);
        json_add_text(object, "bus_id", stats->bus_id);
        cJSON_AddNumberToObject(object, "rows", stats->rows);
        JSON_FIGURES(object, {"kernel_ms", stats->kernel_ms}, {"halo_ms", stats->halo_ms},
                     {"wait_ms", stats->wait_ms});
        json_append(list, object);
    }
    json_add_text(run, "transport", several ? devices->transport : NULL);
    json_add_figure(run, "halo_bytes", halo_bytes);
}

static void add_runs(cJSON *object, const struct report *report) {
    cJSON *runs = cJSON_AddArrayToObject(object, "runs");
    for (int l = 0; l < report->sample->lane_count; l++) {
        const struct lane_sample *lane = &report->sample->lanes[l];
        const struct solution *solution = lane_solution(&report->sample->lanes[l]);
        const struct costs costs = costs_of_run(report->sample, l);
        cJSON *run = cJSON_CreateObject();
        add_identity(run, lane);
        cJSON_AddNumberToObject(run, "iterations", (double)lane->iterations);
        cJSON_AddBoolToObject(run, "converged", lane->state == LANE_CONVERGED);
        json_add_figure(run, "initial_residual", lane->initial_residual);
        add_residuals(run, lane, solution->error);
        cJSON_AddStringToObject(run, "measure", measure_names[lane->measure]);
        cJSON *values = cJSON_AddObjectToObject(run, "solution");
        JSON_FIGURES(values, {"min", solution->min}, {"max", solution->max},
                     {"middle", solution->middle}, {"l2", solution->l2}, {"error", solution->error},
                     {"error_max", solution->error_max});
        JSON_FIGURES(run, {"seconds", costs.seconds}, {"ms_per_iteration", costs.ms_per_iteration},
                     {"mean_ms_per_iteration", costs.mean_ms});
        cJSON *spread = cJSON_AddArrayToObject(run, "spread");
        add_number(spread, lane->times.count > 0 ? lane->times.p05 : NAN);
        add_number(spread, lane->times.count > 0 ? lane->times.p95 : NAN);
        JSON_FIGURES(run, {"lattice_updates_per_second", costs.lattice_updates_per_second},
                     {"gflops", costs.gflops}, {"blog_bandwidth_gbs", costs.blog_gbs},
                     {"minimum_bandwidth_gbs", costs.minimum_gbs});
        const struct roofline roofline = roofline_make(report->sample, report->config, l);
        cJSON *roof = cJSON_AddObjectToObject(run, "roof");
        JSON_FIGURES(roof, {"bandwidth_gbs", roofline.roof.bandwidth_gbs},
                     {"gflops", roofline.roof.gflops});
        cJSON_AddBoolToObject(roof, "disturbed", roofline.roof.contended);
        add_stand(run, roofline.bottleneck);
        add_kernels(run, &costs, report->sample, &roofline, l);
        cJSON *transfers = cJSON_AddObjectToObject(run, "transfers");
        add_copies(transfers, costs.work, costs.is_observed);
        add_copies(cJSON_AddObjectToObject(transfers, "setup"), costs.setup, costs.is_observed);
        const struct cost *waits =
            costs.work[EVENT_WAIT].count > 0 ? &costs.work[EVENT_WAIT] : &cost_unknown;
        cJSON *object_of_waits = cJSON_AddObjectToObject(run, "waits");
        JSON_FIGURES(object_of_waits, {"count", waits->count}, {"ms", waits->total_ms});
        add_devices(run, &lane->device_stats, costs.halo_bytes);
        json_add_figure(run, "device_clock_step_ns",
                        lane->clock_step_ns > 0 ? lane->clock_step_ns : NAN);
        if (lane->state == LANE_FAILED)
            json_add_text(run, "failure", lane->error.message);
        json_append(runs, run);
    }
}

/* Begins a line of that type; NULL: an object without a type. */
static cJSON *make_object(const char *type) {
    json_begin();
    cJSON *object = cJSON_CreateObject();
    if (type)
        cJSON_AddStringToObject(object, "type", type);
    return object;
}

static enum status print_start(FILE *out, const struct report *report, struct error *error) {
    const struct sample *sample = report->sample;
    cJSON *object = make_object("start");
    add_header(object, report);
    JSON_FIGURES(object, {"iteration_limit", (double)sample->iteration_limit},
                 {"tolerance", sample->tolerance});
    cJSON_AddStringToObject(object, "measure", measure_names[sample->measure]);
    cJSON *runs = cJSON_AddArrayToObject(object, "runs");
    for (int l = 0; l < sample->lane_count; l++) {
        cJSON *run = cJSON_CreateObject();
        add_identity(run, &sample->lanes[l]);
        json_append(runs, run);
    }
    return json_print(out, object, false, error);
}

static enum status print_sample(FILE *out, const struct report *report, int l,
                                struct error *error) {
    const struct sample *sample = report->sample;
    const struct lane_sample *lane = &sample->lanes[l];
    const struct costs costs = costs_of_window(sample, l);
    cJSON *object = make_object("sample");
    cJSON_AddNumberToObject(object, "run", l);
    JSON_FIGURES(object, {"time_seconds", 1e-9 * (double)sample->time_ns},
                 {"iterations", (double)lane->iterations});
    /* The error is known if the shown field is the error of this iterate. */
    add_residuals(object, lane,
                  lane->field.kind == FIELD_ERROR && lane->field.iteration == lane->iterations
                      ? lane->field.stats.error_l2
                      : NAN);
    JSON_FIGURES(object, {"seconds", lane->seconds},
                 {"window_iterations", (double)lane->window_iterations},
                 {"ms_per_iteration", costs.mean_ms});
    add_kernels(object, &costs, sample, NULL, 0);
    add_copies(cJSON_AddObjectToObject(object, "transfers"), costs.work, costs.is_observed);
    return json_print(out, object, false, error);
}

enum status report_jsonl_progress(FILE *out, struct report *report, struct error *error) {
    const struct sample *sample = report->sample;
    if (sample->lane_count == 0)
        return STATUS_OK;
    if (!report->has_begun)
        TRY(print_start(out, report, error));
    report->has_begun = true;
    for (int l = 0; l < sample->lane_count; l++)
        if (sample->lanes[l].iterations > report->iterations[l]) {
            report->iterations[l] = sample->lanes[l].iterations;
            TRY(print_sample(out, report, l, error));
        }
    return process_flush(out, "the report", error);
}

enum status report_json(FILE *out, const struct report *report, struct error *error) {
    const bool is_line = report->config->format == FORMAT_JSONL;
    cJSON *object = make_object(is_line ? "report" : NULL);
    add_header(object, report);
    add_runs(object, report);
    return json_print(out, object, !is_line, error);
}
