/* A lane: one solver run from its start to its end, with everything that is known of it.
 *
 * A plain run has one lane, a comparison two to four. A lane is used by one thread at a time; its
 * calls block.
 */
#ifndef JACOBI_SOLVER_LANE_H
#define JACOBI_SOLVER_LANE_H

#include "solver/backend.h"
#include "solver/history.h"

enum { LANE_CHOICES_MAX = 8 };

struct lane_spec {
    /* Back ends in order of preference. The first that can run is taken; a lone one must run. */
    const struct backend *choices[LANE_CHOICES_MAX];
    int choice_count;
    bool any_backend; /* the choices are alternatives: taking a later one is no fall-back */
    struct engine_spec engine;
    long iterations;  /* limit, ≥ 1 */
    double tolerance; /* ≥ 0; 0 runs all iterations */
};

/* Makes the named back end the only choice, or every one in the table's order for "auto". False,
 * and nothing changed, where there is none of that name. */
bool lane_spec_set_backend(struct lane_spec *spec, const char *name);

/* The first of the choices that can run here. `reasons`, ERROR_MESSAGE_SIZE bytes, says why those
 * before it can't. The statuses are those of backend_check. */
enum status lane_spec_choose(const struct lane_spec *spec, int *choice, char *reasons,
                             struct error *error);

enum lane_state { LANE_RUNNING, LANE_CONVERGED, LANE_LIMIT_REACHED, LANE_FAILED };

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
    double look_seconds;     /* spent in lane_reduce */
};

/* Picks the back end and opens its engine. The lane is large: allocate it by lane_open.
 * On failure *opened is untouched. */
enum status lane_open(const struct lane_spec *spec, struct lane **opened, struct error *error);

/* The iterations of one whole pass over U: the depth of `blocked`, 1 of the other schedules. Fewer at
 * a time cost nearly as much, so whoever cuts a run into pieces cuts it between passes. */
long lane_pass(const struct lane *lane);

/* Makes up to `count` more iterations and updates everything above. Returns the failure that also
 * stands in lane->error; a lane that has ended returns STATUS_OK and does nothing. */
enum status lane_advance(struct lane *lane, long count);

/* The heatmap's cells of U as it is now. */
enum status lane_reduce(struct lane *lane, const struct reduction *reduction, float *cells,
                        struct error *error);

/* The same, and U whole (Nx*Ny values), for a lane that runs or has ended well: a failure is the
 * lane's own and ends it. A lane that has failed is left alone, and its failure returned. */
enum status lane_look(struct lane *lane, const struct reduction *reduction, float *cells);
enum status lane_read(struct lane *lane, double *U);

/* NULL is allowed. */
void lane_close(struct lane *lane);

#endif
