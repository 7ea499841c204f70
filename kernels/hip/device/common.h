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
 * clears these before a batch. */
struct pass_state {
    unsigned arrived; /* blocks that have handed in their sums in this pass */
    unsigned stopped;
    unsigned norms; /* that Norm has made in this batch */
    unsigned ready; /* never cleared: blocks whose halo rows are there, of all passes */
};

/* a*b + c, rounded once. */
static __device__ inline float fma(float a, float b, float c) {
    return __builtin_fmaf(a, b, c);
}

static __device__ inline double fma(double a, double b, double c) {
    return __builtin_fma(a, b, c);
}

/* sum + the products of the values of two packs. Floats are added up in float first: to make a
 * double of each would cost more than all else. */
typedef double doubles __attribute__((ext_vector_type(2)));
typedef float floats __attribute__((ext_vector_type(4)));

static __device__ inline double add_products(double sum, doubles a, doubles b) {
    return fma(a.y, b.y, fma(a.x, b.x, sum));
}

static __device__ inline double add_products(double sum, floats a, floats b) {
    return sum + fma(a.w, b.w, fma(a.z, b.z, fma(a.y, b.y, a.x * b.x)));
}

/* Laplacian, BoundaryConditions, Update of one unknown in the blog's operations and their order, so
 * that each iterate has the same bits as with the four kernels. fma(2, c, -l) rounds once, as
 * "2c - l" does, because 2c is exact. *change = RES*factor is what U grows by. */
static __device__ inline real relax(real l, real r, real d, real u, real c, real RHS, real _1bydx2,
                                    real _1bydy2, real factor, real *r_res, real *change) {
    const real x = (fma(2, c, -l) - r) * _1bydx2;
    const real y = (fma(2, c, -d) - u) * _1bydy2;
    *r_res = RHS - (x + y);
    *change = *r_res * factor;
    return c + *change;
}

/* ---- values of other lanes, which the vendors move by 32 bits */

template <int (*MOVE)(int)> static __device__ inline double carried(double value) {
    const long long bits = __builtin_bit_cast(long long, value);
    const unsigned low = (unsigned)MOVE((int)bits), high = (unsigned)MOVE((int)(bits >> 32));
    return __builtin_bit_cast(double, (long long)((unsigned long long)high << 32 | low));
}

template <int (*MOVE)(int)> static __device__ inline float carried(float value) {
    return __builtin_bit_cast(float, MOVE(__builtin_bit_cast(int, value)));
}

/* The value that the neighbouring lane holds. The outermost lane gets something. */
static __device__ inline real from_left(real value) {
    return carried<left_bits>(value);
}

static __device__ inline real from_right(real value) {
    return carried<right_bits>(value);
}

/* The value of the lane whose number differs in the bits of MASK. */
template <int MASK> static __device__ inline double exchanged(double value) {
    return carried<exchanged_bits<MASK>>(value);
}

/* ---- sums and the end of a pass */

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

/* The same for a pass of `depth` iterations, from partials[k*gridDim.x + block] into sums[k]. Each
 * wave takes LEVELS of them, and has many loads under way: it is all that is left of the pass. */
template <int LEVELS>
static __device__ inline void finish_pass(int depth, double limit, const double *partials,
                                          double *sums, struct pass_state *state) {
    const unsigned AT_ONCE = 8;
    __shared__ unsigned stop;
    if (!is_last_block(state))
        return;
    if (threadIdx.x == 0)
        stop = 0;
    __syncthreads();
    const int first = wave_of_thread() * LEVELS;
    double own[LEVELS] = {};
    for (unsigned begin = (unsigned)lane_of_thread(); begin < gridDim.x; begin += AT_ONCE * WAVE) {
        double part[LEVELS][AT_ONCE];
#pragma unroll
        for (unsigned n = 0; n < AT_ONCE; n++)
#pragma unroll
            for (int k = 0; k < LEVELS; k++) {
                const unsigned block = begin + n * WAVE;
                part[k][n] =
                    block < gridDim.x ? partials[(unsigned)(first + k) * gridDim.x + block] : 0;
            }
#pragma unroll
        for (int k = 0; k < LEVELS; k++)
#pragma unroll
            for (unsigned n = 0; n < AT_ONCE; n++)
                own[k] += part[k][n];
    }
#pragma unroll
    for (int k = 0; k < LEVELS; k++) {
        const double sum = sum_wave(own[k]);
        if (lane_of_thread() == 0 && first + k < depth) {
            sums[first + k] = sum;
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

/* What the kernels take that make whole iterations (Fused, Blocked), and how they hand it on. The
 * rows from `first` to before `last`, in walks of `rows`; rows begin `stride` apart in memory.
 * `how`: Fused's direction, Blocked's depth. Neighbours wait for the first `below` rows and for the
 * last `above`. */
#define PASS_PARAMETERS                                                                            \
    const int Nx, const int Ny, const int first, const int last, const int stride, const int how,  \
        const int rows, const int below, const int above, const double _1bydx2,                    \
        const double _1bydy2, const double factor, const double limit,                             \
        const real *__restrict__ RHS, const real *__restrict__ U, real *__restrict__ U_next,       \
        double *__restrict__ partials, double *__restrict__ sums,                                  \
        struct pass_state *__restrict__ state
#define PASS_ARGUMENTS                                                                             \
    Nx, Ny, first, last, stride, how, rows, below, above, _1bydx2, _1bydy2, factor, limit, RHS, U, \
        U_next, partials, sums, state

/* The rows [begin, end) that a block walks. If neighbours wait for some of them, it begins with
 * these, downwards if they are its last, and announces them when it has made the first `awaited`
 * rows. If neighbours on both sides wait for it, it announces all. */
struct block_rows {
    int begin, end, awaited;
    bool down;
};

static __device__ inline block_rows rows_of_block(const int chunk, const int first, const int last,
                                                  const int rows, const int below,
                                                  const int above) {
    const int begin = first + chunk * rows, end = begin + rows < last ? begin + rows : last;
    const int low = first + below - begin, high = end - (last - above);
    const int count = end - begin, one = low > 0 ? low : high;
    const bool both = low > 0 && high > 0;
    return {begin, end, one <= 0 ? 0 : both || one > count ? count : one, high > 0 && !both};
}

/* This block's awaited rows are there. All threads of the block must call it. */
static __device__ inline void announce(struct pass_state *state) {
    fence_device();
    __syncthreads();
    if (threadIdx.x == 0) {
        fence_system();
        fetch_add(&state->ready, 1);
    }
}

#endif
