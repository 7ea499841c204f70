#include "ui/app/forecaster.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/system.h"
#include "solver/residual_theory.h"

enum { KEPT_MAX = 2 * FORECASTS_MAX };

struct kept {
    enum { KEPT_NOTHING, KEPT_WANTED, KEPT_IN_WORK, KEPT_DONE } state;
    bool shown;                    /* it was asked for last */
    const struct problem *problem; /* of what */
    struct mesh mesh;
    struct residual_theory *residual_theory; /* of KEPT_DONE; NULL: there is none */
    double limit, initial, iterations; /* the last count to a limit; the asking thread's own */
};

struct forecaster {
    pthread_t thread;
    int wake; /* eventfd */

    pthread_mutex_t mutex; /* guards the rest; spectra that are done don't change */
    pthread_cond_t asked;
    struct kept kept[KEPT_MAX];
    int in_work;      /* an index, or -1 */
    atomic_bool stop; /* ends what is in work */
    bool quit;
};

static void *forecaster_run(void *argument) {
    struct forecaster *forecaster = argument;
    thread_lower_priority();
    pthread_mutex_lock(&forecaster->mutex);
    while (!forecaster->quit) {
        int next = 0;
        while (next < KEPT_MAX && forecaster->kept[next].state != KEPT_WANTED)
            next++;
        if (next == KEPT_MAX) {
            pthread_cond_wait(&forecaster->asked, &forecaster->mutex);
            continue;
        }
        struct kept *kept = &forecaster->kept[next];
        const struct problem *problem = kept->problem;
        const struct mesh mesh = kept->mesh;
        kept->state = KEPT_IN_WORK;
        forecaster->in_work = next;
        atomic_store(&forecaster->stop, false);
        pthread_mutex_unlock(&forecaster->mutex);
        struct residual_theory *residual_theory = theory_make(problem, &mesh, &forecaster->stop);
        pthread_mutex_lock(&forecaster->mutex);
        forecaster->in_work = -1;
        kept->residual_theory = residual_theory;
        kept->state = atomic_load(&forecaster->stop) ? KEPT_NOTHING : KEPT_DONE;
        if (kept->state == KEPT_NOTHING) {
            theory_destroy(residual_theory);
            kept->residual_theory = NULL;
        }
        eventfd_write(forecaster->wake, 1);
    }
    pthread_mutex_unlock(&forecaster->mutex);
    return NULL;
}

static void forecaster_free(struct forecaster *forecaster) {
    for (int k = 0; k < KEPT_MAX; k++)
        theory_destroy(forecaster->kept[k].residual_theory);
    if (forecaster->wake >= 0)
        close(forecaster->wake);
    pthread_mutex_destroy(&forecaster->mutex);
    pthread_cond_destroy(&forecaster->asked);
    free(forecaster);
}

struct forecaster *forecaster_create(void) {
    struct forecaster *forecaster = calloc(1, sizeof *forecaster);
    if (!forecaster)
        return NULL;
    pthread_mutex_init(&forecaster->mutex, NULL);
    pthread_cond_init(&forecaster->asked, NULL);
    forecaster->in_work = -1;
    forecaster->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (forecaster->wake < 0 || thread_start(&forecaster->thread, forecaster_run, forecaster)) {
        forecaster_free(forecaster);
        return NULL;
    }
    return forecaster;
}

void forecaster_destroy(struct forecaster *forecaster) {
    if (!forecaster)
        return;
    pthread_mutex_lock(&forecaster->mutex);
    forecaster->quit = true;
    atomic_store(&forecaster->stop, true);
    pthread_cond_signal(&forecaster->asked);
    pthread_mutex_unlock(&forecaster->mutex);
    pthread_join(forecaster->thread, NULL);
    forecaster_free(forecaster);
}

/* The entry for that run; one that was not asked for is taken for a new one. NULL if all are in
 * use.
 */
static struct kept *find_kept(struct forecaster *forecaster, const struct problem *problem,
                              const struct mesh *mesh) {
    struct kept *free_one = NULL;
    for (int k = 0; k < KEPT_MAX; k++) {
        struct kept *kept = &forecaster->kept[k];
        if (kept->state != KEPT_NOTHING && kept->problem == problem && kept->mesh.Nx == mesh->Nx &&
            kept->mesh.Ny == mesh->Ny && kept->mesh.omega == mesh->omega)
            return kept;
        if (!kept->shown && kept->state != KEPT_IN_WORK &&
            (!free_one || kept->state < free_one->state))
            free_one = kept;
    }
    if (!free_one)
        return NULL;
    theory_destroy(free_one->residual_theory);
    *free_one = (struct kept){.state = KEPT_WANTED, .problem = problem, .mesh = *mesh};
    return free_one;
}

/* Iterations that a run makes until its residual is not above the tolerance. `initial`: the blog's
 * residual of U⁰. */
static double count_iterations(struct kept *kept, enum measure measure, double tolerance,
                               double initial) {
    const double limit = tolerance / measure_scale(measure, &kept->mesh, initial);
    if (!(limit > 0))
        return NAN;
    if (limit != kept->limit) {
        kept->limit = limit;
        kept->iterations =
            initial > limit ? theory_first_below(kept->residual_theory, limit) + 1 : 0;
    }
    return kept->iterations;
}

static void forecast_run(struct forecaster *forecaster, const struct sample *sample,
                         const struct lane_sample *lane, double omega, struct forecast *forecast) {
    const struct problem *problem = problem_find(sample->problem);
    *forecast = (struct forecast){.theory = THEORY_BOUND, .iterations = NAN};
    if (!problem || !problem->product || lane->nx < 1 || lane->run.method != METHOD_JACOBI)
        return;
    const struct mesh mesh = mesh_damped(mesh_make(lane->nx, lane->ny), omega);
    struct kept *kept = find_kept(forecaster, problem, &mesh);
    if (!kept)
        return;
    kept->shown = true;
    if (kept->state != KEPT_DONE) {
        forecast->theory = THEORY_PENDING;
    } else if (kept->residual_theory) {
        forecast->theory = THEORY_EXACT;
        forecast->residual_theory = kept->residual_theory;
        forecast->iterations = count_iterations(kept, sample->measure, sample->tolerance,
                                                theory_curve(kept->residual_theory, 0));
    }
}

void forecaster_ask(struct forecaster *forecaster, const struct sample *sample,
                    struct forecast forecasts[FORECASTS_MAX]) {
    pthread_mutex_lock(&forecaster->mutex);
    for (int k = 0; k < KEPT_MAX; k++)
        forecaster->kept[k].shown = false;
    for (int l = 0; l < sample->lane_count; l++)
        forecast_run(forecaster, sample, &sample->lanes[l], sample->lanes[l].run.omega,
                     &forecasts[l]);
    for (int k = 0; k < sample->study_count; k++)
        forecast_run(forecaster, sample, &sample->study[k], sample->lanes[0].run.omega,
                     &forecasts[LANES_MAX + k]);
    for (int k = 0; k < KEPT_MAX; k++)
        if (forecaster->kept[k].state == KEPT_WANTED && !forecaster->kept[k].shown)
            forecaster->kept[k].state = KEPT_NOTHING;
    if (forecaster->in_work >= 0 && !forecaster->kept[forecaster->in_work].shown)
        atomic_store(&forecaster->stop, true);
    pthread_cond_signal(&forecaster->asked);
    pthread_mutex_unlock(&forecaster->mutex);
}

int forecaster_descriptor(const struct forecaster *forecaster) {
    return forecaster->wake;
}

void forecaster_seen(struct forecaster *forecaster) {
    eventfd_t ignored;
    eventfd_read(forecaster->wake, &ignored);
}
