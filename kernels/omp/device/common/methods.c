/* What Chebyshev, red-black SOR and multigrid add to the phases; shapes as in
 * kernels/cpu/methods.h. Each region with its arrays mapped around it stands below. */
#include "kernels/omp/device/common/target.h"

#include "kernels/cpu/transfer.h"

/* u⁺ = weight*(u + RES*D⁻¹ - u⁻) + u⁻: Update's step, and further in the same direction. `other` is
 * u⁻, and becomes u⁺. */
void target_chebyshev_update(const struct mesh *mesh, double weight, const double *RHS,
                             const double *AU, double *RES, const double *U, double *other,
                             struct device_scratch *scratch) {
    const size_t N = mesh_unknowns(mesh);
    const double factor = mesh->factor;
    struct offload_span *span = span_of(scratch, PHASE_UPDATE);

#pragma omp target teams distribute parallel for
    for (size_t id = 0; id < N; id++) {
        span_begin(span, id == 0);
        const double r_res = RHS[id] - AU[id];
        RES[id] = r_res;
        other[id] = weight * (U[id] + r_res * factor - other[id]) + other[id];
        span_end(span, is_late(id, N), other[id]);
    }
}

/* RES of all unknowns, the step of one colour of the chessboard. */
void target_colour_update(const struct mesh *mesh, int colour, const double *RHS, const double *AU,
                          double *RES, double *U, struct device_scratch *scratch) {
    const int Nx = mesh->Nx, Ny = mesh->Ny;
    const double factor = mesh->factor;
    struct offload_span *span = span_of(scratch, PHASE_UPDATE);

#pragma omp target teams distribute parallel for collapse(2)
    for (int j = 0; j < Ny; j++)
        for (int i = 0; i < Nx; i++) {
            const size_t id = (size_t)i + (size_t)j * (size_t)Nx;
            span_begin(span, id == 0);
            const double r_res = RHS[id] - AU[id];
            RES[id] = r_res;
            if ((i + j) % 2 == colour)
                U[id] += r_res * factor;
            span_end(span, is_late(id, (size_t)Nx * (size_t)Ny), r_res);
        }
}

/* Relaxes one colour in place: its neighbours are all of the other one. */
void target_sweep(const struct mesh *mesh, int colour, const double *RHS, double *U,
                  struct device_scratch *scratch) {
    const int Nx = mesh->Nx, Ny = mesh->Ny, half = (Nx + 1) / 2;
    const double _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2, factor = mesh->factor;
    struct offload_span *span = span_of(scratch, PHASE_SWEEP);

#pragma omp target teams distribute parallel for collapse(2)
    for (int j = 0; j < Ny; j++)
        for (int k = 0; k < half; k++) {
            const int i = 2 * k + (j + colour) % 2;
            span_begin(span, j == 0 && k == 0);
            if (i < Nx) {
                const size_t id = (size_t)i + (size_t)j * (size_t)Nx;
                const double l = i > 0 ? U[id - 1] : 0.0, r = i < Nx - 1 ? U[id + 1] : 0.0;
                const double d = j > 0 ? U[id - (size_t)Nx] : 0.0;
                const double u = j < Ny - 1 ? U[id + (size_t)Nx] : 0.0;
                const double r_res =
                    RHS[id] - ((-l + 2 * U[id] - r) * _1bydx2 + (-d + 2 * U[id] - u) * _1bydy2);
                U[id] += r_res * factor;
            }
            span_end(span, is_late((size_t)k + (size_t)j * (size_t)half, (size_t)half * (size_t)Ny),
                     RHS[(size_t)j * (size_t)Nx]);
        }
}

/* RHS - AU of the finer level, averaged: the coarser one's RHS, whose U begins with 0. */
void target_restriction(const struct mesh *fine, const struct mesh *coarse, const double *RHS,
                        const double *AU, double *coarse_RHS, double *coarse_U) {
    const struct grids grids = {fine->Nx, fine->Ny, coarse->Nx, coarse->Ny};

#pragma omp target teams distribute parallel for collapse(2)
    for (int J = 0; J < grids.coarse_Ny; J++)
        for (int I = 0; I < grids.coarse_Nx; I++) {
            const size_t id = (size_t)I + (size_t)J * (size_t)grids.coarse_Nx;
            coarse_RHS[id] = restricted(&grids, I, J, RHS, AU);
            coarse_U[id] = 0.0;
        }
}

/* U of the finer level grows by the coarser one's, interpolated. */
void target_prolongation(const struct mesh *fine, const struct mesh *coarse, const double *coarse_U,
                         double *U) {
    const struct grids grids = {fine->Nx, fine->Ny, coarse->Nx, coarse->Ny};

#pragma omp target teams distribute parallel for collapse(2)
    for (int j = 0; j < grids.fine_Ny; j++)
        for (int i = 0; i < grids.fine_Nx; i++)
            U[(size_t)i + (size_t)j * (size_t)grids.fine_Nx] += prolonged(&grids, i, j, coarse_U);
}

/* ---- structured: each with its arrays mapped around it ---- */

void target_chebyshev_update_structured(const struct mesh *mesh, double weight, const double *RHS,
                                        const double *AU, double *RES, const double *U,
                                        double *other, struct device_scratch *scratch) {
    const size_t N = mesh_unknowns(mesh);
#pragma omp target data map(to : RHS[:N], AU[:N], U[:N]) map(from : RES[:N]) map(tofrom : other[:N])
    target_chebyshev_update(mesh, weight, RHS, AU, RES, U, other, scratch);
}

void target_colour_update_structured(const struct mesh *mesh, int colour, const double *RHS,
                                     const double *AU, double *RES, double *U,
                                     struct device_scratch *scratch) {
    const size_t N = mesh_unknowns(mesh);
#pragma omp target data map(to : RHS[:N], AU[:N]) map(from : RES[:N]) map(tofrom : U[:N])
    target_colour_update(mesh, colour, RHS, AU, RES, U, scratch);
}

void target_sweep_structured(const struct mesh *mesh, int colour, const double *RHS, double *U,
                             struct device_scratch *scratch) {
    const size_t N = mesh_unknowns(mesh);
#pragma omp target data map(to : RHS[:N]) map(tofrom : U[:N])
    target_sweep(mesh, colour, RHS, U, scratch);
}

void target_restriction_structured(const struct mesh *fine, const struct mesh *coarse,
                                   const double *RHS, const double *AU, double *coarse_RHS,
                                   double *coarse_U) {
    const size_t N = mesh_unknowns(fine), M = mesh_unknowns(coarse);
#pragma omp target data map(to : RHS[:N], AU[:N]) map(from : coarse_RHS[:M], coarse_U[:M])
    target_restriction(fine, coarse, RHS, AU, coarse_RHS, coarse_U);
}

void target_prolongation_structured(const struct mesh *fine, const struct mesh *coarse,
                                    const double *coarse_U, double *U) {
    const size_t N = mesh_unknowns(fine), M = mesh_unknowns(coarse);
#pragma omp target data map(to : coarse_U[:M]) map(tofrom : U[:N])
    target_prolongation(fine, coarse, coarse_U, U);
}

double target_chebyshev_fused_structured(const struct mesh *mesh, double weight, const double *RHS,
                                         const double *U, double *other,
                                         struct device_scratch *scratch) {
    const size_t N = mesh_unknowns(mesh);
    double norm;
#pragma omp target data map(to : RHS[:N], U[:N]) map(tofrom : other[:N])
    norm = target_chebyshev_fused(mesh, weight, RHS, U, other, scratch);
    return norm;
}

const struct offload_methods target_methods = {
    .chebyshev_update = target_chebyshev_update,
    .colour_update = target_colour_update,
    .sweep = target_sweep,
    .restriction = target_restriction,
    .prolongation = target_prolongation,
    .chebyshev_fused = target_chebyshev_fused,
};

const struct offload_methods target_methods_structured = {
    .chebyshev_update = target_chebyshev_update_structured,
    .colour_update = target_colour_update_structured,
    .sweep = target_sweep_structured,
    .restriction = target_restriction_structured,
    .prolongation = target_prolongation_structured,
    .chebyshev_fused = target_chebyshev_fused_structured,
};
