#include "hip.h"

/* sums[block] = sum(RES²) of the block's unknowns. */
__global__ void Norm(long N, const double *RES, double *sums) {
    __shared__ double shared[512];
    const long id = (long)blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0;

    if (id < N)
        sum += RES[id] * RES[id];

    shared[threadIdx.x] = sum;
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            shared[threadIdx.x] += shared[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = shared[0];
}
