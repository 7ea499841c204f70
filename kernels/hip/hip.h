/* `hip`: HIP on AMD GPUs, the same kernels through the CUDA driver on NVIDIA GPUs. */
#ifndef JACOBI_KERNELS_HIP_H
#define JACOBI_KERNELS_HIP_H

#include "solver/backend.h"

extern const struct backend hip_backend;

#endif
