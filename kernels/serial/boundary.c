#include "kernels/serial/serial.h"

/* The same formula next to the boundary, where a neighbour outside the grid counts as 0. One line
 * of 2*Nx + 2*Ny unknowns covers them: bottom, top, left, right (corners twice). */
void serial_boundary(const struct mesh *mesh, const real *U, real *AU) {
    const int Nx = mesh->Nx, Ny = mesh->Ny;
    const real _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2;

    for (int id = 0; id < 2 * Nx + 2 * Ny; id++) {
        int i, j;
        if (id < Nx) { /* bottom */
            i = id;
            j = 0;
        } else if (id < 2 * Nx) { /* top */
            i = id - Nx;
            j = Ny - 1;
        } else if (id < 2 * Nx + Ny) { /* left */
            i = 0;
            j = id - 2 * Nx;
        } else { /* right */
            i = Nx - 1;
            j = id - 2 * Nx - Ny;
        }
        const size_t iid = (size_t)i + (size_t)j * (size_t)Nx;
        const real U_d = j == 0 ? 0 : U[iid - (size_t)Nx];
        const real U_u = j == Ny - 1 ? 0 : U[iid + (size_t)Nx];
        const real U_l = i == 0 ? 0 : U[iid - 1];
        const real U_r = i == Nx - 1 ? 0 : U[iid + 1];

        AU[iid] = (-U_l + 2 * U[iid] - U_r) * _1bydx2 + (-U_d + 2 * U[iid] - U_u) * _1bydy2;
    }
}
