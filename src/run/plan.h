/* A plan: everything a session needs to know to run. Made from command line and preset, changed by
 * the user's keys. A plain value: copy it, change it, hand it back. */
#ifndef JACOBI_RUN_PLAN_H
#define JACOBI_RUN_PLAN_H

#include "core/paths.h"
#include "solver/backend.h"

enum { LANE_CHOICES_MAX = 8 };

struct lane_spec {
    /* Back ends in order of preference. The first that can run is taken; a lone one must run. */
    const struct backend *choices[LANE_CHOICES_MAX];
    int choice_count;
    bool any_backend; /* the choices are alternatives: taking a later one is no fall-back */
    struct engine_spec engine;
    long iterations;      /* limit, ≥ 1 */
    double tolerance;     /* ≥ 0; 0 runs all iterations */
    enum measure measure; /* compared with it */
};

/* Makes the named back end the only choice, or every one in the table's order for "auto". False,
 * and nothing changed, if there is none of that name. */
bool lane_spec_set_backend(struct lane_spec *spec, const char *name);

/* The first of the choices that can run here. `reasons` (ERROR_MESSAGE_SIZE bytes) receives why
 * those before it can't. The statuses are those of backend_check. */
enum status lane_spec_choose(const struct lane_spec *spec, int *choice, char *reasons,
                             struct error *error);

enum lane_state { LANE_RUNNING, LANE_CONVERGED, LANE_LIMIT_REACHED, LANE_FAILED };

/* Lanes side by side, and further grids of a grid study. */
enum { LANES_MAX = 4, STUDY_MAX = 3, SPEED_MAX = 1000000 };

/* What a lane is taken from that is not computed but was recorded. */
struct plan_recording {
    char path[PATH_SIZE]; /* a file, or the name of one that comes with the program; "": computed */
    int lane;             /* of those in the file, from 0; -1: it holds but one */
};

enum race {
    RACE_SAME_ITERATIONS, /* lockstep: how long does each need? */
    RACE_SAME_TIME,       /* equal time in turns: how many iterations does each make? */
};

struct plan {
    char preset[64];                   /* name of the preset it came from, "" for none */
    bool fits;                         /* the grid may be made smaller: plan_fit */
    int lane_count;                    /* 1 … LANES_MAX */
    struct lane_spec lanes[LANES_MAX]; /* same problem, grid, limit and tolerance in all */
    struct plan_recording recordings[LANES_MAX];
    int study_count; /* the first computed lane's run, damped as it is, on these grids too: only
                        residuals are drawn */
    struct mesh study[STUDY_MAX];
    enum race race;
    int fps;                   /* samples per second at most */
    bool paused;               /* start paused */
    int iterations_per_second; /* iterations per second, at most SPEED_MAX; 0: no limit */
};

/* Whether two lanes have the same problem and grid. */
bool lane_spec_same_task(const struct lane_spec *a, const struct lane_spec *b);

/* How many of its lanes were recorded. */
int plan_recorded_count(const struct plan *plan);

/* Its first lane that is computed; its first lane if all were recorded. */
const struct lane_spec *plan_first_computed(const struct plan *plan);

/* Makes every lane one that is computed. */
void plan_compute_all(struct plan *plan);

/* A preset's grid is for a GPU. If its lone run falls back to a CPU and `fits` is set, the grid is
 * halved until this machine's cores make about ten iterations per second. `fits` is false then. */
void plan_fit(struct plan *plan);

/* Whether it can run, fitted: each computed lane's back end, device, mapping and schedule, and the
 * memory of all together; recorded lanes must fit. The statuses are those of backend_check.
 * Allocates nothing for the solver. */
enum status plan_check(const struct plan *wanted, struct error *error);

#endif
