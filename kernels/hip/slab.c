#include "kernels/hip/slab.h"

#include <stdlib.h>
#include <string.h>

#include "core/system.h"

enum { EVENTS_PER_PASS = 6 };

static struct hip_slab *slab_of(const struct engine *engine) {
    return ((const struct hip_engine *)engine)->slab;
}

/* Makes later work on `later` wait for all work enqueued so far on `earlier`. */
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
    hip_engine_clear_state(hip);
    if (hip_refine_is_due(hip)) /* all rows: the neighbours' rows have arrived */
        hip_refine(hip);
    return hip_engine_status(hip, error);
}

/* The number of sums that a pass writes, one per iteration. */
static int sums_per_pass(const struct hip_engine *hip) {
    return hip->base.spec.run.schedule.kind == SCHEDULE_BLOCKED ? BLOCKED_DEPTH_MAX : 1;
}

/* After a pass U_next is the newest iterate. If the batch's start must be kept, its array and that
 * of `checkpoint` change roles. */
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

/* Begins the timers' step of a pass. */
static void begin_pass(struct hip_engine *hip, int depth) {
    struct hip_slab *slab = hip->slab;
    const struct schedule schedule = hip->base.spec.run.schedule;
    slab->depths[slab->in_batch] = depth;
    hip_timer_step(&hip->context.timer, hip->base.events->iteration);
    hip_timer_step(&slab->halo_timer, hip->base.events->iteration);
    if (hip_timer_is_full(&hip->context.timer, 8) || hip_timer_is_full(&slab->halo_timer, 8))
        hip->context.timer.sampled = slab->halo_timer.sampled = false;
    if (schedule.kind != SCHEDULE_CLASSIC) {
        hip->context.phase = schedule_first_phase(schedule);
        event_log_enter(hip->base.events, hip->context.phase);
    }
    hip_timer_break(&hip->context.timer);
    hip_timer_break(&slab->halo_timer);
}

/* Runs classic up to Update: the exchange does not need Norm. */
static void run_classic(struct hip_engine *hip) {
    struct hip_slab *slab = hip->slab;
    hip_bind_level(hip);
    for (enum phase phase = PHASE_LAPLACIAN; phase <= PHASE_UPDATE; phase++) {
        event_log_enter(hip->base.events, phase);
        hip_launch_phase(hip, phase);
    }
    follow(&slab->halo, &hip->context.stream, slab->events[PASS_DONE]);
}

/* The number of blocks that announce rows for the neighbours (device/common.h). */
static unsigned blocks_awaited(const struct hip_engine *hip) {
    const struct slab *slab = &hip->base.spec.slab;
    const struct row_range own = engine_own_rows(&hip->base.spec);
    const int rows = (int)hip->geometry.rows;
    unsigned chunks = 0;
    for (int begin = own.begin; begin < own.end; begin += rows)
        chunks += begin < own.begin + slab->below ||
                  (slab->above > 0 && begin + rows > own.end - slab->above);
    return chunks * hip->geometry.strips;
}

/* The copies wait only until the pass has computed their rows. */
static void run_pass(struct hip_engine *hip, int depth) {
    struct hip_slab *slab = hip->slab;
    hip_run_pass(hip, depth, hip->pass_sums + slab->in_batch * sums_per_pass(hip));
    slab->awaited += blocks_awaited(hip);
    void *arguments[] = {&hip->state, &slab->awaited};
    hip_stream_launch(&slab->halo, KERNEL_AWAIT, 1, 1, arguments);
}

static enum status slab_boundary_rows(struct engine *engine, int depth, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    begin_pass(hip, depth);
    if (engine->spec.run.schedule.kind == SCHEDULE_CLASSIC)
        run_classic(hip);
    else
        run_pass(hip, depth);
    rotate_fields(hip);
    return hip_engine_status(hip, error);
}

static enum status slab_interior_rows(struct engine *engine, int depth, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    if (engine->spec.run.schedule.kind == SCHEDULE_CLASSIC) {
        event_log_enter(engine->events, PHASE_NORM);
        hip_launch_phase(hip, PHASE_NORM);
    }
    hip->since_refined += depth;
    slab_of(engine)->in_batch++;
    return hip_engine_status(hip, error);
}

static enum status slab_end(struct engine *engine, double *sums, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    struct hip_slab *slab = slab_of(engine);
    const int per_pass = sums_per_pass(hip);
    follow(&slab->halo, &hip->context.stream, slab->events[PASS_DONE]);
    /* Record a last device event on each stream: the times of the others are relative to it. */
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
    slab->halo_timer.steps = hip->context.timer.steps; /* so both timers time the same passes */
    for (long pass = 0, made = 0; pass < slab->in_batch; pass++) {
        const double *of_pass = hip->sums + pass * per_pass;
        for (int k = 0; k < slab->depths[pass]; k++)
            sums[made++] = of_pass[k];
    }
    return hip_engine_status(hip, error);
}

static void slab_restore(struct engine *engine) {
    struct hip_engine *hip = hip_engine_of(engine);
    const struct hip_vector begun = hip->slab->checkpoint;
    hip->slab->checkpoint = hip->U;
    hip->U = begun;
    for (long pass = 0; pass < hip->slab->in_batch; pass++)
        hip->since_refined -= hip->slab->depths[pass];
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

/* ---- to another process ---------------------------------------------------------------------- */

static enum status slab_stage_pin(struct engine *engine, void *memory, size_t bytes,
                                  struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    hip_stream_make_current(&hip->context.stream);
    HIP_CALL(&hip->context.stream, host_pin(memory, bytes, 0), "rows can't be pinned");
    return hip_engine_status(hip, error);
}

static void slab_stage_unpin(struct engine *engine, void *memory) {
    struct hip_engine *hip = hip_engine_of(engine);
    hip_stream_make_current(&hip->context.stream);
    hip->context.stream.driver->host_unpin(memory);
}

/* Enqueues copies of rows of the newest iterate on the stream `halo`. One copy takes all rows, or,
 * if the stride leaves gaps between them, one row. */
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

static enum status slab_stage_in(struct engine *engine, int row, int count, const double *from,
                                 struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    enqueue_rows(hip, row, count, NULL, from);
    follow(&hip->context.stream, &hip->slab->halo, hip->slab->events[ARRIVED]);
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
    slab->halo = *stream;
    slab->halo.handle = NULL;
    HIP_CALL(stream, stream_create_urgent(&slab->halo.handle, hipStreamNonBlocking, -1),
             "a stream can't be created");
    hip_timer_open(&slab->halo_timer, &slab->halo, hip->base.events, !spec->without_events);
    for (int e = 0; e < SLAB_EVENTS; e++)
        slab->events[e] = hip_stream_event(stream, hipEventDisableTiming);
    if (spec->run.schedule.kind == SCHEDULE_CLASSIC)
        hip_vector_create(context, &hip->U_next, ARRAY_U, hip->U.bytes);
    hip_vector_create(context, &slab->checkpoint, ARRAY_U, hip->U.bytes);
    if (!hip_failed(stream))
        hip_stream_synchronize(stream); /* the state is cleared before the other stream reads it */
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
    for (int e = 0; e < SLAB_EVENTS; e++)
        if (slab->events[e])
            driver->event_destroy(slab->events[e]);
    hip_timer_close(&slab->halo_timer);
    if (slab->halo.handle)
        driver->stream_destroy(slab->halo.handle);
    free(slab);
    hip->slab = NULL;
}
