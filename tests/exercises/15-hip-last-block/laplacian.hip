#include "hip.h"

/* AU = (-U_l + 2U - U_r)/dx² + (-U_d + 2U - U_u)/dy² inside the grid. */
__global__ void Laplacian(int Nx, int Ny, double _1bydx2, double _1bydy2,
                          const double *U, double *AU) {
    const long N = (long)Nx * Ny;
    const long id = (long)blockIdx.x * blockDim.x + threadIdx.x;
    const long i = id % Nx, j = id / Nx;

    if (id >= N)
        return; /* a thread too many */
    if (i > 0 && i < Nx - 1 && j > 0 && j < Ny - 1)
        AU[id] = (-U[id - 1] + 2 * U[id] - U[id + 1]) * _1bydx2 +
                 (-U[id - Nx] + 2 * U[id] - U[id + Nx]) * _1bydy2;
}
