#include "hip.h"

/* sums[block] = sum(RES²) of the block's unknowns. */
__global__ void Norm(long N, const double *RES, double *sums) {
    __shared__ double shared[512];
    const long first = (long)blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0;

    for (long id = first; id < N; id += (long)gridDim.x * blockDim.x)
        sum += RES[id] * RES[id];
    shared[threadIdx.x] = sum;

    /* to be written: the tree */

    if (threadIdx.x == 0)
        sums[blockIdx.x] = shared[0];
}
