/* Stores that go past the caches. */
#ifndef JACOBI_KERNELS_HOST_STREAM_H
#define JACOBI_KERNELS_HOST_STREAM_H

/* Copies `count` values to `to`, which lies at whatever multiple of 8 bytes. Whole cache lines
 * don't pass through the caches where the machine has stores for that; elsewhere it is a plain
 * copy. Other threads see the values after the next barrier. */
void host_stream(double *to, const double *from, int count);

#endif
