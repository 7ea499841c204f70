/* The type of the kernels' numbers. A source that includes this is compiled twice: for double, and
 * for float with REAL_HEADER = single.h, which also renames the functions. Sums are always
 * accumulated in double. */
#pragma once

#ifdef REAL_HEADER
#include REAL_HEADER
#else
typedef double real;

/* A cache line of numbers, shifted by one: the last number of `left` and all but the last of
 * `here`; all but the first of `here` and the first of `right`. */
#define WIDE_FROM_LEFT(left, here) __builtin_shufflevector(left, here, 7, 8, 9, 10, 11, 12, 13, 14)
#define WIDE_FROM_RIGHT(here, right) __builtin_shufflevector(here, right, 1, 2, 3, 4, 5, 6, 7, 8)
#endif
