#include "kernels/omp/device/common/target.h"

/* Unknowns that a thread takes at a time, each from its own part of the arrays. */
enum { PARTS = 4 };

/* RES = RHS - AU, U += RES * D⁻¹. All loads come before the stores, so that they are under way
 * together. */
void target_update(const struct mesh *mesh, const double *RHS, const double *AU, double *RES,
                   double *U, struct offload_sums *sums) {
    const size_t N = mesh_unknowns(mesh), part = N / PARTS, rest = N % PARTS;
    const double factor = mesh->factor;
    struct offload_span *span = span_of(sums, PHASE_UPDATE);

#pragma omp target teams distribute parallel for thread_limit(256)
    for (size_t id = 0; id < part + rest; id++) {
        span_begin(span, id == 0);
        const size_t first = id < part ? id : id - part + PARTS * part;
        const size_t step = id < part ? part : 0; /* what is left over is done one by one */
        double r_res[PARTS], u[PARTS];
#pragma unroll
        for (size_t k = 0; k < PARTS; k++) {
            r_res[k] = RHS[first + k * step] - AU[first + k * step];
            u[k] = U[first + k * step];
        }
#pragma unroll
        for (size_t k = 0; k < PARTS; k++) {
            RES[first + k * step] = r_res[k];
            U[first + k * step] = u[k] + r_res[k] * factor;
        }
        span_end(span, is_late(id, part + rest), RES[first + (PARTS - 1) * step]);
    }
}
