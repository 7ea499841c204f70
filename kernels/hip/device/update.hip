#include "common.h"

/* RES = RHS - AU, U_next = U + RES * D⁻¹, where U_next may be U itself: three arrays read and two
 * written, 40 bytes per unknown for two additions and a multiplication. Nothing here waits for
 * anything but memory; each thread takes two neighbouring unknowns, by 16-byte accesses. If the
 * batch has `stopped`, nothing is written. `backwards` as for Laplacian. */
extern "C" __global__ __launch_bounds__(BLOCK_MAX) void Update(
    const long N, const int backwards, const double factor, const double *__restrict__ RHS,
    const double *__restrict__ AU, double *__restrict__ RES, const double *U, double *U_next,
    const struct pass_state *__restrict__ state) {
    wait_for_earlier();
    const long p = (long)block_in_order(backwards) * blockDim.x + threadIdx.x;
    const bool stopped = state->stopped;
    if (2 * p + 1 < N) {
        const pair r_res = ((const pair *)RHS)[p] - ((const pair *)AU)[p];
        const pair next = ((const pair *)U)[p] + r_res * factor;
        if (stopped)
            return;
        ((pair *)RES)[p] = r_res;
        ((pair *)U_next)[p] = next;
    } else if (2 * p < N && !stopped) { /* the last of an odd number */
        RES[2 * p] = RHS[2 * p] - AU[2 * p];
        U_next[2 * p] = U[2 * p] + RES[2 * p] * factor;
    }
}
