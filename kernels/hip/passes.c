/* Fused and blocked: whole iterations in one pass from U to U_next.
 *
 * A batch of passes is enqueued as a whole. Each pass writes sum(RES²) of its iterates on the
 * device, and the host fetches the sums after the last pass. If one of them is small enough, the
 * pass sets `stopped` on the device. The later passes then do nothing, so U stays the iterate of
 * that pass. If the pass went beyond the stopping point, it is repeated with the correct depth,
 * from its own input U, which it left unchanged. */
#include <string.h>

#include "kernels/hip/engine.h"
#include "kernels/hip/hip.h"

enum { FUSED_BLOCKS = 4 };

/* In a batch of `count` iterations all passes but perhaps the last have the schedule's depth. */
static int depth_in(const struct hip_engine *hip, long count, long pass) {
    const long depth = hip->depth, left = count - pass * depth;
    return (int)(left < depth ? left : depth);
}

/* ---- one pass -------------------------------------------------------------------------------- */

/* The rows that a pass computes. */
static struct mesh own_mesh(const struct engine_spec *spec) {
    const struct row_range rows = engine_own_rows(spec);
    struct mesh own = spec->mesh;
    own.Ny = rows.end - rows.begin;
    return own;
}

/* `how`: the argument that differs between the two kernels. */
static void launch_pass(struct hip_engine *hip, enum hip_kernel kernel, unsigned threads, int how,
                        double *sums) {
    const struct slab *slab = &hip->base.spec.slab;
    struct mesh mesh = hip->base.spec.mesh;
    struct row_range own = engine_own_rows(&hip->base.spec);
    int below = slab->below, above = slab->above, rows = (int)hip->geometry.rows;
    void *arguments[] = {&mesh.Nx,       &mesh.Ny,
                         &own.begin,     &own.end,
                         &hip->stride,   &how,
                         &rows,          &below,
                         &above,         &mesh._1bydx2,
                         &mesh._1bydy2,  &mesh.factor,
                         &hip->limit,    &hip->RHS.device,
                         &hip->U.device, &hip->U_next.device,
                         &hip->partials, &sums,
                         &hip->state,    &hip->base.weight};
    hip_engine_launch(hip, kernel, hip->geometry.blocks, threads, arguments);
}

static void hip_launch_fused(struct hip_engine *hip, double *sums) {
    const bool chebyshev = hip->base.spec.run.method == METHOD_CHEBYSHEV;
    const enum hip_kernel kernel = chebyshev   ? KERNEL_CHEBYSHEV_FUSED
                                   : hip->slab ? KERNEL_FUSED_OF_SLAB
                                               : KERNEL_FUSED;
    launch_pass(hip, kernel, FUSED_BLOCK, hip_engine_reverse(hip), sums);
}

/* The shallowest kernel with at least that depth; the deepest if there is none. */
static const struct hip_blocked_kernel *kernel_for(int depth) {
    const struct hip_blocked_kernel *kernel = hip_blocked_kernels;
    while (kernel->depth < depth && kernel[1].depth)
        kernel++;
    return kernel;
}

/* Waves per block: the stations that share the kernel's iterations, `levels_max` each at most. */
static unsigned waves_of(const struct hip_blocked_kernel *kernel, int levels_max) {
    const int stations = kernel->depth / levels_max;
    return stations < 2 ? 2 : (unsigned)stations;
}

static void hip_launch_blocked(struct hip_engine *hip, int depth, double *sums) {
    const struct hip_blocked_kernel *kernel = kernel_for(hip->base.spec.run.schedule.depth);
    const struct hip_gpu *gpu = hip->context.stream.gpu;
    const unsigned waves = waves_of(kernel, gpu->levels_max);
    const bool is_even = hip_blocked_is_even(&hip->base.spec.mesh);
    launch_pass(hip, is_even ? kernel->kernel : kernel->any, waves * (unsigned)gpu->wave,
                hip->faster ? -depth : depth, sums);
}

void hip_run_pass(struct hip_engine *hip, int depth, double *sums) {
    struct hip_context *context = &hip->context;
    const struct mesh own = own_mesh(&hip->base.spec);
    context->phase = schedule_first_phase(hip->base.spec.run.schedule);
    context->timer.is_shallow = depth < hip->depth;
    hip_timer_before(&context->timer);
    if (context->phase == PHASE_FUSED)
        hip_launch_fused(hip, sums);
    else
        hip_launch_blocked(hip, depth, sums);
    const uint64_t bytes = hip->slab ? precision_scale(hip->base.spec.run.precision,
                                                       phase_minimum_bytes(context->phase, &own))
                                     : engine_step_bytes(&hip->base, context->phase);
    hip_timer_after(&context->timer, EVENT_KERNEL, context->phase, ARRAY_NONE, bytes);
    context->timer.is_shallow = false;
}

static void map_pass(struct hip_engine *hip) {
    const bool reads_next = hip->base.spec.run.method == METHOD_CHEBYSHEV;
    hip_vector_map(&hip->context, &hip->U, true);
    hip_vector_map(&hip->context, &hip->RHS, true);
    hip_vector_map(&hip->context, &hip->U_next, reads_next);
}

/* `index`: the index of the pass in its batch. */
static void enqueue_pass(struct hip_engine *hip, int depth, long index) {
    struct hip_context *context = &hip->context;
    hip->since_refined += depth;
    map_pass(hip);
    /* The kernels write no padding but read U's, which must be 0; mapped memory is arbitrary. */
    if (context->mapping == MAPPING_STRUCTURED && hip->stride != hip->base.spec.mesh.Nx &&
        hip->base.spec.run.method == METHOD_JACOBI)
        hip_stream_clear(&context->stream, hip->U_next.device, hip->U_next.bytes);
    hip_run_pass(hip, depth, hip->pass_sums + index * hip->depth);
    hip_vector_unmap(context, &hip->U_next, true);
    hip_vector_unmap(context, &hip->RHS, false);
    hip_vector_unmap(context, &hip->U, false);
}

static void clear_stopped(struct hip_engine *hip) {
    if (!hip->stopped)
        return;
    hip->stopped = false;
    hip_timer_break(&hip->context.timer);
    hip_engine_clear_state(hip);
}

/* ---- a batch --------------------------------------------------------------------------------- */

/* Enqueues all passes, notes the timer's position after each, and waits for their sums. */
static void enqueue_batch(struct hip_engine *hip, long count,
                          struct hip_timer_position *positions) {
    struct hip_timer *timer = &hip->context.timer;
    clear_stopped(hip);
    for (long pass = 0; pass * hip->depth < count && !hip_failed(&hip->context.stream); pass++) {
        hip_timer_step(timer, hip->base.events->iteration + pass * hip->depth);
        if (hip_refine_is_due(hip))
            hip_refine(hip);
        enqueue_pass(hip, depth_in(hip, count, pass), pass);
        positions[pass] = hip_timer_position(timer);
        if (hip->base.spec.run.method == METHOD_CHEBYSHEV)
            hip->base.weight = chebyshev_weight(&hip->base.spec.mesh, hip->base.weight);
        hip_swap_iterates(hip);
    }
    hip_engine_fetch_sums(hip, (size_t)count);
}

static long passes_run_batch(struct hip_engine *hip, long count, double tolerance,
                             double *residuals) {
    struct hip_timer_position positions[PASSES_MAX];
    enqueue_batch(hip, count, positions);
    if (hip_failed(&hip->context.stream))
        return 0;
    const long made = hip_engine_take_residuals(hip, count, tolerance, residuals);
    if (residuals[made - 1] > tolerance)
        return made;
    const long stopped_in = (made - 1) / hip->depth; /* the pass that stopped */
    const long last = (count - 1) / hip->depth;
    hip->stopped = true;
    /* Refinements after the stop did nothing. */
    hip->since_refined = refine_every(hip->base.spec.run.schedule);
    /* The rewind also drops the sums' copy and the wait for it, so they are noted again. */
    hip_timer_rewind(&hip->context.timer, &positions[stopped_in]);
    hip_timer_note(&hip->context.timer, EVENT_FROM_DEVICE, hip->context.phase, ARRAY_NORM,
                   CLOCK_NONE, 0, 0, (size_t)count * sizeof(double));
    hip_timer_note(&hip->context.timer, EVENT_WAIT, hip->context.phase, ARRAY_NONE, CLOCK_NONE, 0,
                   0, 0);

    /* Make U the iterate of the passes that count. */
    const int wanted = (int)(made - stopped_in * hip->depth);
    const bool whole = wanted == depth_in(hip, count, stopped_in);
    if ((last - stopped_in + !whole) % 2 != 0)
        hip_swap_iterates(hip);
    if (whole)
        return made;
    clear_stopped(hip);
    enqueue_pass(hip, wanted, stopped_in);
    hip_swap_iterates(hip);
    hip->stopped = true;
    hip_context_synchronize(&hip->context);
    return made;
}

struct hip_geometry hip_blocked_geometry(const struct hip_stream *stream,
                                         const struct engine_spec *spec, int blocks) {
    const struct hip_blocked_kernel *kernel = kernel_for(spec->run.schedule.depth);
    const unsigned wave = (unsigned)stream->gpu->wave;
    const unsigned waves = waves_of(kernel, stream->gpu->levels_max);
    const unsigned resident = hip_stream_resident_blocks(stream, kernel->kernel, waves * wave);
    const struct mesh own = own_mesh(spec);
    const unsigned columns =
        stream->driver->vendor == VENDOR_AMD ? 4 : 2 * hip_pack(spec->run.precision);
    return hip_geometry_blocked(
        &own, columns, kernel->depth, wave, waves, (unsigned)stream->gpu->multiprocessors, resident,
        (unsigned)(spec->slab.below > 0) + (spec->slab.above > 0), (unsigned)blocks);
}

/* Cuts the grid for a number of blocks per multiprocessor; 0, only for blocked: the model's best
 * number. No other tuning value applies. */
static void take_geometry(struct hip_engine *hip, int blocks) {
    const struct hip_stream *stream = &hip->context.stream;
    struct engine_spec *spec = &hip->base.spec;
    spec->run.tuning = (struct tuning){0};
    if (spec->run.schedule.kind == SCHEDULE_FUSED) {
        const struct mesh own = own_mesh(spec);
        hip->geometry =
            hip_geometry_fused(&own, hip_pack(spec->run.precision),
                               (unsigned)stream->gpu->multiprocessors, (unsigned)blocks);
        spec->run.tuning.fused_blocks = blocks;
    } else {
        hip->geometry = hip_blocked_geometry(stream, spec, blocks);
        spec->run.tuning.blocked_blocks = (int)hip->geometry.each;
    }
}

static void passes_open(struct hip_engine *hip) {
    const struct engine_spec *spec = &hip->base.spec;
    const bool fused = spec->run.schedule.kind == SCHEDULE_FUSED;
    const struct tuning asked = spec->run.tuning;
    hip->batch_max = spec->run.mapping == MAPPING_STRUCTURED ? 1 : PASSES_MAX;
    hip->depth = fused ? 1 : spec->run.schedule.depth;
    hip->events_per_step = 2;
    hip->stops_on_device = true;
    hip->stopped = true; /* the state's content is not known yet */
    take_geometry(hip, fused ? FUSED_BLOCKS_TRIED : BLOCKED_BLOCKS_MAX);
    size_t blocks = hip->geometry.blocks; /* the maximum of all candidates */
    if (fused)
        take_geometry(hip, asked.fused_blocks > 0 ? asked.fused_blocks : FUSED_BLOCKS);
    else
        take_geometry(hip, asked.blocked_blocks);
    blocks = hip->geometry.blocks > blocks ? hip->geometry.blocks : blocks;
    hip_vector_create(&hip->context, &hip->U_next, ARRAY_U, hip->U.bytes);
    hip_engine_allocate_batch(hip, blocks * BLOCKED_DEPTH_MAX,
                              (size_t)PASSES_MAX * BLOCKED_DEPTH_MAX);
}

static void passes_retune(struct hip_engine *hip, const struct tuning *tuning) {
    const bool fused = hip->base.spec.run.schedule.kind == SCHEDULE_FUSED;
    const int blocks = fused ? tuning->fused_blocks : tuning->blocked_blocks;
    if (blocks > 0)
        take_geometry(hip, blocks);
}

const struct hip_schedule hip_passes = {passes_open, passes_run_batch, passes_retune};
