#include "kernels.h"

#include <omp.h>

enum { PARTS = 1024 };

/* An LLVM extension: returns pinned host memory, which the device can read and
 * write directly. */
void *llvm_omp_target_alloc_host(size_t bytes, int device);

/* Returns sum(RES²), added up from the sums of PARTS parts. */
double norm(long nx, long ny, const double *RES) {
    static double parts[PARTS];
    const long N = nx * ny;
    double sum = 0;

#pragma omp target teams distribute parallel for map(to : RES[:N])            \
    map(tofrom : parts)
    for (long p = 0; p < PARTS; p++) {
        parts[p] = 0;
        for (long id = p * N / PARTS; id < (p + 1) * N / PARTS; id++)
            parts[p] += RES[id] * RES[id];
    }

    for (int p = 0; p < PARTS; p++)
        sum += parts[p];
    return sum;
}
