#include "kernels/omp/device/common/target.h"

/* AU_i,j = (-U_i-1,j + 2U_i,j - U_i+1,j)/dx² + (-U_i,j-1 + 2U_i,j - U_i,j+1)/dy²
 * for the unknowns whose four neighbours are unknowns too. A core takes whole rows and computes
 * them with its vector unit. */
void target_laplacian(const struct mesh *mesh, const real *U, real *AU) {
    const size_t stride = (size_t)mesh->Nx;
    const int localNx = mesh->Nx - 2, localNy = mesh->Ny - 2;
    const real _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2;
#pragma omp target teams distribute parallel for
    for (int j = 0; j < localNy; j++)
        for (int i = 0; i < localNx; i++) {
            const size_t id = (size_t)(i + 1) + (size_t)(j + 1) * stride;
            const size_t id_l = id - 1, id_r = id + 1;
            const size_t id_d = id - stride, id_u = id + stride;

            AU[id] = (-U[id_l] + 2 * U[id] - U[id_r]) * _1bydx2 +
                     (-U[id_d] + 2 * U[id] - U[id_u]) * _1bydy2;
        }
}
