/* The loop of all schedules, and the code that their batches share.
 *
 * The host does not interrupt a batch of iterations, or of passes of several iterations, which
 * lasts a few milliseconds. Afterwards it reads the norms, and passes the times to the log. */
#include <math.h>
#include <string.h>

#include "core/system.h"
#include "kernels/hip/engine.h"

/* ---- the tolerance on the device ------------------------------------------------------------- */

double *hip_engine_limit(const struct hip_engine *hip) {
    return (double *)hip->state + LIMIT_AT / sizeof(double);
}

static void set_limit(struct hip_engine *hip, double limit) {
    const struct hip_stream *stream = &hip->context.stream;
    hip->limit = limit;
    if (!hip_failed(stream))
        hip_stream_copy_to(stream, hip_engine_limit(hip), &hip->limit, sizeof hip->limit,
                           "copying the limit to the device");
}

/* The largest sum(RES²) whose residual is not above the tolerance, to the last bit, by bisecting
 * the bit patterns of the numbers from 0 to infinity; below 0 if that of 0 is above it, too. So the
 * device makes exactly the same decision as the host. */
static double largest_sum(const struct mesh *mesh, double tolerance) {
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
    double largest;
    memcpy(&largest, &low, sizeof largest);
    return tolerance < 0 ? -1 : largest;
}

static void set_tolerance(struct hip_engine *hip, double tolerance) {
    if (hip->tolerance == tolerance || hip_failed(&hip->context.stream))
        return;
    hip->tolerance = tolerance;
    set_limit(hip, largest_sum(&hip->base.spec.mesh, tolerance));
}

/* ---- sums of a batch ------------------------------------------------------------------------- */

/* Pinned, so that the device writes them through its own pointer. On AMD, `plain` uses non-coherent
 * memory, as the blog does: the host sees writes to it after waiting for the stream. */
void hip_engine_allocate_sums(struct hip_engine *hip, size_t count) {
    const struct hip_stream *stream = &hip->context.stream;
    const bool as_the_blog =
        hip->base.spec.run.schedule.kind == SCHEDULE_PLAIN && stream->driver->vendor == VENDOR_AMD;
    const unsigned flags = hipHostMallocMapped | (as_the_blog ? hipHostMallocNonCoherent : 0);
    void *device = NULL;
    hip->sums = hip_stream_allocate_host(stream, count * sizeof(double), flags, &device,
                                         "pinned memory for the norm");
    hip->sums_device = device;
    hip_driver_label(stream->driver, hip->sums, "sums");
}

void hip_engine_allocate_batch(struct hip_engine *hip, size_t partials, size_t sums) {
    const struct hip_stream *stream = &hip->context.stream;
    hip->tolerance = NAN;
    if (!hip->sums)
        hip_engine_allocate_sums(hip, sums);
    hip->partials = hip_stream_allocate(stream, partials * sizeof(double), "partial sums");
    hip->pass_sums = hip_stream_allocate(stream, sums * sizeof(double), "the norms");
    hip->state = hip_stream_allocate(stream, LIMIT_AT + sizeof hip->limit, "the sweep's state");
    set_limit(hip, -1);
    hip_stream_clear(stream, hip->state, LIMIT_AT); /* including `ready` */
}

void hip_engine_clear_state(struct hip_engine *hip) {
    hip_stream_clear(&hip->context.stream, hip->state, STATE_BYTES);
}

void hip_engine_fetch_sums(struct hip_engine *hip, size_t count) {
    struct hip_context *context = &hip->context;
    const size_t bytes = count * sizeof(double);
    hip_timer_before(&context->timer);
    hip_stream_copy_from(&context->stream, hip->sums, hip->pass_sums, bytes,
                         "copying the norms from the device");
    hip_timer_after(&context->timer, EVENT_FROM_DEVICE, context->phase, ARRAY_NORM, bytes);
    hip_context_synchronize(context);
}

long hip_engine_take_residuals(const struct hip_engine *hip, long count, double tolerance,
                               double *residuals) {
    for (long made = 0; made < count; made++) {
        residuals[made] = mesh_residual(&hip->base.spec.mesh, hip->sums[made]);
        if (!(residuals[made] > tolerance))
            return made + 1;
    }
    return count;
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* As many passes as fit in a few milliseconds, so that a stop takes effect soon. A batch of many
 * consists of graphs, after one pass that may be timed. */
static long passes_for(const struct hip_engine *hip, double seconds) {
    static const double batch_seconds = 0.004;
    const double fit = batch_seconds / seconds;
    const long passes = fit < 1 ? 1 : fit < (double)hip->batch_max ? (long)fit : hip->batch_max;
    const long each = hip->graph.executable ? hip->graph_iterations : 1;
    const long graphs = (passes - 1 + each / 2) / each;
    return graphs < 1 ? passes : graphs * each + 1;
}

enum status hip_advance(struct engine *engine, long count, double tolerance, double *residuals,
                        long *done, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    struct hip_timer *timer = &hip->context.timer;
    event_log_enter(engine->events, schedule_first_phase(engine->spec.run.schedule));
    hip_stream_make_current(&hip->context.stream);
    if (hip->stops_on_device)
        set_tolerance(hip, tolerance);
    while (!hip_failed(&hip->context.stream) && *done < count &&
           !engine_spec_stops(&engine->spec)) {
        const int64_t start = clock_now_ns();
        const long before = timer->steps, iteration = engine->events->iteration;
        const long left = count - *done, whole = hip->batch_passes * hip->depth;
        const long batch = left < whole ? left : whole;
        const long made = hip->schedule->run_batch(hip, batch, tolerance, residuals + *done);
        hip_timer_collect(timer);
        if (hip_failed(&hip->context.stream))
            break;
        const double seconds = 1e-9 * (double)(clock_now_ns() - start);
        const long passes = (batch + hip->depth - 1) / hip->depth, steps = timer->steps - before;
        hip->batch_passes = passes_for(hip, seconds / (double)passes);
        if (steps > 0)
            hip_timer_tune(timer, hip->events_per_step, seconds / (double)steps);
        engine->events->iteration = iteration;
        event_log_add_iterations(engine->events, made, (int64_t)(1e9 * seconds));
        *done += made;
        if (made > 0 && !(residuals[*done - 1] > tolerance))
            break;
    }
    return hip_engine_status(hip, error);
}
