/* The report as text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/settings.h"
#include "core/format.h"
#include "core/text.h"
#include "metrics/costs.h"
#include "metrics/roofline.h"
#include "metrics/table.h"
#include "metrics/verdict.h"
#include "report/report.h"
#include "solver/residual_theory.h"

/* Prints a figure in `width` columns, "–" if it was not measured. */
static void print_column(FILE *out, int width, int decimals, double figure) {
    if (isfinite(figure))
        fprintf(out, " %*.*f", width, decimals, figure);
    else
        fprintf(out, " %*s–", width - 1, "");
}

/* Prints a word in 13 columns, "–" if it is empty. */
static void print_word(FILE *out, const char *word) {
    if (*word)
        fprintf(out, " %-13s", word);
    else
        fprintf(out, " –%12s", "");
}

/* The number of decimals for three significant digits: 51.4, 0.510, 0.00472. */
static int decimals_for(double figure) {
    int decimals = 5;
    for (double least = 0.01; decimals > 0 && figure >= least; least *= 10)
        decimals--;
    return decimals;
}

/* The blog's table, next to the preset's reference. The reference's percentages are the published
 * ones, or else computed from the published times. */
static void print_kernels(FILE *out, const struct costs *costs, const struct reference *reference,
                          const struct roofline *roofline, int lane) {
    double reference_ms = 0;
    bool has_kernels = false;
    for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++) {
        const bool known = isfinite(reference->kernel_ms[phase]);
        reference_ms += known ? reference->kernel_ms[phase] : 0;
        has_kernels |= known;
    }
    fprintf(out, "%-18s %10s %9s %7s  %-13s", "Kernel", "Typical ms", "% kernels", "GB/s", "Clock");
    const bool has_roof = roofline->roof.origin != ROOF_UNKNOWN;
    if (has_roof)
        fprintf(out, " %-13s", "Bound by");
    fputs(has_kernels ? " |   Ref. ms  % kernels    GB/s\n" : "\n", out);
    enum phase order[PHASE_COUNT];
    const int count = costs_order(costs, 1, order);
    for (int k = 0; k < count; k++) {
        const enum phase phase = order[k];
        const struct cost *kernel = &costs->kernels[phase];
        fprintf(out, "%-18s", phase_names[phase]);
        print_column(out, 10, decimals_for(kernel->ms), kernel->ms);
        print_column(out, 9, 1, kernel->percent_of_kernels);
        print_column(out, 7, decimals_for(kernel->gbs), kernel->gbs);
        fputc(' ', out);
        print_word(out, kernel->clock ? clock_names[kernel->clock] : "");
        if (has_roof)
            print_word(out, AS(format_bottleneck, roofline_bottleneck(roofline, lane, phase)));
        if (has_kernels) {
            const double ms = reference->kernel_ms[phase];
            const double percent = reference->kernel_percent[phase];
            fputs(" |", out);
            print_column(out, 9, decimals_for(ms), ms);
            print_column(out, 10, 1, isfinite(percent) ? percent : 100 * ms / reference_ms);
            /* In BoundaryConditions a profiler counts whole lines, our model only unknowns. */
            print_column(out, 7, 0, phase == PHASE_BOUNDARY ? NAN : reference->kernel_gbs[phase]);
        }
        fputc('\n', out);
    }
}

/* "Copies to device   8000, 1.07 GB in all, 812 ms in all, clock ompt", if there were any. */
static void print_copies(FILE *out, const struct costs *costs, bool several) {
    static const char *const names[EVENT_KIND_COUNT] = {[EVENT_TO_DEVICE] = "Copies to device",
                                                        [EVENT_FROM_DEVICE] = "Copies from device",
                                                        [EVENT_ALLOC] = "Allocations"};
    for (int kind = EVENT_TO_DEVICE; kind <= EVENT_ALLOC; kind++) {
        const struct cost *cost = &costs->work[kind];
        if (!costs->is_observed)
            fprintf(out, "%-18s not measured\n", names[kind]);
        if (!costs->is_observed || cost->count == 0)
            continue;
        fprintf(out, "%-18s %.0f, %s in all, %s in all, clock %s\n", names[kind], cost->count,
                AS(format_bytes, cost->total_bytes),
                isfinite(cost->total_ms) ? AS(format_duration, 1e-3 * cost->total_ms) : "not timed",
                cost->clock ? clock_names[cost->clock] : "–");
    }
    const struct cost *waits = &costs->work[EVENT_WAIT];
    if (waits->count > 0)
        fprintf(out, "%-18s %.0f of %s%s%s\n", "Waits", waits->count,
                several ? "slabs for each other or their device" : "the host for the device",
                isfinite(waits->total_ms) ? ", " : "",
                isfinite(waits->total_ms) ? AS(format_duration, 1e-3 * waits->total_ms) : "");
    if (isfinite(costs->launching.ms))
        fprintf(out, "%-18s %s per iteration: target regions less their kernels and copies\n",
                "Launch and wait", AS(format_duration, 1e-3 * costs->launching.ms));
}

static void print_device_time(FILE *out, const char *what, double ms) {
    if (isfinite(ms))
        fprintf(out, ", %s %s", what, AS(format_duration, 1e-3 * ms));
}

/* Each slab's device and times, and the transport of the halo rows. */
static void print_devices(FILE *out, const struct device_stats_list *devices, double halo_bytes) {
    for (int p = 0; p < devices->count; p++) {
        const struct device_stats *stats = &devices->device[p];
        fprintf(out, "%-18s %s%s%s", PRINT("Slab %d", stats->rank), stats->host,
                *stats->host ? ", " : "", stats->device);
        if (stats->device_index >= 0)
            fprintf(out, " (device %d%s%s)", stats->device_index, *stats->bus_id ? ", " : "",
                    stats->bus_id);
        fprintf(out, ", %d rows", stats->rows);
        print_device_time(out, "kernels", stats->kernel_ms);
        print_device_time(out, "halos", stats->halo_ms);
        print_device_time(out, "waiting", stats->wait_ms);
        fputc('\n', out);
    }
    if (devices->count > 0)
        fprintf(out, "%-18s %s by %s\n", "Halos", AS(format_bytes, halo_bytes), devices->transport);
}

/* Times and rates, next to a reference for the same grid. */
static void print_rates(FILE *out, const struct costs *costs, const struct lane_sample *lane,
                        const struct reference *reference, bool comparable) {
    const long iterations = lane->iterations;
    const double loop_ms = reference_loop_ms(reference, lane);
    fprintf(out, "%ld iteration%s in %s, %s", iterations, iterations == 1 ? "" : "s",
            AS(format_duration, costs->seconds), AS(format_iteration, costs, " per iteration"));
    if (comparable && isfinite(loop_ms))
        fprintf(out, " (%.3g times the reference's %s)", costs->ms_per_iteration / loop_ms,
                AS(format_duration, 1e-3 * loop_ms));
    fprintf(out, "\n%s lattice updates/s, %s GFLOP/s at 17 per update",
            AS(format_si, costs->lattice_updates_per_second), AS(format_si, costs->gflops));
    if (comparable && loop_ms == reference->ms_per_iteration && isfinite(reference->gflops))
        fprintf(out, " (reference %.4g)", reference->gflops);
    fprintf(out, ", %s as AMD's program counts", AS(format_gbs, costs->blog_gbs));
    if (isfinite(costs->minimum_gbs))
        fprintf(out, ", %s minimum traffic", AS(format_gbs, costs->minimum_gbs));
    fputc('\n', out);
}

/* Warns if a "converged" run has not converged in the middle of the field. Skipped for large grids,
 * where the exact value takes too long. */
static void print_middle(FILE *out, const struct sample *sample, const struct lane_sample *lane,
                         const struct solution *solution) {
    static const atomic_bool never;
    const struct problem *problem = problem_find(sample->problem);
    const struct mesh mesh = mesh_make(lane->nx, lane->ny);
    if (lane->state != LANE_CONVERGED || !problem || mesh_unknowns(&mesh) > 1 << 24)
        return;
    struct residual_theory *theory = theory_make(problem, &mesh, &never);
    const double wanted = theory ? theory_middle(theory) : NAN;
    if (fabs(solution->middle - wanted) > 0.1 * fabs(wanted))
        fprintf(out, "The centre of the field has not converged: U is %.3g, not %.3g\n",
                solution->middle, wanted);
    free(theory);
}

static void print_run(FILE *out, const struct report *report, int l) {
    static const char *const states[] = {
        [LANE_RUNNING] = "stopped early",
        [LANE_CONVERGED] = "converged",
        [LANE_LIMIT_REACHED] = "iteration limit reached",
        [LANE_FAILED] = "failed",
    };
    const struct sample *sample = report->sample;
    const struct lane_sample *lane = &sample->lanes[l];
    const struct costs costs = costs_of_run(sample, l);
    const struct reference *reference = &report->config->reference;
    const struct solution *solution = lane_solution(&report->sample->lanes[l]);
    const char *const tried = AS(format_tried, lane);
    const char *const stagnation = AS(format_stagnation, lane, 1);
    fprintf(out, "\n%s (%s) on %s, %s%s, %s", lane->title, lane->run.backend, lane->device,
            mapping_names[lane->run.mapping],
            lane->run.host_memory == HOST_PINNED ? " from pinned host memory" : "",
            AS(schedule_print, lane->run.schedule));
    if (*tried)
        fprintf(out, " (%s)", tried);
    if (lane->run.precision != PRECISION_DOUBLE)
        fprintf(out, ", %s precision", precision_names[lane->run.precision]);
    if (lane->run.method != METHOD_JACOBI)
        fprintf(out, ", %s", AS(format_method, lane));
    if (!lane_has_default_omega(lane))
        fprintf(out, ", omega %.4g", lane->run.omega);
    if (sample_grids_differ(sample))
        fprintf(out, ", %d x %d unknowns", lane->nx, lane->ny);
    fputc('\n', out);
    for (int k = 0; k < lane->tuning_scan.count; k++)
        fprintf(out, "%s%s %d %.4g", k ? ", " : "ms per iteration by the host's clock: ",
                tuning_names[lane->tuning_scan.field], lane->tuning_scan.value[k],
                lane->tuning_scan.ms[k]);
    if (lane->tuning_scan.count)
        fputc('\n', out);
    if (*lane->fallback_from)
        fprintf(out, "instead of %s (%s)\n", lane->fallback_from, lane->fallback_reason);
    if (sample->lane_count > 1 && *lane->recorded)
        fprintf(out, "%s\n", AS(lane_replay_label, lane));
    if (*stagnation)
        fprintf(out, "%s%s\n", stagnation,
                lane->run.precision == PRECISION_SINGLE ? "; --precision mixed goes lower" : "");
    const struct roofline roofline = roofline_make(sample, report->config, l);
    print_kernels(out, &costs, reference, &roofline, l);
    if (roofline.roof.origin != ROOF_UNKNOWN || roofline.roof.contended)
        fprintf(out, "%s\n", roofline.sentence);
    print_copies(out, &costs, lane->device_stats.count > 0);
    print_devices(out, &lane->device_stats, costs.halo_bytes);
    if (isfinite(costs.seconds))
        print_rates(out, &costs, lane, reference,
                    reference_is_comparable(reference, sample) && lane->ny == sample->ny);
    const struct mesh mesh = mesh_make(lane->nx, lane->ny);
    const double initial = lane->initial_residual;
    const bool converged = lane->state == LANE_CONVERGED;
    fprintf(out, "residual %.6g at the start, %s at the end: %s%s%s\n", initial,
            AS(format_figure, lane->residual), states[lane->state], converged ? " by " : "",
            converged ? measure_titles[lane->measure] : "");
    fprintf(out, "RMS residual %s at the end, relative to the start %s\n",
            AS(format_figure, lane->residual * measure_scale(MEASURE_RMS, &mesh, initial)),
            AS(format_figure, lane->residual * measure_scale(MEASURE_RELATIVE, &mesh, initial)));
    if (!isfinite(solution->l2))
        return;
    fprintf(out, "U: min %.6g, max %.6g, L2 norm %.6g", solution->min, solution->max, solution->l2);
    if (isfinite(solution->error))
        fprintf(out, ", true error %.6g (L2 norm), %.6g (maximum)", solution->error,
                solution->error_max);
    fputc('\n', out);
    print_middle(out, sample, lane, solution);
}

enum status report_text(FILE *out, const struct report *report, struct error *error) {
    const struct sample *sample = report->sample;
    const struct reference *reference = &report->config->reference;
    fprintf(out, "%s, %d x %d unknowns, %s", sample->problem, sample->nx, sample->ny,
            format_precision(sample));
    if (*sample->preset)
        fprintf(out, ", preset %s", sample->preset);
    fputc('\n', out);
    if (*sample->playback.label)
        fprintf(out, "%s\n", sample->playback.label);
    if (*reference->source) {
        fprintf(out, "reference: %s", reference->source);
        if (!reference_is_comparable(reference, sample))
            fprintf(out, ", for %d x %d unknowns", reference->nx, reference->ny);
        fputc('\n', out);
    }
    for (int l = 0; l < sample->lane_count; l++)
        print_run(out, report, l);
    if (sample->lane_count > 1) {
        const struct table costs =
            table_costs(sample, reference, &report->config->second_reference);
        fputs("\nSide by side\n", out);
        table_print(&costs, out);
    }
    const struct table durations = table_durations(sample);
    if (durations.row_count > 0) {
        fputs("\nSpread of the calls\n", out);
        table_print(&durations, out);
    }
    if (sample->lane_count > 1) {
        const struct verdict verdict = verdict_make(sample);
        char line[2 * VERDICT_LINE + 4];
        fprintf(out, "\n%s\n%s%s%s\n", verdict_line(line, sizeof line, &verdict), verdict.parts,
                *verdict.parts ? "\n" : "", verdict.agreement_text);
    }
    return STATUS_OK;
}

/* ---- after the screen ---------------------------------------------------------------------- */

/* The typed options of devices and tuning, which no key changes. */
static void print_machine_options(FILE *out, const struct config *config,
                                  const struct lane_sample *lane) {
    const struct device_choice *devices = &config->plan.lanes[0].engine.run.devices;
    if (lane->run.device > 0)
        fprintf(out, " --device %d", lane->run.device);
    if (devices->count == DEVICES_ALL)
        fputs(" --devices all", out);
    for (int d = 0; d < devices->count && devices->listed; d++)
        fprintf(out, d ? ",%d" : " --devices %d", devices->index[d]);
    for (const struct setting *setting = settings; setting->name; setting++)
        if (setting->section && strcmp(setting->section, "tuning") == 0 &&
            config_is_set(config, setting->name))
            fprintf(out, " --%s %d", setting->name,
                    *(const int *)((const char *)config + setting->offset));
}

/* The command that repeats these runs; the typed one if some of them are recorded. */
static void print_command(FILE *out, const struct config *config, const struct sample *sample) {
    char lane_text[96], command[4 * PATH_SIZE + 3];
    const struct lane_sample *first = &sample->lanes[0];
    const char *option =
        config->exercise && !*config->exercise_name ? strstr(config->command, "--exercise") : NULL;
    if (*config->kernels) {
        /* Without a name it would start the next exercise; the folder has this one's name. */
        const int length =
            option ? (int)(option - config->command) + 10 : (int)strlen(config->command);
        fprintf(out, "Again: %.*s%s%s%s\n", length, config->command, option ? " " : "",
                option ? strrchr(config->kernels, '/') + 1 : "", config->command + length);
        return;
    }
    for (int l = 0; l < sample->lane_count; l++)
        if (*sample->playback.label || *sample->lanes[l].recorded) {
            fprintf(out, "Again: %s\n", config->command);
            return;
        }
    fprintf(out, "Again: jacobi-tui --problem %s --grid %dx%d --iterations %ld --tolerance %s",
            text_quote(command, sizeof command, sample->problem), sample->nx, sample->ny,
            sample->iteration_limit, AS(format_exact, sample->tolerance));
    if (sample->measure != MEASURE_BLOG)
        fprintf(out, " --residual %s", measure_names[sample->measure]);
    if (*config->on)
        fprintf(out, " --on %s", text_quote(command, sizeof command, config->on));
    print_machine_options(out, config, first);
    if (sample->lane_count > 1) {
        if (sample->race == RACE_SAME_TIME)
            fputs(" --race time", out);
        for (int l = 0; l < sample->lane_count; l++)
            fprintf(out, "%s%s", l ? "," : " --compare ",
                    text_quote(command, sizeof command, AS(lane_to_option, &sample->lanes[l])));
        fputc('\n', out);
        return;
    }
    fprintf(out, " --backend %s", text_quote(command, sizeof command, first->run.backend));
    if (backend_maps(first->run.backend))
        fprintf(out, " --mapping %s%s", mapping_names[first->run.mapping],
                first->run.host_memory == HOST_PINNED ? " --host-memory pinned" : "");
    if (first->run.schedule.kind != SCHEDULE_CLASSIC)
        fprintf(out, " --schedule %s", AS(schedule_print, first->run.schedule));
    if (first->run.precision != PRECISION_DOUBLE)
        fprintf(out, " --precision %s", precision_names[first->run.precision]);
    if (first->run.method != METHOD_JACOBI)
        fprintf(out, " --method %s", method_names[first->run.method]);
    if (first->run.method == METHOD_MULTIGRID)
        fprintf(out, " --cycle %s", cycle_print(lane_text, first->run.cycle));
    if (!lane_has_default_omega(first))
        fprintf(out, " --omega %s", AS(format_exact, first->run.omega));
    fputc('\n', out);
}

void report_summary(FILE *out, const struct config *config, const struct sample *sample) {
    char text[2 * VERDICT_LINE];
    const struct lane_sample *first = &sample->lanes[0];
    if (sample->lane_count == 0)
        return;
    const struct mesh mesh = mesh_make(first->nx, first->ny);
    const double scale = measure_scale(first->measure, &mesh, first->initial_residual);
    fprintf(out, "%s, %s unknowns, %s %s%s%s\n", sample->problem, AS(format_grids, sample),
            measure_titles[first->measure], AS(format_residual, scale * first->residual),
            *sample->playback.label ? ", " : "", sample->playback.label);
    for (int l = 0; l < sample->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        const struct costs costs = costs_of_run(sample, l);
        fprintf(out, "%s%s on %s: %ld iterations, %s per iteration\n",
                lane->run.user_kernels    ? "yours: "
                : first->run.user_kernels ? "ours: "
                                          : "",
                AS(lane_to_option, lane), lane->device, lane->iterations,
                AS(format_iteration, &costs, ""));
    }
    if (sample->lane_count > 1) {
        const struct verdict verdict = verdict_make(sample);
        fprintf(out, "%s\n", verdict_line(text, sizeof text, &verdict));
    }
    print_command(out, config, sample);
}
