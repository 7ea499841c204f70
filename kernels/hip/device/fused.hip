#include "common.h"

/* A whole iteration in one pass, from U to U_next: 24 bytes per unknown (U and RHS read, U_next
 * written); the four kernels move 64.
 *
 *   - AU and RES are never stored: each lives in a register for as long as it is needed.
 *   - A thread owns a pair of columns (one 16-byte access) and walks `rows` rows. The row it has
 *     just loaded ahead is the next row's centre and the one after's `behind`, so U comes from
 *     memory once; only the first and the last row of a walk are read by two blocks.
 *   - The left and right neighbours are other threads' centres. They were just loaded, so they come
 *     from the cache beside the multiprocessor.
 *   - sum(RES²) is gathered on the way, one partial sum per block, and added up by the last block.
 *   - `apart` is more than `rows` if a launch is to leave out the rows between two ends.
 *   - `how`: if not 0 the walk goes down instead of up. The host turns it from pass to pass, so
 * that a pass begins where the one before ended, with what is still in the cache.
 *
 * Rows of U, RHS and U_next begin `stride` ≥ Nx apart, a multiple of 16 unknowns, so that pairs are
 * aligned; the columns from Nx to stride hold 0 and stay so: their factor is 0.
 */
static const int BLOCK = 256;

/* `FURTHER`: Chebyshev's step, which goes further in the direction of the last one; U_next holds
 * the iterate before U until then. The padding's is 0, and stays so. */
template <bool FURTHER>
static __device__ inline void fuse(PASS_PARAMETERS, const double weight, double *shared) {
    const int backwards = how;
    if (state->stopped)
        return;
    const int strips = (Nx + 2 * BLOCK - 1) / (2 * BLOCK);
    const int i = 2 * ((int)(blockIdx.x % strips) * BLOCK + (int)threadIdx.x);
    const int below = first + (int)(blockIdx.x / strips) * apart; /* this block's rows: */
    const int above = below + rows < last ? below + rows : last;  /* [below, above) */
    double norm = 0;

    if (i < Nx) {
        const double factor_x = factor;
        const double factor_y = i + 1 < Nx ? factor : 0; /* a pair may stand half outside */
        const int step = backwards ? -1 : 1;
        const pair zero = {0, 0};
        int j = backwards ? above - 1 : below;
        long id = i + (long)j * stride;
        pair behind =
            j - step >= 0 && j - step < Ny ? *(const pair *)(U + id - step * (long)stride) : zero;
        pair c = *(const pair *)(U + id);

#pragma unroll 2
        for (int n = below; n < above; n++) {
            const pair ahead = j + step >= 0 && j + step < Ny
                                   ? *(const pair *)(U + id + step * (long)stride)
                                   : zero;
            const double l = i > 0 ? U[id - 1] : 0;
            const double r = i + 2 < Nx ? U[id + 2] : 0;
            const pair f = *(const pair *)(RHS + id);
            const pair d = backwards ? ahead : behind, u = backwards ? behind : ahead;
            double r_x, r_y, change_x, change_y;
            pair next;
            next.x = relax(l, c.y, d.x, u.x, c.x, f.x, _1bydx2, _1bydy2, factor_x, &r_x, &change_x);
            next.y = relax(c.x, r, d.y, u.y, c.y, f.y, _1bydx2, _1bydy2, factor_y, &r_y, &change_y);
            if (FURTHER) {
                const pair old = *(const pair *)(U_next + id);
                next = (next - old) * weight + old;
            }
            *(pair *)(U_next + id) = next;
            norm = __builtin_fma(r_x, change_x, norm);
            norm = __builtin_fma(r_y, change_y, norm);
            behind = c;
            c = ahead;
            j += step;
            id += step * (long)stride;
        }
    }

    norm = sum_block(norm, shared); /* of RES²*factor: 0 outside the grid */
    if (threadIdx.x == 0)
        partials[blockIdx.x] = norm / factor;
    finish_iteration(limit, partials, sums, state, shared);
}

extern "C" __global__ __launch_bounds__(BLOCK) void Fused(PASS_PARAMETERS) {
    __shared__ double shared[BLOCK];
    fuse<false>(PASS_ARGUMENTS, 0, shared);
}

extern "C" __global__ __launch_bounds__(BLOCK) void ChebyshevFused(PASS_PARAMETERS,
                                                                   const double weight) {
    __shared__ double shared[BLOCK];
    fuse<true>(PASS_ARGUMENTS, weight, shared);
}
