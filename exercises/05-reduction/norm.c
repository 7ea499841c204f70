#include "kernels.h"

/* Returns sum(RES²). */
double norm(long nx, long ny, const double *RES) {
    const long N = nx * ny;
    double sum = 0;

#pragma omp target teams distribute parallel for map(to : RES[:N])
    for (long id = 0; id < N; id++)
        sum += RES[id] * RES[id];
    return sum;
}
