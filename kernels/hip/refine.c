/* Mixed precision: the iteration's U and RHS are the correction e and g, in float; the real U and
 * RHS are kept in double (device/refine.hip). The timer ignores refinement, because it belongs to
 * no kernel of the iteration. */
#include "kernels/hip/engine.h"

enum { REFINE_BLOCK = 256 };

static void launch(struct hip_engine *hip, enum hip_kernel kernel, uint64_t threads,
                   void **arguments) {
    const uint64_t blocks = (threads + REFINE_BLOCK - 1) / REFINE_BLOCK;
    hip_stream_launch(&hip->context.stream, kernel, (unsigned)blocks, REFINE_BLOCK, arguments);
}

void hip_refine(struct hip_engine *hip) {
    struct mesh mesh = hip->base.spec.mesh;
    struct hip_context *context = &hip->context;
    struct hip_vector *const vectors[] = {&hip->kept_U, &hip->kept_RHS, &hip->U, &hip->RHS};
    for (int v = 0; v < 4; v++)
        hip_vector_map(context, vectors[v], true);
    long numbers = (long)hip->stride * mesh.Ny;
    void *correct[] = {&numbers, &hip->kept_U.device, &hip->U.device, &hip->state};
    launch(hip, KERNEL_CORRECT, (uint64_t)numbers, correct);
    void *remainder[] = {&mesh.Nx,
                         &mesh.Ny,
                         &hip->stride,
                         &mesh._1bydx2,
                         &mesh._1bydy2,
                         &hip->kept_RHS.device,
                         &hip->kept_U.device,
                         &hip->RHS.device,
                         &hip->state};
    launch(hip, KERNEL_REMAINDER, mesh_unknowns(&mesh), remainder);
    for (int v = 0; v < 4; v++)
        hip_vector_unmap(context, vectors[v], true);
    hip_timer_break(&context->timer);
    hip->since_refined = 0;
}

bool hip_refine_is_due(const struct hip_engine *hip) {
    return hip->base.spec.run.precision == PRECISION_MIXED &&
           hip->since_refined >= refine_every(hip->base.spec.run.schedule);
}
