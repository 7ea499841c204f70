/* `threads`: OpenMP on the CPU. The same kernels as `serial`, rows shared among threads. */
#ifndef JACOBI_KERNELS_THREADS_H
#define JACOBI_KERNELS_THREADS_H

#include "kernels/host_engine.h"

extern const struct backend threads_backend;

#endif
