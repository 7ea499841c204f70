/* Compiler interface of the kernels where clang builds AMD code objects: HIP's keywords, defined by
 * builtins, so no device library is linked. device/nvidia/vendor.h is its counterpart. */
#pragma once

#include "../real.h"

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(threads, ...) __attribute__((amdgpu_flat_work_group_size(1, threads)))

/* An index or a size whose x is read from the GPU. */
#define READ_ONLY_X(name, value)                                                                   \
    static __device__ const struct {                                                               \
        __declspec(property(get = get_x)) unsigned x;                                              \
        static __device__ inline unsigned get_x() {                                                \
            return value;                                                                          \
        }                                                                                          \
    } name = {}

READ_ONLY_X(threadIdx, __builtin_amdgcn_workitem_id_x());
READ_ONLY_X(blockIdx, __builtin_amdgcn_workgroup_id_x());
READ_ONLY_X(blockDim, __builtin_amdgcn_workgroup_size_x());
READ_ONLY_X(gridDim, __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x());

/* Threads that run in lockstep. LLVM 22 has removed the macro for this number; the emulator defines
 * HIP_WAVE itself. */
#ifndef HIP_WAVE
#ifdef __GFX9__
#define HIP_WAVE 64
#else
#define HIP_WAVE 32
#endif
#endif
static const int WAVE = HIP_WAVE;

/* The levels of a blocked pass (blocked.hip) that fit in a thread's registers. From gfx90a on there
 * are 512, AGPRs included. Elsewhere there are 256, and 4 levels would spill. The host has the same
 * numbers (devices.c). */
#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
static const int LEVELS_MAX = 4;
#else
static const int LEVELS_MAX = 2;
#endif

/* Packs of columns per lane. Eight columns of float would not fit in the registers, either. */
static const int LANE_PACKS = 4 / PACK;

static __device__ inline void __syncthreads() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/* No wait is needed: a kernel begins after its predecessors have ended. */
static __device__ inline void wait_for_earlier() {
}

/* Makes earlier stores visible to a thread that calls fetch_add later. The fetch_add is the fence,
 * also for threads that meet its thread at a barrier, but their stores must have completed first. A
 * barrier does not wait for stores, so this function does. A fence by every thread would be slow:
 * on gfx942 it writes back the L2 cache of its XCD. */
static __device__ inline void fence_device() {
#if defined(__GFX9__)
    asm volatile("s_waitcnt vmcnt(0)" ::: "memory");
#elif defined(__GFX12__)
    asm volatile("s_wait_storecnt 0x0" ::: "memory");
#elif defined(__AMDGCN__)
    asm volatile("s_waitcnt_vscnt null, 0x0" ::: "memory");
#endif
}

/* Makes the block's stores before a barrier visible to the copy engines. */
static __device__ inline void fence_system() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
}

static __device__ inline void rest() {
    __builtin_amdgcn_s_sleep(32); /* in units of 64 clocks: about 1 µs */
}

/* Adds to *counter atomically; returns the previous value. */
static __device__ inline unsigned fetch_add(unsigned *counter, unsigned value) {
    return __hip_atomic_fetch_add(counter, value, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
}

/* Loads data that is not used again, so the caches evict it first. */
static __device__ inline pack load_once(const pack *from) {
    return __builtin_nontemporal_load(from);
}

/* ---- copies from memory to shared memory without registers
 *
 * Such a copy moves COPY_BYTES per lane, in the order of the lanes. The wave's copies complete in
 * the order in which they begin. They are in assembly, because clang 19 crashes on the builtin. The
 * second instruction separates the copy from the write to M0. It also makes the address one that a
 * scalar instruction has written, which the copy may use at once. */
#if defined(__gfx942__)
#define COPIES_BY_WAVE
static const int COPY_BYTES = 4;
#define COPY_INSTRUCTION "global_load_lds_dword"
#elif defined(__gfx950__)
#define COPIES_BY_WAVE
static const int COPY_BYTES = 16;
#define COPY_INSTRUCTION "global_load_lds_dwordx4"
#endif

#ifdef COPY_INSTRUCTION
/* Starts a copy from `from` + offset to `to` + lane*COPY_BYTES. All lanes of the wave call it, with
 * the same `from` and `to`. */
static __device__ inline void copy_lanes(const void *from, unsigned offset, char *to) {
    const unsigned shared =
        (unsigned)(unsigned long long)(__attribute__((address_space(3))) char *)to;
    unsigned long long scalar;
    asm volatile("s_mov_b32 m0, %1\n\ts_mov_b64 %0, %2\n\t" COPY_INSTRUCTION " %3, %0"
                 : "=&s"(scalar)
                 : "s"(shared), "s"(from), "v"(offset)
                 : "memory");
}

/* Waits until all copies of this wave but the last LATER have arrived. A store counts as one. */
template <int LATER> static __device__ inline void wait_for_copies() {
    static_assert(LATER < 64, "the counter has six bits");
    asm volatile("s_waitcnt vmcnt(%0)" ::"n"(LATER) : "memory");
}
#endif

static __device__ inline int lane_of_thread() {
    return (int)(threadIdx.x % WAVE);
}

/* The number of this thread's wave in its block. It is the same for all lanes, which the compiler
 * cannot deduce. */
static __device__ inline int wave_of_thread() {
    return __builtin_amdgcn_readfirstlane((int)(threadIdx.x / WAVE));
}

/* ---- values of other lanes
 *
 * A lane gets a neighbour's value through the registers (DPP) if the distance allows it;
 * ds_bpermute uses the shared-memory unit. Each moves 32 bits. */

enum { QUAD_PERM = 0, ROW_SHL = 0x100, ROW_SHR = 0x110, WAVE_SHL1 = 0x130, WAVE_SHR1 = 0x138 };
enum { ROW_MIRROR = 0x140, ROW_HALF_MIRROR = 0x141 };
enum { ROW_LANES = 16 }; /* only whole-wave instructions move values between rows */

template <int CONTROL> static __device__ inline int moved(int value) {
    return __builtin_amdgcn_update_dpp(value, value, CONTROL, 0xf, 0xf, false);
}

/* The value of the next lane to the left or to the right. Only gfx9 shifts a whole wave. Elsewhere
 * the lane at a row's end gets the nearest value of the other row. */
static __device__ inline int left_bits(int value) {
#if HIP_WAVE == 64
    return moved<WAVE_SHR1>(value);
#else
    const int last = __builtin_amdgcn_permlanex16(value, value, ~0u, ~0u, false, false);
    return __builtin_amdgcn_update_dpp(last, value, ROW_SHR + 1, 0xf, 0xf, false);
#endif
}

static __device__ inline int right_bits(int value) {
#if HIP_WAVE == 64
    return moved<WAVE_SHL1>(value);
#else
    const int first = __builtin_amdgcn_permlanex16(value, value, 0, 0, false, false);
    return __builtin_amdgcn_update_dpp(first, value, ROW_SHL + 1, 0xf, 0xf, false);
#endif
}

/* The value of the lane whose number differs in the bits of MASK. */
template <int MASK> static __device__ inline int exchanged_bits(int value) {
    if constexpr (MASK == 1)
        return moved<QUAD_PERM + 0xb1>(value); /* 1, 0, 3, 2 */
    else if constexpr (MASK == 2)
        return moved<QUAD_PERM + 0x4e>(value); /* 2, 3, 0, 1 */
    else if constexpr (MASK == ROW_LANES / 2 - 1)
        return moved<ROW_HALF_MIRROR>(value);
    else if constexpr (MASK == ROW_LANES - 1)
        return moved<ROW_MIRROR>(value);
#if HIP_WAVE == 32
    else if constexpr (MASK == ROW_LANES)
        return __builtin_amdgcn_permlanex16(value, value, 0x76543210, 0xfedcba98, false, false);
#endif
    else /* lane numbers are in bytes */
        return __builtin_amdgcn_ds_bpermute(4 * (lane_of_thread() ^ MASK), value);
}
