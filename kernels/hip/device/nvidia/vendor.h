/* Compiler interface of the kernels where clang builds PTX. It defines HIP's keywords, so no
 * toolkit is needed; device/amd/vendor.h is its counterpart for AMD GPUs. */
#pragma once

#include "../real.h"

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

/* Clang's own threadIdx, blockIdx, blockDim, gridDim; __syncthreads is a builtin. */
#include <__clang_cuda_builtin_vars.h>

/* Threads that run in lockstep. */
static const int WAVE = 32;

/* The levels of a blocked pass (blocked.hip) that fit in a thread's registers, and packs of columns
 * per lane. */
static const int LEVELS_MAX = 4, LANE_PACKS = 2;

/* Makes this thread's earlier writes visible to the whole device before its later writes.
 */
static __device__ inline void fence_device() {
    __nvvm_membar_gl();
}

/* The same, for the copy engines too. */
static __device__ inline void fence_system() {
    __nvvm_membar_sys();
}

static __device__ inline void rest() {
    asm volatile("nanosleep.u32 100;");
}

/* Adds to *counter atomically; returns the previous value. */
static __device__ inline unsigned fetch_add(unsigned *counter, unsigned value) {
    return (unsigned)__nvvm_atom_add_gen_i((int *)counter, (int)value);
}

/* The first call of a kernel in a recorded graph. From sm_90 on, its successors may now begin as
 * soon as there is room, and each waits here until its predecessors have ended and their results
 * are visible. Before sm_90 a kernel begins after its predecessors have ended. */
static __device__ inline void wait_for_earlier() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* Loads data that is not used again, so the caches evict it first. */
static __device__ inline pack load_once(const pack *from) {
    typedef long halves __attribute__((ext_vector_type(2)));
    long low, high;
    asm("ld.global.cs.v2.u64 {%0, %1}, [%2];" : "=l"(low), "=l"(high) : "l"(from));
    return __builtin_bit_cast(pack, halves{low, high});
}

static __device__ inline int lane_of_thread() {
    return (int)(threadIdx.x % WAVE);
}

/* The number of this thread's wave in its block. */
static __device__ inline int wave_of_thread() {
    return (int)(threadIdx.x / WAVE);
}

/* ---- 32 bits of other lanes (common.h) */

template <int MASK> static __device__ inline int exchanged_bits(int value) {
    return __nvvm_shfl_sync_idx_i32(~0u, value, lane_of_thread() ^ MASK, 31);
}

static __device__ inline int left_bits(int value) {
    return __nvvm_shfl_sync_up_i32(~0u, value, 1, 0);
}

static __device__ inline int right_bits(int value) {
    return __nvvm_shfl_sync_down_i32(~0u, value, 1, 31);
}

#if __CUDA_ARCH__ >= 800
#define COPIES_PAST_REGISTERS

/* Starts copying a pack from memory to shared memory, or zeros if `there` is false. `from` must be
 * readable in both cases. */
static __device__ inline void copy_pack(const real *from, bool there, pack *to) {
    const unsigned shared =
        (unsigned)(unsigned long long)(__attribute__((address_space(3))) pack *)to;
    const int bytes = there ? 16 : 0;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from),
                 "r"(bytes)
                 : "memory");
}

/* Ends a row: it consists of all copies that this thread has started since the previous row. */
static __device__ inline void end_of_row() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Waits until this thread's part of all rows but the last LATER has arrived. */
template <int LATER> static __device__ inline void wait_for_row() {
    asm volatile("cp.async.wait_group %0;" ::"n"(LATER) : "memory");
}
#endif
