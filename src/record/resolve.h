/* Resolves the recordings that a plan names: finds them before anything starts, and fills the plan
 * in with what they say of their runs. */
#ifndef JACOBI_RECORD_RESOLVE_H
#define JACOBI_RECORD_RESOLVE_H

#include "config/config.h"

/* Puts what the recordings say into the plan: each recorded lane is described as it was; computed
 * lanes get their problem and grid, and their limit and tolerance unless an option says otherwise.
 *
 * STATUS_BAD_INPUT if a recording can't be read, if two are of different problems or grids, or if
 * an option contradicts them. A plan without recorded lanes stays as it is. */
enum status resolve_recordings(struct config *config, struct error *error);

#endif
