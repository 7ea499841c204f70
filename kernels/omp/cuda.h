/* What LLVM's runtime does not tell of NVIDIA GPUs, asked of their driver, opened at run time. */
#ifndef JACOBI_KERNELS_OMP_CUDA_H
#define JACOBI_KERNELS_OMP_CUDA_H

#include "solver/backend.h"

/* Makes the host wait for kernels by looking, not by sleeping: a region ends some 15 µs earlier.
 * Must be called before the runtime first sees the GPUs. Does nothing where there are none. */
void cuda_prepare(void);

/* Fills in name, architecture, driver and memory of the GPU with that number. False: not known. */
bool cuda_describe(int number, struct device *device);

/* Whether there is memory that host and GPU may use at the same time. */
bool cuda_shares_memory(int number);

#endif
