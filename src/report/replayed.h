/* The report of a recording. */
#ifndef JACOBI_REPORT_REPLAYED_H
#define JACOBI_REPORT_REPLAYED_H

#include "config/config.h"

#include <stdio.h>

/* Reports the recording that config->replay names, or the recordings that are compared, as the runs
 * were when they ended, or at `at_seconds`
 * or `at_percent`; what a recording does not hold (U itself) is not known. The configuration is
 * filled from it. */
enum status replayed_report(struct config *config, FILE *out, struct error *error);

#endif
