#include <emmintrin.h>
#include <stdint.h>

#include "kernels/host_stream.h"

enum { LINE = 64, PER_LINE = LINE / sizeof(double) };

/* The only intrinsics of the tree: compilers turn no plain loop into these stores, and they are
 * worth a quarter of the time of `fused` (docs/faster.md). Every x86-64 has them. */
static void stream_line(double *to, const double *from) {
    for (int i = 0; i < PER_LINE; i += 2)
        _mm_stream_pd(to + i, _mm_loadu_pd(from + i));
}

void host_stream(double *to, const double *from, int count) {
    int i = 0;
    for (; i < count && (uintptr_t)(to + i) % LINE; i++)
        to[i] = from[i];
    for (; i + PER_LINE <= count; i += PER_LINE)
        stream_line(to + i, from + i);
    for (; i < count; i++)
        to[i] = from[i];
    _mm_sfence();
}
