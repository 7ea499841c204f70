#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "solver/residual_theory.h"
#include "ui/app/background.h"
#include "ui/app/job_thread.h"

enum { ENTRIES_MAX = 2 * FORECASTS_MAX };

struct cache_entry {
    enum { ENTRY_FREE, ENTRY_WANTED, ENTRY_IN_WORK, ENTRY_DONE } state;
    bool shown;                    /* in the last request */
    const struct problem *problem; /* part of the key */
    struct mesh mesh;
    struct residual_theory *residual_theory; /* if ENTRY_DONE; NULL: none */
    double limit, initial, iterations; /* the last count to a limit; the requesting thread's */
};

struct forecaster {
    struct job_thread jobs; /* its mutex guards the rest; finished theories don't change */
    struct cache_entry cache[ENTRIES_MAX];
    atomic_bool stop; /* stops the current computation */
};

/* Computes the next requested prediction; returns false if there is none. */
static bool compute_theory(void *owner) {
    struct forecaster *forecaster = owner;
    int next = 0;
    while (next < ENTRIES_MAX && forecaster->cache[next].state != ENTRY_WANTED)
        next++;
    if (next == ENTRIES_MAX)
        return false;
    struct cache_entry *entry = &forecaster->cache[next];
    const struct problem *problem = entry->problem;
    const struct mesh mesh = entry->mesh;
    entry->state = ENTRY_IN_WORK;
    atomic_store(&forecaster->stop, false);
    pthread_mutex_unlock(&forecaster->jobs.mutex);
    struct residual_theory *residual_theory = theory_make(problem, &mesh, &forecaster->stop);
    pthread_mutex_lock(&forecaster->jobs.mutex);
    entry->residual_theory = residual_theory; /* the entry's next user frees it */
    entry->state = atomic_load(&forecaster->stop) ? ENTRY_FREE : ENTRY_DONE;
    return true;
}

struct forecaster *forecaster_create(int wake) {
    return job_thread_start(
        sizeof(struct forecaster),
        (struct job_thread){.wake = wake, .work = compute_theory, .is_background = true});
}

void forecaster_destroy(struct forecaster *forecaster) {
    if (!forecaster)
        return;
    pthread_mutex_lock(&forecaster->jobs.mutex);
    forecaster->jobs.quits = true; /* begins no further computation */
    atomic_store(&forecaster->stop, true);
    pthread_mutex_unlock(&forecaster->jobs.mutex);
    job_thread_stop(&forecaster->jobs);
    for (int k = 0; k < ENTRIES_MAX; k++)
        free(forecaster->cache[k].residual_theory);
    free(forecaster);
}

/* The entry for that run. A new one replaces an entry that was not requested. NULL if all are in
 * use. */
static struct cache_entry *find_entry(struct forecaster *forecaster, const struct problem *problem,
                                      const struct mesh *mesh) {
    struct cache_entry *free_one = NULL;
    for (int k = 0; k < ENTRIES_MAX; k++) {
        struct cache_entry *entry = &forecaster->cache[k];
        if (entry->state != ENTRY_FREE && entry->problem == problem && entry->mesh.Nx == mesh->Nx &&
            entry->mesh.Ny == mesh->Ny && entry->mesh.omega == mesh->omega)
            return entry;
        if (!entry->shown && entry->state != ENTRY_IN_WORK &&
            (!free_one || entry->state < free_one->state))
            free_one = entry;
    }
    if (!free_one)
        return NULL;
    free(free_one->residual_theory);
    *free_one = (struct cache_entry){.state = ENTRY_WANTED, .problem = problem, .mesh = *mesh};
    return free_one;
}

/* The iterations until a run's residual no longer exceeds the tolerance. `initial`: the blog's
 * residual of U⁰. */
static double count_iterations(struct cache_entry *entry, enum measure measure, double tolerance,
                               double initial) {
    const double limit = tolerance / measure_scale(measure, &entry->mesh, initial);
    if (!(limit > 0))
        return NAN;
    if (limit != entry->limit) {
        entry->limit = limit;
        entry->iterations =
            initial > limit ? theory_first_below(entry->residual_theory, limit) + 1 : 0;
    }
    return entry->iterations;
}

static void forecast_run(struct forecaster *forecaster, const struct sample *sample,
                         const struct lane_sample *lane, double omega, struct forecast *forecast) {
    const struct problem *problem = problem_find(sample->problem);
    *forecast = (struct forecast){.theory = THEORY_BOUND, .iterations = NAN};
    if (!problem || !problem->product_count || lane->nx < 1 || lane->run.method != METHOD_JACOBI)
        return;
    const struct mesh mesh = mesh_damped(mesh_make(lane->nx, lane->ny), omega);
    struct cache_entry *entry = find_entry(forecaster, problem, &mesh);
    if (!entry)
        return;
    entry->shown = true;
    if (entry->state != ENTRY_DONE) {
        forecast->theory = THEORY_PENDING;
    } else if (entry->residual_theory) {
        forecast->theory = THEORY_EXACT;
        forecast->residual_theory = entry->residual_theory;
        if (lane->run.precision != PRECISION_SINGLE) /* round-off may stop it before */
            forecast->iterations = count_iterations(entry, sample->measure, sample->tolerance,
                                                    theory_curve(entry->residual_theory, 0));
        if (lane->state != LANE_CONVERGED && forecast->iterations < (double)lane->iterations)
            forecast->iterations = NAN; /* round-off keeps it from the tolerance */
    }
}

void forecaster_ask(struct forecaster *forecaster, const struct sample *sample,
                    struct forecast forecasts[FORECASTS_MAX]) {
    pthread_mutex_lock(&forecaster->jobs.mutex);
    for (int k = 0; k < ENTRIES_MAX; k++)
        forecaster->cache[k].shown = false;
    for (int l = 0; l < sample->lane_count; l++)
        forecast_run(forecaster, sample, &sample->lanes[l], sample->lanes[l].run.omega,
                     &forecasts[l]);
    for (int k = 0; k < sample->study_count; k++)
        forecast_run(forecaster, sample, &sample->study[k], sample->lanes[0].run.omega,
                     &forecasts[LANES_MAX + k]);
    for (int k = 0; k < ENTRIES_MAX; k++) {
        struct cache_entry *entry = &forecaster->cache[k];
        if (entry->state == ENTRY_WANTED && !entry->shown)
            entry->state = ENTRY_FREE;
        if (entry->state == ENTRY_IN_WORK && !entry->shown)
            atomic_store(&forecaster->stop, true);
    }
    pthread_cond_signal(&forecaster->jobs.asked);
    pthread_mutex_unlock(&forecaster->jobs.mutex);
}
