#include "hip.h"

/* All four: RES = RHS - AU, U_next = U + RES * factor; sums[block] = sum(RES²)
 * of its unknowns. */
__global__ void Fused(int Nx, int Ny, double _1bydx2, double _1bydy2,
                      double factor, const double *RHS, const double *U,
                      double *U_next, double *sums) {
    __shared__ double shared[1024];
    const long N = (long)Nx * Ny;
    double sum = 0;

    for (long id = (long)blockIdx.x * blockDim.x + threadIdx.x; id < N;
         id += (long)gridDim.x * blockDim.x) {
        const long i = id % Nx, j = id / Nx;
        if (i == 0 || i == Nx - 1 || j == 0 || j == Ny - 1)
            continue; /* to be written: next to the boundary */

        const double left = U[id - 1], right = U[id + 1];
        const double down = U[id - Nx], up = U[id + Nx];
        const double AU = (-left + 2 * U[id] - right) * _1bydx2 +
                          (-down + 2 * U[id] - up) * _1bydy2;
        const double RES = RHS[id] - AU;
        U_next[id] = U[id] + RES * factor;
        sum += RES * RES;
    }

    shared[threadIdx.x] = sum;
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            shared[threadIdx.x] += shared[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = shared[0];
}
