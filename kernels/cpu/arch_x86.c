#include <emmintrin.h>
#include <stdint.h>

#include "kernels/cpu/arch.h"

enum { LINE = 64, PER_LINE = LINE / sizeof(double) };

/* The only intrinsics of the tree: compilers make these stores of no plain loop, and they are worth
 * a quarter of the time of `fused` (docs/faster.md). Every x86-64 has them. */
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
}

void host_stream_end(void) {
    _mm_sfence();
}

enum { FLUSH_RESULTS = 0x8000, ZERO_OPERANDS = 0x0040 };

unsigned host_drop_subnormals(void) {
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | FLUSH_RESULTS | ZERO_OPERANDS);
    return before;
}

void host_keep_subnormals(unsigned before) {
    _mm_setcsr(before);
}
