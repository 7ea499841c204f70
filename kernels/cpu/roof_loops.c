/* The loops that measure the host's roof (kernels/cpu/roof.h), built with separate flags. */
#include "kernels/cpu/arch.h"
#include "kernels/cpu/roof.h"

PROBE_CLONES void probe_triad(size_t lines, double s, const double *restrict b,
                              const double *restrict c, double *restrict a) {
    _Alignas(CACHE_LINE) double line[LINE_REALS];
    for (size_t i = 0; i < lines * LINE_REALS; i += LINE_REALS) {
        for (size_t k = 0; k < LINE_REALS; k++)
            line[k] = b[i + k] + s * c[i + k];
        cpu_stream(a + i, line, LINE_REALS);
    }
    cpu_stream_end();
}

PROBE_CLONES double probe_read(size_t length, const double *a) {
    double sums[PROBE_LANES] = {0};
    for (size_t i = 0; i + PROBE_LANES <= length; i += PROBE_LANES)
        for (int k = 0; k < PROBE_LANES; k++)
            sums[k] += a[i + (size_t)k];
    double sum = 0;
    for (int k = 0; k < PROBE_LANES; k++)
        sum += sums[k];
    return sum;
}

PROBE_CLONES double probe_fma(long rounds, double m, double d) {
    double x[PROBE_LANES];
    for (int k = 0; k < PROBE_LANES; k++)
        x[k] = k;
    for (long round = 0; round < rounds; round++)
        for (int k = 0; k < PROBE_LANES; k++)
            x[k] = x[k] * m + d;
    double sum = 0;
    for (int k = 0; k < PROBE_LANES; k++)
        sum += x[k];
    return sum;
}
