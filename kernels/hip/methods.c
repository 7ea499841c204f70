/* Chebyshev, red-black SOR and multigrid with the arrays resident, and the kernels that they add to
 * the blog's four. Chebyshev's and SOR's iterations are enqueued in batches, as classic's are; of
 * multigrid a cycle at a time, from a graph if the driver has them: its many kernels on coarse
 * levels take less time than their launches. */
#include "core/system.h"
#include "kernels/hip/engine.h"

enum { BATCH_MAX = 1000 }; /* as many sums as hip_resident_open has room for, or fewer */

void hip_bind_level(struct hip_engine *hip) {
    const struct levels *levels = &hip->base.levels;
    const int level = hip->base.step.level, coarser = level + 1 < levels->count ? level + 1 : level;
    const struct {
        struct hip_vector *view;
        const struct hip_vector *whole;
        int level;
    } views[] = {{&hip->at.U, &hip->U, level},
                 {&hip->at.RHS, &hip->RHS, level},
                 {&hip->at.AU, &hip->AU, level},
                 {&hip->at.RES, &hip->RES, level},
                 {&hip->at.other, &hip->U_next, level},
                 {&hip->at.coarser_U, &hip->U, coarser},
                 {&hip->at.coarser_RHS, &hip->RHS, coarser}};
    for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
        const struct hip_vector *whole = views[v].whole;
        const size_t begin = levels->begin[views[v].level];
        *views[v].view = (struct hip_vector){
            .array = whole->array,
            .bytes = mesh_unknowns(&levels->mesh[views[v].level]) * sizeof(double),
            .host = whole->host ? whole->host + begin : NULL,
            .device = whole->device ? whole->device + begin : NULL};
    }
}

void hip_swap_iterates(struct hip_engine *hip) {
    struct hip_vector next = hip->U_next;
    hip->U_next = hip->U;
    hip->U = next;
    hip->U.array = ARRAY_U;
}

/* ---- launches -------------------------------------------------------------------------------- */

static enum status launch_threads(struct hip_engine *hip, enum hip_kernel kernel, uint64_t threads,
                                  void **arguments, struct error *error) {
    return hip_stream_launch(&hip->context.stream, kernel, hip_blocks_for(threads, hip->block),
                             hip->block, arguments, error);
}

enum status hip_launch_chebyshev_update(struct hip_engine *hip, struct error *error) {
    struct mesh mesh = *engine_step_mesh(&hip->base);
    long N = (long)mesh_unknowns(&mesh);
    void *arguments[] = {&N,
                         &mesh.factor,
                         &hip->base.weight,
                         &hip->at.RHS.device,
                         &hip->at.AU.device,
                         &hip->at.RES.device,
                         &hip->at.U.device,
                         &hip->at.other.device,
                         &hip->state};
    return launch_threads(hip, KERNEL_CHEBYSHEV_UPDATE,
                          ((uint64_t)N + UPDATE_UNKNOWNS - 1) / UPDATE_UNKNOWNS, arguments, error);
}

enum status hip_launch_colour_update(struct hip_engine *hip, struct error *error) {
    struct mesh mesh = *engine_step_mesh(&hip->base);
    int colour = (int)hip->base.step.colour;
    void *arguments[] = {&mesh.Nx,
                         &mesh.Ny,
                         &colour,
                         &mesh.factor,
                         &hip->at.RHS.device,
                         &hip->at.AU.device,
                         &hip->at.RES.device,
                         &hip->at.U.device,
                         &hip->state};
    return launch_threads(hip, KERNEL_COLOUR_UPDATE, mesh_unknowns(&mesh), arguments, error);
}

enum status hip_launch_sweep(struct hip_engine *hip, struct error *error) {
    struct mesh mesh = *engine_step_mesh(&hip->base);
    int colour = (int)hip->base.step.colour;
    void *arguments[] = {&mesh.Nx,
                         &mesh.Ny,
                         &colour,
                         &mesh._1bydx2,
                         &mesh._1bydy2,
                         &mesh.factor,
                         &hip->at.RHS.device,
                         &hip->at.U.device,
                         &hip->state};
    return launch_threads(hip, KERNEL_SWEEP, (uint64_t)((mesh.Nx + 1) / 2) * (uint64_t)mesh.Ny,
                          arguments, error);
}

enum status hip_launch_restriction(struct hip_engine *hip, struct error *error) {
    struct mesh fine = *engine_step_mesh(&hip->base), coarse = engine_step_mesh(&hip->base)[1];
    void *arguments[] = {&fine.Nx,
                         &fine.Ny,
                         &coarse.Nx,
                         &coarse.Ny,
                         &hip->at.RHS.device,
                         &hip->at.AU.device,
                         &hip->at.coarser_RHS.device,
                         &hip->at.coarser_U.device};
    return launch_threads(hip, KERNEL_RESTRICTION, mesh_unknowns(&coarse), arguments, error);
}

enum status hip_launch_prolongation(struct hip_engine *hip, struct error *error) {
    struct mesh fine = *engine_step_mesh(&hip->base), coarse = engine_step_mesh(&hip->base)[1];
    void *arguments[] = {
        &fine.Nx, &fine.Ny, &coarse.Nx, &coarse.Ny, &hip->at.coarser_U.device, &hip->at.U.device};
    return launch_threads(hip, KERNEL_PROLONGATION, mesh_unknowns(&fine), arguments, error);
}

/* ---- arrays resident ------------------------------------------------------------------------- */

/* All kernels of an iteration, in their order; into the graph that is being recorded, each after
 * the one before it. */
static enum status launch_steps(struct hip_engine *hip, bool timed, struct error *error) {
    struct engine *engine = &hip->base;
    enum status status = STATUS_OK;
    hip->iterations.node = NULL;
    for (int s = 0; s < engine->step_count && !status; s++) {
        const enum phase phase = engine->steps[s].phase;
        engine->step = engine->steps[s];
        hip_bind_level(hip);
        hip->iterations.after[0] = hip->iterations.node;
        status = timed ? hip_launch_phase(hip, phase, error) : hip->launches[phase](hip, error);
    }
    engine->step = engine->steps[0];
    if (engine->spec.run.method == METHOD_CHEBYSHEV) {
        engine->weight = chebyshev_weight(&engine->spec.mesh, engine->weight);
        hip_swap_iterates(hip);
    }
    return status;
}

static enum status record_cycle(struct hip_engine *hip, struct error *error) {
    struct hip_stream *stream = &hip->context.stream;
    enum status status = hip_graph_begin(&hip->iterations, stream, error);
    if (status)
        return status;
    status = launch_steps(hip, false, error);
    const enum status ended = hip_graph_end(&hip->iterations, stream, status, error);
    return status ? status : ended;
}

/* Enqueues `count` iterations, of which the first may be timed, and waits for their norms. */
static enum status run_iterations(struct hip_engine *hip, long count, struct error *error) {
    const bool cycles = hip->base.spec.run.method == METHOD_MULTIGRID;
    const bool may_replay = cycles && hip->context.stream.driver->has_graphs;
    bool timed = hip->context.timer.sampled;
    enum status status = STATUS_OK;
    if (may_replay && !timed && !hip->iterations.executable)
        status = record_cycle(hip, error);
    if (!status)
        status = hip_engine_clear_state(hip, error);
    for (long n = 0; n < count && !status; n++, timed = false)
        status = may_replay && !timed
                     ? hip_graph_replay(&hip->iterations, &hip->context.stream, error)
                     : launch_steps(hip, timed, error);
    hip_timer_break(&hip->context.timer);
    hip->context.phase = PHASE_NORM;
    return status ? status : hip_engine_fetch_sums(hip, (size_t)count, error);
}

/* Returns the iterations that count, and counts the kernels that were not timed. U is what those
 * iterations made of it. */
static long take_iterations(struct hip_engine *hip, long count, double tolerance,
                            double *residuals) {
    struct engine *engine = &hip->base;
    const long made = hip_engine_take_residuals(hip, count, tolerance, residuals);
    const long untimed = hip->context.timer.sampled ? made - 1 : made;
    for (int s = 0; s < engine->step_count; s++) {
        engine->step = engine->steps[s];
        hip_timer_count(&hip->context.timer, engine->step.phase,
                        engine_step_bytes(engine, engine->step.phase), untimed);
    }
    engine->step = engine->steps[0];
    if (engine->spec.run.method == METHOD_CHEBYSHEV && (count - made) % 2 != 0)
        hip_swap_iterates(hip);
    return made;
}

static enum status methods_advance(struct engine *engine, long count, double tolerance,
                                   double *residuals, long *done, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    const long most = engine->spec.run.method == METHOD_MULTIGRID ? 1 : BATCH_MAX;
    event_log_enter(engine->events, PHASE_LAPLACIAN);
    enum status status = hip_stream_make_current(&hip->context.stream, error);
    /* A cycle goes on to its end whatever its norm is. */
    if (!status && engine->spec.run.method != METHOD_MULTIGRID)
        status = hip_engine_set_tolerance(hip, tolerance, error);
    while (*done < count && !hip_engine_stop_requested(hip) && !status) {
        const int64_t start = clock_now_ns();
        const long left = count - *done;
        const long batch = left < hip->batch_passes ? left : hip->batch_passes;
        hip_timer_step(&hip->context.timer, engine->events->iteration);
        status = run_iterations(hip, batch, error);
        if (status)
            break;
        const long made = take_iterations(hip, batch, tolerance, residuals + *done);
        status = hip_engine_synchronize(hip, error);
        const double seconds = 1e-9 * (double)(clock_now_ns() - start);
        hip->batch_passes = hip_engine_batch_for(seconds / (double)batch, most);
        hip_timer_tune(&hip->context.timer, engine->step_count + 2, seconds);
        *done += made;
        engine->events->iteration += made;
        if (!(residuals[*done - 1] > tolerance))
            break;
    }
    return status;
}

static const struct engine_ops methods_ops = {
    .advance = methods_advance,
    .downsample = hip_engine_downsample,
    .read = hip_engine_read,
    .close = hip_engine_close,
};

const struct hip_schedule hip_methods_resident = {&methods_ops, hip_resident_open};
