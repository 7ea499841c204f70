#include "kernels.h"

/* sum(RES²) of the last update. */
static double total;

/* RES = RHS - AU, U += RES * omega / (2/dx² + 2/dy²). */
void update(long nx, long ny, double dx, double dy, double omega,
            const double *RHS, const double *AU, double *RES, double *U) {
    const long N = nx * ny;
    const double factor = omega / (2 / (dx * dx) + 2 / (dy * dy));

#pragma omp target teams distribute parallel for
    for (long id = 0; id < N; id++) {
        const double res = RHS[id] - AU[id];
        RES[id] = res;
        U[id] += res * factor;
    }
}

/* Returns sum(RES²). */
double norm(long nx, long ny, const double *RES) {
    const long N = nx * ny;
    double sum = 0;

#pragma omp target teams distribute parallel for reduction(+ : sum)
    for (long id = 0; id < N; id++)
        sum += RES[id] * RES[id];
    total = sum;
    return total;
}
