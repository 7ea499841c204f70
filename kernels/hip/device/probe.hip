#include "common.h"

/* a = b + s*c: measures the memory bandwidth. 24 bytes per element. */
extern "C" __global__ __launch_bounds__(BLOCK_MAX) void Triad(const long packs, const double s,
                                                              const pack *__restrict__ b,
                                                              const pack *__restrict__ c,
                                                              pack *__restrict__ a) {
    const long threads = (long)gridDim.x * blockDim.x;
    for (long id = (long)blockIdx.x * blockDim.x + threadIdx.x; id < packs; id += threads)
        a[id] = b[id] + s * c[id];
}

/* Measures the arithmetic without memory accesses: CHAINS independent multiply-adds per thread,
 * `rounds` times. The result is stored so that the compiler keeps the computation. */
static const int CHAINS = 8;

extern "C" __global__ __launch_bounds__(BLOCK_MAX) void MultiplyAdd(const int rounds,
                                                                    const double m, const double d,
                                                                    double *__restrict__ result) {
    double x[CHAINS];
#pragma unroll
    for (int n = 0; n < CHAINS; n++)
        x[n] = threadIdx.x + n;
    for (int round = 0; round < rounds; round++)
#pragma unroll
        for (int n = 0; n < CHAINS; n++)
            x[n] = __builtin_fma(x[n], m, d);
    double sum = 0;
#pragma unroll
    for (int n = 0; n < CHAINS; n++)
        sum += x[n];
    result[(long)blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
