#include "kernels.h"

/* AU = (-U_l + 2U - U_r)/dx² + (-U_d + 2U - U_u)/dy² inside the grid. */
void laplacian(long nx, long ny, double dx, double dy, const double *U,
               double *AU) {
    const long N = nx * ny;

#pragma omp target teams distribute parallel for collapse(2) map(to : U[:N]) map(tofrom : AU[:N])
    for (long j = 1; j < ny - 1; j++)
        for (long i = 1; i < nx - 1; i++) {
            const long id = i + j * nx;
            AU[id] = (-U[id - 1] + 2 * U[id] - U[id + 1]) / (dx * dx) +
                     (-U[id - nx] + 2 * U[id] - U[id + nx]) / (dy * dy);
        }
}
