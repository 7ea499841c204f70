/* The roof of the host's CPUs. */
#ifndef JACOBI_KERNELS_CPU_ROOF_H
#define JACOBI_KERNELS_CPU_ROOF_H

#include "core/status.h"
#include "solver/roof.h"

/* The bandwidth is that of the better of two loops: a triad, and a sum that only reads (a store
 * makes a cache fetch the line first, so a kernel that only reads may pass the triad's figure).
 * With that many threads (0: one a processor that this process may use). The arrays are larger than
 * the last cache, as far as a third of a second allows. */
enum status host_roof_measure(int threads, struct roof *roof, struct error *error);

#endif
