#include "kernels/omp/target.h"

/* Laplacian, BoundaryConditions, Update and Norm of every unknown in one pass: U and RHS are read
 * once, U_next is written once, AU and RES never reach memory. The same operations in the same
 * order as the four kernels, so that every iterate has the same bits. */
double target_fused(const struct mesh *mesh, const double *restrict RHS, const double *restrict U,
                    double *restrict U_next, struct offload_sums *sums) {
    const int Nx = mesh->Nx, Ny = mesh->Ny;
    const double _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2, factor = mesh->factor;
    double norm = 0.0;
    (void)sums;

#pragma omp target teams distribute parallel for reduction(+ : norm) map(tofrom : norm)
    for (int j = 0; j < Ny; j++) {
        double row = 0.0;
        for (int i = 0; i < Nx; i++) {
            const size_t id = (size_t)i + (size_t)j * (size_t)Nx;
            const double U_d = j == 0 ? 0.0 : U[id - (size_t)Nx];
            const double U_u = j == Ny - 1 ? 0.0 : U[id + (size_t)Nx];
            const double U_l = i == 0 ? 0.0 : U[id - 1];
            const double U_r = i == Nx - 1 ? 0.0 : U[id + 1];

            const double r_res =
                RHS[id] - ((-U_l + 2 * U[id] - U_r) * _1bydx2 + (-U_d + 2 * U[id] - U_u) * _1bydy2);
            U_next[id] = U[id] + r_res * factor;
            row += r_res * r_res;
        }
        norm += row;
    }
    return norm;
}

double target_fused_structured(const struct mesh *mesh, const double *RHS, const double *U,
                               double *U_next, struct offload_sums *sums) {
    const size_t N = unknowns(mesh);
    double norm;
#pragma omp target data map(to : RHS[:N], U[:N]) map(from : U_next[:N])
    norm = target_fused(mesh, RHS, U, U_next, sums);
    return norm;
}
