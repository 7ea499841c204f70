/* The seed's four kernels. */
#include "core/clock.h"
#include "kernels/hip/engine.h"

static unsigned blocks_for(uint64_t threads, unsigned block) {
    const uint64_t blocks = (threads + block - 1) / block;
    return blocks > 0 ? (unsigned)blocks : 1;
}

/* ---- launches ------------------------------------------------------------------------------- */

typedef enum status (*launch_function)(struct hip_engine *hip, struct error *error);

static enum status launch_laplacian(struct hip_engine *hip, struct error *error) {
    struct mesh mesh = hip->base.spec.mesh;
    const unsigned block = hip_block(hip);
    const uint64_t groups = mesh.Ny > 2 ? (uint64_t)(mesh.Ny - 2 + LAPLACIAN_ROWS - 1) : 0;
    int backwards = hip_engine_reverse(hip);
    void *arguments[] = {&mesh.Nx,      &mesh.Ny,       &backwards,     &mesh._1bydx2,
                         &mesh._1bydy2, &hip->U.device, &hip->AU.device};
    return hip_stream_launch(&hip->context.stream, KERNEL_LAPLACIAN,
                             blocks_for(groups / LAPLACIAN_ROWS * (uint64_t)mesh.Nx, block), block,
                             arguments, error);
}

static enum status launch_boundary(struct hip_engine *hip, struct error *error) {
    struct mesh mesh = hip->base.spec.mesh;
    const unsigned block = hip_block(hip);
    void *arguments[] = {&mesh.Nx,      &mesh.Ny,       &mesh._1bydx2,
                         &mesh._1bydy2, &hip->U.device, &hip->AU.device};
    return hip_stream_launch(&hip->context.stream, KERNEL_BOUNDARY,
                             blocks_for(2 * (uint64_t)mesh.Nx + 2 * (uint64_t)mesh.Ny, block),
                             block, arguments, error);
}

static enum status launch_update(struct hip_engine *hip, struct error *error) {
    struct mesh mesh = hip->base.spec.mesh;
    const unsigned block = hip_block(hip);
    long N = (long)mesh_unknowns(&mesh);
    int backwards = hip_engine_reverse(hip);
    void *arguments[] = {&N,
                         &backwards,
                         &mesh.factor,
                         &hip->RHS.device,
                         &hip->AU.device,
                         &hip->RES.device,
                         &hip->U.device};
    return hip_stream_launch(&hip->context.stream, KERNEL_UPDATE, blocks_for((uint64_t)N, block),
                             block, arguments, error);
}

/* The blocks' sums go straight into the host's memory: nothing is copied, so nothing timed. */
static enum status launch_norm(struct hip_engine *hip, struct error *error) {
    long N = (long)mesh_unknowns(&hip->base.spec.mesh);
    int backwards = hip_engine_reverse(hip);
    void *arguments[] = {&N, &backwards, &hip->RES.device, &hip->sums_device};
    hip_timer_note(&hip->context.timer, EVENT_FROM_DEVICE, PHASE_NORM, ARRAY_NORM, CLOCK_NONE, 0, 0,
                   hip_norm_blocks(hip) * sizeof(double));
    return hip_stream_launch(&hip->context.stream, KERNEL_NORM, hip_norm_blocks(hip),
                             hip_norm_block(hip), arguments, error);
}

static const launch_function launches[] = {
    [PHASE_LAPLACIAN] = launch_laplacian,
    [PHASE_BOUNDARY] = launch_boundary,
    [PHASE_UPDATE] = launch_update,
    [PHASE_NORM] = launch_norm,
};

static enum status launch(struct hip_engine *hip, enum phase phase, struct error *error) {
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
    for (unsigned block = 0; block < hip_norm_blocks(hip); block++)
        sum += hip->sums[block];
    return sum;
}

/* ---- structured: each kernel with its arrays mapped around it ----------------------------- */

struct use {
    struct hip_vector *vector;
    bool to, from;
};

enum { USES_MAX = 4 };

static enum status map_all(struct hip_engine *hip, const struct use *uses, struct error *error) {
    enum status status = STATUS_OK;
    for (int u = 0; u < USES_MAX && uses[u].vector && !status; u++)
        status = hip_vector_map(&hip->context, uses[u].vector, uses[u].to, error);
    return status;
}

/* The first failure counts; `worked` false: only gives back. */
static enum status unmap_all(struct hip_engine *hip, const struct use *uses, bool worked,
                             struct error *error) {
    enum status status = STATUS_OK;
    for (int u = 0; u < USES_MAX && uses[u].vector; u++) {
        const bool from = uses[u].from && worked && !status;
        const enum status last =
            hip_vector_unmap(&hip->context, uses[u].vector, from, worked && !status ? error : NULL);
        status = status ? status : last;
    }
    return status;
}

static enum status run_mapped(struct hip_engine *hip, enum phase phase, const struct use *uses,
                              struct error *error) {
    hip->context.phase = phase;
    hip_timer_iteration(&hip->context.timer, hip->base.events->iteration);
    enum status status = hip_stream_make_current(&hip->context.stream, error);
    if (!status)
        status = map_all(hip, uses, error);
    if (!status)
        status = launch(hip, phase, error);
    const enum status unmapped = unmap_all(hip, uses, status == STATUS_OK, error);
    status = status ? status : unmapped;
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

const struct engine_ops hip_classic_structured_ops = {
    .laplacian = structured_laplacian,
    .boundary = structured_boundary,
    .update = structured_update,
    .norm = structured_norm,
    .downsample = hip_engine_downsample,
    .read = hip_engine_read,
    .close = hip_engine_close,
};

/* ---- arrays resident ---------------------------------------------------------------------- */

enum { SPANS_AN_ITERATION = 6, DEVICE_EVENTS_AN_ITERATION = 6 };

static bool stop_requested(const struct hip_engine *hip) {
    const atomic_bool *stop = hip->base.spec.stop;
    return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

static enum status launch_two(struct hip_engine *hip, enum phase first, enum phase second,
                              struct error *error) {
    const enum status status = launch(hip, first, error);
    return status ? status : launch(hip, second, error);
}

static enum status wait_for_norm(struct hip_engine *hip, struct error *error) {
    const struct hip_driver *driver = hip->context.stream.driver;
    hip_timer_break(&hip->context.timer);
    return hip_check(driver, driver->event_wait(hip->done), "the device failed", error);
}

static enum status launch_update_and_norm(struct hip_engine *hip, struct error *error) {
    const struct hip_driver *driver = hip->context.stream.driver;
    const enum status status = launch_two(hip, PHASE_UPDATE, PHASE_NORM, error);
    if (status)
        return status;
    return hip_check(driver, driver->event_record(hip->done, hip->context.stream.handle),
                     "the device failed", error);
}

/* One iteration whose Laplacian and BoundaryConditions are already under way. While the host waits
 * for its norm the device goes on with the next iteration's (`go_on`), which change nothing but AU:
 * should this iteration turn out to be the last, they were for nothing, and are not reported. */
static enum status iterate(struct hip_engine *hip, bool *go_on, double tolerance, double *residual,
                           struct error *error) {
    struct hip_timer *timer = &hip->context.timer;
    enum status status = launch_update_and_norm(hip, error);
    const struct hip_timer_position place = hip_timer_position(timer);
    if (!status && *go_on) {
        hip_timer_iteration(timer, timer->iteration + 1);
        status = launch_two(hip, PHASE_LAPLACIAN, PHASE_BOUNDARY, error);
    }
    if (!status)
        status = wait_for_norm(hip, error);
    if (status)
        return status;
    *residual = mesh_residual(&hip->base.spec.mesh, add_partial_sums(hip));
    *go_on = *go_on && *residual > tolerance;
    if (!*go_on)
        hip_timer_rewind(timer, &place);
    return STATUS_OK;
}

static enum status begin(struct hip_engine *hip, struct error *error) {
    hip_timer_iteration(&hip->context.timer, hip->base.events->iteration);
    event_log_enter(hip->base.events, PHASE_LAPLACIAN);
    const enum status status = hip_stream_make_current(&hip->context.stream, error);
    return status ? status : launch_two(hip, PHASE_LAPLACIAN, PHASE_BOUNDARY, error);
}

static enum status make_room(struct hip_engine *hip, struct error *error) {
    return hip_timer_is_full(&hip->context.timer, SPANS_AN_ITERATION)
               ? hip_engine_synchronize(hip, error)
               : STATUS_OK;
}

static enum status resident_advance(struct engine *engine, long count, double tolerance,
                                    double *residuals, long *done, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    if (stop_requested(hip))
        return STATUS_OK;
    const int64_t start = clock_now_ns();
    enum status status = begin(hip, error);
    for (bool go_on = true; go_on && !status;) {
        go_on = *done + 1 < count && !stop_requested(hip);
        event_log_enter(engine->events, PHASE_UPDATE);
        status = iterate(hip, &go_on, tolerance, &residuals[*done], error);
        if (status)
            return status;
        (*done)++;
        engine->events->iteration++;
        hip_timer_tune(&hip->context.timer, DEVICE_EVENTS_AN_ITERATION,
                       1e-9 * (double)(clock_now_ns() - start) / (double)*done);
        if (go_on)
            status = make_room(hip, error);
    }
    return status ? status : hip_engine_synchronize(hip, error);
}

const struct engine_ops hip_classic_resident_ops = {
    .advance = resident_advance,
    .downsample = hip_engine_downsample,
    .read = hip_engine_read,
    .close = hip_engine_close,
};

enum status hip_classic_open(struct hip_engine *hip, struct error *error) {
    const struct hip_driver *driver = hip->context.stream.driver;
    const size_t bytes = mesh_unknowns(&hip->base.spec.mesh) * sizeof(double);
    enum status status = hip_vector_create(&hip->context, &hip->AU, ARRAY_AU, bytes, error);
    if (!status)
        status = hip_vector_create(&hip->context, &hip->RES, ARRAY_RES, bytes, error);
    if (!status)
        status = hip_check(driver, driver->event_create(&hip->done, hipEventDisableTiming),
                           "an event can't be made", error);
    return status;
}
