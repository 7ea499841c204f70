#include "kernels/omp/device/common/target.h"

/* RES = RHS - AU, U += RES * D⁻¹. */
void target_update(const struct mesh *mesh, const double *restrict RHS, const double *restrict AU,
                   double *restrict RES, double *restrict U) {
    const size_t N = mesh_unknowns(mesh);
    const double factor = mesh->factor;
#pragma omp target teams distribute parallel for
    for (size_t id = 0; id < N; id++) {
        const double r_res = RHS[id] - AU[id];
        RES[id] = r_res;
        U[id] += r_res * factor;
    }
}
