#include "kernels/threads/threads.h"

/* The same formula, where a neighbour outside the grid counts as 0. */
static void apply(const struct mesh *mesh, const real *U, real *AU, int i, int j) {
    const int Nx = mesh->Nx, Ny = mesh->Ny;
    const size_t id = (size_t)i + (size_t)j * (size_t)Nx;
    const real _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2;
    const real U_d = j == 0 ? 0 : U[id - Nx];
    const real U_u = j == Ny - 1 ? 0 : U[id + Nx];
    const real U_l = i == 0 ? 0 : U[id - 1];
    const real U_r = i == Nx - 1 ? 0 : U[id + 1];

    AU[id] = (-U_l + 2 * U[id] - U_r) * _1bydx2 + (-U_d + 2 * U[id] - U_u) * _1bydy2;
}

/* First bottom and top, then left and right. The corners belong to both loops, and the barrier
 * between the loops keeps two threads from writing one concurrently. */
void threads_boundary(const struct mesh *mesh, const real *U, real *AU) {
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int i = 0; i < mesh->Nx; i++) {
            apply(mesh, U, AU, i, 0);
            apply(mesh, U, AU, i, mesh->Ny - 1);
        }
#pragma omp for schedule(static)
        for (int j = 0; j < mesh->Ny; j++) {
            apply(mesh, U, AU, 0, j);
            apply(mesh, U, AU, mesh->Nx - 1, j);
        }
    }
}
