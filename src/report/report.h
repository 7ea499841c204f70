/* Reports without a screen. A report is made from a sample and metrics/costs.h, whether the run is
 * live or recorded. */
#ifndef JACOBI_REPORT_REPORT_H
#define JACOBI_REPORT_REPORT_H

#include <stdatomic.h>
#include <stdio.h>

#include "config/config.h"
#include "run/source.h"

/* ---- Running and reporting. A failed run is reported as far as it got, and its error returned. */

/* Runs the plan until its lanes end or *stop is true, records it if config->record is set, and
 * reports to `out`. `warnings` gets a line for each fallback. */
enum status headless_run(const struct config *config, FILE *out, FILE *warnings,
                         const atomic_bool *stop, struct error *error);

/* The same of a source that has been started with config->plan; it is not closed. */
enum status report_source(const struct config *config, struct source *source, FILE *out,
                          FILE *warnings, const atomic_bool *stop, struct error *error);

/* Reports the recordings of config->replay or --compare at their end, or at `at_seconds` or
 * `at_percent`, and fills the configuration from them. */
enum status report_replay(struct config *config, FILE *out, struct error *error);

/* ---- What a report is made from. */

struct report {
    const struct config *config;
    const struct sample *sample; /* the last one */

    /* What report_jsonl_progress has written: the start, and each lane's iterations. */
    bool has_begun;
    long iterations[LANES_MAX];
};

/* Writes the report in the configuration's format; with FORMAT_JSONL the last line. STATUS_INTERNAL
 * if memory ran out or `out` can't be written. */
enum status report_write(FILE *out, const struct report *report, struct error *error);

/* Where and how a live run was made. Empty texts: not known, as of a replay. */
struct provenance {
    char date[32];     /* UTC, "2026-11-25T19:05:00Z", of the report */
    char host[64];     /* the machine of the screen or of rank 0 */
    char cpu[128];     /* its CPU */
    char compiler[64]; /* of the program's C */
    char commit[64];   /* of the program's sources */
};

struct provenance report_provenance(const struct report *report);

/* ---- The formats, for report_write. STATUS_INTERNAL if memory ran out. */

/* For people: the blog's table of kernels, copies, rates and residuals of each run, then all runs
 * side by side. */
enum status report_text(FILE *out, const struct report *report, struct error *error);

/* Tables to be pasted into a document: the runs, each one's kernels, and the provenance. */
enum status report_markdown(FILE *out, const struct report *report, struct error *error);

/* The promised JSON object, indented. */
enum status report_json(FILE *out, const struct report *report, struct error *error);

/* One line per kernel, per sort of copy and for the whole iteration of each run. */
enum status report_csv(FILE *out, const struct report *report, struct error *error);

/* JSON lines: the last, the whole report; and, after each new sample, those before it: the start,
 * once, and a line per lane with new iterations. */
enum status report_jsonl_end(FILE *out, const struct report *report, struct error *error);
enum status report_jsonl_progress(FILE *out, struct report *report, struct error *error);

/* After the screen: what ran, its time, and the command that repeats it; at most seven lines. */
void report_summary(FILE *out, const struct config *config, const struct sample *sample);

/* --list: back ends with state and reason, devices, presets, problems; as text, or as one JSON
 * object. Asks every back end for its devices, which may load its runtime. */
enum status list_text(FILE *out);
enum status list_json(FILE *out, struct error *error);

#endif
