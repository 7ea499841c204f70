/* A plan: everything that a session needs in order to run. Made from command line and preset,
 * changed by the user's keys. A plain value: copy it, change it, pass it back. */
#pragma once

#include "core/paths.h"
#include "solver/backend.h"

enum { LANE_CHOICES_MAX = 8 };

struct lane_spec {
    /* Back ends in order of preference. The first that can run is used; a sole one must run. */
    const struct backend *choices[LANE_CHOICES_MAX];
    int choice_count;
    bool any_backend; /* the choices are alternatives: using a later one is not a fallback */
    struct engine_spec engine;
    long iterations;      /* limit, ≥ 1 */
    double tolerance;     /* ≥ 0; 0 runs all iterations */
    enum measure measure; /* the residual's measure for `tolerance` */
};

/* Makes the named back end the only choice, or for "auto" all of them in the table's order. Returns
 * false, and changes nothing, if no back end has that name. */
bool lane_spec_set_backend(struct lane_spec *spec, const char *name);

/* Drops the first choice; false if it is the only one. */
bool lane_spec_drop_choice(struct lane_spec *spec);

/* Sets *choice to the first choice that can run here, and `reasons` (ERROR_MESSAGE_SIZE bytes) to
 * the reasons why those before it can't. The statuses are those of backend_check. */
enum status lane_spec_choose(const struct lane_spec *spec, int *choice, char *reasons,
                             struct error *error);

enum lane_state { LANE_RUNNING, LANE_CONVERGED, LANE_LIMIT_REACHED, LANE_FAILED };

/* Lanes side by side, and the further grids of a grid study. */
enum { LANES_MAX = 4, STUDY_MAX = 3, RUN_SPEED_MAX = 1000000 };

/* From this speed on, iterations are made in pairs: the second one finds its data in the caches. */
enum { RUN_SPEED_PAIRS = 20 };

/* The recording of a lane that is not computed. */
struct plan_recording {
    char path[PATH_SIZE]; /* a file, or the name of an installed recording; "": computed */
    int lane;             /* the lane in the file, from 0; -1: the file's only lane */
};

enum race {
    RACE_SAME_ITERATIONS, /* lockstep: how long does each need? */
    RACE_SAME_TIME,       /* equal time in turns: how many iterations does each make? */
};

struct plan {
    char preset[64];                   /* the preset's name; "": none */
    long most_unknowns;                /* on a CPU instead of a GPU: plan_fit; 0: no limit */
    int lane_count;                    /* 1 … LANES_MAX */
    struct lane_spec lanes[LANES_MAX]; /* same problem, grid, limit and tolerance in all */
    struct plan_recording recordings[LANES_MAX];
    int study_count; /* the first computed lane's run is repeated on these grids with its damping;
                        only residuals are drawn */
    struct mesh study[STUDY_MAX];
    enum race race;
    int fps;                   /* samples per second at most */
    bool paused;               /* start paused */
    int iterations_per_second; /* iterations per second, at most RUN_SPEED_MAX; 0: no limit */
};

/* Whether two lanes have the same problem and grid. */
bool lane_spec_same_task(const struct lane_spec *a, const struct lane_spec *b);

int plan_recorded_count(const struct plan *plan);

/* Returns the first computed lane, or the first lane if all were recorded. */
const struct lane_spec *plan_first_computed(const struct plan *plan);

void plan_compute_all(struct plan *plan);

/* A preset's grid is for a GPU. If its only run falls back to a CPU, halves the grid until it has
 * at most `most_unknowns`. Clears the limit. */
void plan_fit(struct plan *plan);

/* The unknowns of a grid of which this machine's cores make about ten iterations per second. */
long plan_cpu_unknowns(void);

/* Checks whether the plan, fitted, can run: each computed lane's back end, device, mapping and
 * schedule, and the memory of all lanes together. Recorded lanes must have the same problem and
 * grid. The statuses are those of backend_check. Allocates nothing for the solver. */
enum status plan_check(const struct plan *wanted, struct error *error);
