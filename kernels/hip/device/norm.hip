#include "common.h"

/* sum(RES²). Each block adds up the unknowns that it took, and the last to come adds up the blocks'
 * sums into sums[n], the norm of the batch's n-th iteration; if that is not above *limit, what
 * follows in the batch leaves U alone. Each thread has AT_ONCE pairs of loads under way, since a
 * grid of 256 × 512 threads alone would not fill the memory's pipes. `backwards` as for Laplacian.
 */
static const int AT_ONCE = 4;

extern "C" __global__ __launch_bounds__(BLOCK_MAX) void Norm(
    const long N, const int backwards, const double *__restrict__ limit,
    const double *__restrict__ RES, double *__restrict__ partials, double *__restrict__ sums,
    struct pass_state *__restrict__ state) {
    wait_for_earlier();
    __shared__ double shared[BLOCK_MAX];
    const bool stopped = state->stopped; /* asked early, so that nobody waits for it */
    const long pairs = N / 2, threads = (long)gridDim.x * blockDim.x;
    double even = 0, odd = 0;

    for (long first = (long)blockIdx.x * blockDim.x + threadIdx.x; first < pairs;
         first += AT_ONCE * threads) {
        pair values[AT_ONCE];
#pragma unroll
        for (int n = 0; n < AT_ONCE; n++) {
            const long id = first + n * threads;
            values[n] = pair{0, 0};
            if (id < pairs)
                values[n] = load_once((const pair *)RES + (backwards ? pairs - 1 - id : id));
        }
#pragma unroll
        for (int n = 0; n < AT_ONCE; n++) {
            even += values[n].x * values[n].x;
            odd += values[n].y * values[n].y;
        }
    }
    if (N % 2 && blockIdx.x == 0 && threadIdx.x == 0)
        even += RES[N - 1] * RES[N - 1];
    if (stopped)
        return;

    const double sum = sum_block(even + odd, shared);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
    if (finish_iteration(*limit, partials, sums + state->norms, state, shared) && threadIdx.x == 0)
        state->norms++;
}
