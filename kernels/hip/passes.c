/* Fused and blocked: whole iterations in one pass from U to U_next.
 *
 * A batch of passes is enqueued at once. Each leaves sum(RES²) of its iterates on the device, for
 * the host to fetch when all are done, and sets `stopped` there when one of them is small enough;
 * the passes after it then do nothing, so U stays what that pass made of it. A pass that ran past
 * its stopping point is made again, from the U that it left alone, exactly as deep as it should
 * have been. */
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "kernels/hip/engine.h"
#include "kernels/hip/share.h"

enum { STATE_BYTES = 8, DEVICE_EVENTS_A_PASS = 2 };

static const double batch_seconds = 0.004; /* a request to stop is answered within this */

static int depth_of(const struct hip_engine *hip) {
    return hip->base.spec.schedule.kind == SCHEDULE_FUSED ? 1 : hip->base.spec.schedule.depth;
}

static enum phase phase_of(const struct hip_engine *hip) {
    return hip->base.spec.schedule.kind == SCHEDULE_FUSED ? PHASE_FUSED : PHASE_BLOCKED;
}

static void swap(struct hip_engine *hip) {
    struct hip_vector next = hip->U_next;
    hip->U_next = hip->U;
    hip->U = next;
    hip->U.array = ARRAY_U;
}

/* ---- the limit --------------------------------------------------------------------------------
 */

/* The largest sum(RES²) whose residual is not above the tolerance, to the last bit, found by
 * halving the bit patterns of the numbers from 0 to infinity: so the device decides exactly as the
 * host. */
static double limit_for(const struct mesh *mesh, double tolerance) {
    const double infinity = INFINITY;
    uint64_t low = 0, high; /* low's residual is not above, high's is */
    memcpy(&high, &infinity, sizeof high);
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        double sum;
        memcpy(&sum, &middle, sizeof sum);
        if (mesh_residual(mesh, sum) > tolerance)
            high = middle;
        else
            low = middle;
    }
    double limit;
    memcpy(&limit, &low, sizeof limit);
    return limit;
}

static void set_tolerance(struct hip_engine *hip, double tolerance) {
    if (hip->tolerance == tolerance)
        return;
    hip->tolerance = tolerance;
    hip->limit = limit_for(&hip->base.spec.mesh, tolerance);
}

/* ---- one pass ---------------------------------------------------------------------------------
 */

static enum status launch_fused(struct hip_engine *hip, double *sums, struct error *error) {
    struct mesh mesh = hip->base.spec.mesh;
    int rows = (int)hip->rows, backwards = hip_engine_reverse(hip);
    void *arguments[] = {&mesh.Nx,       &mesh.Ny,
                         &hip->stride,   &rows,
                         &backwards,     &mesh._1bydx2,
                         &mesh._1bydy2,  &mesh.factor,
                         &hip->limit,    &hip->RHS.device,
                         &hip->U.device, &hip->U_next.device,
                         &hip->partials, &sums,
                         &hip->state};
    return hip_stream_launch(&hip->context.stream, KERNEL_FUSED, hip->blocks, FUSED_BLOCK,
                             arguments, error);
}

static enum status launch_blocked(struct hip_engine *hip, int depth, double *sums,
                                  struct error *error) {
    struct mesh mesh = hip->base.spec.mesh;
    const struct hip_blocked_kernel *kernel = hip_blocked_kernel_for(hip->base.spec.schedule.depth);
    int rows = (int)hip->rows;
    void *arguments[] = {&mesh.Nx,         &mesh.Ny,       &hip->stride,
                         &depth,           &rows,          &mesh._1bydx2,
                         &mesh._1bydy2,    &mesh.factor,   &hip->limit,
                         &hip->RHS.device, &hip->U.device, &hip->U_next.device,
                         &hip->partials,   &sums,          &hip->state};
    return hip_stream_launch(&hip->context.stream, kernel->kernel, hip->blocks,
                             (unsigned)(kernel->waves * hip->context.stream.gpu->wave), arguments,
                             error);
}

/* The kernels write no padding, but read U's as zeros: mapped memory holds anything. */
static enum status clear_padding(struct hip_engine *hip, struct error *error) {
    if (hip->context.mapping != MAPPING_STRUCTURED || hip->stride == hip->base.spec.mesh.Nx)
        return STATUS_OK;
    const struct hip_driver *driver = hip->context.stream.driver;
    return hip_check(
        driver, driver->fill(hip->U_next.device, 0, hip->U_next.bytes, hip->context.stream.handle),
        "clearing the device's memory", error);
}

static enum status map_pass(struct hip_engine *hip, struct error *error) {
    enum status status = hip_vector_map(&hip->context, &hip->U, true, error);
    if (!status)
        status = hip_vector_map(&hip->context, &hip->RHS, true, error);
    if (!status)
        status = hip_vector_map(&hip->context, &hip->U_next, false, error);
    return status ? status : clear_padding(hip, error);
}

static enum status unmap_pass(struct hip_engine *hip, bool worked, struct error *error) {
    struct error *tell = worked ? error : NULL;
    const enum status next = hip_vector_unmap(&hip->context, &hip->U_next, worked, tell);
    const enum status rhs = hip_vector_unmap(&hip->context, &hip->RHS, false, next ? NULL : tell);
    const enum status u =
        hip_vector_unmap(&hip->context, &hip->U, false, next || rhs ? NULL : tell);
    return next ? next : rhs ? rhs : u;
}

/* `slot`: which of the batch's passes it is. */
static enum status enqueue_pass(struct hip_engine *hip, int depth, long slot, struct error *error) {
    struct hip_timer *timer = &hip->context.timer;
    double *sums = hip->pass_sums + slot * depth_of(hip);
    const enum phase phase = phase_of(hip);
    hip->context.phase = phase;
    enum status status = map_pass(hip, error);
    if (!status)
        status = hip_timer_before(timer, error);
    if (!status)
        status = phase == PHASE_FUSED ? launch_fused(hip, sums, error)
                                      : launch_blocked(hip, depth, sums, error);
    if (!status)
        status = hip_timer_after(timer, EVENT_KERNEL, phase, ARRAY_NONE,
                                 phase_minimum_bytes(phase, &hip->base.spec.mesh), error);
    const enum status unmapped = unmap_pass(hip, status == STATUS_OK, error);
    return status ? status : unmapped;
}

static enum status clear_stopped(struct hip_engine *hip, struct error *error) {
    if (!hip->stopped)
        return STATUS_OK;
    const struct hip_driver *driver = hip->context.stream.driver;
    hip->stopped = false;
    hip_timer_break(&hip->context.timer);
    return hip_check(driver, driver->fill(hip->state, 0, STATE_BYTES, hip->context.stream.handle),
                     "clearing the device's memory", error);
}

/* ---- a batch ----------------------------------------------------------------------------------
 */

/* What a batch will do: `passes` passes, all as deep as the schedule says but perhaps the last. */
struct batch {
    long passes, iterations;
};

static struct batch plan_batch(const struct hip_engine *hip, long left) {
    const long depth = depth_of(hip);
    long passes = (left + depth - 1) / depth;
    if (passes > hip->passes)
        passes = hip->passes;
    const long iterations = passes * depth < left ? passes * depth : left;
    return (struct batch){.passes = passes, .iterations = iterations};
}

static int depth_in(const struct hip_engine *hip, const struct batch *batch, long pass) {
    const long depth = depth_of(hip), left = batch->iterations - pass * depth;
    return (int)(left < depth ? left : depth);
}

static size_t sums_bytes(const struct batch *batch) {
    return (size_t)batch->iterations * sizeof(double);
}

static enum status fetch_sums(struct hip_engine *hip, const struct batch *batch,
                              struct error *error) {
    const struct hip_driver *driver = hip->context.stream.driver;
    struct hip_timer *timer = &hip->context.timer;
    enum status status = hip_timer_before(timer, error);
    if (!status)
        status = hip_check(driver,
                           driver->copy_from(hip->sums, hip->pass_sums, sums_bytes(batch),
                                             hip->context.stream.handle),
                           "copying the norms from the device", error);
    if (!status)
        status = hip_timer_after(timer, EVENT_FROM_DEVICE, phase_of(hip), ARRAY_NORM,
                                 sums_bytes(batch), error);
    return status ? status : hip_stream_synchronize(&hip->context.stream, error);
}

static enum status enqueue_batch(struct hip_engine *hip, const struct batch *batch,
                                 struct hip_timer_position *places, struct error *error) {
    enum status status = clear_stopped(hip, error);
    for (long pass = 0; pass < batch->passes && !status; pass++) {
        hip_timer_iteration(&hip->context.timer,
                            hip->base.events->iteration + pass * depth_of(hip));
        status = enqueue_pass(hip, depth_in(hip, batch, pass), pass, error);
        places[pass] = hip_timer_position(&hip->context.timer);
        swap(hip);
    }
    return status ? status : fetch_sums(hip, batch, error);
}

/* Makes U what the first `passes_kept` passes of the batch made of it. */
static void go_back(struct hip_engine *hip, const struct batch *batch, long passes_kept) {
    if ((batch->passes - passes_kept) % 2 != 0)
        swap(hip);
}

/* Makes the stopped pass again, only `depth` deep. */
static enum status land(struct hip_engine *hip, int depth, long slot, struct error *error) {
    enum status status = clear_stopped(hip, error);
    if (!status)
        status = enqueue_pass(hip, depth, slot, error);
    swap(hip);
    hip->stopped = true;
    return status ? status : hip_stream_synchronize(&hip->context.stream, error);
}

/* Reads the batch's residuals up to the first that is small enough; *stopped_in: that one's pass,
 * or the number of passes. Returns the iterations that count. */
static long take_residuals(const struct hip_engine *hip, const struct batch *batch,
                           double tolerance, double *residuals, long *stopped_in) {
    long made = 0;
    for (long pass = 0; pass < batch->passes; pass++)
        for (int k = 0; k < depth_in(hip, batch, pass); k++) {
            const double sum = hip->sums[pass * depth_of(hip) + k];
            residuals[made] = mesh_residual(&hip->base.spec.mesh, sum);
            if (!(residuals[made++] > tolerance)) {
                *stopped_in = pass;
                return made;
            }
        }
    *stopped_in = batch->passes;
    return made;
}

static enum status run_batch(struct hip_engine *hip, const struct batch *batch, double tolerance,
                             double *residuals, long *made, struct error *error) {
    struct hip_timer_position places[PASSES_MAX];
    enum status status = enqueue_batch(hip, batch, places, error);
    if (status)
        return status;
    long stopped_in;
    *made = take_residuals(hip, batch, tolerance, residuals, &stopped_in);
    if (stopped_in == batch->passes)
        return STATUS_OK;
    hip->stopped = true;
    hip_timer_rewind(&hip->context.timer,
                     &places[stopped_in]); /* and the fetching, to be noted again */
    hip_timer_note(&hip->context.timer, EVENT_FROM_DEVICE, phase_of(hip), ARRAY_NORM, CLOCK_NONE, 0,
                   0, sums_bytes(batch));
    const int wanted = (int)(*made - stopped_in * depth_of(hip));
    const bool landed = wanted == depth_in(hip, batch, stopped_in);
    go_back(hip, batch, landed ? stopped_in + 1 : stopped_in);
    return landed ? STATUS_OK : land(hip, wanted, stopped_in, error);
}

/* As many passes as a few milliseconds hold, so that a request to stop is soon seen. */
static void tune(struct hip_engine *hip, const struct batch *batch, double seconds) {
    const double pass = seconds / (double)batch->passes;
    const double fit = batch_seconds / pass;
    hip->passes = fit < 1 ? 1 : fit > PASSES_MAX ? PASSES_MAX : (long)fit;
    if (hip->context.mapping == MAPPING_STRUCTURED)
        hip->passes = 1;
    hip_timer_tune(&hip->context.timer, DEVICE_EVENTS_A_PASS, pass);
}

static bool stop_requested(const struct hip_engine *hip) {
    const atomic_bool *stop = hip->base.spec.stop;
    return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

static enum status advance(struct engine *engine, long count, double tolerance, double *residuals,
                           long *done, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    set_tolerance(hip, tolerance);
    event_log_enter(engine->events, phase_of(hip));
    enum status status = hip_stream_make_current(&hip->context.stream, error);
    while (*done < count && !stop_requested(hip) && !status) {
        const int64_t start = clock_now_ns();
        const struct batch batch = plan_batch(hip, count - *done);
        long made = 0;
        status = run_batch(hip, &batch, tolerance, residuals + *done, &made, error);
        if (!status)
            status = hip_engine_synchronize(hip, error);
        if (status)
            break;
        tune(hip, &batch, 1e-9 * (double)(clock_now_ns() - start));
        *done += made;
        engine->events->iteration += made;
        if (!(residuals[*done - 1] > tolerance))
            break;
    }
    return status;
}

const struct engine_ops hip_passes_ops = {
    .advance = advance,
    .downsample = hip_engine_downsample,
    .read = hip_engine_read,
    .close = hip_engine_close,
};

/* ---- opening ----------------------------------------------------------------------------------
 */

static void share_out(struct hip_engine *hip) {
    const struct mesh *mesh = &hip->base.spec.mesh;
    const struct hip_stream *stream = &hip->context.stream;
    struct hip_geometry share;
    if (hip->base.spec.schedule.kind == SCHEDULE_FUSED)
        share = hip_geometry_fused(mesh, stream->gpu->multiprocessors);
    else
        share = hip_geometry_blocked(mesh, stream, hip->base.spec.schedule.depth);
    hip->rows = share.rows;
    hip->blocks = share.blocks;
}

enum status hip_passes_open(struct hip_engine *hip, struct error *error) {
    const struct hip_driver *driver = hip->context.stream.driver;
    const size_t bytes = (size_t)hip->stride * (size_t)hip->base.spec.mesh.Ny * sizeof(double);
    hip->passes = 1;
    hip->tolerance = NAN;
    hip->stopped = true; /* what the state holds is not known yet */
    share_out(hip);
    enum status status = hip_vector_create(&hip->context, &hip->U_next, ARRAY_U, bytes, error);
    if (!status)
        status = hip_check(driver,
                           driver->allocate(&hip->partials, (size_t)hip->blocks *
                                                                BLOCKED_DEPTH_MAX * sizeof(double)),
                           "no memory on the device for partial sums", error);
    void *sums = NULL;
    if (!status)
        status = hip_check(driver,
                           driver->allocate(&sums, PASSES_MAX * BLOCKED_DEPTH_MAX * sizeof(double)),
                           "no memory on the device for the norms", error);
    hip->pass_sums = sums;
    if (!status)
        status = hip_check(driver, driver->allocate(&hip->state, STATE_BYTES),
                           "no memory on the device for the pass's state", error);
    return status;
}
