#include "solver/engine.h"

void downsample_span(int begin, int end, int count, int index, int *first, int *last) {
    const long width = end - begin;
    *first = begin + (int)(index * width / count);
    *last = begin + (int)((index + 1) * width / count);
    if (*last <= *first)
        *last = *first + 1;
}

static bool stop_requested(const struct engine *engine) {
    return engine->spec.stop && atomic_load_explicit(engine->spec.stop, memory_order_relaxed);
}

typedef enum status (*phase_function)(struct engine *engine, struct error *error);

/* The seed's iteration. It can be stopped until Update changes U. */
static enum status classic_iteration(struct engine *engine, double *residual, bool *stopped,
                                     struct error *error) {
    const phase_function phases[] = {engine->ops->laplacian, engine->ops->boundary,
                                     engine->ops->update};
    for (int phase = PHASE_LAPLACIAN; phase <= PHASE_UPDATE; phase++) {
        if ((*stopped = stop_requested(engine)))
            return STATUS_OK;
        event_log_enter(engine->events, (enum phase)phase);
        const enum status status = phases[phase](engine, error);
        if (status)
            return status;
    }
    double sum = 0;
    event_log_enter(engine->events, PHASE_NORM);
    const enum status status = engine->ops->norm(engine, &sum, error);
    *residual = mesh_residual(&engine->spec.mesh, sum);
    return status;
}

static enum status classic_advance(struct engine *engine, long count, double tolerance,
                                   double *residuals, long *done, struct error *error) {
    for (*done = 0; *done < count;) {
        bool stopped = false;
        const enum status status = classic_iteration(engine, &residuals[*done], &stopped, error);
        if (status || stopped)
            return status;
        engine->events->iteration++;
        if (!(residuals[(*done)++] > tolerance))
            break;
    }
    return STATUS_OK;
}

enum status engine_advance(struct engine *engine, long count, double tolerance, double *residuals,
                           long *done, struct error *error) {
    *done = 0;
    const enum status status =
        engine->ops->advance
            ? engine->ops->advance(engine, count, tolerance, residuals, done, error)
            : classic_advance(engine, count, tolerance, residuals, done, error);
    event_log_enter(engine->events, PHASE_SETUP);
    return status;
}

void engine_close(struct engine *engine) {
    if (engine)
        engine->ops->close(engine);
}
