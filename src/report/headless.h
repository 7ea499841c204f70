/* A run without a screen: a runner and a report. */
#ifndef JACOBI_REPORT_HEADLESS_H
#define JACOBI_REPORT_HEADLESS_H

#include "report/report.h"
#include "run/source.h"

/* Runs the plan's lanes to their end, or until *stop becomes true, records them if config->record
 * names a file, and writes the report to `out`. What is to be noticed (a fall-back) goes to
 * `notices`, a line each. A run that fails is reported as far as it got; the status is its failure.
 */
enum status headless_run(const struct config *config, FILE *out, FILE *notices,
                         const atomic_bool *stop, struct error *error);

/* The same of a source that has been started with config->plan; it is not closed. */
enum status headless_watch(const struct config *config, struct source *source, FILE *out,
                           FILE *notices, const atomic_bool *stop, struct error *error);

#endif
