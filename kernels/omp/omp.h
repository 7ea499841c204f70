/* `omp`: OpenMP target offload, on a GPU or on LLVM's host device. */
#ifndef JACOBI_KERNELS_OMP_H
#define JACOBI_KERNELS_OMP_H

#include "solver/backend.h"

extern const struct backend omp_backend;

#endif
