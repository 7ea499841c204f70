#include "kernels/omp/device/common/target.h"

/* The same formula next to the boundary, where a neighbour outside the grid counts as 0. The loop
 * visits these unknowns as one line: bottom, top, then the left and right columns between them. So
 * it visits none twice. */
void target_boundary(const struct mesh *mesh, const real *U, real *AU) {
    const int Nx = mesh->Nx, Ny = mesh->Ny, side = Ny > 2 ? Ny - 2 : 0;
    const int flat = Ny > 1 ? 2 * Nx : Nx, upright = Nx > 1 ? 2 * side : side;
    const real _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2;
    struct offload_span *span = target_address(span_of(PHASE_BOUNDARY));
    U = target_address(U);
    AU = target_address(AU);

#pragma omp target teams distribute parallel for thread_limit(64) is_device_ptr(U, AU, span)
    for (int id = 0; id < flat + upright; id++) {
        span_begin(span, id == 0);
        int i, j;
        if (id < Nx) { /* bottom */
            i = id;
            j = 0;
        } else if (id < flat) { /* top */
            i = id - Nx;
            j = Ny - 1;
        } else if (id < flat + side) { /* left */
            i = 0;
            j = 1 + id - flat;
        } else { /* right */
            i = Nx - 1;
            j = 1 + id - flat - side;
        }
        const size_t iid = (size_t)i + (size_t)j * (size_t)Nx;
        const real U_d = j == 0 ? 0 : U[iid - (size_t)Nx];
        const real U_u = j == Ny - 1 ? 0 : U[iid + (size_t)Nx];
        const real U_l = i == 0 ? 0 : U[iid - 1];
        const real U_r = i == Nx - 1 ? 0 : U[iid + 1];

        AU[iid] = (-U_l + 2 * U[iid] - U_r) * _1bydx2 + (-U_d + 2 * U[iid] - U_u) * _1bydy2;
        span_end(span, is_late((size_t)id, (size_t)(flat + upright)), AU[iid]);
    }
}
