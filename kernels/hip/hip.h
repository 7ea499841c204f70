/* `hip`: HIP on AMD GPUs, the same kernels through the CUDA driver on NVIDIA GPUs. */
#ifndef JACOBI_KERNELS_HIP_H
#define JACOBI_KERNELS_HIP_H

#include "solver/backend.h"

extern const struct backend hip_backend;

/* Its measure_roof: roof.c. */
enum status hip_measure_roof(int device, const struct tuning *tuning, struct roof *roof,
                             struct error *error);

#endif
