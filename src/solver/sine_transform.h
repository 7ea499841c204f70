/* The orthonormal sine transform of any length: mode k of n values, from 1, is the sum of
 * sqrt(2/(n+1)) sin(kiπ/(n+1)) * value i. Takes O(n log n) operations. */
#pragma once

struct sine_transform;

/* Creates a transform of n values to their first `modes` ≤ n modes, for the caller to free. NULL
 * if memory runs out. */
struct sine_transform *sine_transform_create(int n, int modes);

/* Writes the modes; their array must not overlap the values. One thread at a time may call it. */
void sine_transform_run(struct sine_transform *transform, const double *values, double *modes);
