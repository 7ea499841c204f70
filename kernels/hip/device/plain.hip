#include "real.h"
#include "vendor.h"

/* The blog's four kernels as printed there, before any tuning: one thread per unknown in the
 * order of the unknowns, a launch bound of 256 threads (512 for Norm), and each thread loads all
 * its neighbours. Their optimised versions are in laplacian.hip, boundary.hip, update.hip and
 * norm.hip. */
static const int BLOCK_SIZE = 256, NORM_BLOCK_SIZE = 512;

/* From the second unknown of the second row to the second-to-last unknown of the second-to-last
 * row. The row ends in between lack a neighbour: here they use a value of the adjacent row, and
 * PlainBoundaryConditions then writes the correct result. */
extern "C" __global__ __launch_bounds__(BLOCK_SIZE) void PlainLaplacian(const int Nx, const int Ny,
                                                                        const real _1bydx2,
                                                                        const real _1bydy2,
                                                                        const real *U, real *AU) {
    const long id = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (id < Nx + 1 || id > Nx - 2 + (Ny - 2) * (long)Nx)
        return;
    const long id_l = id - 1, id_r = id + 1, id_d = id - Nx, id_u = id + Nx;
    __builtin_nontemporal_store((-U[id_l] + 2 * U[id] - U[id_r]) * _1bydx2 +
                                    (-U[id_d] + 2 * U[id] - U[id_u]) * _1bydy2,
                                &AU[id]);
}

/* Visits the unknowns next to the boundary as one line of 2*Nx + 2*Ny - 2 unknowns: bottom, top,
 * left, right. It visits both upper corners twice, with the same value. */
extern "C" __global__ __launch_bounds__(BLOCK_SIZE) void PlainBoundaryConditions(
    const int Nx, const int Ny, const real _1bydx2, const real _1bydy2, const real *U, real *AU) {
    const int id = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (id >= 2 * Nx + 2 * Ny - 2)
        return;

    int i = Nx - 1, j = id - 2 * Nx - Ny + 2; /* right */
    if (id < Nx) {                            /* bottom */
        i = id;
        j = 0;
    } else if (id < 2 * Nx) { /* top */
        i = id - Nx;
        j = Ny - 1;
    } else if (id < 2 * Nx + Ny - 1) { /* left */
        i = 0;
        j = id - 2 * Nx + 1;
    }

    const long iid = i + (long)j * Nx;
    const real U_d = j == 0 ? 0 : U[iid - Nx];
    const real U_u = j == Ny - 1 ? 0 : U[iid + Nx];
    const real U_l = i == 0 ? 0 : U[iid - 1];
    const real U_r = i == Nx - 1 ? 0 : U[iid + 1];
    __builtin_nontemporal_store(
        (-U_l + 2 * U[iid] - U_r) * _1bydx2 + (-U_d + 2 * U[iid] - U_u) * _1bydy2, &AU[iid]);
}

/* The grid has a thread for every unknown, so the loop makes one step. */
extern "C" __global__ __launch_bounds__(BLOCK_SIZE) void PlainUpdate(
    const long N, const real factor, const real *__restrict__ RHS, const real *__restrict__ AU,
    real *__restrict__ RES, real *__restrict__ U) {
    const long threads = (long)gridDim.x * blockDim.x;
    for (long id = (long)blockIdx.x * blockDim.x + threadIdx.x; id < N; id += threads) {
        const real r_res = RHS[id] - AU[id];
        RES[id] = r_res;
        U[id] += r_res * factor;
    }
}

/* sums[block] = sum(RES²) of the block's unknowns: each thread adds up its own in shared memory,
 * then half of the threads add the other half's sums, and so on. blockDim.x must be a power of
 * two. */
extern "C" __global__
__launch_bounds__(NORM_BLOCK_SIZE) void PlainNorm(const long N, const real *RES, double *sums) {
    __shared__ double shared[NORM_BLOCK_SIZE];
    const unsigned thread = threadIdx.x;
    shared[thread] = 0;
    for (long id = (long)blockIdx.x * blockDim.x + thread; id < N;
         id += (long)blockDim.x * gridDim.x)
        shared[thread] += RES[id] * RES[id];

    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (thread < half)
            shared[thread] += shared[thread + half];
    }
    if (thread == 0)
        sums[blockIdx.x] = shared[0];
}
