/* The type of the iterates. The kernels are compiled twice, for double and for float. Sums over
 * many unknowns are double in both. */
#pragma once

#ifndef REAL
#define REAL double
#endif

typedef REAL real;

/* Neighbouring unknowns of a row, moved by one 16-byte access: two doubles, or four floats. */
static const int PACK = 16 / sizeof(real);
typedef real pack __attribute__((ext_vector_type(PACK)));
