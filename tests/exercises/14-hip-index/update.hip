#include "hip.h"

/* RES = RHS - AU, U += RES * factor. */
__global__ void Update(long N, double factor, const double *RHS,
                       const double *AU, double *RES, double *U) {
    const long id = (long)blockIdx.x * blockDim.x + threadIdx.x;

    if (id < N) {
        RES[id] = RHS[id] - AU[id];
        U[id] += RES[id] * factor;
    }
}
