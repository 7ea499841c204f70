#include "kernels.h"

#include <omp.h>

enum { PARTS = 1024 };

/* LLVM's: pinned memory on the host, which the device can read and write by
 * itself. */
void *llvm_omp_target_alloc_host(size_t bytes, int device);

/* Returns sum(RES²), by PARTS sums of a part each. */
double norm(long nx, long ny, const double *RES) {
    static double *parts;
    const long N = nx * ny;
    double sum = 0;

    if (!parts)
        parts = llvm_omp_target_alloc_host(PARTS * sizeof *parts,
                                           omp_get_default_device());
    if (!parts)
        return -1;

#pragma omp target teams distribute parallel for map(to : RES[:N]) is_device_ptr(parts)
    for (long p = 0; p < PARTS; p++) {
        parts[p] = 0;
        for (long id = p * N / PARTS; id < (p + 1) * N / PARTS; id++)
            parts[p] += RES[id] * RES[id];
    }

    for (int p = 0; p < PARTS; p++)
        sum += parts[p];
    return sum;
}
