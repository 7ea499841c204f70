/* The kernels that Chebyshev, red-black SOR and multigrid add (enum method_kernel). */
#include "kernels/omp/device/common/target.h"

#include "kernels/cpu/transfer.h"

/* u⁺ = weight*(u + RES*D⁻¹ - u⁻) + u⁻: Update's step, extended in the direction of the previous
 * step. `other` holds u⁻, and then u⁺. */
static void target_chebyshev_update(struct method_step *step) {
    const size_t N = mesh_unknowns(step->mesh);
    const double factor = step->mesh->factor, weight = step->weight;
    const double *RHS = step->RHS, *AU = step->AU, *U = step->U;
    double *RES = step->RES, *other = step->other;
    struct offload_span *span = span_of(PHASE_UPDATE);

#pragma omp target teams distribute parallel for
    for (size_t id = 0; id < N; id++) {
        span_begin(span, id == 0);
        const double r_res = RHS[id] - AU[id];
        RES[id] = r_res;
        other[id] = weight * (U[id] + r_res * factor - other[id]) + other[id];
        span_end(span, is_late(id, N), other[id]);
    }
}

/* Computes RES of all unknowns and updates those of one colour of the chessboard. */
static void target_colour_update(struct method_step *step) {
    const int Nx = step->mesh->Nx, Ny = step->mesh->Ny, colour = (int)step->colour;
    const double factor = step->mesh->factor, *RHS = step->RHS, *AU = step->AU;
    double *RES = step->RES, *U = step->U;
    struct offload_span *span = span_of(PHASE_UPDATE);

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

/* Relaxes one colour in place: all its neighbours have the other colour. */
static void target_sweep(struct method_step *step) {
    const struct mesh *mesh = step->mesh;
    const int Nx = mesh->Nx, Ny = mesh->Ny, half = (Nx + 1) / 2, colour = (int)step->colour;
    const double *RHS = step->RHS;
    double *U = step->U;
    const double _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2, factor = mesh->factor;
    struct offload_span *span = span_of(PHASE_SWEEP);

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

static struct grids grids_of(const struct method_step *step) {
    return (struct grids){step->mesh->Nx, step->mesh->Ny, step->coarser->Nx, step->coarser->Ny};
}

/* Averages RHS - AU of the finer level into RHS of the coarser one, whose U starts at 0. */
static void target_restriction(struct method_step *step) {
    const struct grids grids = grids_of(step);
    const double *RHS = step->RHS, *AU = step->AU;
    double *coarse_RHS = step->coarser_RHS, *coarse_U = step->coarser_U;

#pragma omp target teams distribute parallel for collapse(2)
    for (int J = 0; J < grids.coarse_Ny; J++)
        for (int I = 0; I < grids.coarse_Nx; I++) {
            const size_t id = (size_t)I + (size_t)J * (size_t)grids.coarse_Nx;
            coarse_RHS[id] = restricted(&grids, I, J, RHS, AU);
            coarse_U[id] = 0.0;
        }
}

/* Adds the coarser level's interpolated U to the finer level's U. */
static void target_prolongation(struct method_step *step) {
    const struct grids grids = grids_of(step);
    const double *coarse_U = step->coarser_U;
    double *U = step->U;

#pragma omp target teams distribute parallel for collapse(2)
    for (int j = 0; j < grids.fine_Ny; j++)
        for (int i = 0; i < grids.fine_Nx; i++)
            U[(size_t)i + (size_t)j * (size_t)grids.fine_Nx] += prolonged(&grids, i, j, coarse_U);
}

/* ---- structured mapping: each kernel's arrays are mapped around it ---- */

static void target_chebyshev_update_structured(struct method_step *step) {
    const size_t N = mesh_unknowns(step->mesh);
    const double *RHS = step->RHS, *AU = step->AU, *U = step->U;
    double *RES = step->RES, *other = step->other;
#pragma omp target data map(to : RHS[:N], AU[:N], U[:N]) map(from : RES[:N]) map(tofrom : other[:N])
    target_chebyshev_update(step);
}

static void target_chebyshev_fused_structured(struct method_step *step) {
    const size_t N = mesh_unknowns(step->mesh);
    const double *RHS = step->RHS, *U = step->U;
    double *other = step->other;
#pragma omp target data map(to : RHS[:N], U[:N]) map(tofrom : other[:N])
    target_chebyshev_fused(step);
}

static void target_colour_update_structured(struct method_step *step) {
    const size_t N = mesh_unknowns(step->mesh);
    const double *RHS = step->RHS, *AU = step->AU;
    double *RES = step->RES, *U = step->U;
#pragma omp target data map(to : RHS[:N], AU[:N]) map(from : RES[:N]) map(tofrom : U[:N])
    target_colour_update(step);
}

static void target_sweep_structured(struct method_step *step) {
    const size_t N = mesh_unknowns(step->mesh);
    double *RHS = step->RHS, *U = step->U;
#pragma omp target data map(to : RHS[:N]) map(tofrom : U[:N])
    target_sweep(step);
}

static void target_restriction_structured(struct method_step *step) {
    const size_t N = mesh_unknowns(step->mesh), M = mesh_unknowns(step->coarser);
    const double *RHS = step->RHS, *AU = step->AU;
    double *coarse_RHS = step->coarser_RHS, *coarse_U = step->coarser_U;
#pragma omp target data map(to : RHS[:N], AU[:N]) map(from : coarse_RHS[:M], coarse_U[:M])
    target_restriction(step);
}

static void target_prolongation_structured(struct method_step *step) {
    const size_t N = mesh_unknowns(step->mesh), M = mesh_unknowns(step->coarser);
    double *coarse_U = step->coarser_U, *U = step->U;
#pragma omp target data map(to : coarse_U[:M]) map(tofrom : U[:N])
    target_prolongation(step);
}

const offload_method target_methods[METHOD_KERNELS] = {
    [CHEBYSHEV_UPDATE] = target_chebyshev_update, [CHEBYSHEV_FUSED] = target_chebyshev_fused,
    [COLOUR_UPDATE] = target_colour_update,       [SWEEP] = target_sweep,
    [RESTRICTION] = target_restriction,           [PROLONGATION] = target_prolongation,
};

const offload_method target_methods_structured[METHOD_KERNELS] = {
    [CHEBYSHEV_UPDATE] = target_chebyshev_update_structured,
    [CHEBYSHEV_FUSED] = target_chebyshev_fused_structured,
    [COLOUR_UPDATE] = target_colour_update_structured,
    [SWEEP] = target_sweep_structured,
    [RESTRICTION] = target_restriction_structured,
    [PROLONGATION] = target_prolongation_structured,
};
