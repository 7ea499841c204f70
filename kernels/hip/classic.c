/* The blog's four kernels, one launch each, tuned; and what they share with `plain`. */
#include <string.h>

#include "core/system.h"
#include "kernels/hip/user_kernels.h"

enum { GRAPH_ITERATIONS = 16, BATCH_MAX = 63 * GRAPH_ITERATIONS + 1 };

unsigned hip_blocks_for(uint64_t threads, unsigned block) {
    const uint64_t blocks = (threads + block - 1) / block;
    return blocks > 0 ? (unsigned)blocks : 1;
}

/* ---- launches -------------------------------------------------------------------------------- */

static enum status launch_laplacian(struct hip_engine *hip, struct error *error) {
    struct mesh mesh = *engine_step_mesh(&hip->base);
    const uint64_t groups = mesh.Ny > 2 ? (uint64_t)(mesh.Ny - 2 + LAPLACIAN_ROWS - 1) : 0;
    int backwards = hip_engine_reverse(hip);
    void *arguments[] = {&mesh.Nx,      &mesh.Ny,          &backwards,        &mesh._1bydx2,
                         &mesh._1bydy2, &hip->at.U.device, &hip->at.AU.device};
    return hip_stream_launch(
        &hip->context.stream, KERNEL_LAPLACIAN,
        hip_blocks_for(groups / LAPLACIAN_ROWS * (uint64_t)mesh.Nx, hip->block), hip->block,
        arguments, error);
}

static enum status launch_boundary(struct hip_engine *hip, struct error *error) {
    struct mesh mesh = *engine_step_mesh(&hip->base);
    void *arguments[] = {&mesh.Nx,      &mesh.Ny,          &mesh._1bydx2,
                         &mesh._1bydy2, &hip->at.U.device, &hip->at.AU.device};
    return hip_stream_launch(
        &hip->context.stream, KERNEL_BOUNDARY,
        hip_blocks_for(2 * (uint64_t)mesh.Nx + 2 * (uint64_t)mesh.Ny, hip->block), hip->block,
        arguments, error);
}

/* The unknowns of the engine's own rows: the first, and how many. */
static long own_unknowns(const struct hip_engine *hip, long *count) {
    const struct mesh *mesh = engine_step_mesh(&hip->base);
    const struct slab *slab = &hip->base.spec.slab;
    *count = (long)(mesh->Ny - slab->below - slab->above) * mesh->Nx;
    return (long)slab->below * mesh->Nx;
}

/* In place, but of a slab to U_next: its neighbours still have a use for U. */
static enum status launch_update(struct hip_engine *hip, struct error *error) {
    struct mesh mesh = *engine_step_mesh(&hip->base);
    long N;
    if (hip->base.spec.run.method == METHOD_CHEBYSHEV)
        return hip_launch_chebyshev_update(hip, error);
    if (hip->base.step.colour != COLOUR_ALL)
        return hip_launch_colour_update(hip, error);
    const long first = own_unknowns(hip, &N);
    int backwards = hip_engine_reverse(hip);
    const double *RHS = hip->at.RHS.device + first, *AU = hip->at.AU.device + first;
    double *RES = hip->at.RES.device + first, *U = hip->at.U.device + first;
    double *next = hip->slab ? hip->U_next.device + first : U;
    void *arguments[] = {&N, &backwards, &mesh.factor, &RHS, &AU, &RES, &U, &next, &hip->state};
    const uint64_t threads = ((uint64_t)N + UPDATE_UNKNOWNS - 1) / UPDATE_UNKNOWNS;
    return hip_stream_launch(&hip->context.stream, KERNEL_UPDATE,
                             hip_blocks_for(threads, hip->block), hip->block, arguments, error);
}

void hip_note_sums(struct hip_engine *hip) {
    hip_timer_note(&hip->context.timer, EVENT_FROM_DEVICE, hip->context.phase, ARRAY_NORM,
                   CLOCK_NONE, 0, 0, hip->norm_blocks * sizeof(double));
}

static enum status launch_norm(struct hip_engine *hip, struct error *error) {
    long N;
    const double *RES = hip->at.RES.device + own_unknowns(hip, &N);
    int backwards = hip_engine_reverse(hip);
    double *limit = hip_engine_limit(hip);
    void *arguments[] = {&N,         &backwards, &limit, &RES, &hip->partials, &hip->pass_sums,
                         &hip->state};
    return hip_stream_launch(&hip->context.stream, KERNEL_NORM, hip->norm_blocks, hip->norm_block,
                             arguments, error);
}

/* Structured: the blocks' sums go to the host, which adds them up; nothing stops on the device. */
static enum status launch_norm_alone(struct hip_engine *hip, struct error *error) {
    long N = (long)mesh_unknowns(&hip->base.spec.mesh);
    int backwards = hip_engine_reverse(hip);
    double *limit = hip_engine_limit(hip);
    void *arguments[] = {
        &N,         &backwards, &limit, &hip->at.RES.device, &hip->sums_device, &hip->pass_sums,
        &hip->state};
    hip_note_sums(hip);
    const enum status status = hip_engine_clear_state(hip, error);
    return status ? status
                  : hip_stream_launch(&hip->context.stream, KERNEL_NORM, hip->norm_blocks,
                                      hip->norm_block, arguments, error);
}

enum status hip_launch_phase(struct hip_engine *hip, enum phase phase, struct error *error) {
    struct hip_timer *timer = &hip->context.timer;
    hip->context.phase = phase;
    if (hip->context.mapping != MAPPING_STRUCTURED) /* that has mapped what it takes */
        hip_bind_level(hip);
    enum status status = hip_timer_before(timer, error);
    hip_user_kernels_enter(hip, phase);
    if (!status)
        status = hip->launches[phase](hip, error);
    if (!status)
        status = hip_timer_after(timer, EVENT_KERNEL, phase, ARRAY_NONE,
                                 engine_step_bytes(&hip->base, phase), error);
    return status ? status : hip_user_kernels_leave(hip, phase, error);
}

double hip_reduce_partials(const struct hip_engine *hip) {
    double sum = 0;
    for (unsigned block = 0; block < hip->norm_blocks; block++)
        sum += hip->sums[block];
    return sum;
}

/* Takes what is not 0, and says so in the engine's spec. */
static void take_geometry(struct hip_engine *hip, const struct tuning *tuning) {
    struct tuning *used = &hip->base.spec.run.tuning;
    used->block = tuning->block > 0 ? tuning->block : used->block;
    used->norm_block = tuning->norm_block > 0 ? tuning->norm_block : used->norm_block;
    used->norm_blocks = tuning->norm_blocks > 0 ? tuning->norm_blocks : used->norm_blocks;
    hip->block = (unsigned)used->block;
    hip->norm_block = (unsigned)used->norm_block;
    hip->norm_blocks = (unsigned)used->norm_blocks;
}

enum status hip_four_kernels_open(struct hip_engine *hip, const hip_launch *launches,
                                  struct error *error) {
    const struct engine_spec *spec = &hip->base.spec;
    const struct tuning asked = spec->run.tuning;
    const size_t bytes = hip->U.bytes;
    const bool four = schedule_has_four_kernels(spec->run.schedule);
    hip->launches = launches;
    take_geometry(hip, &(struct tuning){.block = 256, .norm_block = 512, .norm_blocks = 256});
    take_geometry(hip, &asked);
    enum status status = hip_engine_allocate_sums(
        hip, hip->norm_blocks > BATCH_MAX ? hip->norm_blocks : BATCH_MAX, error);
    if (!status && four)
        status = hip_vector_create(&hip->context, &hip->AU, ARRAY_AU, bytes, error);
    if (!status && four)
        status = hip_vector_create(&hip->context, &hip->RES, ARRAY_RES, bytes, error);
    if (!status && (!four || spec->run.method == METHOD_CHEBYSHEV))
        status = hip_vector_create(&hip->context, &hip->U_next, ARRAY_U, bytes, error);
    if (!status)
        hip_bind_level(hip);
    return status;
}

/* ---- structured: each kernel with its arrays mapped around it -------------------------------- */

struct use {
    struct hip_vector *vector;
    bool to, from;
};

enum { USES_MAX = 5 };

static enum status run_mapped(struct hip_engine *hip, enum phase phase, const struct use *uses,
                              struct error *error) {
    struct hip_context *context = &hip->context;
    context->phase = phase;
    hip_bind_level(hip);
    hip_timer_step(&context->timer, hip->base.events->iteration);
    enum status status = hip_stream_make_current(&context->stream, error);
    for (int u = 0; u < USES_MAX && uses[u].vector && !status; u++)
        status = hip_vector_map(context, uses[u].vector, uses[u].to, error);
    if (!status)
        status = hip_launch_phase(hip, phase, error);
    /* Unmaps all of them whatever failed; the first failure counts. */
    for (int u = 0; u < USES_MAX && uses[u].vector; u++) {
        const enum status unmapped = hip_vector_unmap(
            context, uses[u].vector, uses[u].from && !status, status ? NULL : error);
        status = status ? status : unmapped;
    }
    return status ? status : hip_engine_synchronize(hip, error);
}

static enum status structured_laplacian(struct engine *engine, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    const struct use uses[USES_MAX] = {{&hip->at.U, true, false}, {&hip->at.AU, true, true}};
    return run_mapped(hip, PHASE_LAPLACIAN, uses, error);
}

static enum status structured_boundary(struct engine *engine, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    const struct use uses[USES_MAX] = {{&hip->at.U, true, false}, {&hip->at.AU, true, true}};
    return run_mapped(hip, PHASE_BOUNDARY, uses, error);
}

/* u⁻ comes beside, and goes back as u⁺. */
static enum status map_chebyshev(struct hip_engine *hip, struct error *error) {
    const struct use uses[USES_MAX] = {{&hip->at.RHS, true, false},
                                       {&hip->at.AU, true, false},
                                       {&hip->at.RES, false, true},
                                       {&hip->at.U, true, false},
                                       {&hip->at.other, true, true}};
    const enum status status = run_mapped(hip, PHASE_UPDATE, uses, error);
    hip_swap_iterates(hip);
    return status;
}

static enum status structured_update(struct engine *engine, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    const struct use uses[USES_MAX] = {{&hip->at.RHS, true, false},
                                       {&hip->at.AU, true, false},
                                       {&hip->at.RES, false, true},
                                       {&hip->at.U, true, true}};
    return engine->spec.run.method == METHOD_CHEBYSHEV ? map_chebyshev(hip, error)
                                                       : run_mapped(hip, PHASE_UPDATE, uses, error);
}

static enum status structured_sweep(struct engine *engine, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    const struct use uses[USES_MAX] = {{&hip->at.RHS, true, false}, {&hip->at.U, true, true}};
    return run_mapped(hip, PHASE_SWEEP, uses, error);
}

static enum status structured_restriction(struct engine *engine, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    const struct use uses[USES_MAX] = {{&hip->at.RHS, true, false},
                                       {&hip->at.AU, true, false},
                                       {&hip->at.coarser_RHS, false, true},
                                       {&hip->at.coarser_U, false, true}};
    return run_mapped(hip, PHASE_RESTRICTION, uses, error);
}

static enum status structured_prolongation(struct engine *engine, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    const struct use uses[USES_MAX] = {{&hip->at.coarser_U, true, false}, {&hip->at.U, true, true}};
    return run_mapped(hip, PHASE_PROLONGATION, uses, error);
}

static enum status structured_norm(struct engine *engine, double *sum, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    const struct use uses[USES_MAX] = {{&hip->at.RES, true, false}};
    const enum status status = run_mapped(hip, PHASE_NORM, uses, error);
    *sum = status ? 0 : hip_reduce_partials(hip);
    return status;
}

/* The user's own: the program's is in passes.c. */
static enum status structured_pass(struct engine *engine, int depth, double *sum,
                                   struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    const struct use uses[USES_MAX] = {
        {&hip->at.RHS, true, false}, {&hip->at.U, true, false}, {&hip->at.other, false, true}};
    const enum status status = run_mapped(hip, PHASE_FUSED, uses, error);
    *sum = status ? 0 : hip_reduce_partials(hip);
    return status;
}

static void structured_accept(struct engine *engine) {
    hip_swap_iterates(hip_engine_of(engine));
}

const struct engine_ops hip_structured_ops = {
    .laplacian = structured_laplacian,
    .boundary = structured_boundary,
    .update = structured_update,
    .sweep = structured_sweep,
    .restriction = structured_restriction,
    .prolongation = structured_prolongation,
    .norm = structured_norm,
    .pass = structured_pass,
    .accept = structured_accept,
    .downsample = hip_engine_downsample,
    .read = hip_engine_read,
    .close = hip_engine_close,
};

static enum status structured_open(struct hip_engine *hip, struct error *error) {
    static const hip_launch launches[] = {
        [PHASE_LAPLACIAN] = launch_laplacian,
        [PHASE_BOUNDARY] = launch_boundary,
        [PHASE_UPDATE] = launch_update,
        [PHASE_NORM] = launch_norm_alone,
        [PHASE_SWEEP] = hip_launch_sweep,
        [PHASE_RESTRICTION] = hip_launch_restriction,
        [PHASE_PROLONGATION] = hip_launch_prolongation,
    };
    const enum status status = hip_four_kernels_open(hip, launches, error);
    return status ? status : hip_engine_allocate_batch(hip, 1, 1, error);
}

const struct hip_schedule hip_classic_structured = {&hip_structured_ops, structured_open};

/* ---- arrays resident ------------------------------------------------------------------------- */

enum { EVENTS_PER_BATCH = 7 };

static enum status record_phase(struct hip_engine *hip, enum phase phase, void *const *after,
                                void **node, struct error *error) {
    memcpy(hip->iterations.after, after, sizeof hip->iterations.after);
    const enum status status = hip->launches[phase](hip, error);
    *node = hip->iterations.node;
    return status;
}

/* Records GRAPH_ITERATIONS iterations, where a kernel waits only for those whose results it needs:
 * Laplacian and BoundaryConditions run side by side, and beside them the Norm of the iteration
 * before. Update waits for all three: Norm says whether the batch has stopped, and its RES is
 * overwritten. */
static enum status record_iterations(struct hip_engine *hip, struct error *error) {
    struct hip_stream *stream = &hip->context.stream;
    void *laplacian, *boundary, *update = NULL, *norm = NULL;
    hip_graph_release(&hip->iterations, stream);
    enum status status = hip_graph_begin(&hip->iterations, stream, error);
    if (status)
        return status;
    for (int n = 0; n < GRAPH_ITERATIONS && !status; n++) {
        void *const after_update[GRAPH_AFTER_MAX] = {update};
        status = record_phase(hip, PHASE_LAPLACIAN, after_update, &laplacian, error);
        if (!status)
            status = record_phase(hip, PHASE_BOUNDARY, after_update, &boundary, error);
        void *const after_three[GRAPH_AFTER_MAX] = {laplacian, boundary, norm};
        if (!status)
            status = record_phase(hip, PHASE_UPDATE, after_three, &update, error);
        if (!status)
            status = record_phase(hip, PHASE_NORM, (void *[GRAPH_AFTER_MAX]){update}, &norm, error);
    }
    const enum status ended = hip_graph_end(&hip->iterations, stream, status, error);
    return status ? status : ended;
}

/* All four kernels of an iteration, one after the other. */
static enum status launch_four(struct hip_engine *hip, bool timed, struct error *error) {
    enum status status = STATUS_OK;
    for (int phase = PHASE_LAPLACIAN; phase <= PHASE_NORM && !status; phase++)
        status = timed ? hip_launch_phase(hip, (enum phase)phase, error)
                       : hip->launches[phase](hip, error);
    return status;
}

/* Enqueues `count` iterations, of which the first may be timed, and waits for their norms. If one
 * of them stops the batch, those after it leave U alone. */
static enum status run_classic_batch(struct hip_engine *hip, long count, struct error *error) {
    const bool timed = hip->context.timer.sampled;
    const bool may_replay = hip->iterations.executable && count > GRAPH_ITERATIONS;
    enum status status = hip_engine_clear_state(hip, error);
    long enqueued = 0;
    if (timed && !status) {
        status = launch_four(hip, true, error);
        enqueued++;
    }
    for (; may_replay && count - enqueued >= GRAPH_ITERATIONS && !status;
         enqueued += GRAPH_ITERATIONS)
        status = hip_graph_replay(&hip->iterations, &hip->context.stream, error);
    for (; enqueued < count && !status; enqueued++)
        status = launch_four(hip, false, error);
    hip_timer_break(&hip->context.timer);
    hip->context.phase = PHASE_NORM;
    return status ? status : hip_engine_fetch_sums(hip, (size_t)count, error);
}

/* Returns the iterations that count, and counts those that were not timed. */
static long take_norms(struct hip_engine *hip, long count, double tolerance, double *residuals) {
    const struct mesh *mesh = &hip->base.spec.mesh;
    struct hip_timer *timer = &hip->context.timer;
    const long made = hip_engine_take_residuals(hip, count, tolerance, residuals);
    for (int phase = PHASE_LAPLACIAN; phase <= PHASE_NORM; phase++)
        hip_timer_count(timer, (enum phase)phase, phase_minimum_bytes((enum phase)phase, mesh),
                        timer->sampled ? made - 1 : made);
    return made;
}

static enum status resident_advance(struct engine *engine, long count, double tolerance,
                                    double *residuals, long *done, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    struct hip_timer *timer = &hip->context.timer;
    event_log_enter(engine->events, PHASE_LAPLACIAN);
    enum status status = hip_stream_make_current(&hip->context.stream, error);
    if (!status)
        status = hip_engine_set_tolerance(hip, tolerance, error);
    while (*done < count && !hip_engine_stop_requested(hip) && !status) {
        const int64_t start = clock_now_ns();
        const long left = count - *done;
        const long batch = left < hip->batch_passes ? left : hip->batch_passes;
        hip_timer_step(timer, engine->events->iteration);
        status = run_classic_batch(hip, batch, error);
        if (status)
            break;
        const long made = take_norms(hip, batch, tolerance, residuals + *done);
        status = hip_engine_synchronize(hip, error);
        const double seconds = 1e-9 * (double)(clock_now_ns() - start);
        /* If a batch holds many iterations, graphs of them and a timed one. */
        const long fit = hip_engine_batch_for(seconds / (double)batch, BATCH_MAX);
        const long graphs = (fit - 1 + GRAPH_ITERATIONS / 2) / GRAPH_ITERATIONS;
        hip->batch_passes = graphs < 1 ? fit : graphs * GRAPH_ITERATIONS + 1;
        hip_timer_tune(timer, EVENTS_PER_BATCH, seconds);
        *done += made;
        engine->events->iteration += made;
        if (!(residuals[*done - 1] > tolerance))
            break;
    }
    return status;
}

enum status hip_resident_open(struct hip_engine *hip, struct error *error) {
    static const hip_launch launches[] = {
        [PHASE_LAPLACIAN] = launch_laplacian,
        [PHASE_BOUNDARY] = launch_boundary,
        [PHASE_UPDATE] = launch_update,
        [PHASE_NORM] = launch_norm,
        [PHASE_SWEEP] = hip_launch_sweep,
        [PHASE_RESTRICTION] = hip_launch_restriction,
        [PHASE_PROLONGATION] = hip_launch_prolongation,
    };
    hip->batch_passes = 1;
    const enum status status = hip_four_kernels_open(hip, launches, error);
    const unsigned partials =
        hip->norm_blocks > NORM_BLOCKS_TRIED ? hip->norm_blocks : NORM_BLOCKS_TRIED;
    return status ? status : hip_engine_allocate_batch(hip, partials, BATCH_MAX, error);
}

/* What was recorded holds the old geometry. */
static enum status resident_retune(struct engine *engine, const struct tuning *tuning,
                                   struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    const enum status status = hip_stream_make_current(&hip->context.stream, error);
    if (status)
        return status;
    take_geometry(hip, tuning);
    return hip->iterations.executable ? record_iterations(hip, error) : STATUS_OK;
}

/* The iterations are recorded before the run, which is timed. A slab's are never replayed. */
static enum status classic_open(struct hip_engine *hip, struct error *error) {
    const bool may_replay =
        hip->context.stream.driver->has_graphs && hip->base.spec.slab.problem_Ny == 0;
    const enum status status = hip_resident_open(hip, error);
    return status || !may_replay ? status : record_iterations(hip, error);
}

static const struct engine_ops resident_ops = {
    .advance = resident_advance,
    .retune = resident_retune,
    .downsample = hip_engine_downsample,
    .read = hip_engine_read,
    .close = hip_engine_close,
};

const struct hip_schedule hip_classic_resident = {&resident_ops, classic_open};
