/* What the kernels need of the compiler if clang makes PTX of them. HIP's own words are given
 * here, so that no toolkit is needed; device/amd/vendor.h is its twin for AMD GPUs. */
#ifndef JACOBI_HIP_DEVICE_VENDOR_H
#define JACOBI_HIP_DEVICE_VENDOR_H

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

#include <__clang_cuda_builtin_vars.h> /* threadIdx, blockIdx, blockDim, gridDim; clang's own. __syncthreads is a builtin. */

/* Threads that run in step. */
static const int WAVE = 32;

/* What this thread wrote before is seen by every thread of the device before what it writes next.
 */
static __device__ inline void fence_device() {
    __nvvm_membar_gl();
}

/* Adds to *counter, one thread at a time; returns what it held before. */
static __device__ inline unsigned fetch_add(unsigned *counter, unsigned value) {
    return (unsigned)__nvvm_atom_add_gen_i((int *)counter, (int)value);
}

/* Loads what nobody will want again, so that it makes room in the caches first. */
static __device__ inline double load_once(const double *from) {
    double value;
    asm("ld.global.cs.f64 %0, [%1];" : "=d"(value) : "l"(from));
    return value;
}

static __device__ inline int lane_of_thread() {
    return (int)(threadIdx.x % WAVE);
}

/* The value that the neighbouring lane holds. The outermost lane gets its own. */
static __device__ inline double from_left(double value) {
    const long long bits = __builtin_bit_cast(long long, value);
    const unsigned low = (unsigned)__nvvm_shfl_sync_up_i32(~0u, (int)bits, 1, 0);
    const unsigned high = (unsigned)__nvvm_shfl_sync_up_i32(~0u, (int)(bits >> 32), 1, 0);
    return __builtin_bit_cast(double, (long long)((unsigned long long)high << 32 | low));
}

static __device__ inline double from_right(double value) {
    const long long bits = __builtin_bit_cast(long long, value);
    const unsigned low = (unsigned)__nvvm_shfl_sync_down_i32(~0u, (int)bits, 1, 31);
    const unsigned high = (unsigned)__nvvm_shfl_sync_down_i32(~0u, (int)(bits >> 32), 1, 31);
    return __builtin_bit_cast(double, (long long)((unsigned long long)high << 32 | low));
}

#endif
