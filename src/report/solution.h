/* Reading U back at the end of a run. */
#ifndef JACOBI_REPORT_SOLUTION_H
#define JACOBI_REPORT_SOLUTION_H

#include "report/report.h"
#include "session/lane.h"

/* Copies the lane's U to the host and looks at it; solution_unknown where the host has not the
 * memory to spare, or the lane has failed, which it has also where the copy fails. Not part of the
 * loop's time. */
struct solution solution_read(struct lane *lane);

#endif
