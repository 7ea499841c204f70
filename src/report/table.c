#include <math.h>
#include <string.h>

#include "core/text.h"
#include "metrics/table.h"
#include "metrics/verdict.h"
#include "report/report.h"

/* A figure in so many columns, "–" where it was not measured. */
static void column(FILE *out, int width, int decimals, double figure) {
    if (isfinite(figure))
        fprintf(out, " %*.*f", width, decimals, figure);
    else
        fprintf(out, " %*s–", width - 1, "");
}

/* Three significant digits or so: 51.40, 0.510, 0.00472. */
static int decimals_for(double figure) {
    return figure >= 10 ? 2 : figure >= 0.1 ? 3 : 5;
}

static bool has_kernels(const struct reference *reference) {
    for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++)
        if (isfinite(reference->kernel_ms[phase]))
            return true;
    return false;
}

/* Figures of another grid are no measure for this one. */
static bool is_comparable(const struct reference *reference, const struct sample *sample) {
    return reference->nx == 0 || (reference->nx == sample->nx && reference->ny == sample->ny);
}

static void reference_line(FILE *out, const struct reference *reference,
                           const struct sample *sample) {
    if (!*reference->source)
        return;
    fprintf(out, "reference: %s", reference->source);
    if (!is_comparable(reference, sample))
        fprintf(out, ", for %d x %d unknowns", reference->nx, reference->ny);
    fputc('\n', out);
}

/* As published; else what the published times come to. */
static double reference_percent(const struct reference *reference, enum phase phase) {
    double all = 0;
    if (isfinite(reference->kernel_percent[phase]))
        return reference->kernel_percent[phase];
    for (int p = 0; p < PHASE_DOWNSAMPLE; p++)
        all += isfinite(reference->kernel_ms[p]) ? reference->kernel_ms[p] : 0;
    return 100 * reference->kernel_ms[phase] / all;
}

static void reference_columns(FILE *out, const struct reference *reference, enum phase phase) {
    const double ms = reference->kernel_ms[phase];
    fputs(" |", out);
    column(out, 9, decimals_for(ms), ms);
    column(out, 10, 1, reference_percent(reference, phase));
    column(out, 7, 0, reference->kernel_gbs[phase]);
}

static void kernel_row(FILE *out, const struct kernel_figures *kernel,
                       const struct reference *reference) {
    fprintf(out, "%-18s", phase_name(kernel->phase));
    column(out, 9, decimals_for(kernel->avg_ms), kernel->avg_ms);
    column(out, 10, 1, kernel->percent);
    column(out, 7, kernel->gbs < 10 ? 2 : 0, kernel->gbs);
    if (kernel->clock)
        fprintf(out, "  %-13s", kernel->clock);
    else
        fprintf(out, "  –%12s", "");
    if (has_kernels(reference))
        reference_columns(out, reference, kernel->phase);
    fputc('\n', out);
}

static void kernel_table(FILE *out, const struct lane_figures *figures,
                         const struct reference *reference) {
    int order[PHASE_COUNT];
    figures_order_by_time(figures, order);
    fprintf(out, "%-18s %9s %10s %7s  %-13s", "Kernel", "Avg ms", "Percentage", "GB/s", "Clock");
    fputs(has_kernels(reference) ? " |   Ref. ms Percentage    GB/s\n" : "\n", out);
    for (int k = 0; k < figures->kernel_count; k++)
        kernel_row(out, &figures->kernels[order[k]], reference);
}

/* "Copies to device   8000 x  1.07 GB in all  812 ms in all  ompt", for those that there were. */
static void copy_row(FILE *out, const char *name, const struct copy_figures *copies) {
    char bytes[32], time[32] = "not timed";
    if (!isfinite(copies->count)) {
        fprintf(out, "%-18s not measured\n", name);
        return;
    }
    if (copies->count == 0)
        return;
    if (isfinite(copies->ms))
        text_duration(time, sizeof time, 1e-3 * copies->ms);
    fprintf(out, "%-18s %.0f, %s in all, %s in all, clock %s\n", name, copies->count,
            text_bytes(bytes, sizeof bytes, copies->bytes), time,
            copies->clock ? copies->clock : "–");
}

static void copy_rows(FILE *out, const struct lane_figures *figures) {
    copy_row(out, "Copies to device", &figures->loop[EVENT_TO_DEVICE]);
    copy_row(out, "Copies from device", &figures->loop[EVENT_FROM_DEVICE]);
    copy_row(out, "Allocations", &figures->loop[EVENT_ALLOC]);
}

static void time_line(FILE *out, const struct lane_sample *lane, const struct lane_figures *figures,
                      double reference_ms) {
    char time[32], each[32], reference[32];
    fprintf(out, "%ld iteration%s in %s, %s an iteration", lane->iterations,
            lane->iterations == 1 ? "" : "s", text_duration(time, sizeof time, figures->seconds),
            text_duration(each, sizeof each, 1e-3 * figures->ms_per_iteration));
    if (isfinite(reference_ms))
        fprintf(out, " (reference %s, %.3g times that)",
                text_duration(reference, sizeof reference, 1e-3 * reference_ms),
                figures->ms_per_iteration / reference_ms);
    fputc('\n', out);
}

static void rate_line(FILE *out, const struct lane_figures *figures, double reference_gflops) {
    char rate[32];
    fprintf(out, "%s lattice updates/s, %.4g GFLOP/s",
            text_count(rate, sizeof rate, figures->lattice_updates_per_second), figures->gflops);
    if (isfinite(reference_gflops))
        fprintf(out, " (reference %.4g)", reference_gflops);
    fprintf(out, ", %.4g GB/s as the blog counts", figures->blog_gbs);
    if (isfinite(figures->minimum_gbs))
        fprintf(out, ", %.4g GB/s minimum traffic", figures->minimum_gbs);
    fputc('\n', out);
}

static void outcome(FILE *out, const struct lane_sample *lane, const struct solution *solution) {
    static const char *const states[] = {
        [LANE_RUNNING] = "stopped early",
        [LANE_CONVERGED] = "converged",
        [LANE_LIMIT_REACHED] = "iteration limit reached",
        [LANE_FAILED] = "failed",
    };
    fprintf(out, "residual %.6g at the start, %.6g at the end: %s\n", lane->initial_residual,
            lane->residual, states[lane->state]);
    if (!isfinite(solution->l2))
        return;
    fprintf(out, "U: min %.6g, max %.6g, L2 norm %.6g", solution->min, solution->max, solution->l2);
    if (isfinite(solution->error))
        fprintf(out, ", true error %.6g", solution->error);
    fputc('\n', out);
}

static void run_title(FILE *out, const struct lane_sample *lane) {
    char schedule[32];
    fprintf(out, "%s (%s) on %s, %s, %s\n", lane->title, lane->backend, lane->device,
            mapping_name(lane->mapping), schedule_print(schedule, sizeof schedule, lane->schedule));
    if (*lane->fallback_from)
        fprintf(out, "instead of %s (%s)\n", lane->fallback_from, lane->fallback_reason);
}

static void run(FILE *out, const struct report *report, int l) {
    const struct lane_sample *lane = &report->sample->lanes[l];
    const struct mesh mesh = mesh_make(report->sample->nx, report->sample->ny);
    const struct lane_figures figures = figures_of_run(lane, &mesh);
    const struct reference *reference = &report->config->reference;
    const bool comparable = is_comparable(reference, report->sample);
    char replay[LABEL_REPLAY_SIZE];
    fputc('\n', out);
    run_title(out, lane);
    if (report->sample->lane_count > 1 && *lane->recorded)
        fprintf(out, "%s\n", lane_replay_label(replay, sizeof replay, lane));
    kernel_table(out, &figures, reference);
    copy_rows(out, &figures);
    if (isfinite(figures.seconds)) {
        time_line(out, lane, &figures, comparable ? reference->ms_per_iteration : NAN);
        rate_line(out, &figures, comparable ? reference->gflops : NAN);
    }
    outcome(out, lane, &report->solutions[l]);
}

static void spreads(FILE *out, const struct sample *sample) {
    const struct table table = table_spreads(sample);
    if (table.row_count == 0)
        return;
    fputs("\nSpread of the calls\n", out);
    table_print(&table, out);
}

static void comparison(FILE *out, const struct report *report) {
    const struct table costs = table_costs(report->sample, &report->config->reference);
    fputs("\nSide by side\n", out);
    table_print(&costs, out);
}

static void verdict_lines(FILE *out, const struct sample *sample) {
    const struct verdict verdict = verdict_make(sample);
    char line[2 * VERDICT_LINE + 4];
    fprintf(out, "\n%s\n%s\n", verdict_line(line, sizeof line, &verdict), verdict.agreement_text);
}

void report_table(FILE *out, const struct report *report) {
    const struct sample *sample = report->sample;
    fprintf(out, "%s, %d x %d unknowns, double", sample->problem, sample->nx, sample->ny);
    if (*sample->preset)
        fprintf(out, ", preset %s", sample->preset);
    fputc('\n', out);
    if (*sample->playback.label)
        fprintf(out, "%s\n", sample->playback.label);
    reference_line(out, &report->config->reference, sample);
    for (int l = 0; l < sample->lane_count; l++)
        run(out, report, l);
    if (sample->lane_count > 1)
        comparison(out, report);
    spreads(out, sample);
    if (sample->lane_count > 1)
        verdict_lines(out, sample);
}
