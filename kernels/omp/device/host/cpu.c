/* The CPU code of serial and threads once more, for the device that is a processor too. */
#include "solver/mesh.h"

#pragma omp begin declare target
#include CPU_ARCH
#include "kernels/cpu/row.c"
#include "kernels/cpu/strip.c"
#pragma omp end declare target
