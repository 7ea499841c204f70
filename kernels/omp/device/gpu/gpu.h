/* Shared by the target regions for a GPU: pinned memory, and sums over all threads. */
#pragma once

#include "kernels/omp/device/common/target.h"

/* Allocates zeroed pinned memory and maps it until it is closed. NULL if there is none. */
void *target_open_mapped(size_t bytes);
void target_close_mapped(void *memory, size_t bytes);

/* The number of spans that a region copies to the host: all, or none if it is not timed. The last
 * team writes the norms to the host's pinned memory directly, which costs less than a copy. */
static inline size_t spans_to_copy(void) {
    return target_scratch->timed ? OFFLOAD_PHASES : 0;
}

/* The number of teams for `work` items at one item per thread. The device starts new teams as
 * others end, so a thread rarely takes a second item. */
static inline int teams_for(size_t work, size_t threads) {
    const size_t teams = (work + threads - 1) / threads;
    return teams > 0 ? (int)teams : 1;
}

/* ---- device code: loads of memory that the kernel does not write. NVIDIA's GPUs have a load
 * instruction for it, which may overtake stores. ---- */
static inline real unwritten(const real *number) {
#if defined __NVPTX__ && defined REAL_HEADER
    return __nvvm_ldg_f(number);
#elif defined __NVPTX__
    return __nvvm_ldg_d(number);
#else
    return *number;
#endif
}

/* ---- device code: values of neighbouring threads, of LANES side by side. The first has no left
 * neighbour, the last no right one: they get an arbitrary number. ---- */

enum { LANES = 32 };

enum { WORDS = sizeof(real) / sizeof(int) };

/* A number as the words that lanes exchange. */
union words {
    real value;
    int words[WORDS];
};

#if defined __NVPTX__
static inline real of_left_lane(real x) {
    union words bits = {.value = x};
    for (int w = 0; w < WORDS; w++)
        bits.words[w] = __nvvm_shfl_sync_up_i32(-1, bits.words[w], 1, 0);
    return bits.value;
}

static inline real of_right_lane(real x) {
    union words bits = {.value = x};
    for (int w = 0; w < WORDS; w++)
        bits.words[w] = __nvvm_shfl_sync_down_i32(-1, bits.words[w], 1, LANES - 1);
    return bits.value;
}
#else
/* On AMD's GPUs a lane addresses another by its number in the wave. The host version never runs. */
static inline real of_lane(real x, int distance) {
    union words bits = {.value = x};
#if defined __AMDGCN__
    const int lane = (int)__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
    for (int w = 0; w < WORDS; w++)
        bits.words[w] = __builtin_amdgcn_ds_bpermute(4 * (lane + distance), bits.words[w]);
#endif
    return bits.value;
}

static inline real of_left_lane(real x) {
    return of_lane(x, -1);
}

static inline real of_right_lane(real x) {
    return of_lane(x, 1);
}
#endif

/* ---- device code: sums over all threads of a kernel, within each team as a tree in the team's own
 * memory, then over the teams by the last team to finish. The order never changes, so that a
 * repeated run gives the same residuals. ---- */

enum { SUM_THREADS = 256, MOST_THREADS = 512 };

/* Sums every thread's x; thread 0 gets the sum. All threads of the team must call it. */
static inline double sum_of_team(double x) {
    static double column[MOST_THREADS] __attribute__((loader_uninitialized));
#pragma omp allocate(column) allocator(omp_pteam_mem_alloc)
    const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
    column[thread] = x;
#pragma omp barrier
    for (int half = MOST_THREADS / 2; half > 0; half /= 2) {
        if (thread < half && thread + half < threads)
            column[thread] += column[thread + half];
#pragma omp barrier
    }
    return column[0];
}

/* Whether all other teams have already called this; every thread of the team gets the answer. Then
 * the values that each team's thread 0 wrote before its call can be read. */
static inline int is_last_team(int *finished) {
    static int last __attribute__((loader_uninitialized));
#pragma omp allocate(last) allocator(omp_pteam_mem_alloc)
    if (omp_get_thread_num() == 0) {
        int before;
#pragma omp flush
#pragma omp atomic capture seq_cst
        before = (*finished)++;
        last = before == omp_get_num_teams() - 1;
        if (last)
            *finished = 0;
    }
#pragma omp barrier
    return last;
}

/* Sums the parts of all teams; thread 0 gets the sum. Other teams wrote the parts, so they are
 * volatile: no load is served from a stale cache. */
static inline double sum_of_parts(const volatile double *parts) {
    double mine = 0.0;
    for (int team = omp_get_thread_num(); team < omp_get_num_teams(); team += omp_get_num_threads())
        mine += parts[team];
    return sum_of_team(mine);
}

/* *norm = the sum of x over all threads of all teams. All threads must call it, as their last
 * action. */
static inline void sum_of_all(double x, double *norm, int *finished, double *parts) {
    const double part = sum_of_team(x);
    if (omp_get_thread_num() == 0)
        parts[omp_get_team_num()] = part;
    if (!is_last_team(finished))
        return;
    const double sum = sum_of_parts(parts);
    if (omp_get_thread_num() == 0)
        *norm = sum;
}
