/* A report: what is told of a run without a screen. Made from a sample, so that a replay can be
 * reported like a live run. */
#ifndef JACOBI_REPORT_REPORT_H
#define JACOBI_REPORT_REPORT_H

#include <stdio.h>

#include "config/config.h"
#include "metrics/figures.h"

/* Of U at the end; NaN where it was not read. */
struct solution {
    double min, max;
    double l2;    /* sqrt(sum(U²)*dx*dy) */
    double error; /* sqrt(sum((U - exact)²)*dx*dy), where the problem's solution is known */
};

extern const struct solution solution_unknown;

struct report {
    const struct config *config;
    const struct sample *sample; /* the last one */
    struct solution solutions[LANES_MAX];
};

/* Writes it in the format that the configuration asks for; with FORMAT_JSONL the last line.
 * STATUS_INTERNAL where there is no memory or `out` takes no more. */
enum status report_write(FILE *out, const struct report *report, struct error *error);

/* The blog's table for each run, beside it the preset's reference. */
void report_table(FILE *out, const struct report *report);

/* The promised JSON object, indented. STATUS_INTERNAL where there is no memory. */
enum status report_json(FILE *out, const struct report *report, struct error *error);

/* A line for each kernel, each sort of copy and the whole iteration of each run. */
void report_csv(FILE *out, const struct report *report);

/* JSON lines: what is about to run; one run's state now; the whole report. */
enum status report_jsonl_start(FILE *out, const struct report *report, struct error *error);
enum status report_jsonl_sample(FILE *out, const struct report *report, int lane,
                                struct error *error);
enum status report_jsonl_end(FILE *out, const struct report *report, struct error *error);

#endif
