/* The report as CSV. Per run: one line per kernel, per kind of copy, and for the iteration. */
#include <math.h>
#include <string.h>

#include "core/format.h"
#include "metrics/costs.h"
#include "report/report.h"

/* Quoted if it contains a separator. */
static void write_text(FILE *out, const char *text) {
    const char *quote = strpbrk(text, ",\"\n") ? "\"" : "";
    fputs(quote, out);
    for (const char *c = text; *c; c++)
        fprintf(out, *c == '"' ? "\"\"" : "%c", *c);
    fputs(quote, out);
}

/* A figure that is not finite is left empty. */
static void write_figure(FILE *out, double figure) {
    if (isfinite(figure))
        fprintf(out, ",%.10g", figure);
    else
        fputc(',', out);
}

/* `ns`: of the calls or iterations. */
static void write_row(FILE *out, const struct sample *sample, int l, const char *name,
                      const struct cost *cost, const struct kernel_durations *ns) {
    const struct lane_sample *lane = &sample->lanes[l];
    const struct provenance made = report_provenance(sample, l);
    fprintf(out, "%d,", l);
    write_text(out, sample->problem);
    fprintf(out, ",%d,%d,", lane->nx, lane->ny);
    write_text(out, lane->run.backend);
    fputc(',', out);
    write_text(out, lane->device);
    fprintf(out, ",%s,%s,%s", mapping_names[lane->run.mapping],
            AS(schedule_print, lane->run.schedule), name);
    const double figures[] = {cost->count, cost->total_ms, cost->mean_ms, cost->percent_of_kernels,
                              cost->bytes, cost->gbs};
    for (size_t f = 0; f < sizeof figures / sizeof *figures; f++)
        write_figure(out, figures[f]);
    fprintf(out, ",%s,", cost->clock ? clock_names[cost->clock] : "");
    write_text(out, lane->recorded);
    fprintf(out, ",%.10g,%s,%s", lane->run.omega, host_memory_names[lane->run.host_memory],
            method_names[lane->run.method]);
    write_figure(out, lane->residual);
    const char *const texts[] = {made.date,     made.host,    made.cpu,
                                 made.compiler, lane->driver, made.commit};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        fputc(',', out);
        write_text(out, texts[k]);
    }
    fprintf(out, ",%s", precision_names[lane->run.precision]);
    write_figure(out, 1e-6 * ns->median);
    write_figure(out, 1e-6 * ns->p05);
    write_figure(out, 1e-6 * ns->p95);
    fputc('\n', out);
}

enum status report_csv(FILE *out, const struct report *report, struct error *error) {
    fputs("run,problem,nx,ny,backend,device,mapping,schedule,name,count,total_ms,avg_ms,percent,"
          "bytes,gbs,clock,recorded,omega,host_memory,method,residual,date,host,cpu,"
          "compiler,driver,commit,precision,median_ms,p05_ms,p95_ms\n",
          out);
    static const struct kernel_durations unknown = {NAN, NAN, NAN, NAN};
    for (int l = 0; l < report->sample->lane_count; l++) {
        const struct lane_sample *lane = &report->sample->lanes[l];
        const struct costs costs = costs_of_run(report->sample, l);
        for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++)
            if (costs.kernels[phase].count > 0)
                write_row(out, report->sample, l, phase_names[phase], &costs.kernels[phase],
                          &lane->durations[phase]);
        for (int kind = EVENT_TO_DEVICE; kind <= EVENT_ALLOC; kind++)
            write_row(out, report->sample, l, event_kind_keys[kind],
                      costs.is_observed ? &costs.work[kind] : &cost_unknown, &unknown);
        const struct iteration_times *times = &lane->times;
        write_row(out, report->sample, l, "iteration",
                  &(struct cost){.count = (double)lane->iterations,
                                 .total_ms = 1e3 * costs.seconds,
                                 .mean_ms = costs.mean_ms,
                                 .percent_of_kernels = NAN,
                                 .bytes = 1e6 * costs.minimum_gbs * costs.ms_per_iteration,
                                 .gbs = costs.minimum_gbs,
                                 .clock = CLOCK_HOST},
                  times->count > 0
                      ? &(struct kernel_durations){1e6 * times->p05, 1e6 * times->median,
                                                   1e6 * times->p95, NAN}
                      : &unknown);
    }
    return STATUS_OK;
}
