#include "kernels.h"

enum { PARTS = 1024 };

/* Returns sum(RES²), added up from the sums of PARTS parts. */
double norm(long nx, long ny, const double *RES) {
    const long N = nx * ny;
    double parts[PARTS] = {0};

#pragma omp target teams distribute parallel for map(to : RES[:N])            \
    map(tofrom : parts)
    for (long p = 0; p < PARTS; p++)
        for (long id = p * N / PARTS; id < (p + 1) * N / PARTS; id++)
            parts[p] += RES[id] * RES[id];

    /* to be written: the second level */
    return parts[0];
}
