#include <math.h>
#include <string.h>

#include "report/report.h"

/* Quoted where it has to be. */
static void text_field(FILE *out, const char *text) {
    if (!strpbrk(text, ",\"\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++)
        fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', out);
}

/* Empty where it was not measured. */
static void figure_field(FILE *out, double figure) {
    if (isfinite(figure))
        fprintf(out, ",%.10g", figure);
    else
        fputc(',', out);
}

static void begin_row(FILE *out, const struct report *report, int l, const char *name) {
    const struct sample *sample = report->sample;
    const struct lane_sample *lane = &sample->lanes[l];
    char schedule[32];
    fprintf(out, "%d,%s,%d,%d,%s,", l, sample->problem, sample->nx, sample->ny, lane->backend);
    text_field(out, lane->device);
    fprintf(out, ",%s,%s,%s", mapping_name(lane->mapping),
            schedule_print(schedule, sizeof schedule, lane->schedule), name);
}

static void write_row(FILE *out, const struct report *report, int l, const char *name,
                      const struct kernel_figures *row) {
    begin_row(out, report, l, name);
    const double figures[] = {row->count,   row->total_ms, row->avg_ms,
                              row->percent, row->bytes,    row->gbs};
    for (size_t f = 0; f < sizeof figures / sizeof *figures; f++)
        figure_field(out, figures[f]);
    fprintf(out, ",%s,%s\n", row->clock ? row->clock : "", report->sample->lanes[l].recorded);
}

static struct kernel_figures copy_row(const struct copy_figures *copies) {
    return (struct kernel_figures){
        .count = copies->count,
        .total_ms = copies->ms,
        .avg_ms = copies->count > 0 ? copies->ms / copies->count : NAN,
        .percent = NAN,
        .bytes = copies->count > 0 ? copies->bytes / copies->count : NAN,
        .gbs = copies->ms > 0 ? 1e-6 * copies->bytes / copies->ms : NAN,
        .clock = copies->clock,
    };
}

static struct kernel_figures iteration_row(const struct lane_sample *lane,
                                           const struct lane_figures *figures) {
    return (struct kernel_figures){
        .count = (double)lane->iterations,
        .total_ms = 1e3 * figures->seconds,
        .avg_ms = figures->ms_per_iteration,
        .percent = NAN,
        .bytes = 1e6 * figures->minimum_gbs * figures->ms_per_iteration,
        .gbs = figures->minimum_gbs,
        .clock = "host",
    };
}

static void run_rows(FILE *out, const struct report *report, int l) {
    static const char *const names[] = {"", "to_device", "from_device", "alloc"};
    const struct lane_sample *lane = &report->sample->lanes[l];
    const struct mesh mesh = mesh_make(report->sample->nx, report->sample->ny);
    const struct lane_figures figures = figures_of_run(lane, &mesh);
    for (int k = 0; k < figures.kernel_count; k++)
        write_row(out, report, l, phase_name(figures.kernels[k].phase), &figures.kernels[k]);
    for (int kind = EVENT_TO_DEVICE; kind < EVENT_KIND_COUNT; kind++) {
        const struct kernel_figures row = copy_row(&figures.loop[kind]);
        write_row(out, report, l, names[kind], &row);
    }
    const struct kernel_figures whole = iteration_row(lane, &figures);
    write_row(out, report, l, "iteration", &whole);
}

void report_csv(FILE *out, const struct report *report) {
    fputs("run,problem,nx,ny,backend,device,mapping,schedule,name,count,total_ms,avg_ms,percent,"
          "bytes,gbs,clock,recorded\n",
          out);
    for (int l = 0; l < report->sample->lane_count; l++)
        run_rows(out, report, l);
}
