/* The ceilings ("roof") of the host's CPUs: the maximum bandwidth and arithmetic rate. */
#pragma once

#include "solver/backend.h"

/* Measures with that many threads (0: one per processor that this process may use); blocks for at
 * most about half a second. The bandwidth is the better result of two loops over three arrays that
 * together exceed the last-level cache, up to 384 MiB: a triad with non-temporal stores, and a sum
 * that only reads. Bytes are counted as the loops move them, and a multiply-add counts as two
 * operations. `contended` is set if a thread had to share its processor in every repetition of a
 * loop. STATUS_INTERNAL if there is no memory or no thread. */
enum status cpu_roof_measure(int threads, struct roof *roof, struct error *error);

/* The loops of the probe (roof_loops.c). They are built separately, for the processor's widest
 * vectors, with multiply-adds allowed. */

/* a = b + s*c over `lines` cache lines, with a stored non-temporally: 24 bytes per element. */
void probe_triad(size_t lines, double s, const double *restrict b, const double *restrict c,
                 double *restrict a);

/* The sum of a: 8 bytes per element, no writes. */
double probe_read(size_t length, const double *a);

/* PROBE_LANES independent chains x = x*m + d, `rounds` times: 2*PROBE_LANES*rounds operations.
 * Returns a value that depends on all of them. */
enum { PROBE_LANES = 128 };
double probe_fma(long rounds, double m, double d);
