#include "solver/engine.h"

struct mesh engine_spec_problem_mesh(const struct engine_spec *spec) {
    struct mesh mesh = spec->mesh;
    if (spec->slab.problem_Ny > 0)
        mesh.Ny = spec->slab.problem_Ny;
    return mesh;
}

static bool stop_is_requested(const struct engine *engine) {
    return engine->spec.stop && atomic_load_explicit(engine->spec.stop, memory_order_relaxed);
}

typedef enum status (*phase_function)(struct engine *engine, struct error *error);

/* Four kernels per iteration, which can be stopped until Update changes U. */
static enum status advance_four_kernels(struct engine *engine, long count, double tolerance,
                                        double *residuals, long *done, struct error *error) {
    const phase_function phases[] = {engine->ops->laplacian, engine->ops->boundary,
                                     engine->ops->update};
    while (*done < count) {
        enum status status;
        for (int phase = PHASE_LAPLACIAN; phase <= PHASE_UPDATE; phase++) {
            if (stop_is_requested(engine))
                return STATUS_OK;
            event_log_enter(engine->events, (enum phase)phase);
            if ((status = phases[phase](engine, error)))
                return status;
        }
        double sum = 0;
        event_log_enter(engine->events, PHASE_NORM);
        if ((status = engine->ops->norm(engine, &sum, error)))
            return status;
        residuals[*done] = mesh_residual(&engine->spec.mesh, sum);
        engine->events->iteration++;
        if (!(residuals[(*done)++] > tolerance))
            break;
    }
    return STATUS_OK;
}

/* Fused and blocked: one or several iterations per pass. A pass leaves U alone, so one that ran
 * past its stopping point is made again, from the same U, exactly as deep as it should have been.
 */
static enum status advance_passes(struct engine *engine, long count, double tolerance,
                                  double *residuals, long *done, struct error *error) {
    const bool fused = engine->spec.schedule.kind == SCHEDULE_FUSED;
    const int deepest = fused ? 1 : engine->spec.schedule.depth;
    double sums[SCHEDULE_MAX_DEPTH];
    event_log_enter(engine->events, fused ? PHASE_FUSED : PHASE_BLOCKED);
    for (bool is_last = false; *done < count && !is_last && !stop_is_requested(engine);) {
        const int depth = count - *done < deepest ? (int)(count - *done) : deepest;
        enum status status = engine->ops->pass(engine, depth, sums, error);
        int wanted = 0;
        while (!status && wanted < depth && !is_last) {
            residuals[*done + wanted] = mesh_residual(&engine->spec.mesh, sums[wanted]);
            is_last = !(residuals[*done + wanted++] > tolerance);
        }
        if (!status && wanted < depth)
            status = engine->ops->pass(engine, wanted, sums, error);
        if (status)
            return status;
        engine->ops->accept(engine);
        *done += wanted;
        engine->events->iteration += wanted;
    }
    return STATUS_OK;
}

enum status engine_advance(struct engine *engine, long count, double tolerance, double *residuals,
                           long *done, struct error *error) {
    *done = 0;
    enum status status;
    if (engine->ops->advance)
        status = engine->ops->advance(engine, count, tolerance, residuals, done, error);
    else if (schedule_has_four_kernels(engine->spec.schedule))
        status = advance_four_kernels(engine, count, tolerance, residuals, done, error);
    else
        status = advance_passes(engine, count, tolerance, residuals, done, error);
    event_log_enter(engine->events, PHASE_SETUP);
    return status;
}

void engine_close(struct engine *engine) {
    if (engine)
        engine->ops->close(engine);
}

/* ---- history ------------------------------------------------------------------------------ */

void history_reset(struct history *history) {
    history->count = 0;
    history->stride = 1;
}

void history_add(struct history *history, long iteration, double residual) {
    if (history->count == HISTORY_POINTS && iteration % history->stride == 0) {
        for (int k = 0; k < HISTORY_POINTS / 2; k++)
            history->residuals[k] = history->residuals[2 * k];
        history->count = HISTORY_POINTS / 2;
        history->stride *= 2;
    }
    if (iteration % history->stride == 0)
        history->residuals[history->count++] = residual;
}
