#include "kernels.h"

/* One iteration in one sweep: the next iterate into U_next; returns sum(RES²)
 * of U. */
double fused(long nx, long ny, double dx, double dy, double omega,
             const double *RHS, const double *U, double *U_next) {
    const long N = nx * ny;
    const double _1bydx2 = 1 / (dx * dx), _1bydy2 = 1 / (dy * dy);
    const double factor = omega / (2 * _1bydx2 + 2 * _1bydy2);
    double sum = 0;

#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : U[:N], RHS[:N])        \
    map(from : U_next[:N])
    for (long j = 0; j < ny; j++)
        for (long i = 0; i < nx; i++) {
            const long id = i + j * nx;
            const double left = i > 0 ? U[id - 1] : 0,
                         right = i < nx - 1 ? U[id + 1] : 0;
            const double down = j > 0 ? U[id - nx] : 0,
                         up = j < ny - 1 ? U[id + nx] : 0;
            const double AU = (-left + 2 * U[id] - right) * _1bydx2 +
                              (-down + 2 * U[id] - up) * _1bydy2;
            const double RES = RHS[id] - AU;
            U_next[id] = U[id] + RES * factor;
            sum += RES * RES;
        }
    return sum;
}
