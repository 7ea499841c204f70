/* The rows and strips of serial and threads, as device code: see the files beside this one. */
#ifndef JACOBI_KERNELS_OMP_DEVICE_HOST_ROWS_H
#define JACOBI_KERNELS_OMP_DEVICE_HOST_ROWS_H

#pragma omp begin declare target
#include "kernels/cpu/row.h"
#include "kernels/cpu/strip.h"
#pragma omp end declare target

#endif
