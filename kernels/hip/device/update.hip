#include "common.h"

/* RES = RHS - AU, U += RES * D⁻¹: three arrays read and two written, 40 bytes per unknown for two
 * additions and a multiplication. Nothing here waits for anything but memory. `backwards` as for
 * Laplacian. */
extern "C" __global__ __launch_bounds__(BLOCK_MAX) void Update(
    const long N, const int backwards, const double factor, const double *__restrict__ RHS,
    const double *__restrict__ AU, double *__restrict__ RES, double *__restrict__ U) {
    const long threads = (long)gridDim.x * blockDim.x;
    for (long id = (long)block_in_order(backwards) * blockDim.x + threadIdx.x; id < N;
         id += threads) {
        const double r_res = RHS[id] - AU[id];
        RES[id] = r_res;
        U[id] += r_res * factor;
    }
}
