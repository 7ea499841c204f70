#include "common.h"

/* A whole iteration in one pass, from U to U_next: 24 bytes per unknown in double (U and RHS read,
 * U_next written); the four kernels move 64.
 *
 *   - AU and RES are never stored: each stays in a register while it is needed.
 *   - A thread owns a pack of columns (one 16-byte access) and walks `rows` rows. The row that it
 *     has loaded ahead becomes the next row's centre and then `behind` of the row after. So U is
 *     read once from memory; only a walk's first and last row are read by two blocks.
 *   - The left and right neighbours are other threads' centres. They were just loaded, so they come
 *     from the multiprocessor's cache.
 *   - sum(RES²) is accumulated on the way, one partial sum per block; the last block adds these up.
 *   - `how`: if not 0, the walk goes down instead of up. The host alternates it between passes, so
 *     that a pass begins where the previous one ended, with data still in the cache. In any case,
 *     rows that a neighbour waits for come first.
 *
 * Rows of U, RHS and U_next are `stride` ≥ Nx apart, a multiple of 128 bytes, so that packs are
 * aligned. The columns from Nx to stride always hold 0, because their factor is 0.
 */
static const int BLOCK = 256;

/* `FURTHER`: Chebyshev's step, which continues in the direction of the previous step; U_next holds
 * the previous iterate until then. The padding stays 0. `OF_SLAB`: neighbours wait for rows.
 * Otherwise the walk is compiled once, and more blocks share a multiprocessor. */
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
    pack factors; /* a pack may be partly outside the grid */
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

    norm = sum_block(norm, shared); /* of RES²*factor, which is 0 outside the grid */
    if (threadIdx.x == 0)
        partials[blockIdx.x] = norm / factor;
    finish_iteration(limit, partials, sums, state, shared);
}

/* Ends when `ready` blocks, counted modulo 2³² since the start of the program, have announced their
 * rows. The next copy on its stream sends these rows to the neighbours while the pass continues. */
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
