/* The blog's four kernels as it prints them, untuned: launched one after the other, and the norm
 * read by the host before the next iteration begins. Likewise the user's own kernels in their
 * place, and a Fused of the user's own in the place of all four (own.h). */
#include "core/sandbox.h"
#include "core/system.h"
#include "kernels/hip/engine.h"

static enum status launch_plain_laplacian(struct hip_engine *hip, struct error *error) {
    struct mesh mesh = hip->base.spec.mesh;
    void *arguments[] = {&mesh.Nx,      &mesh.Ny,          &mesh._1bydx2,
                         &mesh._1bydy2, &hip->at.U.device, &hip->at.AU.device};
    return hip_stream_launch(&hip->context.stream, KERNEL_PLAIN_LAPLACIAN,
                             hip_blocks_for(mesh_unknowns(&mesh), hip->block), hip->block,
                             arguments, error);
}

static enum status launch_plain_boundary(struct hip_engine *hip, struct error *error) {
    struct mesh mesh = hip->base.spec.mesh;
    const uint64_t rim = 2 * (uint64_t)mesh.Nx + 2 * (uint64_t)mesh.Ny - 2;
    void *arguments[] = {&mesh.Nx,      &mesh.Ny,          &mesh._1bydx2,
                         &mesh._1bydy2, &hip->at.U.device, &hip->at.AU.device};
    return hip_stream_launch(&hip->context.stream, KERNEL_PLAIN_BOUNDARY,
                             hip_blocks_for(rim, hip->block), hip->block, arguments, error);
}

static enum status launch_plain_update(struct hip_engine *hip, struct error *error) {
    struct mesh mesh = hip->base.spec.mesh;
    long N = (long)mesh_unknowns(&mesh);
    void *arguments[] = {&N,
                         &mesh.factor,
                         &hip->at.RHS.device,
                         &hip->at.AU.device,
                         &hip->at.RES.device,
                         &hip->at.U.device};
    return hip_stream_launch(&hip->context.stream, KERNEL_PLAIN_UPDATE,
                             hip_blocks_for((uint64_t)N, hip->block), hip->block, arguments, error);
}

static enum status launch_plain_norm(struct hip_engine *hip, struct error *error) {
    long N = (long)mesh_unknowns(&hip->base.spec.mesh);
    void *arguments[] = {&N, &hip->at.RES.device, &hip->sums_device};
    hip_note_sums(hip);
    return hip_stream_launch(&hip->context.stream, KERNEL_PLAIN_NORM, hip->norm_blocks,
                             hip->norm_block, arguments, error);
}

static enum status launch_own_fused(struct hip_engine *hip, struct error *error) {
    struct mesh mesh = hip->base.spec.mesh;
    void *arguments[] = {&mesh.Nx,          &mesh.Ny,
                         &mesh._1bydx2,     &mesh._1bydy2,
                         &mesh.factor,      &hip->at.RHS.device,
                         &hip->at.U.device, &hip->at.other.device,
                         &hip->sums_device};
    hip_note_sums(hip);
    return hip_stream_launch(&hip->context.stream, KERNEL_FUSED, hip->norm_blocks, hip->norm_block,
                             arguments, error);
}

static enum status plain_open(struct hip_engine *hip, struct error *error) {
    static const hip_launch launches[] = {
        [PHASE_LAPLACIAN] = launch_plain_laplacian, [PHASE_BOUNDARY] = launch_plain_boundary,
        [PHASE_UPDATE] = launch_plain_update,       [PHASE_NORM] = launch_plain_norm,
        [PHASE_FUSED] = launch_own_fused,
    };
    return hip_four_kernels_open(hip, launches, error);
}

/* One iteration; returns when its norm is known. */
static enum status iterate_plain(struct hip_engine *hip, double *residual, struct error *error) {
    struct hip_timer *timer = &hip->context.timer;
    const bool fused = hip->base.spec.run.schedule.kind == SCHEDULE_FUSED;
    const int last = fused ? PHASE_FUSED : PHASE_NORM;
    enum status status = STATUS_OK;
    hip_timer_step(timer, hip->base.events->iteration);
    for (int phase = fused ? PHASE_FUSED : PHASE_LAPLACIAN; phase <= last && !status; phase++) {
        event_log_enter(hip->base.events, (enum phase)phase);
        status = hip_launch_phase(hip, (enum phase)phase, error);
    }
    if (!status)
        status = hip_context_synchronize(&hip->context, error);
    if (hip->base.spec.run.user_kernels)
        sandbox_enter(NULL);
    if (fused)
        hip_swap_iterates(hip);
    if (!status)
        *residual = mesh_residual(&hip->base.spec.mesh, hip_reduce_partials(hip));
    return status;
}

static enum status plain_advance(struct engine *engine, long count, double tolerance,
                                 double *residuals, long *done, struct error *error) {
    enum { SPANS_PER_ITERATION = 6, EVENTS_PER_ITERATION = 5 };
    struct hip_engine *hip = hip_engine_of(engine);
    struct hip_timer *timer = &hip->context.timer;
    const int64_t start = clock_now_ns();
    enum status status = hip_stream_make_current(&hip->context.stream, error);
    while (*done < count && !hip_engine_stop_requested(hip) && !status) {
        status = iterate_plain(hip, &residuals[*done], error);
        if (status)
            return status;
        (*done)++;
        engine->events->iteration++;
        hip_timer_tune(timer, EVENTS_PER_ITERATION,
                       1e-9 * (double)(clock_now_ns() - start) / (double)*done);
        if (!(residuals[*done - 1] > tolerance))
            break;
        if (hip_timer_is_full(timer, SPANS_PER_ITERATION))
            status = hip_engine_synchronize(hip, error);
    }
    return status ? status : hip_engine_synchronize(hip, error);
}

static const struct engine_ops plain_ops = {
    .advance = plain_advance,
    .downsample = hip_engine_downsample,
    .read = hip_engine_read,
    .close = hip_engine_close,
};

const struct hip_schedule hip_plain_structured = {&hip_structured_ops, plain_open};
const struct hip_schedule hip_plain_resident = {&plain_ops, plain_open};
