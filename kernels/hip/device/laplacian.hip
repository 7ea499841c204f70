#include "common.h"

/* AU_i,j = (-U_i-1,j + 2U_i,j - U_i+1,j)/dx² + (-U_i,j-1 + 2U_i,j - U_i,j+1)/dy²
 * for the unknowns whose four neighbours are unknowns too.
 *
 * A thread takes ROWS unknowns, one above the other, so that a loaded row of U serves as up, centre
 * and down. Otherwise the cache would have to deliver each row three times, and would be the
 * bottleneck instead of memory. Neighbouring threads take neighbouring columns.
 *
 * `backwards`: the blocks take the grid from its end, so that they start with the data that the
 * previous kernel accessed last, which is therefore still in the cache. The host alternates the
 * direction from kernel to kernel. */
static const int ROWS = 4;

extern "C" __global__
__launch_bounds__(BLOCK_MAX) void Laplacian(const int Nx, const int Ny, const int backwards,
                                            const real _1bydx2, const real _1bydy2,
                                            const real *__restrict__ U, real *__restrict__ AU) {
    wait_for_earlier();
    const long thread = (long)block_in_order(backwards) * blockDim.x + threadIdx.x;
    const int i = (int)(thread % Nx);
    const long begin = 1 + thread / Nx * ROWS;
    if (i < 1 || i > Nx - 2 || begin > Ny - 2)
        return;

    long id = i + begin * Nx;
    real U_d = U[id - Nx], U_c = U[id];
#pragma unroll
    for (int n = 0; n < ROWS; n++, id += Nx)
        if (begin + n <= Ny - 2) {
            const real U_u = U[id + Nx];
            __builtin_nontemporal_store((-U[id - 1] + 2 * U_c - U[id + 1]) * _1bydx2 +
                                            (-U_d + 2 * U_c - U_u) * _1bydy2,
                                        &AU[id]);
            U_d = U_c;
            U_c = U_u;
        }
}
