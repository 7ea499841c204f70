/* The numbers that kernels compute with. What includes this is compiled for double, as it stands,
 * and a second time for float: then single.h takes the place of double.h, and gives the functions
 * other names. Sums are always added up in double. */
#ifndef JACOBI_KERNELS_CPU_REAL_H
#define JACOBI_KERNELS_CPU_REAL_H

#ifndef REAL_HEADER
#define REAL_HEADER "kernels/cpu/double.h"
#endif
#include REAL_HEADER

#endif
