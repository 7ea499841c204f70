#include "kernels/hip/slab.h"

#include <stdlib.h>
#include <string.h>

#include "core/system.h"

enum { EVENTS_PER_PASS = 7 };

static struct hip_slab *slab_of(const struct engine *engine) {
    return ((const struct hip_engine *)engine)->slab;
}

/* Lets what is enqueued next on `later` wait for everything that is on `earlier` now. */
static void follow(const struct hip_stream *later, const struct hip_stream *earlier,
                   hipEvent_t event) {
    hip_stream_record(earlier, event);
    hip_stream_wait_for(later, event);
}

int hip_slab_newest(const struct hip_engine *hip) {
    int field = 0;
    while (hip->slab->fields[field] != hip->U.device)
        field++;
    return field;
}

/* ---- a batch --------------------------------------------------------------------------------- */

static enum status slab_begin(struct engine *engine, bool checkpoint, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    struct hip_slab *slab = slab_of(engine);
    slab->in_batch = 0;
    slab->fresh = true;
    slab->checkpoints = checkpoint;
    slab->began_ns = clock_now_ns();
    hip_timer_break(&hip->context.timer);
    hip_timer_break(&slab->halo_timer);
    hip_stream_make_current(&hip->context.stream);
    hip_stream_clear(&slab->halo, slab->state, STATE_BYTES);
    hip_engine_clear_state(hip);
    if (hip_refine_is_due(hip)) { /* every row: those of the neighbours have arrived */
        follow(&hip->context.stream, &slab->halo, slab->events[BOUNDARY_READY]);
        hip_refine(hip);
        follow(&slab->halo, &hip->context.stream, slab->events[INTERIOR_READY]);
    }
    return hip_engine_status(hip, error);
}

/* The bytes that a kernel over `rows` rows must at least move. */
static uint64_t bytes_of(const struct hip_engine *hip, enum phase phase, int rows) {
    struct mesh mesh = hip->base.spec.mesh;
    mesh.Ny = rows;
    return precision_scale(hip->base.spec.run.precision, phase_minimum_bytes(phase, &mesh));
}

/* The sums that a launch leaves, one per iteration, and a pass: its boundary rows leave as many. */
static int sums_per_launch(const struct hip_engine *hip) {
    return hip->base.spec.run.schedule.kind == SCHEDULE_BLOCKED ? BLOCKED_DEPTH_MAX : 1;
}

static int sums_per_pass(const struct hip_engine *hip) {
    return sums_per_launch(hip) * (hip->slab->ends ? 2 : 1);
}

/* A pass over that range, timed on its stream. */
static void run_range(struct hip_engine *hip, const struct launch_range *range, int rows,
                      int depth) {
    struct hip_slab *slab = hip->slab;
    const bool is_boundary = range->stream == &slab->halo;
    const bool fused = hip->base.spec.run.schedule.kind == SCHEDULE_FUSED;
    const enum phase phase = fused ? PHASE_FUSED : PHASE_BLOCKED;
    struct hip_timer *timer = is_boundary ? &slab->halo_timer : &hip->context.timer;
    double *sums = hip->pass_sums + slab->in_batch * sums_per_pass(hip) +
                   (is_boundary ? sums_per_launch(hip) : 0);
    hip_timer_before(timer);
    if (fused)
        hip_launch_fused(hip, range, sums);
    else
        hip_launch_blocked(hip, range, depth, sums);
    hip_timer_after(timer, EVENT_KERNEL, phase, ARRAY_NONE, bytes_of(hip, phase, rows));
}

/* After a pass U_next is the newest. If the batch's start is to be kept, `checkpoint` gives its
 * array. */
static void rotate_fields(struct hip_engine *hip) {
    struct hip_slab *slab = hip->slab;
    const struct hip_vector begun = hip->U;
    hip->U = hip->U_next;
    hip->U_next = begun;
    if (slab->fresh && slab->checkpoints) {
        hip->U_next = slab->checkpoint;
        slab->checkpoint = begun;
    }
    slab->fresh = false;
}

/* Begins the timers' step for both halves of a pass. */
static void begin_pass(struct hip_engine *hip, int depth) {
    struct hip_slab *slab = hip->slab;
    const enum schedule_kind kind = hip->base.spec.run.schedule.kind;
    slab->depths[slab->in_batch] = depth;
    slab->interior = hip_own_range(hip);
    slab->interior.first += slab->ends ? hip->base.spec.slab.below : 0;
    slab->interior.last -= slab->ends ? hip->base.spec.slab.above : 0;
    hip_timer_step(&hip->context.timer, hip->base.events->iteration);
    hip_timer_step(&slab->halo_timer, hip->base.events->iteration);
    if (hip_timer_is_full(&hip->context.timer, 8) || hip_timer_is_full(&slab->halo_timer, 8))
        hip->context.timer.sampled = slab->halo_timer.sampled = false;
    if (kind != SCHEDULE_CLASSIC) {
        hip->context.phase = kind == SCHEDULE_FUSED ? PHASE_FUSED : PHASE_BLOCKED;
        event_log_enter(hip->base.events, hip->context.phase);
    }
    hip_timer_break(&hip->context.timer);
    hip_timer_break(&slab->halo_timer);
}

/* All rows at once, on the engine's stream, for which the copies wait; of classic up to Update:
 * Norm is not needed for the exchange. */
static void run_whole(struct hip_engine *hip, int depth) {
    struct hip_slab *slab = hip->slab;
    const struct launch_range *range = &slab->interior;
    if (hip->base.spec.run.schedule.kind == SCHEDULE_CLASSIC) {
        hip_bind_level(hip);
        for (enum phase phase = PHASE_LAPLACIAN; phase <= PHASE_UPDATE; phase++) {
            event_log_enter(hip->base.events, phase);
            hip_launch_phase(hip, phase);
        }
    } else {
        run_range(hip, range, range->last - range->first, depth);
    }
    follow(&slab->halo, &hip->context.stream, slab->events[BOUNDARY_READY]);
}

/* The outermost own rows next to a neighbour, on `halo`. */
static void run_boundary(struct hip_engine *hip, int depth) {
    struct hip_slab *slab = hip->slab;
    const struct hip_stream *own = &hip->context.stream;
    const struct slab *ghosts = &hip->base.spec.slab;
    const struct row_range rows = engine_own_rows(&hip->base.spec);
    const int count = ghosts->below > 0 ? ghosts->below : ghosts->above;
    struct launch_range range = slab->interior; /* the same arrays */
    range.first = ghosts->below > 0 ? rows.begin : rows.end - count;
    range.last = rows.end;
    range.rows = count;
    range.apart = rows.end - count - rows.begin;
    range.blocks = hip->geometry.strips * slab->ends;
    range.stream = &slab->halo;
    range.partials = slab->partials;
    range.state = slab->state;
    if (slab->in_batch > 0) { /* both halves of the last pass were next to each other */
        hip_stream_wait_for(own, slab->events[BOUNDARY_READY]);
        hip_stream_wait_for(&slab->halo, slab->events[INTERIOR_READY]);
    }
    if (slab->is_awaited && hip->geometry.oversubscribed)
        follow(own, &slab->halo, slab->events[BOUNDARY_BEGUN]);
    run_range(hip, &range, count * (int)slab->ends, depth);
    hip_stream_record(&slab->halo, slab->events[BOUNDARY_READY]);
}

static enum status slab_boundary_rows(struct engine *engine, int depth, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    begin_pass(hip, depth);
    if (hip->slab->ends)
        run_boundary(hip, depth);
    else
        run_whole(hip, depth);
    rotate_fields(hip);
    return hip_engine_status(hip, error);
}

static enum status slab_interior_rows(struct engine *engine, int depth, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    struct hip_slab *slab = slab_of(engine);
    const struct launch_range *range = &slab->interior;
    if (slab->ends) {
        run_range(hip, range, range->last - range->first, depth);
        hip_stream_record(&hip->context.stream, slab->events[INTERIOR_READY]);
    } else if (engine->spec.run.schedule.kind == SCHEDULE_CLASSIC) {
        event_log_enter(engine->events, PHASE_NORM);
        hip_launch_phase(hip, PHASE_NORM);
    }
    slab->in_batch++;
    hip->since_refined++;
    return hip_engine_status(hip, error);
}

static enum status slab_end(struct engine *engine, double *sums, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    struct hip_slab *slab = slab_of(engine);
    const int per_pass = sums_per_pass(hip);
    follow(&slab->halo, &hip->context.stream, slab->events[INTERIOR_READY]);
    /* On each stream a last device event: the others are dated by their distance to it. */
    slab->halo_timer.sampled = slab->halo_timer.events_used > 0;
    hip_timer_break(&slab->halo_timer);
    hip_timer_before(&slab->halo_timer);
    hip_stream_synchronize(&slab->halo);
    hip_timer_collect(&slab->halo_timer);
    hip->context.timer.sampled = hip->context.timer.events_used > 0;
    hip_timer_break(&hip->context.timer);
    hip_engine_fetch_sums(hip, (size_t)(slab->in_batch * per_pass));
    hip_timer_collect(&hip->context.timer);
    const double seconds =
        1e-9 * (double)(clock_now_ns() - slab->began_ns) / (double)slab->in_batch;
    hip_timer_tune(&hip->context.timer, EVENTS_PER_PASS, seconds);
    slab->halo_timer.every = hip->context.timer.every;
    slab->halo_timer.steps = hip->context.timer.steps; /* the same passes are timed */
    for (long pass = 0, made = 0; pass < slab->in_batch; pass++) {
        const double *of_pass = hip->sums + pass * per_pass;
        for (int k = 0; k < slab->depths[pass]; k++)
            sums[made++] = of_pass[k] + (slab->ends ? of_pass[sums_per_launch(hip) + k] : 0);
    }
    return hip_engine_status(hip, error);
}

static void slab_restore(struct engine *engine) {
    struct hip_engine *hip = hip_engine_of(engine);
    const struct hip_vector begun = hip->slab->checkpoint;
    hip->slab->checkpoint = hip->U;
    hip->U = begun;
    hip->since_refined -= hip->slab->in_batch;
}

static enum status slab_get(struct engine *engine, int row, int count, double *to,
                            struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    hip->context.phase = engine->events->phase;
    hip_stream_make_current(&hip->context.stream);
    hip_stream_synchronize(&slab_of(engine)->halo);
    hip_engine_read_rows(hip, row, count, to);
    return hip_engine_status(hip, error);
}

/* ---- to another process ------------------------------------------------------------------------
 */

static enum status slab_stage_pin(struct engine *engine, void *memory, size_t bytes,
                                  struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    hip->slab->is_awaited = true;
    hip_stream_make_current(&hip->context.stream);
    hip_stream_pin(&hip->context.stream, memory, bytes, "rows can't be pinned");
    return hip_engine_status(hip, error);
}

static void slab_stage_unpin(struct engine *engine, void *memory) {
    struct hip_engine *hip = hip_engine_of(engine);
    hip_stream_make_current(&hip->context.stream);
    hip->context.stream.driver->host_unpin(memory);
}

/* Enqueues copies of rows of the newest iterate on the stream `halo`, as few as may be: rows have
 * gaps between them if the stride is longer. */
static void enqueue_rows(struct hip_engine *hip, int row, int count, void *to, const void *from) {
    static const char failed[] = "copying rows through the host";
    const struct hip_stream *halo = &hip->slab->halo;
    const size_t Nx = (size_t)hip->base.spec.mesh.Nx, stride = (size_t)hip->stride;
    const int at_once = stride == Nx ? count : 1;
    const size_t row_bytes = Nx * hip_number_bytes(hip), bytes = (size_t)at_once * row_bytes;
    for (int j = 0; j < count; j += at_once) {
        void *device = hip_number(hip, &hip->U, (size_t)(row + j) * stride);
        if (to)
            hip_stream_copy_from(halo, (char *)to + (size_t)j * row_bytes, device, bytes, failed);
        else
            hip_stream_copy_to(halo, device, (const char *)from + (size_t)j * row_bytes, bytes,
                               failed);
    }
}

static enum status slab_stage_out(struct engine *engine, int row, int count, double *to,
                                  struct error *error) {
    enqueue_rows(hip_engine_of(engine), row, count, to, NULL);
    return hip_engine_status(hip_engine_of(engine), error);
}

static enum status slab_stage_wait(struct engine *engine, struct error *error) {
    hip_stream_synchronize(&slab_of(engine)->halo);
    return hip_engine_status(hip_engine_of(engine), error);
}

/* Split passes read halo rows on that stream alone. */
static enum status slab_stage_in(struct engine *engine, int row, int count, const double *from,
                                 struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    const struct hip_slab *slab = hip->slab;
    enqueue_rows(hip, row, count, NULL, from);
    if (!slab->ends)
        follow(&hip->context.stream, &slab->halo, slab->events[SENT]);
    return hip_engine_status(hip, error);
}

static const struct slab_stage hip_slab_stage = {
    .pin = slab_stage_pin,
    .unpin = slab_stage_unpin,
    .stage_out = slab_stage_out,
    .stage_wait = slab_stage_wait,
    .stage_in = slab_stage_in,
};

static const struct slab_ops hip_slab_ops = {
    .begin = slab_begin,
    .boundary_rows = slab_boundary_rows,
    .interior_rows = slab_interior_rows,
    .end = slab_end,
    .restore = slab_restore,
    .get = slab_get,
    .stage = &hip_slab_stage,
};

/* ---- opening and closing --------------------------------------------------------------------- */

void hip_slab_open(struct hip_engine *hip) {
    struct hip_context *context = &hip->context;
    const struct hip_stream *stream = &context->stream;
    const struct engine_spec *spec = &hip->base.spec;
    struct hip_slab *slab = hip->slab = calloc(1, sizeof *slab);
    if (!slab) {
        error_set(&context->failure, STATUS_INTERNAL, "out of memory");
        return;
    }
    hip->base.slab = &hip_slab_ops;
    slab->ends = hip_boundary_ends(spec);
    slab->halo = hip_stream_beside(stream, -1);
    hip_timer_open(&slab->halo_timer, &slab->halo, hip->base.events, !spec->without_events);
    for (int e = 0; e < SLAB_EVENTS; e++)
        slab->events[e] = hip_stream_event(stream, hipEventDisableTiming);
    if (spec->run.schedule.kind == SCHEDULE_CLASSIC)
        hip_vector_create(context, &hip->U_next, ARRAY_U, hip->U.bytes);
    hip_vector_create(context, &slab->checkpoint, ARRAY_U, hip->U.bytes);
    const size_t sums = (size_t)(hip->geometry.strips * slab->ends) * (size_t)sums_per_launch(hip);
    if (sums > 0)
        slab->partials = hip_stream_allocate(stream, sums * sizeof(double), "partial sums");
    slab->state = hip_stream_allocate(stream, STATE_BYTES, "the sweep's state");
    hip_stream_clear(&slab->halo, slab->state, STATE_BYTES);
    if (!hip_failed(stream))
        hip_stream_synchronize(&slab->halo);
    slab->fields[0] = hip->U.device;
    slab->fields[1] = hip->U_next.device;
    slab->fields[2] = slab->checkpoint.device;
}

void hip_slab_close(struct hip_engine *hip) {
    struct hip_slab *slab = hip->slab;
    const struct hip_driver *driver = hip->context.stream.driver;
    if (!slab)
        return;
    hip_vector_destroy(&hip->context, &slab->checkpoint);
    if (slab->partials)
        driver->release(slab->partials);
    if (slab->state)
        driver->release(slab->state);
    for (int e = 0; e < SLAB_EVENTS; e++)
        if (slab->events[e])
            driver->event_destroy(slab->events[e]);
    hip_timer_close(&slab->halo_timer);
    if (slab->halo.handle)
        driver->stream_destroy(slab->halo.handle);
    free(slab);
    hip->slab = NULL;
}
