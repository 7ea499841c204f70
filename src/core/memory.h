/* How much memory there is. */
#ifndef JACOBI_CORE_MEMORY_H
#define JACOBI_CORE_MEMORY_H

#include <stdint.h>

/* Bytes of host memory that this process may take without driving the machine into swap or being
 * killed for it: the least of what the kernel calls available, nine tenths of the machine's and of
 * the control group's memory, and the process's own limit. */
uint64_t memory_usable(void);

#endif
