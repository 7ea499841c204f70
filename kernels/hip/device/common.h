/* What several kernels share: relaxing one unknown, summing over a block, ending a pass. */
#ifndef JACOBI_HIP_DEVICE_COMMON_H
#define JACOBI_HIP_DEVICE_COMMON_H

#include "vendor.h"

/* Two neighbouring unknowns of a row, moved by one 16-byte access. */
typedef double pair __attribute__((ext_vector_type(2)));

/* No kernel is launched with more threads per block than this. */
static const int BLOCK_MAX = 1024;

/* The number of the part of the work that this block takes: in order, or from the other end. */
static __device__ inline unsigned block_in_order(const int backwards) {
    return backwards ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
}

/* How a batch of passes stops without the host. A pass that finds `stopped` set does nothing; the
 * pass that gets to the tolerance sets it, so that U stays what that pass made of it. The host
 * clears it before a batch. */
struct pass_state {
    unsigned arrived; /* blocks that have handed in their sums in this pass */
    unsigned stopped;
};

/* Laplacian, BoundaryConditions, Update of one unknown in the blog's operations and their order, so
 * that each iterate has the same bits as with the four kernels. fma(2, c, -l) rounds once, like 2c
 * - l, because 2c is exact. *change = RES*factor is what U grows by. */
static __device__ inline double relax(double l, double r, double d, double u, double c, double RHS,
                                      double _1bydx2, double _1bydy2, double factor, double *r_res,
                                      double *change) {
    const double x = (__builtin_fma(2.0, c, -l) - r) * _1bydx2;
    const double y = (__builtin_fma(2.0, c, -d) - u) * _1bydy2;
    *r_res = RHS - (x + y);
    *change = *r_res * factor;
    return c + *change;
}

/* Adds the values of all threads of a block in a fixed tree; every thread gets the sum. `shared`
 * holds one value per thread and may be used again afterwards. */
static __device__ inline double sum_block(double value, double *shared) {
    const unsigned thread = threadIdx.x;
    shared[thread] = value;
    for (unsigned count = blockDim.x; count > 1; count = (count + 1) / 2) {
        const unsigned half = (count + 1) / 2;
        __syncthreads();
        if (thread + half < count)
            shared[thread] += shared[thread + half];
    }
    __syncthreads();
    const double sum = shared[0];
    __syncthreads();
    return sum;
}

/* Whether this block is the last of the grid to get here: then everything that the others wrote
 * before is seen. All threads of the block must call it. */
static __device__ inline bool is_last_block(struct pass_state *state) {
    __shared__ bool is_last;
    fence_device();
    __syncthreads();
    if (threadIdx.x == 0)
        is_last = fetch_add(&state->arrived, 1) == gridDim.x - 1;
    __syncthreads();
    fence_device();
    return is_last;
}

/* The end of a pass of `depth` iterations: every block has left partials[k*gridDim.x + block], its
 * part of sum(RES²) before iteration k. The last block to come adds them, always in the same
 * order, into sums[k], in host memory, and stops the passes to come if one is not above `limit`
 * (or not a number). */
static __device__ inline void finish_pass(int depth, double limit, const volatile double *partials,
                                          double *sums, struct pass_state *state, double *shared) {
    if (!is_last_block(state))
        return;
    bool stop = false;
    for (int k = 0; k < depth; k++) {
        double sum = 0;
        for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x)
            sum += partials[(unsigned)k * gridDim.x + block];
        sum = sum_block(sum, shared);
        stop |= !(sum > limit);
        if (threadIdx.x == 0)
            sums[k] = sum;
    }
    if (threadIdx.x == 0) {
        state->arrived = 0;
        state->stopped = stop;
    }
}

#endif
