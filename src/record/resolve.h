/* Resolves the recordings that a plan names: finds them before anything starts, and fills the plan
 * in with the runs that they hold. */
#ifndef JACOBI_RECORD_RESOLVE_H
#define JACOBI_RECORD_RESOLVE_H

#include "config/config.h"

/* Fills the plan from the recordings: each recorded lane is described as it was; computed
 * lanes get their problem and grid, and their limit and tolerance unless an option sets them.
 *
 * STATUS_BAD_INPUT if a recording can't be read, if two are of different problems or grids, or if
 * an option contradicts them. A plan without recorded lanes stays as it is. */
enum status resolve_recordings(struct config *config, struct error *error);

/* Makes `config` that of a recording, or of several side by side: "a" or "a,b". STATUS_BAD_INPUT as
 * above, or if one of several names a run. */
enum status resolve_list(const char *list, struct config *config, struct error *error);

/* Finds a recording that comes with the program and holds one run of the wanted back end, mapping,
 * schedule, host memory and damping; with `device` not "" on that device; with a grid in `wanted`
 * (Nx above 0) of the same problem and grid. Writes its name (PATH_SIZE bytes) and device (96
 * bytes). False if there is none. Reads files: some ms each. */
bool find_match(const struct lane_spec *wanted, const char *device, char *name, char *found_device);

/* Adds to an error why the plan's run is not available here the name of a recording of such a run.
 * Returns the error's status. */
enum status resolve_offer_recording(const struct plan *plan, struct error *error);

#endif
