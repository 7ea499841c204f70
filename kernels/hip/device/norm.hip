#include "common.h"

/* sum(RES²). Each block adds up the unknowns that it took, and the last to come adds up the blocks'
 * sums into sums[n], the norm of the batch's n-th iteration; if that is not above *limit, what
 * follows in the batch leaves U alone. Each thread has AT_ONCE loads of a pack under way, since a
 * grid of 256 × 512 threads alone would not fill the memory's pipes. `backwards` as for Laplacian.
 */
static const int AT_ONCE = 4;

extern "C" __global__ __launch_bounds__(BLOCK_MAX) void Norm(
    const long N, const int backwards, const double *__restrict__ limit,
    const real *__restrict__ RES, double *__restrict__ partials, double *__restrict__ sums,
    struct pass_state *__restrict__ state) {
    wait_for_earlier();
    __shared__ double shared[BLOCK_MAX];
    const bool stopped = state->stopped; /* asked early, so that nobody waits for it */
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
    if (thread < N % PACK) { /* the last pack is not whole */
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
