/* The same code as for serial and threads, for the device that is a processor too. */
#pragma omp begin declare target
#include HOST_MACHINE
#pragma omp end declare target
