/* A lane: one solver run from its start to its end, with everything that is known of it.
 *
 * A plain run has one lane, a comparison two to four. A lane is used by one thread at a time; its
 * calls block.
 */
#ifndef JACOBI_SESSION_LANE_H
#define JACOBI_SESSION_LANE_H

#include "run/plan.h"
#include "solver/history.h"

struct lane {
    struct lane_spec spec;
    const struct backend *backend; /* the one taken */
    struct device device;
    const struct backend *fallback_from; /* the first choice where that could not run, else NULL */
    char fallback_reason[ERROR_MESSAGE_SIZE];

    struct engine *engine;
    struct event_log log;
    struct history history;

    enum lane_state state;
    struct error error;      /* why, when state is LANE_FAILED */
    long iterations;         /* made so far */
    double initial_residual; /* of U⁰ */
    double residual;         /* the last known: of the iterate before the last update */
    double seconds;          /* spent in the loop, as the seed's timer counts: setup is not in it */
    double downsample_seconds; /* spent in lane_downsample */
};

/* Picks the back end and opens its engine. The lane is large: allocate it by lane_open.
 * On failure *opened is untouched. */
enum status lane_open(const struct lane_spec *spec, struct lane **opened, struct error *error);

/* The iterations of one whole pass over U: the depth of `blocked`, 1 of the other schedules. Fewer
 * at a time cost nearly as much, so whoever cuts a run into pieces cuts it between passes. */
long lane_pass(const struct lane *lane);

/* Makes up to `count` more iterations and updates everything above. Returns the failure that also
 * stands in lane->error; a lane that has ended returns STATUS_OK and does nothing. */
enum status lane_advance(struct lane *lane, long count);

/* The heatmap's cells of U as it is now. */
enum status lane_downsample(struct lane *lane, const struct downsample *downsample, float *cells,
                            struct error *error);

/* The same, and U whole (Nx*Ny values), for a lane that runs or has ended well: a failure is the
 * lane's own and ends it. A lane that has failed is left alone, and its failure returned. */
enum status lane_look(struct lane *lane, const struct downsample *downsample, float *cells);
enum status lane_read(struct lane *lane, double *U);

/* NULL is allowed. */
void lane_close(struct lane *lane);

#endif
