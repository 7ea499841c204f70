#include "kernels/omp/device/common/target.h"

/* Refinement for mixed precision: U += e, e = 0, then g = RHS - A·U, where a neighbour outside the
 * grid counts as 0. */
void target_refine(const struct mesh *mesh, const double *RHS, double *U, real *e, real *g) {
    const int Nx = mesh->Nx, Ny = mesh->Ny;
    const size_t N = mesh_unknowns(mesh), stride = (size_t)Nx;
    const double _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2;

#pragma omp target teams distribute parallel for
    for (size_t id = 0; id < N; id++) {
        U[id] += e[id];
        e[id] = 0;
    }
    OVER_GRID
    for (int j = 0; j < Ny; j++)
        for (int i = 0; i < Nx; i++) {
            const size_t id = (size_t)i + (size_t)j * stride;
            const double l = i > 0 ? U[id - 1] : 0, r = i < Nx - 1 ? U[id + 1] : 0;
            const double d = j > 0 ? U[id - stride] : 0, u = j < Ny - 1 ? U[id + stride] : 0;
            g[id] =
                (real)(RHS[id] - ((-l + 2 * U[id] - r) * _1bydx2 + (-d + 2 * U[id] - u) * _1bydy2));
        }
}
