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
    const struct backend *fallback_from; /* the first choice if that could not run, else NULL */
    char fallback_reason[ERROR_MESSAGE_SIZE];

    struct engine *engine;
    struct event_log log;
    struct history history;
    double limit;              /* the tolerance, as a residual of the blog's */
    double initial_residual;   /* of U⁰ */
    double residual;           /* the last known: of the iterate before the last update */
    double downsample_seconds; /* spent on fields */
    bool middle_known;         /* when it has converged: */
    double middle;             /* U(Nx/2, Ny/2) */
    double *copy; /* of U, and behind it RHS, while another quantity than U is shown; else NULL */
    struct sweep sweep; /* the last */
    struct roof roof;   /* of the device; unknown until it is probed */

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

#endif
