/* Reports: prints a run, or what could run, without a screen.
 *
 * A run's report is made from a sample and the costs of metrics/costs.h, so that a replay can be
 * reported like a live run. Nothing here frees what it is given.
 */
#ifndef JACOBI_REPORT_REPORT_H
#define JACOBI_REPORT_REPORT_H

#include <stdio.h>

#include "config/config.h"
#include "session/solution.h"

struct report {
    const struct config *config;
    const struct sample *sample; /* the last one */
    struct solution solutions[LANES_MAX];
};

/* A report of that sample, without the solutions. Both must outlive it. */
struct report report_make(const struct config *config, const struct sample *sample);

/* A line for each thing that runs otherwise than the plan asks for. */
void report_notices(FILE *out, const struct plan *plan, const struct sample *sample);

/* Writes the report in the format that the configuration asks for; with FORMAT_JSONL the last line.
 * STATUS_INTERNAL if there is no memory or `out` takes no more. */
enum status report_write(FILE *out, const struct report *report, struct error *error);

/* Reports the recording that config->replay names, or the recordings that are compared, as the runs
 * were when they ended, or at `at_seconds` or `at_percent`; what a recording does not hold (U
 * itself) is not known. The configuration is filled from it. */
enum status report_replay(struct config *config, FILE *out, struct error *error);

/* The promised JSON object, indented. STATUS_INTERNAL if there is no memory. */
enum status report_json(FILE *out, const struct report *report, struct error *error);

/* One line per kernel, per sort of copy and for the whole iteration of each run. */
void report_csv(FILE *out, const struct report *report);

/* JSON lines: what is about to run; one run's state now; the whole report. */
enum status report_jsonl_start(FILE *out, const struct report *report, struct error *error);
enum status report_jsonl_sample(FILE *out, const struct report *report, int lane,
                                struct error *error);
enum status report_jsonl_end(FILE *out, const struct report *report, struct error *error);

/* --list: back ends with state and reason, devices, presets, problems; as text, or as one JSON
 * object (STATUS_INTERNAL if there is no memory). Asks every back end for its devices, which may
 * load its runtime. */
void list_text(FILE *out);
enum status list_json(FILE *out, struct error *error);

#endif
