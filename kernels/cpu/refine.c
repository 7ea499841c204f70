#include "kernels/cpu/row.h"

CPU_CLONES
void refine_add_row(void *refinement, int j) {
    const struct refinement *of = refinement;
    const size_t Nx = (size_t)of->mesh->Nx;
    double *restrict U = of->U + (size_t)j * Nx;
    real *restrict e = of->e + (size_t)j * Nx;
    for (size_t i = 0; i < Nx; i++) {
        U[i] += e[i];
        e[i] = 0;
    }
}

static void residual_at(const struct mesh *mesh, int i, int j, const struct refinement *of) {
    const size_t Nx = (size_t)mesh->Nx, id = (size_t)i + (size_t)j * Nx;
    const double *U = of->U;
    const double l = i > 0 ? U[id - 1] : 0, r = i < mesh->Nx - 1 ? U[id + 1] : 0;
    const double d = j > 0 ? U[id - Nx] : 0, u = j < mesh->Ny - 1 ? U[id + Nx] : 0;
    of->g[id] = (real)(of->RHS[id] - ((-l + 2 * U[id] - r) * mesh->_1bydx2 +
                                      (-d + 2 * U[id] - u) * mesh->_1bydy2));
}

CPU_CLONES
void refine_residual_row(void *refinement, int j) {
    const struct refinement *of = refinement;
    const struct mesh mesh = *of->mesh;
    const size_t Nx = (size_t)mesh.Nx, id = (size_t)j * Nx;
    const bool inside = j > 0 && j < mesh.Ny - 1;
    const double *restrict U = of->U + id, *restrict RHS = of->RHS + id;
    const double *down = inside ? U - mesh.Nx : U, *up = inside ? U + Nx : U;
    real *restrict g = of->g + id;
    for (size_t i = 1; i + 1 < Nx && inside; i++)
        g[i] = (real)(RHS[i] - ((-U[i - 1] + 2 * U[i] - U[i + 1]) * mesh._1bydx2 +
                                (-down[i] + 2 * U[i] - up[i]) * mesh._1bydy2));
    for (size_t i = 0; i < Nx; i += inside && Nx > 1 ? Nx - 1 : 1)
        residual_at(&mesh, (int)i, j, of);
}
