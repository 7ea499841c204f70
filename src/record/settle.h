/* Recorded lanes bring their run with them: before anything starts, the other lanes are made to
 * fit.
 */
#ifndef JACOBI_RECORD_SETTLE_H
#define JACOBI_RECORD_SETTLE_H

#include "config/config.h"

/* Puts what the recordings say into the plan: each recorded lane is described as it was; computed
 * lanes get their problem and grid, and their limit and tolerance where no option says otherwise.
 *
 * STATUS_BAD_INPUT where a recording can't be read, where two are of different problems or grids,
 * or where an option contradicts them. A plan without recorded lanes stays as it is. */
enum status settle_lanes(struct config *config, struct error *error);

#endif
