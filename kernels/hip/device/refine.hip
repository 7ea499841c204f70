#include "common.h"

/* Refinement for mixed precision. U and RHS are in double, and the iteration runs on a correction e
 * to U: A e = g. The other kernels get e as U and g as RHS. At intervals Correct adds e to U, and
 * Remainder sets g to the remainder of the right-hand side: 44 bytes per unknown. If the batch has
 * `stopped`, nothing is written. */

/* U += e, e = 0. */
extern "C" __global__
__launch_bounds__(BLOCK_MAX) void Correct(const long N, double *__restrict__ U,
                                          real *__restrict__ e,
                                          const struct pass_state *__restrict__ state) {
    const long id = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= N || state->stopped)
        return;
    U[id] += e[id];
    e[id] = 0;
}

/* g = RHS - AU, in double until the final conversion. Rows are `stride` apart. There are at most
 * 2³² unknowns, so 32-bit numbers suffice; their division is faster than that of 64 bits. */
extern "C" __global__ __launch_bounds__(BLOCK_MAX) void Remainder(
    const int Nx, const int Ny, const int stride, const double _1bydx2, const double _1bydy2,
    const double *__restrict__ RHS, const double *__restrict__ U, real *__restrict__ g,
    const struct pass_state *__restrict__ state) {
    const long thread = (long)blockIdx.x * blockDim.x + threadIdx.x;
    const int i = (int)((unsigned)thread % Nx), j = (int)((unsigned)thread / Nx);
    if (thread >= (long)Nx * Ny || state->stopped)
        return;
    const long id = i + (long)j * stride;
    const double c = U[id];
    const double l = i > 0 ? U[id - 1] : 0, r = i < Nx - 1 ? U[id + 1] : 0;
    const double d = j > 0 ? U[id - stride] : 0, u = j < Ny - 1 ? U[id + stride] : 0;
    g[id] = RHS[id] - ((-l + 2 * c - r) * _1bydx2 + (-d + 2 * c - u) * _1bydy2);
}
