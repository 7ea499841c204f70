#include "kernels/cpu/sync_engine.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/system.h"
#include "kernels/cpu/row.h"

static struct sync_engine *begin(struct engine *engine) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    sync->refines = false;
    sync->ops->begin(sync);
    return sync;
}

static void swap_arrays(real **a, real **b) {
    real *const held = *a;
    *a = *b;
    *b = held;
}

/* ---- mixed precision ---------------------------------------------------------------------- */

/* Refines before an iteration if it is due. A slab refines only at the start of a batch, because
 * the batch may be repeated from there. */
static void refine_if_due(struct sync_engine *sync) {
    const bool may = sync->base.spec.slab.problem_Ny == 0 || sync->is_first;
    if (!sync->exact_U || !may || sync->since_refined < refine_every(sync->base.spec.run.schedule))
        return;
    const int64_t start_ns = clock_now_ns();
    sync->ops->refine(sync);
    sync->base.refined_ns = sync->base.refining_ns = clock_now_ns() - start_ns;
    sync->refines = true;
    sync->since_refined = 0;
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
    sync->since_refined += sync->passed;
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
        refine_if_due(sync);
    sync->since_refined += phase == PHASE_UPDATE;
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
    refine_if_due(sync);
    sync->passed = depth;
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

/* ---- access to U -------------------------------------------------------------------------- */

static enum status sync_downsample(struct engine *engine, const struct downsample *downsample,
                                   double *sums, struct error *error) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    const struct method_step step = method_step(sync);
    struct reduction reduction = {&engine->spec, downsample,    step.mesh->Nx,
                                  step.U,        sync->exact_U, sums};
    enum status status = STATUS_OK;
    event_log_enter(engine->events, PHASE_DOWNSAMPLE);
    if (sync->on_device) {
        status = sync->ops->downsample(sync, downsample, step.U, sums, error);
    } else {
        const int64_t start = clock_now_ns();
        sync->ops->for_rows(sync, downsample->rows, cpu_downsample_row, &reduction);
        engine_note(engine, EVENT_KERNEL, ARRAY_NONE, start,
                    engine_step_bytes(engine, PHASE_DOWNSAMPLE));
    }
    event_log_enter(engine->events, PHASE_SETUP);
    return status;
}

static real *row_at(const struct sync_engine *sync, int row) {
    return sync->U + (size_t)row * (size_t)sync->base.spec.mesh.Nx;
}

static size_t row_length(const struct engine *engine, int rows) {
    return (size_t)rows * (size_t)engine->spec.mesh.Nx;
}

static enum status sync_get(struct engine *engine, int row, int count, double *to,
                            struct error *error) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    const size_t length = row_length(engine, count);
    const char *from = (const char *)row_at(sync, row);
    if (sync->on_device) {
        TRY(sync->ops->from_device(sync, to, from, length * sizeof(real), error));
        from = (const char *)to;
    }
    for (size_t id = length; id-- > 0;) { /* backwards: `to` may hold the narrower values */
        real value;
        memcpy(&value, from + id * sizeof value, sizeof value);
        to[id] = value;
    }
    return STATUS_OK;
}

static enum status read_rows(struct engine *engine, int row, int count, double *to,
                             struct error *error) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    double *base = sync->exact_U ? sync->exact_U + row_length(engine, row) : NULL;
    const size_t length = base ? row_length(engine, count) : 0;
    TRY(sync_get(engine, row, count, to, error));
    if (base && sync->on_device)
        TRY(sync->ops->from_device(sync, base, base, length * sizeof *base, error));
    for (size_t id = 0; id < length; id++)
        to[id] += base[id];
    return STATUS_OK;
}

static enum status sync_read(struct engine *engine, double *U, struct error *error) {
    return read_rows(engine, 0, engine->spec.mesh.Ny, U, error);
}

static enum status sync_put(struct engine *engine, int row, int count, const double *from,
                            struct error *error) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    const size_t length = row_length(engine, count);
    real *to = row_at(sync, row);
    for (size_t id = 0; id < length; id++)
        to[id] = (real)from[id];
    if (sync->on_device)
        sync->ops->to_device(sync, to, length * sizeof *to);
    return STATUS_OK;
}

static enum status copy(struct sync_engine *sync, real *to, const struct sync_engine *other,
                        const real *from, size_t length, struct error *error) {
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
    engine_note(engine, EVENT_HALO, ARRAY_U, start, length * sizeof(real));
    return status;
}

/* ---- a slab's batches --------------------------------------------------------------------- */

static bool is_classic(const struct engine *engine) {
    return engine->spec.run.schedule.kind == SCHEDULE_CLASSIC;
}

static enum status begin_batch(struct engine *engine, bool checkpoint, struct error *error) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    sync->made = 0;
    sync->is_first = true;
    sync->checkpoints = checkpoint;
    return STATUS_OK;
}

/* Classic changes U in place, so the start of a batch must be copied: after Laplacian, because U
 * may be refined before it. */
static enum status save_start(struct sync_engine *sync, struct error *error) {
    const bool saves = sync->is_first && sync->checkpoints;
    sync->is_first = false;
    return saves
               ? copy(sync, sync->saved, sync, sync->U, mesh_unknowns(&sync->base.spec.mesh), error)
               : STATUS_OK;
}

/* Classic: all phases but Norm, during which the exchange can run. Fused and blocked: the whole
 * pass. After acceptance of the first pass, U_next holds the start of the batch. */
static enum status make_boundary_rows(struct engine *engine, int depth, struct error *error) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    for (int p = PHASE_LAPLACIAN; p < PHASE_NORM && is_classic(engine); p++) {
        event_log_enter(engine->events, (enum phase)p);
        TRY(sync_kernel(engine, (enum phase)p, error));
        if (p == PHASE_LAPLACIAN)
            TRY(save_start(sync, error));
    }
    if (is_classic(engine))
        return STATUS_OK;
    event_log_enter(engine->events, schedule_first_phase(engine->spec.run.schedule));
    TRY(sync_pass(engine, depth, sync->sums + sync->made, error));
    sync_accept(engine);
    if (sync->is_first && sync->checkpoints)
        swap_arrays(&sync->U_next, &sync->saved);
    sync->is_first = false;
    return STATUS_OK;
}

static enum status make_interior_rows(struct engine *engine, int depth, struct error *error) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    if (is_classic(engine)) {
        event_log_enter(engine->events, PHASE_NORM);
        TRY(sync_norm(engine, sync->sums + sync->made, error));
    }
    sync->made += depth;
    return STATUS_OK;
}

static enum status end_batch(struct engine *engine, double *sums, struct error *error) {
    const struct sync_engine *sync = (struct sync_engine *)engine;
    memcpy(sums, sync->sums, (size_t)sync->made * sizeof *sums);
    return STATUS_OK;
}

static void restore_start(struct engine *engine) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    swap_arrays(&sync->U, &sync->saved);
    sync->since_refined -= (int)sync->made;
}

/* ---- opening and closing ------------------------------------------------------------------ */

void sync_init(struct sync_engine *sync, const struct sync_ops *ops, const struct engine_spec *spec,
               struct event_log *events) {
    sync->table = (struct engine_ops){.kernel = sync_kernel,
                                      .norm = sync_norm,
                                      .pass = sync_pass,
                                      .accept = sync_accept,
                                      .downsample = sync_downsample,
                                      .read = sync_read};
    sync->slab = (struct slab_ops){.begin = begin_batch,
                                   .boundary_rows = make_boundary_rows,
                                   .interior_rows = make_interior_rows,
                                   .end = end_batch,
                                   .restore = restore_start,
                                   .get = sync_get,
                                   .put = sync_put,
                                   .read = read_rows,
                                   .pull = sync_pull};
    sync->base = (struct engine){.ops = &sync->table, .spec = *spec, .events = events};
    sync->slab.checkpoints_by_copy = is_classic(&sync->base);
    sync->base.slab = &sync->slab;
    sync->ops = ops;
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
        real **array;
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
        *arrays[a].array =
            sync->ops->allocate(sync, arrays[a].name, levels->begin[levels->count] * sizeof(real));
        if (!*arrays[a].array)
            return false;
    }
    if (spec->run.precision == PRECISION_MIXED) {
        const size_t bytes = mesh_unknowns(&spec->mesh) * sizeof(double);
        sync->exact_U = sync->ops->allocate(sync, ARRAY_U, bytes);
        sync->exact_RHS = sync->ops->allocate(sync, ARRAY_RHS, bytes);
        if (!sync->exact_U || !sync->exact_RHS)
            return false;
    }
    if (is_slab)
        sync->sums = calloc((size_t)SLAB_BATCH_MAX * SCHEDULE_MAX_DEPTH, sizeof *sync->sums);
    return sync->sums || !is_slab;
}

void sync_release(struct sync_engine *sync) {
    void *const arrays[] = {sync->U,      sync->RHS,   sync->AU,      sync->RES,
                            sync->U_next, sync->saved, sync->exact_U, sync->exact_RHS};
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
        if (arrays[a])
            sync->ops->release(sync, arrays[a]);
    free(sync->sums);
}

struct start {
    const struct sync_engine *sync;
    struct mesh mesh; /* of the problem */
    bool clears;
    atomic_bool failed;
    pthread_t caller;
    _Atomic int filled; /* number of rows */
    int64_t report_ns;  /* time of the caller's next report */
};

/* Reports progress from time to time, only on the thread that requested the rows. */
static void report_filling(struct start *start) {
    static const int64_t pause_ns = 50000000;
    const struct engine_spec *spec = &start->sync->base.spec;
    const int filled = 1 + atomic_fetch_add(&start->filled, 1);
    if (!spec->on_filling || !pthread_equal(pthread_self(), start->caller))
        return;
    const int64_t now = clock_now_ns();
    if (now < start->report_ns)
        return;
    start->report_ns = now + pause_ns;
    spec->on_filling(spec->filling_context, (double)filled / spec->mesh.Ny);
}

/* The problem computes in double. A thread that allocates memory gets an arena of up to 64 MiB of
 * address space, so only single precision does. */
static void fill_rounded_row(struct start *start, int j, real *U, real *RHS) {
    const struct engine_spec *spec = &start->sync->base.spec;
    const size_t Nx = (size_t)spec->mesh.Nx;
    double *exact = malloc(2 * Nx * sizeof *exact);
    if (!exact) {
        start->failed = true;
        return;
    }
    problem_fill_row(spec->problem, &start->mesh, spec->slab.first + j, exact, exact + Nx);
    for (size_t i = 0; i < Nx; i++) {
        U[i] = (real)exact[i];
        RHS[i] = (real)exact[Nx + i];
    }
    free(exact);
}

static void fill_row(void *context, int j) {
    struct start *start = context;
    const struct sync_engine *sync = start->sync;
    const struct engine_spec *spec = &sync->base.spec;
    const size_t Nx = (size_t)spec->mesh.Nx, first = (size_t)j * Nx;
    real *const arrays[] = {sync->AU, sync->RES, sync->U_next, sync->saved, sync->U, sync->RHS};
    const size_t cleared = sync->exact_U ? 6 : 4;
    if (engine_spec_stops(spec))
        return;
    for (size_t a = 0; a < cleared; a++)
        if (arrays[a] && start->clears)
            memset(arrays[a] + first, 0, Nx * sizeof(real));
    void *U = sync->U + first, *RHS = sync->RHS + first;
    if (sizeof(real) < sizeof(double) && !sync->exact_U)
        fill_rounded_row(start, j, U, RHS);
    else
        problem_fill_row(spec->problem, &start->mesh, spec->slab.first + j,
                         sync->exact_U ? sync->exact_U + first : U,
                         sync->exact_U ? sync->exact_RHS + first : RHS);
    report_filling(start);
}

enum status sync_fill(struct sync_engine *sync, bool clears, struct error *error) {
    const struct engine_spec *spec = &sync->base.spec;
    struct start start = {.sync = sync,
                          .mesh = engine_spec_problem_mesh(spec),
                          .clears = clears,
                          .caller = pthread_self()};
    sync->since_refined = refine_every(spec->run.schedule); /* e is 0, and g is not computed yet */
    sync->ops->for_rows(sync, spec->mesh.Ny, fill_row, &start);
    if (start.failed)
        return engine_spec_too_large(spec, error);
    return engine_spec_stopped(spec, error);
}

uint64_t sync_bytes(const struct engine_spec *spec) {
    const uint64_t saved = spec->slab.problem_Ny > 0 ? mesh_unknowns(&spec->mesh) : 0;
    return engine_bytes(spec) + precision_bytes(spec->run.precision) * saved;
}
