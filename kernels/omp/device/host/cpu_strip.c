/* The same code as for serial and threads, for the device that is a processor too. */
#pragma omp begin declare target
#include "kernels/cpu/strip.c"
#pragma omp end declare target
