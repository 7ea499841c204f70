#include "common.h"

/* sums[block] = sum(RES²) over the unknowns that the block took; `sums` lies in the host's memory,
 * where the host adds up the blocks' sums as AMD's program does. Each thread has AT_ONCE loads
 * under way, since a grid of 256 × 512 threads alone would not fill the memory's pipes. `backwards`
 * as for Laplacian. */
static const int AT_ONCE = 16;

extern "C" __global__ __launch_bounds__(BLOCK_MAX) void Norm(const long N, const int backwards,
                                                             const double *__restrict__ RES,
                                                             double *__restrict__ sums) {
    __shared__ double shared[BLOCK_MAX];
    const long threads = (long)gridDim.x * blockDim.x;
    const long first = (long)blockIdx.x * blockDim.x + threadIdx.x;
    const long step = backwards ? -threads : threads;
    const double *r_res = backwards ? RES + (N - 1 - first) : RES + first;
    long left = first < N ? (N - 1 - first) / threads + 1 : 0; /* unknowns of this thread */
    double even = 0, odd = 0;

    for (; left >= AT_ONCE; left -= AT_ONCE) {
        double values[AT_ONCE];
#pragma unroll
        for (int n = 0; n < AT_ONCE; n++, r_res += step)
            values[n] = load_once(r_res);
#pragma unroll
        for (int n = 0; n < AT_ONCE; n += 2) {
            even += values[n] * values[n];
            odd += values[n + 1] * values[n + 1];
        }
    }
    for (; left > 0; left--, r_res += step)
        even += *r_res * *r_res;

    const double sum = sum_block(even + odd, shared);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}
