/* Structured mapping of the phases that are written apart for host device and GPU: each with its
 * arrays mapped around it. BoundaryConditions has its own beside it. */
#include "kernels/omp/device/common/target.h"

void target_laplacian_structured(const struct mesh *mesh, const double *U, double *AU) {
    const size_t N = mesh_unknowns(mesh);
#pragma omp target data map(to : U[:N]) map(tofrom : AU[:N])
    target_laplacian(mesh, U, AU);
}

void target_update_structured(const struct mesh *mesh, const double *RHS, const double *AU,
                              double *RES, double *U) {
    const size_t N = mesh_unknowns(mesh);
#pragma omp target data map(to : RHS[:N], AU[:N]) map(from : RES[:N]) map(tofrom : U[:N])
    target_update(mesh, RHS, AU, RES, U);
}

double target_norm_structured(const struct mesh *mesh, const double *RES) {
    const size_t N = mesh_unknowns(mesh);
    double norm;
#pragma omp target data map(to : RES[:N])
    norm = target_norm(mesh, RES);
    return norm;
}

double target_fused_structured(const struct mesh *mesh, struct row_range rows, const double *RHS,
                               const double *U, double *U_next) {
    const size_t N = mesh_unknowns(mesh);
    double norm;
#pragma omp target data map(to : RHS[:N], U[:N]) map(from : U_next[:N])
    norm = target_fused(mesh, rows, RHS, U, U_next);
    return norm;
}

void target_blocked_structured(const struct mesh *mesh, struct row_range rows, int depth,
                               const double *RHS, const double *U, double *U_next, double *norms,
                               void *work) {
    const size_t N = mesh_unknowns(mesh);
#pragma omp target data map(to : RHS[:N], U[:N]) map(from : U_next[:N])
    target_blocked(mesh, rows, depth, RHS, U, U_next, norms, work);
}
