/* What CPUs can do and C has no words for. */
#ifndef JACOBI_KERNELS_CPU_ARCH_H
#define JACOBI_KERNELS_CPU_ARCH_H

/* Copies `count` values to `to`, which lies at whatever multiple of 8 bytes. Whole cache lines
 * don't pass through the caches where the machine has stores for that; elsewhere it is a plain
 * copy. The values count as written, for other threads too, after host_stream_end. */
void host_stream(double *to, const double *from, int count);
void host_stream_end(void);

/* Lets the calling thread compute with 0 for subnormal numbers, those below 2.2e-308, where the
 * machine can. Returns what host_keep_subnormals takes to undo it. */
unsigned host_drop_subnormals(void);
void host_keep_subnormals(unsigned before);

#endif
