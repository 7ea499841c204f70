#include "kernels/threads/threads.h"

/* sum(RES²). One sum per row, and then the sum of these: this limits round-off on any grid. */
double threads_norm(const struct mesh *mesh, const real *RES) {
    const size_t Nx = (size_t)mesh->Nx;
    double norm = 0.0;

#pragma omp parallel for reduction(+ : norm) schedule(static)
    for (int j = 0; j < mesh->Ny; j++) {
        double row = 0.0;
#pragma omp simd reduction(+ : row)
        for (size_t i = 0; i < Nx; i++) {
            const double r_res = RES[i + (size_t)j * Nx];
            row += r_res * r_res;
        }
        norm += row;
    }
    return norm;
}
