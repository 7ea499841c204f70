/* `hip`: HIP on AMD GPUs, and the same kernels through the CUDA driver on NVIDIA GPUs.
 *
 * backend.c answers for the devices, devices.c finds them, driver.c opens the vendors' libraries.
 * engine.c holds what all schedules share; classic.c, plain.c and passes.c add theirs. stream.c,
 * graph.c, timer.c and vector.c are a GPU's queue, recorded launches, its clock and its arrays. The
 * kernels are in device/.
 */
#ifndef JACOBI_KERNELS_HIP_H
#define JACOBI_KERNELS_HIP_H

#include "solver/backend.h"

extern const struct backend hip_backend;

/* Its measure_roof: roof.c. */
enum status hip_measure_roof(int device, const struct tuning *tuning, struct roof *roof,
                             struct error *error);

#endif
