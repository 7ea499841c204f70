#include "kernels/omp/device/common/target.h"

/* The blog's four kernels with the directives printed there, before any tuning: the compiler
 * chooses the teams and threads, and Norm leaves its sum to `reduction`. Their optimised versions
 * are in laplacian.c, boundary.c, update.c and norm.c. We added the lines that read the device's
 * clock where a region begins and ends, and the changes that a kernel's comment names. */

void target_plain_laplacian(const struct mesh *mesh, const real *U, real *AU) {
    const size_t stride = (size_t)mesh->Nx;
    const int localNx = mesh->Nx - 2, localNy = mesh->Ny - 2;
    const real _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2;
    const int late = localNy - SPAN_LAST / mesh->Nx;
    struct offload_span *span = span_of(PHASE_LAPLACIAN);

#pragma omp target teams distribute parallel for collapse(2)
    for (int j = 0; j < localNy; j++)
        for (int i = 0; i < localNx; i++) {
            span_begin(span, j == 0 && i == 0);
            const size_t id = (size_t)(i + 1) + (size_t)(j + 1) * stride;
            const size_t id_l = id - 1, id_r = id + 1;
            const size_t id_d = id - stride, id_u = id + stride;

            AU[id] = (-U[id_l] + 2 * U[id] - U[id_r]) * _1bydx2 +
                     (-U[id_d] + 2 * U[id] - U[id_u]) * _1bydy2;
            span_end(span, j >= late && i % SPAN_EVERY == 0, AU[id]);
        }
}

/* The blog's loop visits both upper corners twice. This loop visits each unknown once, so that no
 * two threads write the same one. */
void target_plain_boundary(const struct mesh *mesh, const real *U, real *AU) {
    const int Nx = mesh->Nx, Ny = mesh->Ny, side = Ny > 2 ? Ny - 2 : 0;
    const int flat = Ny > 1 ? 2 * Nx : Nx, upright = Nx > 1 ? 2 * side : side;
    const real _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2;
    struct offload_span *span = span_of(PHASE_BOUNDARY);

#pragma omp target teams distribute parallel for
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

void target_plain_update(const struct mesh *mesh, const real *RHS, const real *AU, real *RES,
                         real *U) {
    const size_t N = mesh_unknowns(mesh);
    const real factor = mesh->factor;
    struct offload_span *span = span_of(PHASE_UPDATE);

#pragma omp target teams distribute parallel for
    for (size_t id = 0; id < N; id++) {
        span_begin(span, id == 0);
        const real r_res = RHS[id] - AU[id];
        RES[id] = r_res;
        U[id] += r_res * factor;
        span_end(span, is_late(id, N), U[id]);
    }
}

/* Copies the spans to the host; Norm's sum arrives by `reduction`. */
static void fetch_spans(void) {
    struct offload_span *spans = target_scratch->spans;
#pragma omp target update from(spans[:OFFLOAD_PHASES])
}

/* The blog weights each square by dx*dy; here the caller does so for all schedules. */
double target_plain_norm(const struct mesh *mesh, const real *RES) {
    const size_t N = mesh_unknowns(mesh);
    double norm = 0.0;
    struct offload_span *span = span_of(PHASE_NORM);

#pragma omp target teams distribute parallel for reduction(+ : norm)
    for (size_t id = 0; id < N; id++) {
        span_begin(span, id == 0);
        const double r_res = RES[id];
        norm += r_res * r_res;
        span_end(span, is_late(id, N), RES[id]);
    }
    if (target_scratch->timed)
        fetch_spans();
    return norm;
}
