/* The report as Markdown: tables to paste into a document. */
#include <math.h>

#include "core/format.h"
#include "metrics/costs.h"
#include "metrics/labels.h"
#include "report/report.h"

/* A recording's text must not end a column or a code span, or begin a tag. */
static void write_text(FILE *out, const char *text) {
    for (; *text; text++)
        fputs(*text == '|'   ? "\\|"
              : *text == '<' ? "&lt;"
              : *text == '`' ? "'"
                             : (const char[]){*text, '\0'},
              out);
}

static void write_run(FILE *out, const struct lane_sample *lane) {
    fputc('`', out);
    write_text(out, AS(lane_to_option, lane));
    fputc('`', out);
}

/* A figure in a column; an en dash if it was not measured. */
static void write_figure(FILE *out, double figure) {
    if (isfinite(figure))
        fprintf(out, " %.3g |", figure);
    else
        fputs(" – |", out);
}

static void write_runs(FILE *out, const struct sample *sample) {
    fputs("| run | device | iterations | ms/iteration | Mlu/s | minimum GB/s | residual |\n"
          "|---|---|---:|---:|---:|---:|---:|\n",
          out);
    for (int l = 0; l < sample->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        const struct costs costs = costs_of_run(sample, l);
        fputs("| ", out);
        write_run(out, lane);
        fputs(" | ", out);
        write_text(out, lane->device);
        fprintf(out, " | %ld |", lane->iterations);
        write_figure(out, costs.ms_per_iteration);
        write_figure(out, 1e-6 * costs.lattice_updates_per_second);
        write_figure(out, costs.minimum_gbs);
        fprintf(out, " %s |\n", AS(format_residual, lane->residual));
    }
}

/* Kernels by median with 5th and 95th percentile; copies and allocations by mean. */
static void write_work(FILE *out, const struct sample *sample, int l) {
    const struct lane_sample *lane = &sample->lanes[l];
    const struct costs costs = costs_of_run(sample, l);
    fputc('\n', out);
    write_run(out, lane);
    fputs(":\n\n| work | calls | median ms | 5 % | 95 % | mean ms | GB/s | % of loop |\n"
          "|---|---:|---:|---:|---:|---:|---:|---:|\n",
          out);
    for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++) {
        const struct cost *kernel = &costs.kernels[phase];
        if (!(kernel->count > 0))
            continue;
        const double figures[] = {1e-6 * lane->durations[phase].median,
                                  1e-6 * lane->durations[phase].p05,
                                  1e-6 * lane->durations[phase].p95,
                                  kernel->mean_ms,
                                  kernel->gbs,
                                  kernel->percent_of_loop};
        fprintf(out, "| %s | %.0f |", phase_names[phase], kernel->count);
        for (size_t f = 0; f < sizeof figures / sizeof *figures; f++)
            write_figure(out, figures[f]);
        fputc('\n', out);
    }
    for (int kind = EVENT_TO_DEVICE; kind <= EVENT_ALLOC; kind++) {
        const struct cost *cost = &costs.work[kind];
        if (!costs.is_observed || !(cost->count > 0))
            continue;
        fprintf(out, "| %s | %.0f | – | – | – |", event_kind_keys[kind], cost->count);
        write_figure(out, cost->mean_ms);
        write_figure(out, cost->gbs);
        write_figure(out, cost->percent_of_loop);
        fputc('\n', out);
    }
}

enum status report_markdown(FILE *out, const struct report *report, struct error *error) {
    const struct sample *sample = report->sample;
    const struct provenance made = report_provenance(sample, report_first_live(sample));
    write_text(out, sample->problem);
    fprintf(out, ", %s, precision: %s\n\n", AS(format_grids, sample), format_precision(sample));
    write_runs(out, sample);
    for (int l = 0; l < sample->lane_count; l++)
        write_work(out, sample, l);
    fputc('\n', out);
    if (*made.date)
        fprintf(out, "%s on %s, %s, compiled by %s, commit %s", made.date, made.host, made.cpu,
                made.compiler, made.commit);
    else
        write_text(out, sample->playback.label);
    fputc('\n', out);
    return STATUS_OK;
}
