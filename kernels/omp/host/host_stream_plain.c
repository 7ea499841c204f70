/* The same code as for serial and threads, for the device that is a processor too. */
#pragma omp begin declare target
#include "kernels/host_stream_plain.c"
#pragma omp end declare target
