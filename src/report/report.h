/* Reports without a screen. A report is made from a sample and metrics/costs.h, for live and
 * recorded runs. */
#pragma once

#include <stdio.h>

#include "config/config.h"
#include "run/source.h"

/* ---- Running and reporting. A failed run is reported up to its failure; its error is returned. */

/* Runs the plan until its lanes end or interrupt_flag is set, records it if config->record is set,
 * and reports to `out`. Each fallback writes a line to standard error. */
enum status headless_run(struct config *config, FILE *out, struct error *error);

/* The same for a source that was started with config->plan. Does not close it. */
enum status report_source(const struct config *config, struct source *source, FILE *out,
                          struct error *error);

/* Reports the recordings of config->replay or --compare at their end, or at `at_seconds` or
 * `at_percent`. Fills the configuration from them. */
enum status report_replay(struct config *config, FILE *out, struct error *error);

/* ---- The input of a report */

struct report {
    const struct config *config;
    const struct sample *sample; /* the last one */

    /* The progress of report_jsonl_progress: the start, and each lane's iterations. */
    bool has_begun;
    long iterations[LANES_MAX];
};

/* Writes the report in the configuration's format; for FORMAT_JSONL only the last line.
 * STATUS_INTERNAL if memory ran out or `out` can't be written. */
enum status report_write(FILE *out, const struct report *report, struct error *error);

/* The origin of a live run. Empty texts: unknown, as for a recorded run. */
struct provenance {
    char date[32];     /* UTC, "2026-11-25T19:05:00Z", of the report */
    char host[64];     /* the machine of the screen or rank 0 */
    char cpu[128];     /* its CPU */
    char compiler[64]; /* that built the program's C code */
    char commit[64];   /* of the program */
};

/* The first lane that is not recorded; the last one if all are. */
int report_first_live(const struct sample *sample);

struct provenance report_provenance(const struct sample *sample, int l);

/* ---- The formats, for report_write. STATUS_INTERNAL if memory ran out. */

/* Text: each run's table of kernels, copies, rates and residuals, as in the blog; then all runs. */
enum status report_text(FILE *out, const struct report *report, struct error *error);

/* Tables to paste into a document: the runs, the kernels of each, and the provenance. */
enum status report_markdown(FILE *out, const struct report *report, struct error *error);

/* The documented JSON object: indented, or as the last of the JSON lines. */
enum status report_json(FILE *out, const struct report *report, struct error *error);

/* Per run: one line per kernel, per kind of copy, and for the iteration. */
enum status report_csv(FILE *out, const struct report *report, struct error *error);

/* The other JSON lines, after each new sample: the start, once, and a line per lane with new
 * iterations. */
enum status report_jsonl_progress(FILE *out, struct report *report, struct error *error);

/* After the screen: runs, their time, and the command that repeats them; at most seven lines. */
void report_summary(FILE *out, const struct config *config, const struct sample *sample);
