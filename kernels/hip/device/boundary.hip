#include "common.h"

/* The same formula next to the boundary, where a neighbour outside the grid counts as 0. The kernel
 * visits these unknowns as one line of 2*Nx + 2*Ny unknowns, one thread each: bottom, top, left,
 * right (corners twice). */
extern "C" __global__
__launch_bounds__(BLOCK_MAX) void BoundaryConditions(const int Nx, const int Ny, const real _1bydx2,
                                                     const real _1bydy2, const real *__restrict__ U,
                                                     real *__restrict__ AU) {
    wait_for_earlier();
    const int id = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (id >= 2 * Nx + 2 * Ny)
        return;

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

    const long iid = i + (long)j * Nx;
    const real U_d = j == 0 ? 0 : U[iid - Nx];
    const real U_u = j == Ny - 1 ? 0 : U[iid + Nx];
    const real U_l = i == 0 ? 0 : U[iid - 1];
    const real U_r = i == Nx - 1 ? 0 : U[iid + 1];

    __builtin_nontemporal_store(
        (-U_l + 2 * U[iid] - U_r) * _1bydx2 + (-U_d + 2 * U[iid] - U_u) * _1bydy2, &AU[iid]);
}
