/* What several kernels share: relaxing one unknown, summing over a block, ending a pass. */
#ifndef JACOBI_HIP_DEVICE_COMMON_H
#define JACOBI_HIP_DEVICE_COMMON_H

#include "ahead.h"
#include "vendor.h"

/* No kernel is launched with more threads per block than this. */
static const int BLOCK_MAX = 1024;

/* The number of the part of the work that this block takes: in order, or from the other end. */
static __device__ inline unsigned block_in_order(const int backwards) {
    return backwards ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
}

/* How a batch of iterations or passes stops without the host. The one that gets to the tolerance
 * sets `stopped`, and those after it leave U alone: it stays what that one made of it. The host
 * clears all before a batch. */
struct pass_state {
    unsigned arrived; /* blocks that have handed in their sums in this pass */
    unsigned stopped;
    unsigned norms; /* that Norm has made in this batch */
};

/* Laplacian, BoundaryConditions, Update of one unknown in the blog's operations and their order, so
 * that each iterate has the same bits as with the four kernels. fma(2, c, -l) rounds once, as
 * "2c - l" does, because 2c is exact. *change = RES*factor is what U grows by. */
static __device__ inline double relax(double l, double r, double d, double u, double c, double RHS,
                                      double _1bydx2, double _1bydy2, double factor, double *r_res,
                                      double *change) {
    const double x = (__builtin_fma(2.0, c, -l) - r) * _1bydx2;
    const double y = (__builtin_fma(2.0, c, -d) - u) * _1bydy2;
    *r_res = RHS - (x + y);
    *change = *r_res * factor;
    return c + *change;
}

/* Adds the values of a wave's lanes in a fixed tree; every lane gets the sum. The masks are those
 * by which AMD's lanes exchange values without shared memory. */
static __device__ inline double sum_wave(double value) {
    if constexpr (WAVE == 64)
        value += exchanged<32>(value);
    value += exchanged<16>(value);
    value += exchanged<15>(value);
    value += exchanged<7>(value);
    value += exchanged<2>(value);
    return value + exchanged<1>(value);
}

/* Adds the values of all threads of a block in a fixed tree; every thread gets the sum. `shared`
 * holds one value per thread and may be used again afterwards. */
static __device__ inline double sum_block(double value, double *shared) {
    const unsigned thread = threadIdx.x;
    if (blockDim.x % WAVE == 0) { /* each wave's sum, then the sum of these */
        const int lane = lane_of_thread(), waves = (int)blockDim.x / WAVE;
        value = sum_wave(value);
        if (lane == 0)
            shared[wave_of_thread()] = value;
        __syncthreads();
        value = lane < waves ? shared[lane] : 0;
        __syncthreads();
        return sum_wave(value);
    }
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

/* As the host sees it: neither converged nor diverged. */
static __device__ inline bool goes_on(double sum, double limit) {
    return sum > limit && sum < __builtin_huge_val();
}

/* The end of an iteration: every block has left its part of sum(RES²) in partials[block]. The last
 * block to come adds them, always in the same order, into *sum, and stops what is to come if it is
 * not above `limit`, or not finite. Returns whether this block was the last. `shared` as for
 * sum_block. All threads of the block must call it. */
static __device__ inline bool finish_iteration(double limit, const double *partials, double *sum,
                                               struct pass_state *state, double *shared) {
    if (!is_last_block(state))
        return false;
    double total = 0;
    for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x)
        total += partials[block];
    total = sum_block(total, shared);
    if (threadIdx.x == 0) {
        *sum = total;
        state->arrived = 0;
        state->stopped = !goes_on(total, limit);
    }
    return true;
}

/* The same for a pass of `depth` iterations, from partials[k*gridDim.x + block] into sums[k]; each
 * wave takes some of them. */
static __device__ inline void finish_pass(int depth, double limit, const double *partials,
                                          double *sums, struct pass_state *state) {
    __shared__ unsigned stop;
    if (!is_last_block(state))
        return;
    if (threadIdx.x == 0)
        stop = 0;
    __syncthreads();
    for (int k = wave_of_thread(); k < depth; k += (int)blockDim.x / WAVE) {
        double sum = 0;
#pragma unroll 8
        for (unsigned block = (unsigned)lane_of_thread(); block < gridDim.x; block += WAVE)
            sum += partials[(unsigned)k * gridDim.x + block];
        sum = sum_wave(sum);
        if (lane_of_thread() == 0) {
            sums[k] = sum;
            if (!goes_on(sum, limit))
                stop = 1;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        state->arrived = 0;
        state->stopped = stop;
    }
}

#endif
