/* The schedule whose host reads each norm before the next iteration begins. `plain` runs the
 * blog's four kernels as printed there. User kernels may replace them, and a user's Fused replaces
 * all four (user_kernels.c). `classic` runs here when its arrays are mapped around each kernel. */
#include "core/sandbox.h"
#include "kernels/hip/engine.h"

static void launch_plain_laplacian(struct hip_engine *hip) {
    struct mesh mesh = hip->base.spec.mesh;
    void *arguments[] = {&mesh.Nx,      &mesh.Ny,          &mesh._1bydx2,
                         &mesh._1bydy2, &hip->at.U.device, &hip->at.AU.device};
    hip_launch_threads(hip, KERNEL_PLAIN_LAPLACIAN, mesh_unknowns(&mesh), arguments);
}

static void launch_plain_boundary(struct hip_engine *hip) {
    struct mesh mesh = hip->base.spec.mesh;
    void *arguments[] = {&mesh.Nx,      &mesh.Ny,          &mesh._1bydx2,
                         &mesh._1bydy2, &hip->at.U.device, &hip->at.AU.device};
    hip_launch_threads(hip, KERNEL_PLAIN_BOUNDARY,
                       2 * (uint64_t)mesh.Nx + 2 * (uint64_t)mesh.Ny - 2, arguments);
}

static void launch_plain_update(struct hip_engine *hip) {
    struct mesh mesh = hip->base.spec.mesh;
    long N = (long)mesh_unknowns(&mesh);
    void *arguments[] = {&N,
                         &mesh.factor,
                         &hip->at.RHS.device,
                         &hip->at.AU.device,
                         &hip->at.RES.device,
                         &hip->at.U.device};
    hip_launch_threads(hip, KERNEL_PLAIN_UPDATE, (uint64_t)N, arguments);
}

static void launch_plain_norm(struct hip_engine *hip) {
    long N = (long)mesh_unknowns(&hip->base.spec.mesh);
    void *arguments[] = {&N, &hip->at.RES.device, &hip->sums_device};
    hip_note_sums(hip);
    hip_launch_norm(hip, KERNEL_PLAIN_NORM, arguments);
}

static void launch_user_fused(struct hip_engine *hip) {
    struct mesh mesh = hip->base.spec.mesh;
    void *arguments[] = {&mesh.Nx,          &mesh.Ny,
                         &mesh._1bydx2,     &mesh._1bydy2,
                         &mesh.factor,      &hip->at.RHS.device,
                         &hip->at.U.device, &hip->at.other.device,
                         &hip->sums_device};
    hip_note_sums(hip);
    hip_launch_norm(hip, KERNEL_FUSED, arguments);
}

/* ---- one iteration after the other ----------------------------------------------------------- */

/* Computes sum(RES²) from the blocks' partial sums, after Norm or the user's Fused. */
static double reduce_partials(const struct hip_engine *hip) {
    double sum = 0;
    for (int block = 0; block < hip->base.spec.run.tuning.norm_blocks; block++)
        sum += hip->sums[block];
    return sum;
}

/* Runs an iteration; returns the residual after the norm has arrived. */
static double iterate(struct hip_engine *hip) {
    struct engine *engine = &hip->base;
    const struct run_id *run = &engine->spec.run;
    const bool fused = run->schedule.kind == SCHEDULE_FUSED;
    const bool structured = run->mapping == MAPPING_STRUCTURED;
    hip_timer_step(&hip->context.timer, engine->events->iteration);
    if (hip_refine_is_due(hip))
        hip_refine(hip);
    hip->since_refined++;
    for (int s = 0; s < (fused ? 1 : engine->step_count); s++) {
        engine->step = engine->steps[s];
        const enum phase phase = fused ? PHASE_FUSED : engine->step.phase;
        event_log_enter(engine->events, phase);
        hip_bind_level(hip);
        if (structured)
            hip_structured_phases[phase](hip);
        else
            hip_launch_phase(hip, phase);
    }
    engine->step = engine->steps[0];
    if (!structured)
        hip_context_synchronize(&hip->context);
    if (run->user_kernels)
        sandbox_enter(NULL);
    if (run->method == METHOD_CHEBYSHEV)
        hip_end_chebyshev(hip);
    else if (fused)
        hip_swap_iterates(hip);
    return mesh_residual(&engine->spec.mesh, reduce_partials(hip));
}

static long plain_run_batch(struct hip_engine *hip, long count, double tolerance,
                            double *residuals) {
    enum { SPANS_PER_ITERATION = 6 };
    long made = 0;
    while (made < count && !engine_spec_stops(&hip->base.spec) &&
           !hip_timer_is_full(&hip->context.timer, SPANS_PER_ITERATION)) {
        residuals[made] = iterate(hip);
        if (hip_failed(&hip->context.stream))
            break;
        hip->base.events->iteration++;
        if (!(residuals[made++] > tolerance))
            break;
    }
    return made;
}

static void plain_open(struct hip_engine *hip) {
    enum { BATCH_MAX = 1000 };
    static const hip_launch launches[PHASE_COUNT] = {
        [PHASE_LAPLACIAN] = launch_plain_laplacian, [PHASE_BOUNDARY] = launch_plain_boundary,
        [PHASE_UPDATE] = launch_plain_update,       [PHASE_NORM] = launch_plain_norm,
        [PHASE_FUSED] = launch_user_fused,
    };
    const struct run_id *run = &hip->base.spec.run;
    const bool is_classic = run->schedule.kind == SCHEDULE_CLASSIC;
    hip_four_kernels_open(hip, is_classic ? hip_classic_launches : launches);
    hip->batch_max = BATCH_MAX;
    hip->events_per_step = 5;
    hip_engine_allocate_sums(hip, (size_t)run->tuning.norm_blocks);
    if (is_classic || run->precision == PRECISION_MIXED)
        hip_engine_allocate_batch(hip, 1, 1); /* for the state */
}

const struct hip_schedule hip_plain = {plain_open, plain_run_batch, NULL};
