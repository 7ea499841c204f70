/* Stores past the caches, and subnormal numbers (kernels/cpu/row.h), on x86-64. */
#include <emmintrin.h>
#include <stdint.h>

#include "kernels/cpu/row.h"

/* The only intrinsics of the tree: compilers make these stores of no plain loop, and they are worth
 * a quarter of the time of `fused` (docs/faster.md). Every x86-64 has them. */
void cpu_stream(double *to, const double *from, int count) {
    int i = 0;
    for (; i < count && (uintptr_t)(to + i) % CACHE_LINE; i++)
        to[i] = from[i];
    for (; i + LINE_DOUBLES <= count; i += LINE_DOUBLES)
        for (int k = i; k < i + LINE_DOUBLES; k += 2)
            _mm_stream_pd(to + k, _mm_loadu_pd(from + k));
    for (; i < count; i++)
        to[i] = from[i];
}

void cpu_stream_end(void) {
    _mm_sfence();
}

enum { FLUSH_RESULTS = 0x8000, ZERO_OPERANDS = 0x0040 };

unsigned cpu_drop_subnormals(void) {
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | FLUSH_RESULTS | ZERO_OPERANDS);
    return before;
}

void cpu_keep_subnormals(unsigned before) {
    _mm_setcsr(before);
}
