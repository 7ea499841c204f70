/* The loops that the roof of a CPU is measured with. Built apart, for the widest vectors that the
 * processor turns out to have, and with multiply-adds allowed. */
#ifndef JACOBI_KERNELS_CPU_ROOF_LOOPS_H
#define JACOBI_KERNELS_CPU_ROOF_LOOPS_H

#include <stddef.h>

/* a = b + s*c: 24 B an element. */
void probe_triad(size_t length, double s, const double *restrict b, const double *restrict c,
                 double *restrict a);

/* The sum of a: 8 B an element, and nothing written. */
double probe_read(size_t length, const double *a);

/* PROBE_LANES independent x = x*m + d, `rounds` times; returns something that depends on all. */
enum { PROBE_LANES = 128 };
double probe_fma(long rounds, double m, double d);

#endif
