#include "kernels/omp/device/common/target.h"

/* sum(RES²); the sum itself is copied to the device before the region and back after it. */
double target_norm(const struct mesh *mesh, const real *RES) {
    const size_t N = mesh_unknowns(mesh);
    double norm = 0.0;
#pragma omp target teams distribute parallel for reduction(+ : norm) map(tofrom : norm)
    for (size_t id = 0; id < N; id++) {
        const double r_res = RES[id];
        norm += r_res * r_res;
    }
    return norm;
}
