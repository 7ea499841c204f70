#include "kernels/omp/target.h"

/* RES = RHS - AU, U += RES * D⁻¹. */
void target_update(const struct mesh *mesh, const double *restrict RHS, const double *restrict AU,
                   double *restrict RES, double *restrict U) {
    const size_t stride = (size_t)mesh->Nx;
    const int Nx = mesh->Nx, Ny = mesh->Ny;
    const double factor = mesh->factor;

#pragma omp target teams distribute parallel for collapse(2) thread_limit(TEAM_THREADS)
    for (int tj = 0; tj < Ny; tj += TILE_ROWS)
        for (int ti = 0; ti < Nx; ti += TILE_COLS)
            for (int j = tj; j < tile_end(tj, TILE_ROWS, Ny); j++)
                for (int i = ti; i < tile_end(ti, TILE_COLS, Nx); i++) {
                    const size_t id = (size_t)i + (size_t)j * stride;
                    const double r_res = RHS[id] - AU[id];
                    RES[id] = r_res;
                    U[id] += r_res * factor;
                }
}

void target_update_structured(const struct mesh *mesh, const double *RHS, const double *AU,
                              double *RES, double *U) {
    const size_t N = unknowns(mesh);
#pragma omp target data map(to : RHS[:N], AU[:N]) map(from : RES[:N]) map(tofrom : U[:N])
    target_update(mesh, RHS, AU, RES, U);
}
