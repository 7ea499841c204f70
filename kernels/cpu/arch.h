/* Operations that C lacks: non-temporal stores, and control of subnormal numbers. The tree's only
 * intrinsics. Machines other than x86-64 use a plain copy, and keep subnormals. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kernels/cpu/real.h"

enum { CACHE_LINE = 64, LINE_REALS = CACHE_LINE / sizeof(real), WIDE = LINE_REALS };

/* Neighbouring unknowns that fill a cache line, at a multiple of 64 bytes or at any address. */
typedef real wide __attribute__((vector_size(CACHE_LINE)));
typedef real wide_anywhere __attribute__((vector_size(CACHE_LINE), aligned(sizeof(real))));

#ifdef __x86_64__
#include <immintrin.h>

/* For functions that only processors with cpu_computes_wide() run. */
#define CPU_WIDE __attribute__((target("avx512f")))

static inline bool cpu_is_amd(void) {
    return __builtin_cpu_is("amd");
}

/* Whether the processor supports cpu_stream_wide. */
static inline bool cpu_streams_wide(void) {
    return __builtin_cpu_supports("avx512f");
}

/* As cpu_stream, for one vector. */
CPU_WIDE static inline void cpu_stream_wide(real *to, const wide *value) {
    _mm512_stream_si512((void *)to, *(const __m512i *)value);
}

/* Stores `count` values non-temporally, in whole cache lines; both addresses start a cache line.
 * After cpu_stream_end the values are visible to other threads, too. */
static inline void cpu_stream(real *to, const real *from, int count) {
    enum { STORE = sizeof(__m128i) / sizeof(real) };
    for (int k = 0; k < count; k += STORE)
        _mm_stream_si128((__m128i *)(to + k), _mm_load_si128((const __m128i *)(from + k)));
}

static inline void cpu_stream_end(void) {
    _mm_sfence();
}

/* Makes the calling thread compute with 0 instead of subnormal numbers (below 2.2e-308; float:
 * 1.2e-38). Returns the argument with which cpu_keep_subnormals undoes this. */
static inline unsigned cpu_drop_subnormals(void) {
    enum { FLUSH_RESULTS = 0x8000, ZERO_OPERANDS = 0x0040 };
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | FLUSH_RESULTS | ZERO_OPERANDS);
    return before;
}

static inline void cpu_keep_subnormals(unsigned before) {
    _mm_setcsr(before);
}

#else

#define CPU_WIDE

static inline bool cpu_is_amd(void) {
    return false;
}

static inline bool cpu_streams_wide(void) {
    return false;
}

static inline void cpu_stream_wide(real *to, const wide *value) {
    *(wide_anywhere *)to = *value;
}

static inline void cpu_stream(real *to, const real *from, int count) {
    for (int k = 0; k < count; k++)
        to[k] = from[k];
}

static inline void cpu_stream_end(void) {
}

static inline unsigned cpu_drop_subnormals(void) {
    return 0;
}

static inline void cpu_keep_subnormals(unsigned before) {
}

#endif

static inline bool cpu_computes_wide(void) {
    return cpu_streams_wide() && cpu_is_amd();
}
