#include "solver/engine.h"

#include <stdlib.h>

#include "core/system.h"

struct mesh engine_spec_problem_mesh(const struct engine_spec *spec) {
    struct mesh mesh = spec->mesh;
    if (spec->slab.problem_Ny > 0)
        mesh.Ny = spec->slab.problem_Ny;
    return mesh;
}

bool engine_spec_stops(const struct engine_spec *spec) {
    return spec->stop && atomic_load_explicit(spec->stop, memory_order_relaxed);
}

enum status engine_spec_stopped(const struct engine_spec *spec, struct error *error) {
    return engine_spec_stops(spec)
               ? error_set(error, STATUS_INTERNAL, "stopped before the arrays were filled")
               : STATUS_OK;
}

enum status engine_spec_too_large(const struct engine_spec *spec, struct error *error) {
    return error_set(error, STATUS_BAD_INPUT, "out of memory for a grid of %d×%d unknowns",
                     spec->mesh.Nx, spec->mesh.Ny);
}

/* `began_ns`: the start of these iterations, then of the next. */
static void end_iterations(struct engine *engine, long made, int64_t *began_ns) {
    const int64_t now = clock_now_ns();
    const int64_t part_ns = engine->refined_ns * made / refine_every(engine->spec.run.schedule);
    event_log_add_iterations(engine->events, made, now - *began_ns - engine->refining_ns + part_ns);
    engine->refining_ns = 0;
    *began_ns = now;
    if (engine->spec.run.method == METHOD_CHEBYSHEV)
        engine->weight = chebyshev_weight(&engine->spec.mesh, engine->weight);
}

/* Runs four kernels per iteration, or those of another method. Can be stopped until U changes. */
static enum status advance_steps(struct engine *engine, long count, double tolerance,
                                 double *residuals, long *done, struct error *error) {
    int64_t began_ns = clock_now_ns();
    while (*done < count) {
        bool changed = false;
        double sum = 0;
        for (int s = 0; s < engine->step_count; s++) {
            const enum phase phase = engine->steps[s].phase;
            if (!changed && engine_spec_stops(&engine->spec))
                return STATUS_OK;
            changed |= phase == PHASE_UPDATE;
            event_log_enter(engine->events, phase);
            engine->step = engine->steps[s];
            TRY(phase == PHASE_NORM ? engine->ops->norm(engine, &sum, error)
                                    : engine->ops->kernel(engine, phase, error));
        }
        engine->step = engine->steps[0]; /* the finest level, for calls between iterations */
        residuals[*done] = mesh_residual(&engine->spec.mesh, sum);
        end_iterations(engine, 1, &began_ns);
        if (!(residuals[(*done)++] > tolerance))
            break;
    }
    return STATUS_OK;
}

/* Fused and blocked: one or several iterations per pass. A pass leaves U unchanged. A pass beyond
 * the stopping point is therefore repeated from the same U, with exactly the depth needed. */
static enum status advance_passes(struct engine *engine, long count, double tolerance,
                                  double *residuals, long *done, struct error *error) {
    const struct schedule schedule = engine->spec.run.schedule;
    const int deepest = schedule.kind == SCHEDULE_FUSED ? 1 : schedule.depth;
    double sums[SCHEDULE_MAX_DEPTH];
    int64_t began_ns = clock_now_ns();
    event_log_enter(engine->events, schedule_first_phase(schedule));
    for (bool is_last = false; *done < count && !is_last && !engine_spec_stops(&engine->spec);) {
        const int depth = count - *done < deepest ? (int)(count - *done) : deepest;
        engine->events->is_shallow = depth < deepest;
        enum status status = engine->ops->pass(engine, depth, sums, error);
        int wanted = 0;
        while (!status && wanted < depth && !is_last) {
            residuals[*done + wanted] = mesh_residual(&engine->spec.mesh, sums[wanted]);
            is_last = !(residuals[*done + wanted++] > tolerance);
        }
        engine->events->is_shallow |= wanted < depth;
        if (!status && wanted < depth)
            status = engine->ops->pass(engine, wanted, sums, error);
        engine->events->is_shallow = false;
        if (status)
            return status;
        engine->ops->accept(engine);
        end_iterations(engine, wanted, &began_ns);
        *done += wanted;
    }
    return STATUS_OK;
}

void engine_set_method(struct engine *engine) {
    struct engine_spec *spec = &engine->spec;
    levels_make(&engine->levels, &spec->mesh, spec->run.method);
    engine->step_count =
        method_steps(spec->run.method, spec->run.cycle, &engine->levels, engine->steps);
    engine->step = engine->steps[0];
    engine->weight = chebyshev_weight(&spec->mesh, 0);
}

const struct mesh *engine_step_mesh(const struct engine *engine) {
    return &engine->levels.mesh[engine->step.level];
}

void engine_note(struct engine *engine, enum event_kind kind, enum array array, int64_t start_ns,
                 uint64_t bytes) {
    if (!engine->spec.without_events)
        event_log_add(engine->events, kind, array, CLOCK_HOST, start_ns, clock_now_ns() - start_ns,
                      bytes);
}

uint64_t engine_step_bytes(const struct engine *engine, enum phase phase) {
    return precision_scale(
        engine->spec.run.precision,
        method_minimum_bytes(engine->spec.run.method, &engine->levels, phase, engine->step.level));
}

uint64_t engine_refine_bytes(const struct mesh *mesh) {
    const uint64_t in_double = 3, in_float = 3; /* U read and written, RHS; e read and written, g */
    return (in_double * sizeof(double) + in_float * sizeof(float)) * mesh_unknowns(mesh);
}

uint64_t engine_bytes(const struct engine_spec *spec) {
    const uint64_t kept = 2 * sizeof(double) * mesh_unknowns(&spec->mesh); /* U, RHS */
    return engine_numbers(spec) * precision_bytes(spec->run.precision) +
           (spec->run.precision == PRECISION_MIXED ? kept : 0);
}

uint64_t engine_numbers(const struct engine_spec *spec) {
    struct levels levels;
    levels_make(&levels, &spec->mesh, spec->run.method);
    const bool four = schedule_has_four_kernels(spec->run.schedule);
    return (uint64_t)(four ? 4 + (spec->run.method == METHOD_CHEBYSHEV) : 3) *
           levels.begin[levels.count];
}

enum status engine_advance(struct engine *engine, long count, double tolerance, double *residuals,
                           long *done, struct error *error) {
    *done = 0;
    enum status status;
    if (engine->ops->advance)
        status = engine->ops->advance(engine, count, tolerance, residuals, done, error);
    else if (schedule_has_four_kernels(engine->spec.run.schedule))
        status = advance_steps(engine, count, tolerance, residuals, done, error);
    else
        status = advance_passes(engine, count, tolerance, residuals, done, error);
    event_log_enter(engine->events, PHASE_SETUP);
    return status;
}

enum status engine_downsample(struct engine *engine, int level, const struct downsample *downsample,
                              float *cells, struct error *error) {
    const struct step step = engine->step;
    double *sums = malloc((size_t)downsample->cols * (size_t)downsample->rows * sizeof *sums);
    if (!sums)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    engine->step.level = level;
    const enum status status = engine->ops->downsample(engine, downsample, sums, error);
    engine->step = step;
    for (int r = 0; r < downsample->rows && !status; r++) {
        int i0, i1, j0, j1;
        downsample_span(downsample->j0, downsample->j1, downsample->rows, r, &j0, &j1);
        for (int c = 0; c < downsample->cols; c++) {
            const int cell = c + r * downsample->cols;
            downsample_span(downsample->i0, downsample->i1, downsample->cols, c, &i0, &i1);
            cells[cell] = (float)(sums[cell] / ((double)(i1 - i0) * (double)(j1 - j0)));
        }
    }
    free(sums);
    return status;
}

void engine_close(struct engine *engine) {
    if (engine)
        engine->ops->close(engine);
}

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
