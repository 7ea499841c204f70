#include "common.h" /* for double only */

#define TRANSFER_FUNCTION static __device__ inline
#include "../../cpu/transfer.h"

/* The kernels that Chebyshev, red-black SOR and multigrid add: one unknown per thread. If the batch
 * has `stopped`, they leave U unchanged. */

/* RES = RHS - AU; Chebyshev's step continues in the direction of the previous one. `other` holds
 * the iterate before U, and then the one after it: 48 bytes per unknown. */
extern "C" __global__ __launch_bounds__(BLOCK_MAX) void ChebyshevUpdate(
    const long N, const double factor, const double weight, const double *__restrict__ RHS,
    const double *__restrict__ AU, double *__restrict__ RES, const double *__restrict__ U,
    double *__restrict__ other, const struct pass_state *__restrict__ state) {
    wait_for_earlier();
    const long p = (long)blockIdx.x * blockDim.x + threadIdx.x;
    const bool stopped = state->stopped;
    if (PACK * (p + 1) <= N) {
        const pack r_res = ((const pack *)RHS)[p] - ((const pack *)AU)[p];
        const pack old = ((const pack *)other)[p];
        const pack next = (((const pack *)U)[p] + r_res * factor - old) * weight + old;
        if (stopped)
            return;
        ((pack *)RES)[p] = r_res;
        ((pack *)other)[p] = next;
    } else if (2 * p < N && !stopped) { /* the last unknown of an odd number */
        RES[2 * p] = RHS[2 * p] - AU[2 * p];
        other[2 * p] = weight * (U[2 * p] + RES[2 * p] * factor - other[2 * p]) + other[2 * p];
    }
}

/* Computes RES of all unknowns and updates those of one colour of the chessboard. */
extern "C" __global__ __launch_bounds__(BLOCK_MAX) void ColourUpdate(
    const int Nx, const int Ny, const int colour, const double factor,
    const double *__restrict__ RHS, const double *__restrict__ AU, double *__restrict__ RES,
    double *__restrict__ U, const struct pass_state *__restrict__ state) {
    wait_for_earlier();
    const long id = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= (long)Nx * Ny || state->stopped)
        return;
    const double r_res = RHS[id] - AU[id];
    RES[id] = r_res;
    if ((id % Nx + id / Nx) % 2 == colour)
        U[id] += r_res * factor;
}

/* Relaxes one colour in place: all its neighbours have the other colour. */
extern "C" __global__
__launch_bounds__(BLOCK_MAX) void Sweep(const int Nx, const int Ny, const int colour,
                                        const double _1bydx2, const double _1bydy2,
                                        const double factor, const double *__restrict__ RHS,
                                        double *U, const struct pass_state *__restrict__ state) {
    wait_for_earlier();
    const int half = (Nx + 1) / 2;
    const long thread = (long)blockIdx.x * blockDim.x + threadIdx.x;
    const int j = (int)(thread / half);
    const int i = 2 * (int)(thread % half) + (j + colour) % 2;
    if (j >= Ny || i >= Nx || state->stopped)
        return;
    const long id = i + (long)j * Nx;
    const double l = i > 0 ? U[id - 1] : 0, r = i < Nx - 1 ? U[id + 1] : 0;
    const double d = j > 0 ? U[id - Nx] : 0, u = j < Ny - 1 ? U[id + Nx] : 0;
    double r_res, change;
    U[id] = relax(l, r, d, u, U[id], RHS[id], _1bydx2, _1bydy2, factor, &r_res, &change);
}

/* Averages RHS - AU of the finer level into RHS of the coarser one, whose U starts at 0. */
extern "C" __global__ __launch_bounds__(BLOCK_MAX) void Restriction(
    const int Nx, const int Ny, const int coarse_Nx, const int coarse_Ny,
    const double *__restrict__ RHS, const double *__restrict__ AU, double *__restrict__ coarse_RHS,
    double *__restrict__ coarse_U) {
    wait_for_earlier();
    const long id = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= (long)coarse_Nx * coarse_Ny)
        return;
    const struct grids grids = {Nx, Ny, coarse_Nx, coarse_Ny};
    coarse_RHS[id] = restricted(&grids, (int)(id % coarse_Nx), (int)(id / coarse_Nx), RHS, AU);
    coarse_U[id] = 0;
}

/* Adds the coarser level's interpolated U to the finer level's U. */
extern "C" __global__ __launch_bounds__(BLOCK_MAX) void Prolongation(
    const int Nx, const int Ny, const int coarse_Nx, const int coarse_Ny,
    const double *__restrict__ coarse_U, double *__restrict__ U) {
    wait_for_earlier();
    const long id = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= (long)Nx * Ny)
        return;
    const struct grids grids = {Nx, Ny, coarse_Nx, coarse_Ny};
    U[id] += prolonged(&grids, (int)(id % Nx), (int)(id / Nx), coarse_U);
}
