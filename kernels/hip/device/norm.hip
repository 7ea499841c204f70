#include "common.h"

/* sum(RES²). Each block adds up its unknowns, and the last block to finish adds the blocks' sums
 * into sums[n], the norm of the batch's n-th iteration. If that is not above *limit, the rest of
 * the batch leaves U unchanged. Each thread has AT_ONCE loads of a pack in flight, because a grid
 * of 256 × 512 threads alone would not saturate the memory. `backwards` as for Laplacian.
 */
static const int AT_ONCE = 4;

extern "C" __global__ __launch_bounds__(BLOCK_MAX) void Norm(
    const long N, const int backwards, const double *__restrict__ limit,
    const real *__restrict__ RES, double *__restrict__ partials, double *__restrict__ sums,
    struct pass_state *__restrict__ state) {
    wait_for_earlier();
    __shared__ double shared[BLOCK_MAX];
    const bool stopped = state->stopped; /* loaded early, so that no thread waits for it */
    const long packs = N / PACK, threads = (long)gridDim.x * blockDim.x;
    const long thread = (long)blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0;

    for (long first = thread; first < packs; first += AT_ONCE * threads) {
        pack values[AT_ONCE];
#pragma unroll
        for (int n = 0; n < AT_ONCE; n++) {
            const long p = first + n * threads;
            values[n] = (pack)0;
            if (p < packs)
                values[n] = load_once((const pack *)RES + (backwards ? packs - 1 - p : p));
        }
#pragma unroll
        for (int n = 0; n < AT_ONCE; n++) {
            const pack squares = values[n] * values[n];
            real own = squares[0];
#pragma unroll
            for (int k = 1; k < PACK; k++)
                own += squares[k];
            sum += own;
        }
    }
    if (thread < N % PACK) { /* the last pack is incomplete */
        const double r_res = RES[N - 1 - thread];
        sum += r_res * r_res;
    }
    if (stopped)
        return;

    sum = sum_block(sum, shared);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
    if (finish_iteration(*limit, partials, sums + state->norms, state, shared) && threadIdx.x == 0)
        state->norms++;
}
