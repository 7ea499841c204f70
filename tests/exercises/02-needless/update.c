#include "kernels.h"

/* RES = RHS - AU, U += RES * omega / (2/dx² + 2/dy²). */
void update(long nx, long ny, double dx, double dy, double omega,
            const double *RHS, const double *AU, double *RES, double *U) {
    const long N = nx * ny;
    const double factor = omega / (2 / (dx * dx) + 2 / (dy * dy));

#pragma omp target teams distribute parallel for                              \
    map(to : RHS[:N], AU[:N]) map(from : RES[:N]) map(tofrom : U[:N])
    for (long id = 0; id < N; id++) {
        RES[id] = RHS[id] - AU[id];
        U[id] += RES[id] * factor;
    }
}
