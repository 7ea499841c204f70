/* The blog's four kernels, optimised, with one launch each. Their iterations, and those of the
 * other methods, run in batches with the arrays resident. */
#include <string.h>

#include "core/process.h"
#include "kernels/hip/engine.h"

/* ---- launches -------------------------------------------------------------------------------- */

void hip_launch_threads(struct hip_engine *hip, enum hip_kernel kernel, uint64_t threads,
                        void **arguments) {
    const unsigned block = (unsigned)hip->base.spec.run.tuning.block;
    const uint64_t blocks = (threads + block - 1) / block;
    hip_engine_launch(hip, kernel, blocks > 0 ? (unsigned)blocks : 1, block, arguments);
}

void hip_launch_norm(struct hip_engine *hip, enum hip_kernel kernel, void **arguments) {
    const struct tuning *tuning = &hip->base.spec.run.tuning;
    hip_engine_launch(hip, kernel, (unsigned)tuning->norm_blocks, (unsigned)tuning->norm_block,
                      arguments);
}

static void launch_laplacian(struct hip_engine *hip) {
    struct mesh mesh = *engine_step_mesh(&hip->base);
    const uint64_t groups = mesh.Ny > 2 ? (uint64_t)(mesh.Ny - 2 + LAPLACIAN_ROWS - 1) : 0;
    int backwards = hip_engine_reverse(hip);
    void *arguments[] = {&mesh.Nx,      &mesh.Ny,          &backwards,        &mesh._1bydx2,
                         &mesh._1bydy2, &hip->at.U.device, &hip->at.AU.device};
    hip_launch_threads(hip, KERNEL_LAPLACIAN, groups / LAPLACIAN_ROWS * (uint64_t)mesh.Nx,
                       arguments);
}

static void launch_boundary(struct hip_engine *hip) {
    struct mesh mesh = *engine_step_mesh(&hip->base);
    void *arguments[] = {&mesh.Nx,      &mesh.Ny,          &mesh._1bydx2,
                         &mesh._1bydy2, &hip->at.U.device, &hip->at.AU.device};
    hip_launch_threads(hip, KERNEL_BOUNDARY, 2 * (uint64_t)mesh.Nx + 2 * (uint64_t)mesh.Ny,
                       arguments);
}

/* The engine's own unknowns: returns the index of the first; sets *count. */
static size_t own_unknowns(const struct hip_engine *hip, long *count) {
    const struct mesh *mesh = engine_step_mesh(&hip->base);
    const struct slab *slab = &hip->base.spec.slab;
    *count = (long)(mesh->Ny - slab->below - slab->above) * mesh->Nx;
    return (size_t)slab->below * (size_t)mesh->Nx;
}

/* Updates in place, but a slab's update writes U_next: its neighbours still need U. */
static void launch_update(struct hip_engine *hip) {
    struct mesh mesh = *engine_step_mesh(&hip->base);
    long N;
    if (hip->base.spec.run.method == METHOD_CHEBYSHEV) {
        hip_launch_chebyshev_update(hip);
        return;
    }
    if (hip->base.step.colour != COLOUR_ALL) {
        hip_launch_colour_update(hip);
        return;
    }
    const size_t first = own_unknowns(hip, &N);
    const unsigned pack = hip_pack(hip->base.spec.run.precision);
    int backwards = hip_engine_reverse(hip);
    const void *RHS = hip_number(hip, &hip->at.RHS, first);
    const void *AU = hip_number(hip, &hip->at.AU, first);
    void *RES = hip_number(hip, &hip->at.RES, first), *U = hip_number(hip, &hip->at.U, first);
    void *next = hip->slab ? hip_number(hip, &hip->U_next, first) : U;
    void *arguments[] = {&N, &backwards, &mesh.factor, &RHS, &AU, &RES, &U, &next, &hip->state};
    hip_launch_threads(hip, KERNEL_UPDATE, ((uint64_t)N + pack - 1) / pack, arguments);
}

void hip_note_sums(struct hip_engine *hip) {
    hip_timer_note(&hip->context.timer, EVENT_FROM_DEVICE, hip->context.phase, ARRAY_NORM,
                   CLOCK_NONE, 0, 0,
                   (uint64_t)hip->base.spec.run.tuning.norm_blocks * sizeof(double));
}

/* Structured: the host adds up the blocks' sums, and the device never stops. */
static void launch_norm(struct hip_engine *hip) {
    const bool structured = hip->context.mapping == MAPPING_STRUCTURED;
    long N;
    const void *RES = hip_number(hip, &hip->at.RES, own_unknowns(hip, &N));
    int backwards = hip_engine_reverse(hip);
    double *limit = hip_engine_limit(hip);
    void *partials = structured ? hip->sums_device : hip->partials;
    void *arguments[] = {&N, &backwards, &limit, &RES, &partials, &hip->pass_sums, &hip->state};
    if (structured) {
        hip_engine_clear_state(hip);
        hip_note_sums(hip);
    }
    hip_launch_norm(hip, KERNEL_NORM, arguments);
}

void hip_launch_phase(struct hip_engine *hip, enum phase phase) {
    struct hip_timer *timer = &hip->context.timer;
    if (hip_failed(&hip->context.stream))
        return;
    hip->context.phase = phase;
    hip_timer_before(timer);
    hip_user_kernels_enter(hip, phase);
    hip->launches[phase](hip);
    hip_timer_after(timer, EVENT_KERNEL, phase, ARRAY_NONE, engine_step_bytes(&hip->base, phase));
    hip_user_kernels_leave(hip, phase);
}

/* Takes the values that are not 0. */
static void take_geometry(struct hip_engine *hip, const struct tuning *tuning) {
    struct tuning *used = &hip->base.spec.run.tuning;
    used->block = tuning->block > 0 ? tuning->block : used->block;
    used->norm_block = tuning->norm_block > 0 ? tuning->norm_block : used->norm_block;
    used->norm_blocks = tuning->norm_blocks > 0 ? tuning->norm_blocks : used->norm_blocks;
}

void hip_four_kernels_open(struct hip_engine *hip, const hip_launch *launches) {
    static const struct tuning blogs = {.block = 256, .norm_block = 512, .norm_blocks = 256};
    const struct engine_spec *spec = &hip->base.spec;
    const struct tuning asked = spec->run.tuning;
    const size_t bytes = hip->U.bytes;
    const bool four = schedule_has_four_kernels(spec->run.schedule);
    hip->launches = launches;
    take_geometry(hip, &blogs);
    if (hip->context.stream.gpu->is_emulated) /* where a thread takes longer to start */
        take_geometry(hip, &(struct tuning){.norm_blocks = 8});
    take_geometry(hip, &asked);
    if (four)
        hip_vector_create(&hip->context, &hip->AU, ARRAY_AU, bytes);
    if (four)
        hip_vector_create(&hip->context, &hip->RES, ARRAY_RES, bytes);
    if (!four || spec->run.method == METHOD_CHEBYSHEV)
        hip_vector_create(&hip->context, &hip->U_next, ARRAY_U, bytes);
    hip_driver_label(hip->context.stream.driver, hip->U_next.device, "U_next");
    hip_bind_level(hip);
}

const hip_launch hip_classic_launches[PHASE_COUNT] = {
    [PHASE_LAPLACIAN] = launch_laplacian,
    [PHASE_BOUNDARY] = launch_boundary,
    [PHASE_UPDATE] = launch_update,
    [PHASE_NORM] = launch_norm,
    [PHASE_SWEEP] = hip_launch_sweep,
    [PHASE_RESTRICTION] = hip_launch_restriction,
    [PHASE_PROLONGATION] = hip_launch_prolongation,
};

/* ---- iterations recorded --------------------------------------------------------------------- */

enum { GRAPH_ITERATIONS = 16, BATCH_MAX = 63 * GRAPH_ITERATIONS + 1 };

/* Returns the kernel's node. */
static void *record_phase(struct hip_engine *hip, enum phase phase, void *const *after) {
    memcpy(hip->graph.after, after, sizeof hip->graph.after);
    hip->launches[phase](hip);
    return hip->graph.node;
}

/* Records Jacobi's iterations, in which a kernel waits only for the kernels whose results it needs.
 * Laplacian, BoundaryConditions and the previous iteration's Norm run side by side. Update waits
 * for all three: Norm decides whether the batch has stopped, and reads RES, which Update
 * overwrites. */
static void record_iterations(struct hip_engine *hip) {
    void *update = NULL, *norm = NULL;
    for (int n = 0; n < GRAPH_ITERATIONS; n++) {
        void *const after_update[GRAPH_AFTER_MAX] = {update};
        void *const laplacian = record_phase(hip, PHASE_LAPLACIAN, after_update);
        void *const boundary = record_phase(hip, PHASE_BOUNDARY, after_update);
        void *const after_three[GRAPH_AFTER_MAX] = {laplacian, boundary, norm};
        update = record_phase(hip, PHASE_UPDATE, after_three);
        norm = record_phase(hip, PHASE_NORM, (void *[GRAPH_AFTER_MAX]){update});
    }
}

/* Launches an iteration's kernels in order. In a recording each waits for the previous one. */
static void launch_iteration(struct hip_engine *hip, bool timed) {
    struct engine *engine = &hip->base;
    hip->graph.node = NULL;
    for (int s = 0; s < engine->step_count; s++) {
        engine->step = engine->steps[s];
        if (engine->levels.count > 1)
            hip_bind_level(hip);
        hip->graph.after[0] = hip->graph.node;
        if (timed)
            hip_launch_phase(hip, engine->step.phase);
        else
            hip->launches[engine->step.phase](hip);
    }
    engine->step = engine->steps[0];
    if (engine->spec.run.method == METHOD_CHEBYSHEV)
        hip_end_chebyshev(hip);
}

/* Before the run, records a group of iterations as a graph. Without a graph, a run launches each
 * kernel. */
static void record(struct hip_engine *hip) {
    struct hip_stream *stream = &hip->context.stream;
    hip_graph_release(&hip->graph, stream);
    if (hip_failed(stream))
        return;
    hip_graph_begin(&hip->graph, stream);
    if (hip->base.spec.run.method == METHOD_JACOBI)
        record_iterations(hip);
    else
        launch_iteration(hip, false);
    hip_graph_end(&hip->graph, stream);
    if (hip_take_failure(stream->failure, &hip->unrecorded))
        progress_update(PROGRESS_NEWS, "graphs not used: %s", hip->unrecorded.message);
}

/* ---- arrays resident ------------------------------------------------------------------------- */

/* Enqueues `count` iterations; the first may be timed. If one of them stops the batch, the later
 * ones leave U unchanged. */
static void enqueue_iterations(struct hip_engine *hip, long count) {
    const struct hip_stream *stream = &hip->context.stream;
    long left = count;
    hip_engine_clear_state(hip);
    for (bool timed = hip->context.timer.sampled; left > 0; timed = false) {
        const bool replays = !timed && hip->graph.executable && left >= hip->graph_iterations;
        const int made = replays ? hip->graph_iterations : 1;
        if (hip_refine_is_due(hip))
            hip_refine(hip);
        if (replays)
            hip_graph_replay(&hip->graph, stream);
        else
            launch_iteration(hip, timed);
        hip->since_refined += made;
        left -= made;
    }
}

/* Counts the kernels of the untimed iterations. */
static void count_kernels(struct hip_engine *hip, long iterations) {
    struct engine *engine = &hip->base;
    for (int s = 0; s < engine->step_count; s++) {
        engine->step = engine->steps[s];
        hip_timer_count(&hip->context.timer, engine->step.phase,
                        engine_step_bytes(engine, engine->step.phase), iterations);
    }
    engine->step = engine->steps[0];
}

static long classic_run_batch(struct hip_engine *hip, long count, double tolerance,
                              double *residuals) {
    struct hip_timer *timer = &hip->context.timer;
    hip_timer_step(timer, hip->base.events->iteration);
    enqueue_iterations(hip, count);
    hip_timer_break(timer);
    hip->context.phase = PHASE_NORM;
    hip_engine_fetch_sums(hip, (size_t)count);
    if (hip_failed(&hip->context.stream))
        return 0;
    const long made = hip_engine_take_residuals(hip, count, tolerance, residuals);
    count_kernels(hip, timer->sampled ? made - 1 : made);
    if (made < count) /* refinements after the stop did nothing */
        hip->since_refined = refine_every(hip->base.spec.run.schedule);
    if (hip->base.spec.run.method == METHOD_CHEBYSHEV && (count - made) % 2 != 0) {
        hip_swap_iterates(hip);
        hip_bind_level(hip);
    }
    return made;
}

/* Records iterations before the run, because the run is timed. A multigrid cycle always runs to its
 * end, whatever its norm. */
static void resident_open(struct hip_engine *hip) {
    const bool cycles = hip->base.spec.run.method == METHOD_MULTIGRID;
    hip_four_kernels_open(hip, hip_classic_launches);
    const int asked = hip->base.spec.run.tuning.norm_blocks;
    hip->batch_max = cycles ? 1 : BATCH_MAX;
    hip->graph_iterations = cycles ? 1 : GRAPH_ITERATIONS;
    hip->stops_on_device = !cycles;
    hip->events_per_step = hip->base.step_count + 3;
    hip_engine_allocate_batch(hip, (size_t)(asked > NORM_BLOCKS_TRIED ? asked : NORM_BLOCKS_TRIED),
                              BATCH_MAX);
    if (hip->faster)
        record(hip);
}

/* A recording has the old geometry, so it is made again. */
static void resident_retune(struct hip_engine *hip, const struct tuning *tuning) {
    take_geometry(hip, tuning);
    if (hip->graph.executable)
        record(hip);
}

const struct hip_schedule hip_classic = {resident_open, classic_run_batch, resident_retune};
const struct hip_schedule hip_methods = {resident_open, classic_run_batch, NULL};
