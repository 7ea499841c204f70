/* Uses every compiler feature that vendor.h and common.h need. A compiler that builds this file for
 * an architecture can build the kernels (meson.build). */
#include "common.h"

extern "C" __global__ __launch_bounds__(256) void Probe(pack *U, unsigned *counter) {
    __shared__ real row[256];
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const pack loaded = load_once(U + i);
    wait_for_earlier();
#ifdef COPY_INSTRUCTION
    copy_lanes(U, WAVE * sizeof(pack), (char *)row);
    wait_for_copies<0>();
#endif
    row[threadIdx.x] = from_left(loaded[0]) + from_right(loaded[1]) + wave_of_thread();
    __syncthreads();
    U[i][0] = row[(threadIdx.x + WAVE) % 256] + gridDim.x;
    fence_device();
    fetch_add(counter, 1);
}
