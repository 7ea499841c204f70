#include "kernels.h"

/* AU = (-U_l + 2U - U_r)/dx² + (-U_d + 2U - U_u)/dy² inside the grid, two rows
 * at a time. */
void laplacian(long nx, long ny, double dx, double dy, const double *U,
               double *AU) {
    const long N = nx * ny;
    const double _1bydx2 = 1 / (dx * dx), _1bydy2 = 1 / (dy * dy);

#pragma omp target teams distribute parallel for map(to : U[:N]) map(tofrom : AU[:N])
    for (long j = 1; j < ny - 1; j += 2)
        for (long i = 1; i < nx - 1; i++) {
            const long low = i + j * nx, high = low + nx;
            const double u_low = U[low], u_high = U[high];
            AU[low] = (-U[low - 1] + 2 * u_low - U[low + 1]) * _1bydx2 +
                      (-U[low - nx] + 2 * u_low - u_high) * _1bydy2;
            if (j + 1 < ny - 1)
                AU[high] =
                    (-U[high - 1] + 2 * u_high - U[high + 1]) * _1bydx2 +
                    (-u_low + 2 * u_high - U[high + nx]) * _1bydy2;
        }
}
