/* Resolves the recordings that a plan names: finds them before anything starts, and completes the
 * plan from their runs. */
#pragma once

#include "config/config.h"

/* Completes the plan from the recordings. Each recorded lane gets its recorded description.
 * Computed lanes get the recordings' problem and grid, and their limit and tolerance unless an
 * option sets them.
 *
 * STATUS_BAD_INPUT if a recording can't be read, if two have different problems or grids, or if an
 * option contradicts them. A plan without recorded lanes is unchanged. */
enum status resolve_recordings(struct config *config, struct error *error);

/* Makes `config` replay one recording, or several side by side: "a" or "a,b". STATUS_BAD_INPUT as
 * above, or if one of several is not a recording. */
enum status resolve_list(const char *list, struct config *config, struct error *error);

/* Finds a recording of the program with a single run of the wanted back end, mapping, schedule,
 * host memory and relaxation factor. If `device` is not "", it must match, too; so must problem and
 * grid if `wanted` has a grid (Nx above 0). Writes name (PATH_SIZE bytes) and device (96 bytes).
 * False if there is none. Reads files: some ms each. */
bool find_match(const struct lane_spec *wanted, const char *device, char *name, char *found_device);

/* If the plan's run is not available here, adds a recording of such a run to the error. Returns the
 * error's status. */
enum status resolve_offer_recording(const struct plan *plan, struct error *error);
