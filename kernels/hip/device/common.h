/* Shared by several kernels: relaxation of one unknown, sums over a block, the end of a pass. */
#pragma once

#include "ahead.h"
#include "vendor.h"

/* The maximum number of threads per block in any launch. */
static const int BLOCK_MAX = 1024;

/* The index of the work that this block takes: in order, or from the other end. */
static __device__ inline unsigned block_in_order(const int backwards) {
    return backwards ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
}

/* Stops a batch of iterations or passes without the host. The one that reaches the tolerance sets
 * `stopped`, and the later ones leave U unchanged, so U stays the result of that iteration or pass.
 * The host clears these fields before a batch, except `ready`. */
struct pass_state {
    unsigned arrived; /* blocks that have delivered their sums in this pass */
    unsigned stopped;
    unsigned norms; /* computed by Norm in this batch */
    unsigned ready; /* blocks whose halo rows are complete, over all passes; never cleared */
};

/* a*b + c, rounded once. */
static __device__ inline float fma(float a, float b, float c) {
    return __builtin_fmaf(a, b, c);
}

static __device__ inline double fma(double a, double b, double c) {
    return __builtin_fma(a, b, c);
}

/* sum + the products of the values of two packs. Floats are first added as floats: a conversion of
 * each to double would cost more than the rest. */
typedef double doubles __attribute__((ext_vector_type(2)));
typedef float floats __attribute__((ext_vector_type(4)));

static __device__ inline double add_products(double sum, doubles a, doubles b) {
    return fma(a.y, b.y, fma(a.x, b.x, sum));
}

static __device__ inline double add_products(double sum, floats a, floats b) {
    return sum + fma(a.w, b.w, fma(a.z, b.z, fma(a.y, b.y, a.x * b.x)));
}

/* Laplacian, BoundaryConditions and Update of one unknown, with the blog's operations in the blog's
 * order, so that each iterate has the same bits as with the four kernels. fma(2, c, -l) rounds
 * once, as "2c - l" does, because 2c is exact. *change = RES*factor is the change of U. */
static __device__ inline real relax(real l, real r, real d, real u, real c, real RHS, real _1bydx2,
                                    real _1bydy2, real factor, real *r_res, real *change) {
    const real x = (fma(2, c, -l) - r) * _1bydx2;
    const real y = (fma(2, c, -d) - u) * _1bydy2;
    *r_res = RHS - (x + y);
    *change = *r_res * factor;
    return c + *change;
}

/* ---- values of other lanes; each vendor moves 32 bits at a time */

template <int (*MOVE)(int)> static __device__ inline double carried(double value) {
    const long long bits = __builtin_bit_cast(long long, value);
    const unsigned low = (unsigned)MOVE((int)bits), high = (unsigned)MOVE((int)(bits >> 32));
    return __builtin_bit_cast(double, (long long)((unsigned long long)high << 32 | low));
}

template <int (*MOVE)(int)> static __device__ inline float carried(float value) {
    return __builtin_bit_cast(float, MOVE(__builtin_bit_cast(int, value)));
}

/* The neighbouring lane's value. The outermost lane gets an arbitrary one. */
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

/* Adds the values of a wave's lanes in a fixed tree; every lane gets the sum. With these masks
 * AMD's lanes exchange values without shared memory. */
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
 * holds one value per thread and may be reused afterwards. */
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

/* Whether this block is the last of the grid to arrive here; then all earlier writes of the other
 * blocks are visible. All threads of the block must call it. */
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

/* Whether the run continues: it has neither converged nor diverged. The host uses the same rule. */
static __device__ inline bool goes_on(double sum, double limit) {
    return sum > limit && sum < __builtin_huge_val();
}

/* The end of an iteration: every block has written its part of sum(RES²) to partials[block]. The
 * last block to arrive adds them, always in the same order, into *sum. If *sum is not finite or not
 * above `limit`, that block stops the rest of the batch. Returns whether this block was the last.
 * `shared` is as for sum_block. All threads of the block must call it. */
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
 * wave takes LEVELS of them, with many loads in flight, because the pass has no other work left. */
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

/* The parameters of the kernels that make whole iterations (Fused, Blocked), and how they pass them
 * on. The kernels compute the rows from `first` to last - 1, in walks of `rows`; rows are `stride`
 * apart in memory. `how`: Fused's direction; Blocked's depth, negative if it shall copy rows past
 * registers. Neighbours wait for the first `below` rows and the last `above` rows. */
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

/* The rows [begin, end) that a block walks. If a neighbour waits for some of them, the block starts
 * with these, downwards if they are its last rows, and announces them after the first `awaited`
 * rows. If neighbours on both sides wait for it, it announces all rows. */
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

/* Announces that this block's awaited rows are complete. All threads of the block must call it. */
static __device__ inline void announce(struct pass_state *state) {
    fence_device();
    __syncthreads();
    if (threadIdx.x == 0) {
        fence_system();
        fetch_add(&state->ready, 1);
    }
}
