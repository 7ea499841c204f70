#include "common.h"

/* RES = RHS - AU, U_next = U + RES * D⁻¹, where U_next may be U itself: three arrays read and two
 * written, 40 bytes per unknown in double for two additions and a multiplication. Only memory
 * limits the kernel; each thread takes a pack of neighbouring unknowns. If the batch has `stopped`,
 * nothing is written. `backwards` as for Laplacian. */
extern "C" __global__
__launch_bounds__(BLOCK_MAX) void Update(const long N, const int backwards, const real factor,
                                         const real *__restrict__ RHS, const real *__restrict__ AU,
                                         real *__restrict__ RES, const real *U, real *U_next,
                                         const struct pass_state *__restrict__ state) {
    wait_for_earlier();
    const long p = (long)block_in_order(backwards) * blockDim.x + threadIdx.x;
    const bool stopped = state->stopped;
    if (PACK * (p + 1) <= N) {
        const pack r_res = ((const pack *)RHS)[p] - ((const pack *)AU)[p];
        const pack next = ((const pack *)U)[p] + r_res * factor;
        if (stopped)
            return;
        ((pack *)RES)[p] = r_res;
        ((pack *)U_next)[p] = next;
        return;
    }
    for (long id = PACK * p; id < N && !stopped; id++) { /* the last pack is incomplete */
        RES[id] = RHS[id] - AU[id];
        U_next[id] = U[id] + RES[id] * factor;
    }
}
