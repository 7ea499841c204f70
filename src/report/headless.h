/* Without a screen: a run and its report, or the report of a recording. */
#ifndef JACOBI_REPORT_HEADLESS_H
#define JACOBI_REPORT_HEADLESS_H

#include "report/report.h"

/* Runs the plan's lanes to their end, or until *stop becomes true, records them if config->record
 * names a file, and writes the report to `out`. What is to be noticed (a fall-back) goes to
 * `notices`, a line each. A run that fails is reported as far as it got; the status is its failure.
 */
enum status headless_run(const struct config *config, FILE *out, FILE *notices,
                         const atomic_bool *stop, struct error *error);

/* Reports the recording that config->replay names, or the recordings that are compared, as the runs
 * were when they ended, or at `at_seconds` or `at_percent`; what a recording does not hold (U
 * itself) is not known. The configuration is filled from it. */
enum status headless_replay(struct config *config, FILE *out, struct error *error);

#endif
