#include "kernels/omp/device/common/target.h"

/* AU_i,j = (-U_i-1,j + 2U_i,j - U_i+1,j)/dx² + (-U_i,j-1 + 2U_i,j - U_i,j+1)/dy²
 * for the unknowns whose four neighbours are unknowns too. */
void target_laplacian(const struct mesh *mesh, const double *U, double *AU,
                      struct offload_sums *sums) {
    const size_t stride = (size_t)mesh->Nx;
    const int localNx = mesh->Nx - 2, localNy = mesh->Ny - 2;
    const double _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2;
    const int late = localNy - TILE_ROWS * (1 + SPAN_LAST / mesh->Nx);
    struct offload_span *span = span_of(sums, PHASE_LAPLACIAN);

#pragma omp target teams distribute parallel for collapse(2) thread_limit(512)
    for (int tj = 0; tj < localNy; tj += TILE_ROWS)
        for (int ti = 0; ti < localNx; ti += TILE_COLS) {
            span_begin(span, tj == 0 && ti == 0);
            for (int j = tj; j < tile_end(tj, TILE_ROWS, localNy); j++)
                for (int i = ti; i < tile_end(ti, TILE_COLS, localNx); i++) {
                    const size_t id = (size_t)(i + 1) + (size_t)(j + 1) * stride;
                    const size_t id_l = id - 1, id_r = id + 1;
                    const size_t id_d = id - stride, id_u = id + stride;

                    AU[id] = (-U[id_l] + 2 * U[id] - U[id_r]) * _1bydx2 +
                             (-U[id_d] + 2 * U[id] - U[id_u]) * _1bydy2;
                }
            span_end(span, tj >= late && ti % SPAN_EVERY == 0,
                     AU[(size_t)ti + 1 + (size_t)tile_end(tj, TILE_ROWS, localNy) * stride]);
        }
}

void target_laplacian_structured(const struct mesh *mesh, const double *U, double *AU,
                                 struct offload_sums *sums) {
    const size_t N = mesh_unknowns(mesh);
#pragma omp target data map(to : U[:N]) map(tofrom : AU[:N])
    target_laplacian(mesh, U, AU, sums);
}
