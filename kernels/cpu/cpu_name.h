/* What the system calls its CPU. */
#ifndef JACOBI_KERNELS_CPU_CPU_NAME_H
#define JACOBI_KERNELS_CPU_CPU_NAME_H

#include <stddef.h>

/* "AMD Ryzen 7 5700U with Radeon Graphics"; "CPU" where the system doesn't say. Returns `buffer`.
 */
char *host_cpu_name(char *buffer, size_t size);

#endif
