#include "kernels/omp/device/common/target.h"

#pragma omp begin declare target
#include "kernels/cpu/methods.h"
#include "kernels/cpu/row.h"
#pragma omp end declare target

/* Laplacian, BoundaryConditions, Update and Norm of every unknown in one pass: U and RHS are read
 * once, U_next is written once, and AU and RES are never stored. The code for the rows is in
 * kernels/cpu/row.c, so every iterate has the same bits. */
double target_fused(const struct mesh *mesh, struct row_range rows, const real *RHS, const real *U,
                    real *U_next) {
    const int Nx = mesh->Nx, Ny = mesh->Ny;
    const double _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2, factor = mesh->factor;
    const int begin = rows.begin, end = rows.end;
    const bool stream = cpu_streams(mesh);
    const int step = cpu_rows();
    double norm = 0.0;
#pragma omp target teams distribute parallel for reduction(+ : norm) map(tofrom : norm)
    for (int j = begin; j < end; j += step) {
        const struct mesh local = {
            .Nx = Nx, .Ny = Ny, ._1bydx2 = _1bydx2, ._1bydy2 = _1bydy2, .factor = factor};
        norm += cpu_relax_grid_rows(&local, j, end, stream, RHS, U, U_next);
    }
    return norm;
}

void target_chebyshev_fused(struct method_step *step) {
    const struct mesh *mesh = step->mesh;
    const double weight = step->weight;
    const real *RHS = step->RHS, *U = step->U;
    real *other = step->other;
    const int Nx = mesh->Nx, Ny = mesh->Ny;
    const double _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2, factor = mesh->factor;
    double norm = 0.0;
#pragma omp target teams distribute parallel for reduction(+ : norm) map(tofrom : norm)
    for (int part = 0; part < (Ny + CPU_ROWS - 1) / CPU_ROWS; part++) {
        const struct mesh local = {
            .Nx = Nx, .Ny = Ny, ._1bydx2 = _1bydx2, ._1bydy2 = _1bydy2, .factor = factor};
        norm += chebyshev_fused_sum(&local, weight, part, RHS, U, other);
    }
    step->sum = norm;
}
