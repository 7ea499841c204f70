/* Reports: prints a run, or what could run, without a screen.
 *
 * A run's report is made from a sample and the costs of metrics/costs.h, so that a replay can be
 * reported like a live run. Nothing here frees what it is given.
 */
#ifndef JACOBI_REPORT_REPORT_H
#define JACOBI_REPORT_REPORT_H

#include <stdatomic.h>
#include <stdio.h>

#include "config/config.h"
#include "run/source.h"

/* ---- What is run or replayed, and reported. A run that fails is reported as far as it got; the
 * status is its failure. */

/* Runs the plan's lanes to their end, or until *stop becomes true, records them if config->record
 * names a file, and writes the report to `out`. What is to be noticed (a fall-back) goes to
 * `notices`, a line each. */
enum status headless_run(const struct config *config, FILE *out, FILE *notices,
                         const atomic_bool *stop, struct error *error);

/* The same of a source that has been started with config->plan; it is not closed. */
enum status report_source(const struct config *config, struct source *source, FILE *out,
                          FILE *notices, const atomic_bool *stop, struct error *error);

/* Reports the recording that config->replay names, or the recordings that are compared, as the runs
 * were when they ended, or at `at_seconds` or `at_percent`; what a recording does not hold (U
 * itself) is not known. The configuration is filled from it. */
enum status report_replay(struct config *config, FILE *out, struct error *error);

/* ---- What a report is made from. */

struct report {
    const struct config *config;
    const struct sample *sample; /* the last one */
    struct solution solutions[LANES_MAX];

    /* What report_progress has told: that it begins, and each lane's iterations. */
    bool has_begun;
    long iterations[LANES_MAX];
};

/* A report of that sample, without the solutions. Both must outlive it. */
struct report report_make(const struct config *config, const struct sample *sample);

/* A line for each thing that runs otherwise than the plan asks for. */
void report_notices(FILE *out, const struct report *report);

/* If a sweep was asked for, why a lane has none. */
void report_missing_scans(FILE *out, const struct report *report);

/* While a run goes on, after each new sample. With FORMAT_JSONL: writes what is about to run, once,
 * and a line for each lane that has made iterations since the last call. Otherwise a line of
 * progress on standard error (core/process.h). STATUS_INTERNAL as report_write. */
enum status report_progress(FILE *out, struct report *report, struct error *error);

/* Writes the report in the format that the configuration asks for; with FORMAT_JSONL the last line.
 * STATUS_INTERNAL if there is no memory or `out` takes no more. */
enum status report_write(FILE *out, const struct report *report, struct error *error);

/* ---- The formats. STATUS_INTERNAL if there is no memory. */

/* For people: the blog's table of kernels, copies, rates and residuals of each run, then all runs
 * side by side. */
void report_text(FILE *out, const struct report *report);

/* What has run and how long it took, and the command that repeats it: at most seven lines, five for
 * one run or two, for whoever has left the screen. */
void report_summary(FILE *out, const struct config *config, const struct sample *sample);

/* The promised JSON object, indented. */
enum status report_json(FILE *out, const struct report *report, struct error *error);

/* One line per kernel, per sort of copy and for the whole iteration of each run. */
void report_csv(FILE *out, const struct report *report);

/* JSON lines, as report_progress says. */
enum status report_jsonl_progress(FILE *out, struct report *report, struct error *error);

/* The last of the JSON lines: the whole report. */
enum status report_jsonl_end(FILE *out, const struct report *report, struct error *error);

/* --list: back ends with state and reason, devices, presets, problems; as text, or as one JSON
 * object. Asks every back end for its devices, which may load its runtime. */
enum status list_text(FILE *out);
enum status list_json(FILE *out, struct error *error);

#endif
