/* A lane that is computed by a back end of this program: an engine, its events, and the residuals
 * so far. */
#ifndef JACOBI_SESSION_COMPUTED_LANE_H
#define JACOBI_SESSION_COMPUTED_LANE_H

#include "session/lane.h"

struct computed_lane {
    struct lane base;
    struct lane_spec spec;         /* as asked for */
    const struct backend *backend; /* the one taken */
    struct device device;
    struct engine *engine;
    struct event_log log;
    double limit; /* the tolerance, as a residual of the blog's */
    double *copy; /* of U, and behind it RHS, while another field than U is shown; else NULL */

    /* What its samples hold, kept up to date by whoever changes it: all before the totals, and the
     * history. */
    struct lane_sample known;

    struct { /* what it had done when the last sample was made: there the next window begins */
        struct event_totals totals;
        long iterations;
        double seconds;
    } window_begins;
};

/* Picks the back end and opens its engine. On failure *opened is untouched. */
enum status computed_lane_open(const struct lane_spec *spec, struct computed_lane **opened,
                               struct error *error);

/* The cells of a level's U as it is now (engine_downsample), as struct downsample has them. */
enum status computed_lane_downsample(struct computed_lane *lane, int level,
                                     const struct downsample *downsample, float *cells,
                                     struct error *error);

/* As lane_ops.scan_tuning has it; `base` is a computed lane. */
void scan_tuning(struct lane *base);

#endif
