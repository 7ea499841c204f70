/* The blog's four kernels, one launch each. */
#include "core/system.h"
#include "kernels/hip/engine.h"

static unsigned blocks_for(uint64_t threads, unsigned block) {
    const uint64_t blocks = (threads + block - 1) / block;
    return blocks > 0 ? (unsigned)blocks : 1;
}

/* ---- launches -------------------------------------------------------------------------------- */

static enum status launch_laplacian(struct hip_engine *hip, struct error *error) {
    struct mesh mesh = hip->base.spec.mesh;
    const uint64_t groups = mesh.Ny > 2 ? (uint64_t)(mesh.Ny - 2 + LAPLACIAN_ROWS - 1) : 0;
    int backwards = hip_engine_reverse(hip);
    void *arguments[] = {&mesh.Nx,      &mesh.Ny,       &backwards,     &mesh._1bydx2,
                         &mesh._1bydy2, &hip->U.device, &hip->AU.device};
    return hip_stream_launch(&hip->context.stream, KERNEL_LAPLACIAN,
                             blocks_for(groups / LAPLACIAN_ROWS * (uint64_t)mesh.Nx, hip->block),
                             hip->block, arguments, error);
}

static enum status launch_boundary(struct hip_engine *hip, struct error *error) {
    struct mesh mesh = hip->base.spec.mesh;
    void *arguments[] = {&mesh.Nx,      &mesh.Ny,       &mesh._1bydx2,
                         &mesh._1bydy2, &hip->U.device, &hip->AU.device};
    return hip_stream_launch(&hip->context.stream, KERNEL_BOUNDARY,
                             blocks_for(2 * (uint64_t)mesh.Nx + 2 * (uint64_t)mesh.Ny, hip->block),
                             hip->block, arguments, error);
}

static enum status launch_update(struct hip_engine *hip, struct error *error) {
    struct mesh mesh = hip->base.spec.mesh;
    long N = (long)mesh_unknowns(&mesh);
    int backwards = hip_engine_reverse(hip);
    void *arguments[] = {&N,
                         &backwards,
                         &mesh.factor,
                         &hip->RHS.device,
                         &hip->AU.device,
                         &hip->RES.device,
                         &hip->U.device};
    return hip_stream_launch(&hip->context.stream, KERNEL_UPDATE,
                             blocks_for((uint64_t)N, hip->block), hip->block, arguments, error);
}

/* The blocks' sums go straight into the host's memory: nothing is copied, so nothing timed. */
static enum status launch_norm(struct hip_engine *hip, struct error *error) {
    long N = (long)mesh_unknowns(&hip->base.spec.mesh);
    int backwards = hip_engine_reverse(hip);
    void *arguments[] = {&N, &backwards, &hip->RES.device, &hip->sums_device};
    hip_timer_note(&hip->context.timer, EVENT_FROM_DEVICE, PHASE_NORM, ARRAY_NORM, CLOCK_NONE, 0, 0,
                   hip->norm_blocks * sizeof(double));
    return hip_stream_launch(&hip->context.stream, KERNEL_NORM, hip->norm_blocks, hip->norm_block,
                             arguments, error);
}

static enum status launch(struct hip_engine *hip, enum phase phase, struct error *error) {
    static enum status (*const launches[])(struct hip_engine * hip, struct error * error) = {
        [PHASE_LAPLACIAN] = launch_laplacian,
        [PHASE_BOUNDARY] = launch_boundary,
        [PHASE_UPDATE] = launch_update,
        [PHASE_NORM] = launch_norm,
    };
    struct hip_timer *timer = &hip->context.timer;
    hip->context.phase = phase;
    enum status status = hip_timer_before(timer, error);
    if (!status)
        status = launches[phase](hip, error);
    if (!status)
        status = hip_timer_after(timer, EVENT_KERNEL, phase, ARRAY_NONE,
                                 phase_minimum_bytes(phase, &hip->base.spec.mesh), error);
    return status;
}

static double add_partial_sums(const struct hip_engine *hip) {
    double sum = 0;
    for (unsigned block = 0; block < hip->norm_blocks; block++)
        sum += hip->sums[block];
    return sum;
}

static enum status classic_open(struct hip_engine *hip, struct error *error) {
    const struct hip_driver *driver = hip->context.stream.driver;
    const struct tuning *tuning = &hip->base.spec.tuning;
    const size_t bytes = mesh_unknowns(&hip->base.spec.mesh) * sizeof(double);
    hip->block = tuning->block > 0 ? (unsigned)tuning->block : 256;
    hip->norm_block = tuning->norm_block > 0 ? (unsigned)tuning->norm_block : 512;
    hip->norm_blocks = tuning->norm_blocks > 0 ? (unsigned)tuning->norm_blocks : 256;
    enum status status = hip_engine_allocate_sums(hip, hip->norm_blocks, error);
    if (!status)
        status = hip_vector_create(&hip->context, &hip->AU, ARRAY_AU, bytes, error);
    if (!status)
        status = hip_vector_create(&hip->context, &hip->RES, ARRAY_RES, bytes, error);
    if (!status)
        status = hip_check(driver, driver->event_create(&hip->norm_done, hipEventDisableTiming),
                           "an event can't be made", error);
    return status;
}

/* ---- structured: each kernel with its arrays mapped around it -------------------------------- */

struct use {
    struct hip_vector *vector;
    bool to, from;
};

enum { USES_MAX = 4 };

static enum status run_mapped(struct hip_engine *hip, enum phase phase, const struct use *uses,
                              struct error *error) {
    struct hip_context *context = &hip->context;
    context->phase = phase;
    hip_timer_step(&context->timer, hip->base.events->iteration);
    enum status status = hip_stream_make_current(&context->stream, error);
    for (int u = 0; u < USES_MAX && uses[u].vector && !status; u++)
        status = hip_vector_map(context, uses[u].vector, uses[u].to, error);
    if (!status)
        status = launch(hip, phase, error);
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
    const struct use uses[USES_MAX] = {{&hip->U, true, false}, {&hip->AU, true, true}};
    return run_mapped(hip, PHASE_LAPLACIAN, uses, error);
}

static enum status structured_boundary(struct engine *engine, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    const struct use uses[USES_MAX] = {{&hip->U, true, false}, {&hip->AU, true, true}};
    return run_mapped(hip, PHASE_BOUNDARY, uses, error);
}

static enum status structured_update(struct engine *engine, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    const struct use uses[USES_MAX] = {{&hip->RHS, true, false},
                                       {&hip->AU, true, false},
                                       {&hip->RES, false, true},
                                       {&hip->U, true, true}};
    return run_mapped(hip, PHASE_UPDATE, uses, error);
}

static enum status structured_norm(struct engine *engine, double *sum, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    const struct use uses[USES_MAX] = {{&hip->RES, true, false}};
    const enum status status = run_mapped(hip, PHASE_NORM, uses, error);
    *sum = status ? 0 : add_partial_sums(hip);
    return status;
}

static const struct engine_ops structured_ops = {
    .laplacian = structured_laplacian,
    .boundary = structured_boundary,
    .update = structured_update,
    .norm = structured_norm,
    .downsample = hip_engine_downsample,
    .read = hip_engine_read,
    .close = hip_engine_close,
};

const struct hip_schedule hip_classic_structured = {&structured_ops, classic_open};

/* ---- arrays resident ------------------------------------------------------------------------- */

enum { SPANS_PER_ITERATION = 6, EVENTS_PER_ITERATION = 6 };

static enum status launch_two(struct hip_engine *hip, enum phase first, enum phase second,
                              struct error *error) {
    const enum status status = launch(hip, first, error);
    return status ? status : launch(hip, second, error);
}

/* Makes one iteration, whose Laplacian and BoundaryConditions are already under way. While the host
 * waits for its norm the device goes on with the next iteration's (`go_on`), which change nothing
 * but AU: if this iteration turns out to be the last, they were for nothing, and are not reported.
 */
static enum status iterate(struct hip_engine *hip, bool *go_on, double tolerance, double *residual,
                           struct error *error) {
    const struct hip_driver *driver = hip->context.stream.driver;
    struct hip_timer *timer = &hip->context.timer;
    enum status status = launch_two(hip, PHASE_UPDATE, PHASE_NORM, error);
    if (!status)
        status = hip_check(driver, driver->event_record(hip->norm_done, hip->context.stream.handle),
                           "the device failed", error);
    const struct hip_timer_position position = hip_timer_position(timer);
    if (!status && *go_on) {
        hip_timer_step(timer, timer->iteration + 1);
        status = launch_two(hip, PHASE_LAPLACIAN, PHASE_BOUNDARY, error);
    }
    if (status)
        return status;
    hip_timer_break(timer);
    status = hip_check(driver, driver->event_wait(hip->norm_done), "the device failed", error);
    if (status)
        return status;
    *residual = mesh_residual(&hip->base.spec.mesh, add_partial_sums(hip));
    *go_on = *go_on && *residual > tolerance;
    if (!*go_on)
        hip_timer_rewind(timer, &position);
    return STATUS_OK;
}

static enum status resident_advance(struct engine *engine, long count, double tolerance,
                                    double *residuals, long *done, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    struct hip_timer *timer = &hip->context.timer;
    if (hip_engine_stop_requested(hip))
        return STATUS_OK;
    const int64_t start = clock_now_ns();
    hip_timer_step(timer, engine->events->iteration);
    event_log_enter(engine->events, PHASE_LAPLACIAN);
    enum status status = hip_stream_make_current(&hip->context.stream, error);
    if (!status)
        status = launch_two(hip, PHASE_LAPLACIAN, PHASE_BOUNDARY, error);
    for (bool go_on = true; go_on && !status;) {
        go_on = *done + 1 < count && !hip_engine_stop_requested(hip);
        event_log_enter(engine->events, PHASE_UPDATE);
        status = iterate(hip, &go_on, tolerance, &residuals[*done], error);
        if (status)
            return status;
        (*done)++;
        engine->events->iteration++;
        hip_timer_tune(timer, EVENTS_PER_ITERATION,
                       1e-9 * (double)(clock_now_ns() - start) / (double)*done);
        if (go_on && hip_timer_is_full(timer, SPANS_PER_ITERATION))
            status = hip_engine_synchronize(hip, error);
    }
    return status ? status : hip_engine_synchronize(hip, error);
}

static const struct engine_ops resident_ops = {
    .advance = resident_advance,
    .downsample = hip_engine_downsample,
    .read = hip_engine_read,
    .close = hip_engine_close,
};

const struct hip_schedule hip_classic_resident = {&resident_ops, classic_open};
