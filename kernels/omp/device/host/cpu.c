/* Compiles the CPU code of serial and threads (kernels/cpu) for the host device. */
#include "solver/mesh.h"

#pragma omp begin declare target
#include "kernels/cpu/methods.c"
#include "kernels/cpu/row.c"
#include "kernels/cpu/strip.c"
#pragma omp end declare target
