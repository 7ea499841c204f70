/* Fused on a GPU: Laplacian, BoundaryConditions, Update and Norm of every unknown in one pass. */
#include "kernels/omp/device/gpu/gpu.h"

enum { ROWS = 32 / sizeof(real) }; /* unknowns of a column that one thread computes together */

/* The data of a fused pass. Mesh constants are passed to the kernel by value. */
struct pass {
    int Nx, Ny;
    int first, last; /* the pass computes the rows from first to last - 1 */
    real _1bydx2, _1bydy2, factor;
    bool backwards; /* columns from the last to the first */
    real weight;    /* for Chebyshev */
    const real *RHS, *U;
    real *U_next;
};

/* Relaxes a column of ROWS unknowns from (i, j0). All loads come first, by the load for memory that
 * the kernel does not write. The arithmetic follows in the order of the four kernels, so every
 * iterate has the same bits. `further`: Chebyshev's step, from the previous iterate in U_next.
 * Returns sum(RES²). */
static inline __attribute__((always_inline)) double relax_column(const struct pass *pass, int i,
                                                                 int j0, const bool further) {
    const ptrdiff_t Nx = pass->Nx, id0 = i + j0 * Nx;
    const real *U = pass->U + id0, *RHS = pass->RHS + id0;
    real *U_next = pass->U_next + id0;
    real c[ROWS + 2], l[ROWS], r[ROWS], f[ROWS], old[ROWS];
    double norm = 0.0;

    c[0] = j0 == 0 ? 0 : U[-Nx];
    c[ROWS + 1] = j0 + ROWS == pass->Ny ? 0 : U[ROWS * Nx];
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        c[k + 1] = U[k * Nx];
        l[k] = i == 0 ? 0 : U[k * Nx - 1];
        r[k] = i == pass->Nx - 1 ? 0 : U[k * Nx + 1];
        f[k] = RHS[k * Nx];
        old[k] = further ? U_next[k * Nx] : 0;
    }
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        const real r_res = f[k] - ((-l[k] + 2 * c[k + 1] - r[k]) * pass->_1bydx2 +
                                   (-c[k] + 2 * c[k + 1] - c[k + 2]) * pass->_1bydy2);
        const real relaxed = c[k + 1] + r_res * pass->factor;
        U_next[k * Nx] = further ? pass->weight * (relaxed - old[k]) + old[k] : relaxed;
        norm += (double)r_res * r_res;
    }
    return norm;
}

/* Relaxes one unknown, for the remaining rows at the top. */
static inline __attribute__((always_inline)) double relax(const struct pass *pass, int i, int j,
                                                          const bool further) {
    const ptrdiff_t Nx = pass->Nx, id = i + j * Nx;
    const real *U = pass->U + id;
    const real l = i == 0 ? 0 : U[-1], r = i == pass->Nx - 1 ? 0 : U[1];
    const real d = j == 0 ? 0 : U[-Nx], u = j == pass->Ny - 1 ? 0 : U[Nx];
    const real r_res =
        pass->RHS[id] - ((-l + 2 * U[0] - r) * pass->_1bydx2 + (-d + 2 * U[0] - u) * pass->_1bydy2);
    const real relaxed = U[0] + r_res * pass->factor, old = further ? pass->U_next[id] : 0;
    pass->U_next[id] = further ? pass->weight * (relaxed - old) + old : relaxed;
    return (double)r_res * r_res;
}

/* Relaxes a thread's part of the grid: columns assigned in turn, then the remaining rows at the
 * top. Passes alternate between forwards and backwards, so each pass starts with the data that the
 * previous pass left in the cache. */
static inline __attribute__((always_inline)) double relax_part(const struct pass *pass,
                                                               const bool further) {
    /* At most 65536² unknowns: 2²⁹ columns. */
    const unsigned Nx = (unsigned)pass->Nx, count = (unsigned)(pass->last - pass->first);
    const unsigned columns = count / ROWS * Nx, left_over = count % ROWS * Nx;
    const unsigned threads = (unsigned)omp_get_num_threads();
    const unsigned all = (unsigned)omp_get_num_teams() * threads;
    const unsigned me = (unsigned)omp_get_team_num() * threads + (unsigned)omp_get_thread_num();
    double mine = 0.0;
    for (unsigned n = me; n < columns; n += all) {
        const unsigned column = pass->backwards ? columns - 1 - n : n;
        mine += relax_column(pass, (int)(column % Nx), pass->first + (int)(column / Nx) * ROWS,
                             further);
    }
    for (unsigned id = me; id < left_over; id += all)
        mine += relax(pass, (int)(id % Nx), pass->last - 1 - (int)(id / Nx), further);
    return mine;
}

/* Laplacian, BoundaryConditions, Update and Norm of every unknown in one pass: U and RHS are read
 * once, U_next is written once, and AU and RES are never stored. */
double target_fused(const struct mesh *mesh, struct row_range rows, const real *RHS, const real *U,
                    real *U_next) {
    const int Nx = mesh->Nx, Ny = mesh->Ny, first = rows.begin, last = rows.end;
    const real _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2, factor = mesh->factor;
    double *norm = target_scratch->norms, *parts = target_address(target_scratch->parts);
    int *finished = target_address(&target_scratch->finished);
    struct offload_span *spans = target_scratch->spans;
    const int teams = target_scratch->fused_teams;
    const bool backwards = target_scratch->backwards;
    const size_t spans_copied = spans_to_copy();
    struct offload_span *span = target_address(span_of(PHASE_FUSED));
    RHS = target_address(RHS);
    U = target_address(U);
    U_next = target_address(U_next);

#pragma omp target teams num_teams(teams) thread_limit(SUM_THREADS) map(always, from               \
                                                                        : spans[:spans_copied])    \
    is_device_ptr(RHS, U, U_next, norm, finished, parts, span)
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        span_begin(span, thread == 0 && omp_get_team_num() == 0);
        const struct pass pass = {Nx,     Ny,        first, last, _1bydx2, _1bydy2,
                                  factor, backwards, 0.0,   RHS,  U,       U_next};
        const double mine = relax_part(&pass, false);
        sum_of_all(mine, norm, finished, parts);
        span_end(span, thread == 0, mine);
    }
    return target_scratch->norms[0];
}

/* The same for Chebyshev, which also reads u⁻. */
void target_chebyshev_fused(struct method_step *step) {
    const struct mesh *mesh = step->mesh;
    const real weight = (real)step->weight, *RHS = step->RHS, *U = step->U;
    real *other = step->other;
    const int Nx = mesh->Nx, Ny = mesh->Ny;
    const real _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2, factor = mesh->factor;
    double *norm = target_scratch->norms, *parts = target_address(target_scratch->parts);
    int *finished = target_address(&target_scratch->finished);
    struct offload_span *spans = target_scratch->spans;
    const int teams = target_scratch->fused_teams;
    const bool backwards = target_scratch->backwards;
    const size_t spans_copied = spans_to_copy();
    struct offload_span *span = target_address(span_of(PHASE_FUSED));
    RHS = target_address(RHS);
    U = target_address(U);
    other = target_address(other);

#pragma omp target teams num_teams(teams) thread_limit(SUM_THREADS) map(always, from               \
                                                                        : spans[:spans_copied])    \
    is_device_ptr(RHS, U, other, norm, finished, parts, span)
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        span_begin(span, thread == 0 && omp_get_team_num() == 0);
        const struct pass pass = {Nx,     Ny,        0,      Ny,  _1bydx2, _1bydy2,
                                  factor, backwards, weight, RHS, U,       other};
        const double mine = relax_part(&pass, true);
        sum_of_all(mine, norm, finished, parts);
        span_end(span, thread == 0, mine);
    }
    step->sum = target_scratch->norms[0];
}
