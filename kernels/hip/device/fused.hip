#include "common.h"

/* A whole iteration in one pass, from U to U_next: 24 bytes per unknown in double (U and RHS read,
 * U_next written); the four kernels move 64.
 *
 *   - AU and RES are never stored: each lives in a register for as long as it is needed.
 *   - A thread owns a pack of columns (one 16-byte access) and walks `rows` rows. The row it has
 *     just loaded ahead is the next row's centre and the one after's `behind`, so U comes from
 *     memory once; only the first and the last row of a walk are read by two blocks.
 *   - The left and right neighbours are other threads' centres. They were just loaded, so they come
 *     from the cache beside the multiprocessor.
 *   - sum(RES²) is gathered on the way, one partial sum per block, and added up by the last block.
 *   - `how`: if not 0 the walk goes down instead of up. The host turns it from pass to pass, so
 * that a pass begins where the one before ended, with what is still in the cache. Rows for which a
 * neighbour waits come first in any case.
 *
 * Rows of U, RHS and U_next begin `stride` ≥ Nx apart, a multiple of 128 bytes, so that packs are
 * aligned; the columns from Nx to stride hold 0 and stay so: their factor is 0.
 */
static const int BLOCK = 256;

/* `FURTHER`: Chebyshev's step, which goes further in the direction of the last one; U_next holds
 * the iterate before U until then. The padding's is 0, and stays so. `OF_SLAB`: neighbours wait for
 * rows. Otherwise the walk is in the kernel once, and more blocks share a multiprocessor. */
template <bool FURTHER, bool OF_SLAB>
static __device__ inline void fuse(PASS_PARAMETERS, const real weight, double *shared) {
    const int strips = (Nx + PACK * BLOCK - 1) / (PACK * BLOCK);
    const int i = PACK * ((int)(blockIdx.x % strips) * BLOCK + (int)threadIdx.x);
    const block_rows own = rows_of_block((int)(blockIdx.x / strips), first, last, rows,
                                         OF_SLAB ? below : 0, OF_SLAB ? above : 0);
    if (state->stopped) {
        if (own.awaited > 0)
            announce(state);
        return;
    }
    const bool backwards = own.awaited > 0 ? own.down : how;
    double norm = 0;
    pack factors; /* a pack may stand partly outside */
#pragma unroll
    for (int n = 0; n < PACK; n++)
        factors[n] = i + n < Nx ? factor : 0;
    const int step = backwards ? -1 : 1;
    const pack zero = 0;
    int j = backwards ? own.end - 1 : own.begin;
    long id = i + (long)j * stride;
    pack behind = zero, c = zero;
    if (i < Nx) {
        if (j - step >= 0 && j - step < Ny)
            behind = *(const pack *)(U + id - step * (long)stride);
        c = *(const pack *)(U + id);
    }

    const auto make_row = [&] {
        const pack ahead =
            j + step >= 0 && j + step < Ny ? *(const pack *)(U + id + step * (long)stride) : zero;
        const real l = i > 0 ? U[id - 1] : 0;
        const real r = i + PACK < Nx ? U[id + PACK] : 0;
        const pack f = *(const pack *)(RHS + id);
        const pack d = backwards ? ahead : behind, u = backwards ? behind : ahead;
        pack r_res, change, next;
#pragma unroll
        for (int n = 0; n < PACK; n++) {
            real res_n, change_n;
            next[n] = relax(n > 0 ? c[n - 1] : l, n < PACK - 1 ? c[n + 1] : r, d[n], u[n], c[n],
                            f[n], _1bydx2, _1bydy2, factors[n], &res_n, &change_n);
            r_res[n] = res_n;
            change[n] = change_n;
        }
        if (FURTHER) {
            const pack old = *(const pack *)(U_next + id);
            next = (next - old) * weight + old;
        }
        *(pack *)(U_next + id) = next;
        norm = add_products(norm, r_res, change);
        behind = c;
        c = ahead;
        j += step;
        id += step * (long)stride;
    };
    if (OF_SLAB && own.awaited > 0) {
#pragma unroll 1
        for (int n = i < Nx ? 0 : own.awaited; n < own.awaited; n++)
            make_row();
        announce(state);
    }
    if (i < Nx)
#pragma unroll 1
        for (int n = own.begin + own.awaited; n < own.end; n++)
            make_row();

    norm = sum_block(norm, shared); /* of RES²*factor: 0 outside the grid */
    if (threadIdx.x == 0)
        partials[blockIdx.x] = norm / factor;
    finish_iteration(limit, partials, sums, state, shared);
}

/* Ends when so many blocks have announced their awaited rows since the program began, modulo 2³²:
 * what comes after it on its stream copies these to the neighbours while the pass goes on. */
extern "C" __global__ __launch_bounds__(1) void Await(struct pass_state *__restrict__ state,
                                                      const int ready) {
    while ((int)(fetch_add(&state->ready, 0) - (unsigned)ready) < 0)
        rest();
}

extern "C" __global__ __launch_bounds__(BLOCK) void Fused(PASS_PARAMETERS) {
    __shared__ double shared[BLOCK];
    fuse<false, false>(PASS_ARGUMENTS, 0, shared);
}

extern "C" __global__ __launch_bounds__(BLOCK) void FusedOfSlab(PASS_PARAMETERS) {
    __shared__ double shared[BLOCK];
    fuse<false, true>(PASS_ARGUMENTS, 0, shared);
}

extern "C" __global__ __launch_bounds__(BLOCK) void ChebyshevFused(PASS_PARAMETERS,
                                                                   const real weight) {
    __shared__ double shared[BLOCK];
    fuse<true, false>(PASS_ARGUMENTS, weight, shared);
}
