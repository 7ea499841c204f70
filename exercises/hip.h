/* HIP kernels of your own for jacobi-tui: write any of these into a file
 * FOLDER/NAME.hip, and
 *
 *     jacobi-tui --kernels FOLDER
 *
 * runs them; all others are the blog's as printed (--schedule plain). Each
 * time you save, clang compiles the files for the program's GPU, AMD's or
 * NVIDIA's. Their kernels are compared with plain C on three small grids, and
 * join the run if they are right. Without a GPU they run on the CPU, one block
 * after another, the threads of a block in an order that changes from launch
 * to launch. This finds mistakes, but its times mean nothing for a GPU.
 *
 * Arrays hold Nx*Ny doubles on the device: unknown (i, j), 0 <= i < Nx,
 * 0 <= j < Ny, is at id = i + j*Nx. A neighbour outside the grid counts as
 * 0.
 *
 * You have threadIdx.x, blockIdx.x, blockDim.x and gridDim.x, __global__,
 * __device__, __shared__, __launch_bounds__ and __syncthreads(), but no
 * library. Launches have one dimension. The number of threads per block
 * (--block, --norm-block) is a power of two; the last block may have threads
 * without an unknown. */
#pragma once

#include "vendor.h"

/* ---- The four kernels of `--schedule plain`, in their order. */

/* AU = (-U_l + 2U - U_r)*_1bydx2 + (-U_d + 2U - U_u)*_1bydy2 for the unknowns
 * that have four neighbours: 1 <= i < Nx-1 and 1 <= j < Ny-1. Values that it
 * writes next to the boundary don't matter. Launched with at least one thread
 * per unknown. */
extern "C" __global__ void Laplacian(int Nx, int Ny, double _1bydx2,
                                     double _1bydy2, const double *U,
                                     double *AU);

/* The same formula next to the boundary: i = 0, i = Nx-1, j = 0 or j = Ny-1.
 * Launched with at least 2*Nx + 2*Ny - 2 threads. */
extern "C" __global__ void BoundaryConditions(int Nx, int Ny, double _1bydx2,
                                              double _1bydy2, const double *U,
                                              double *AU);

/* RES = RHS - AU, then U += RES * factor, for the unknowns 0 <= id < N.
 * Launched with at least one thread per unknown. */
extern "C" __global__ void Update(long N, double factor, const double *RHS,
                                  const double *AU, double *RES, double *U);

/* sums[blockIdx.x] = sum(RES²) of the block's unknowns; the host adds up these
 * sums. Launched with its own number of blocks (--norm-blocks), independent of
 * N. */
extern "C" __global__ void Norm(long N, const double *RES, double *sums);

/* ---- `--schedule fused`: all four in one sweep over memory. For every
 * unknown RES = RHS - AU, U_next = U + RES * factor; sums[blockIdx.x] =
 * sum(RES²) of the block's unknowns. U remains unchanged. Launched like Norm,
 * with its own number of blocks, independent of Nx*Ny. */
extern "C" __global__ void Fused(int Nx, int Ny, double _1bydx2,
                                 double _1bydy2, double factor,
                                 const double *RHS, const double *U,
                                 double *U_next, double *sums);
