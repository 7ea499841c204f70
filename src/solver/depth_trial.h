/* The depth of blocking that is fastest on a device, found by a short trial and remembered. */
#ifndef JACOBI_SOLVER_DEPTH_TRIAL_H
#define JACOBI_SOLVER_DEPTH_TRIAL_H

#include "solver/engine.h"

struct depth_trial {
    /* As a back end's own: opens an engine for a spec whose depth is given. */
    enum status (*open)(const struct engine_spec *spec, struct event_log *events,
                        struct engine **engine, struct error *error);
    const int *depths;  /* to be tried, ended by 0 */
    int side;           /* the trial's grid is at most that many unknowns a side */
    int iterations;     /* of each of the two runs a depth gets; the first warms up */
    const char *device; /* back end and device: what the cache knows the depth by, besides the
                           mapping and the grid's size */
};

/* Sets *depth to the fastest for runs like `spec`. Blocks while it tries: as long as twice
 * `iterations` for each depth take, once for each device, mapping and size; then the user's cache
 * folder knows. A run of the trial that fails is the trial's failure. */
enum status depth_trial_choose(const struct depth_trial *trial, const struct engine_spec *spec,
                               int *depth, struct error *error);

#endif
