/* What the target regions for a GPU share: pinned memory, and adding up over all threads. */
#ifndef JACOBI_KERNELS_OMP_DEVICE_GPU_GPU_H
#define JACOBI_KERNELS_OMP_DEVICE_GPU_GPU_H

#include "kernels/omp/device/common/target.h"

/* Pinned memory of zeros, mapped until it is closed; NULL if there is none. */
void *target_open_mapped(size_t bytes);
void target_close_mapped(void *memory, size_t bytes);

/* How many spans a region copies to the host: all or, if it is not timed, none. Its norms the last
 * team writes into the host's pinned memory itself, which costs less than a copy. */
static inline size_t spans_to_copy(void) {
    return target_scratch->timed ? OFFLOAD_PHASES : 0;
}

/* How many teams a kernel needs for `work` of as many threads each: all at once, so that none goes
 * round a loop and the device deals them out as others end. */
static inline int teams_for(size_t work, size_t threads) {
    const size_t teams = (work + threads - 1) / threads;
    return teams > 0 ? (int)teams : 1;
}

/* ---- device code: memory that the kernel does not write. NVIDIA's GPUs have loads of their own
 * for it, which may overtake stores. ---- */
static inline real unwritten(const real *number) {
#if defined __NVPTX__ && defined REAL_HEADER
    return __nvvm_ldg_f(number);
#elif defined __NVPTX__
    return __nvvm_ldg_d(number);
#else
    return *number;
#endif
}

/* ---- device code: what the threads beside a thread hold, if LANES are side by side. The first has
 * none to its left, the last none to its right: theirs is some number. ---- */

enum { LANES = 32 };

/* A number as the words that lanes exchange. */
union words {
    real value;
    int words[sizeof(real) / sizeof(int)];
};

enum { WORDS = sizeof(real) / sizeof(int) };

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
/* On AMD's GPUs a lane asks for another's by its number in the wave; the host's code is not run. */
static inline real of_lane(real x, int distance) {
    union words bits = {.value = x};
#if defined __AMDGCN__
    const int lane = (int)__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
    for (int w = 0; w < WORDS; w++)
        bits.words[w] = __builtin_amdgcn_ds_bpermute(4 * (lane + distance), bits.words[w]);
#else
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

/* ---- device code: adding up over all threads of a kernel, within each team as a tree in the
 * team's own memory, then over teams by the last of them to come; always in the same order, so that
 * a run repeated gives the same residuals ---- */

enum { SUM_THREADS = 256, MOST_THREADS = 512 };

/* The sum of every thread's x, for thread 0; all threads of the team call it. */
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

/* Whether all other teams have come here before; every thread of the team gets the answer. What
 * thread 0 of a team has written before it came can then be read. */
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

/* The sum of all teams' parts, for thread 0. They were written by others: volatile, so that none is
 * taken from a cache. */
static inline double sum_of_parts(const volatile double *parts) {
    double mine = 0.0;
    for (int team = omp_get_thread_num(); team < omp_get_num_teams(); team += omp_get_num_threads())
        mine += parts[team];
    return sum_of_team(mine);
}

/* *norm = the sum of every x of every thread of every team; all threads call it, as the last thing
 * they do. */
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

#endif
