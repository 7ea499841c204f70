#include "kernels/cpu/sync_engine.h"

#include <stdlib.h>
#include <string.h>

#include "core/system.h"
#include "kernels/cpu/row.h"

static struct sync_engine *begin(struct engine *engine) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    sync->ops->begin(sync);
    return sync;
}

static void swap_arrays(double **a, double **b) {
    double *const held = *a;
    *a = *b;
    *b = held;
}

/* ---- iterations --------------------------------------------------------------------------- */

static struct method_step method_step(const struct sync_engine *sync) {
    const struct levels *levels = &sync->base.levels;
    const int level = sync->base.step.level,
              coarser = level + 1 < levels->count ? level + 1 : level;
    const size_t begin = levels->begin[level], coarser_begin = levels->begin[coarser];
    return (struct method_step){
        .mesh = &levels->mesh[level],
        .coarser = &levels->mesh[coarser],
        .colour = sync->base.step.colour,
        .weight = sync->base.weight,
        .RHS = sync->RHS + begin,
        .U = sync->U + begin,
        .AU = sync->AU ? sync->AU + begin : NULL,
        .RES = sync->RES ? sync->RES + begin : NULL,
        .other = sync->U_next,
        .coarser_RHS = sync->RHS + coarser_begin,
        .coarser_U = sync->U + coarser_begin,
        .work = sync->work,
    };
}

static void sync_accept(struct engine *engine) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    swap_arrays(&sync->U, &sync->U_next);
}

static void run_update(struct sync_engine *sync, struct method_step *step) {
    if (sync->base.spec.run.method == METHOD_CHEBYSHEV) {
        sync->ops->run_method(sync, CHEBYSHEV_UPDATE, step);
        sync_accept(&sync->base);
    } else if (step->colour == COLOUR_ALL) {
        sync->kernels.update(step->mesh, step->RHS, step->AU, step->RES, step->U);
    } else {
        sync->ops->run_method(sync, COLOUR_UPDATE, step);
    }
}

static enum status sync_kernel(struct engine *engine, enum phase phase, struct error *error) {
    struct sync_engine *sync = begin(engine);
    struct method_step step = method_step(sync);
    if (phase == PHASE_LAPLACIAN)
        sync->kernels.laplacian(step.mesh, step.U, step.AU);
    else if (phase == PHASE_BOUNDARY)
        sync->kernels.boundary(step.mesh, step.U, step.AU);
    else if (phase == PHASE_UPDATE)
        run_update(sync, &step);
    else
        sync->ops->run_method(sync,
                              phase == PHASE_SWEEP         ? SWEEP
                              : phase == PHASE_RESTRICTION ? RESTRICTION
                                                           : PROLONGATION,
                              &step);
    return sync->ops->end(sync, error);
}

static enum status sync_norm(struct engine *engine, double *sum, struct error *error) {
    struct sync_engine *sync = begin(engine);
    const struct row_range rows = engine_own_rows(&engine->spec);
    struct mesh own = engine->spec.mesh;
    own.Ny = rows.end - rows.begin;
    *sum = sync->kernels.norm(&own, sync->RES + (size_t)rows.begin * (size_t)own.Nx);
    return sync->ops->end(sync, error);
}

static enum status sync_pass(struct engine *engine, int depth, double *sums, struct error *error) {
    struct sync_engine *sync = begin(engine);
    const struct mesh *mesh = &engine->spec.mesh;
    const struct row_range rows = engine_own_rows(&engine->spec);
    if (engine->spec.run.method == METHOD_CHEBYSHEV) {
        struct method_step step = method_step(sync);
        sync->ops->run_method(sync, CHEBYSHEV_FUSED, &step);
        sync->norms[0] = step.sum;
    } else if (engine->spec.run.schedule.kind == SCHEDULE_FUSED) {
        sync->norms[0] = sync->kernels.fused(mesh, rows, sync->RHS, sync->U, sync->U_next);
    } else {
        sync->kernels.blocked(mesh, rows, depth, sync->RHS, sync->U, sync->U_next, sync->norms,
                              sync->work);
    }
    memcpy(sums, sync->norms, (size_t)depth * sizeof *sums);
    return sync->ops->end(sync, error);
}

/* ---- U, for others ------------------------------------------------------------------------ */

struct reduction {
    const struct engine *engine;
    const struct downsample *downsample;
    const double *U;
    double *sums;
};

static void reduce_row(void *context, int row) {
    const struct reduction *reduction = context;
    cpu_downsample_row(&reduction->engine->spec, engine_step_mesh(reduction->engine)->Nx,
                       reduction->downsample, row, reduction->U,
                       reduction->sums + (size_t)row * (size_t)reduction->downsample->cols);
}

static enum status sync_downsample(struct engine *engine, const struct downsample *downsample,
                                   double *sums, struct error *error) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    struct reduction reduction = {engine, downsample, method_step(sync).U, sums};
    enum status status = STATUS_OK;
    event_log_enter(engine->events, PHASE_DOWNSAMPLE);
    if (sync->on_device) {
        status = sync->ops->downsample(sync, downsample, reduction.U, sums, error);
    } else {
        const int64_t start = clock_now_ns();
        sync->ops->for_rows(sync, downsample->rows, reduce_row, &reduction);
        if (!engine->spec.without_events)
            event_log_add(engine->events, EVENT_KERNEL, ARRAY_NONE, CLOCK_HOST, start,
                          clock_now_ns() - start, engine_step_bytes(engine, PHASE_DOWNSAMPLE));
    }
    event_log_enter(engine->events, PHASE_SETUP);
    return status;
}

static double *row_at(const struct sync_engine *sync, int row) {
    return sync->U + (size_t)row * (size_t)sync->base.spec.mesh.Nx;
}

static size_t row_length(const struct engine *engine, int rows) {
    return (size_t)rows * (size_t)engine->spec.mesh.Nx;
}

static enum status sync_get(struct engine *engine, int row, int count, double *to,
                            struct error *error) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    const size_t length = row_length(engine, count);
    if (sync->on_device)
        sync->ops->from_device(sync, row_at(sync, row), length);
    memcpy(to, row_at(sync, row), length * sizeof *to);
    return STATUS_OK;
}

static enum status sync_read(struct engine *engine, double *U, struct error *error) {
    return sync_get(engine, 0, engine->spec.mesh.Ny, U, error);
}

static enum status sync_put(struct engine *engine, int row, int count, const double *from,
                            struct error *error) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    const size_t length = row_length(engine, count);
    memcpy(row_at(sync, row), from, length * sizeof *from);
    if (sync->on_device)
        sync->ops->to_device(sync, row_at(sync, row), length);
    return STATUS_OK;
}

static enum status copy(struct sync_engine *sync, double *to, const struct sync_engine *other,
                        const double *from, size_t length, struct error *error) {
    if (sync->on_device)
        return sync->ops->copy(sync, to, other, from, length, error);
    memcpy(to, from, length * sizeof *to);
    return STATUS_OK;
}

static enum status sync_pull(struct engine *engine, int row, int count, const struct engine *from,
                             int from_row, struct error *error) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    const struct sync_engine *other = (const struct sync_engine *)from;
    const size_t length = row_length(engine, count);
    const int64_t start = clock_now_ns();
    const enum status status =
        copy(sync, row_at(sync, row), other, row_at(other, from_row), length, error);
    if (!engine->spec.without_events)
        event_log_add(engine->events, EVENT_HALO, ARRAY_U, CLOCK_HOST, start,
                      clock_now_ns() - start, length * sizeof(double));
    return status;
}

/* ---- a slab's batches --------------------------------------------------------------------- */

static bool is_classic(const struct engine *engine) {
    return engine->spec.run.schedule.kind == SCHEDULE_CLASSIC;
}

/* Classic changes U in place, so what a batch begins with has to be copied. */
static enum status begin_batch(struct engine *engine, bool checkpoint, struct error *error) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    sync->made = 0;
    sync->is_first = true;
    sync->checkpoints = checkpoint;
    return checkpoint && is_classic(engine)
               ? copy(sync, sync->saved, sync, sync->U, mesh_unknowns(&engine->spec.mesh), error)
               : STATUS_OK;
}

/* All but Norm of classic, behind which the exchange can hide; the whole pass of fused and blocked.
 * When the first pass is accepted, U_next holds what the batch began with. */
static enum status make_boundary_rows(struct engine *engine, int depth, struct error *error) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    enum phase phases[PHASE_COUNT];
    enum status status = STATUS_OK;
    schedule_phases(engine->spec.run.schedule, phases);
    for (int p = 0; p < PHASE_NORM && is_classic(engine) && !status; p++) {
        event_log_enter(engine->events, phases[p]);
        status = sync_kernel(engine, phases[p], error);
    }
    if (is_classic(engine))
        return status;
    event_log_enter(engine->events, phases[0]);
    status = sync_pass(engine, depth, sync->sums + sync->made, error);
    if (status)
        return status;
    sync_accept(engine);
    if (sync->is_first && sync->checkpoints)
        swap_arrays(&sync->U_next, &sync->saved);
    sync->is_first = false;
    return STATUS_OK;
}

static enum status make_interior_rows(struct engine *engine, int depth, struct error *error) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    enum status status = STATUS_OK;
    if (is_classic(engine)) {
        event_log_enter(engine->events, PHASE_NORM);
        status = sync_norm(engine, sync->sums + sync->made, error);
    }
    sync->made += depth;
    return status;
}

static enum status end_batch(struct engine *engine, double *sums, struct error *error) {
    const struct sync_engine *sync = (struct sync_engine *)engine;
    memcpy(sums, sync->sums, (size_t)sync->made * sizeof *sums);
    return STATUS_OK;
}

static void restore_start(struct engine *engine) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    swap_arrays(&sync->U, &sync->saved);
}

/* ---- opening and closing ------------------------------------------------------------------ */

static void sync_close(struct engine *engine) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    sync->ops->close(sync);
}

void sync_init(struct sync_engine *sync, const struct sync_ops *ops, const struct engine_spec *spec,
               struct event_log *events) {
    static const struct engine_ops table = {
        .kernel = sync_kernel,
        .norm = sync_norm,
        .pass = sync_pass,
        .accept = sync_accept,
        .downsample = sync_downsample,
        .read = sync_read,
        .close = sync_close,
    };
    sync->slab = (struct slab_ops){.begin = begin_batch,
                                   .boundary_rows = make_boundary_rows,
                                   .interior_rows = make_interior_rows,
                                   .end = end_batch,
                                   .restore = restore_start,
                                   .get = sync_get,
                                   .put = sync_put,
                                   .pull = sync_pull};
    sync->base = (struct engine){.ops = &sync->table, .spec = *spec, .events = events};
    sync->slab.checkpoints_by_copy = is_classic(&sync->base);
    sync->base.slab = &sync->slab;
    sync->ops = ops;
    sync->table = table;
    engine_set_method(&sync->base);
}

bool sync_allocate(struct sync_engine *sync) {
    const struct engine_spec *spec = &sync->base.spec;
    const struct levels *levels = &sync->base.levels;
    const bool four = schedule_has_four_kernels(spec->run.schedule);
    const bool is_slab = spec->slab.problem_Ny > 0;
    const struct {
        bool needed;
        enum array name;
        double **array;
    } arrays[] = {
        {true, ARRAY_U, &sync->U},
        {true, ARRAY_RHS, &sync->RHS},
        {four, ARRAY_AU, &sync->AU},
        {four, ARRAY_RES, &sync->RES},
        {!four || spec->run.method == METHOD_CHEBYSHEV, ARRAY_U, &sync->U_next},
        {is_slab, ARRAY_U, &sync->saved},
    };
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++) {
        if (!arrays[a].needed)
            continue;
        *arrays[a].array = sync->ops->allocate(sync, arrays[a].name,
                                               levels->begin[levels->count] * sizeof(double));
        if (!*arrays[a].array)
            return false;
    }
    if (is_slab)
        sync->sums = calloc((size_t)SLAB_BATCH_MAX * SCHEDULE_MAX_DEPTH, sizeof *sync->sums);
    return sync->sums || !is_slab;
}

void sync_release(struct sync_engine *sync) {
    double *const arrays[] = {sync->U, sync->RHS, sync->AU, sync->RES, sync->U_next, sync->saved};
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
        if (arrays[a])
            sync->ops->release(sync, arrays[a]);
    free(sync->sums);
}

struct start {
    const struct sync_engine *sync;
    struct mesh mesh; /* of the problem */
    bool clears;
};

static void fill_row(void *context, int j) {
    const struct start *start = context;
    const struct sync_engine *sync = start->sync;
    const struct engine_spec *spec = &sync->base.spec;
    double *const others[] = {sync->AU, sync->RES, sync->U_next, sync->saved};
    const size_t Nx = (size_t)spec->mesh.Nx, first = (size_t)j * Nx;
    spec->problem->fill_row(&start->mesh, spec->slab.first + j, sync->U + first, sync->RHS + first);
    for (size_t a = 0; a < sizeof others / sizeof *others; a++)
        if (others[a] && start->clears)
            memset(others[a] + first, 0, Nx * sizeof(double));
}

void sync_fill(struct sync_engine *sync, bool clears) {
    struct start start = {sync, engine_spec_problem_mesh(&sync->base.spec), clears};
    sync->ops->for_rows(sync, sync->base.spec.mesh.Ny, fill_row, &start);
}

uint64_t sync_bytes(const struct engine_spec *spec) {
    const uint64_t saved = spec->slab.problem_Ny > 0 ? mesh_unknowns(&spec->mesh) : 0;
    return sizeof(double) * (engine_numbers(spec) + saved);
}
