#include "kernels/omp/gpu/sums.h"

/* Unknowns of a column that one thread takes at a time. */
enum { ROWS = 8 };

/* What a fused pass works on; mesh constants by value, so that they reach the kernel as such. */
struct pass {
    int Nx, Ny;
    double _1bydx2, _1bydy2, factor;
    const double *RHS, *U;
    double *U_next;
};

/* A column of `rows` unknowns from (i, j0): all loads first, then the arithmetic, in the same order
 * as the four kernels, so that every iterate has the same bits. Returns sum(RES²). */
static inline double relax_column(const struct pass *pass, int i, int j0, int rows) {
    const size_t Nx = (size_t)pass->Nx, id0 = (size_t)i + (size_t)j0 * Nx;
    const double *U = pass->U + id0, *RHS = pass->RHS + id0;
    double *U_next = pass->U_next + id0;
    double c[ROWS + 2], l[ROWS], r[ROWS], f[ROWS], norm = 0.0;

    c[0] = j0 == 0 ? 0.0 : U[-(ptrdiff_t)Nx];
#pragma unroll
    for (int k = 0; k < ROWS; k++)
        if (k < rows) {
            c[k + 1] = U[(size_t)k * Nx];
            l[k] = i == 0 ? 0.0 : U[(ptrdiff_t)((size_t)k * Nx) - 1];
            r[k] = i == pass->Nx - 1 ? 0.0 : U[(size_t)k * Nx + 1];
            f[k] = RHS[(size_t)k * Nx];
        }
#pragma unroll
    for (int k = 0; k < ROWS; k++)
        if (k == rows - 1)
            c[k + 2] = j0 + rows == pass->Ny ? 0.0 : U[(size_t)rows * Nx];
#pragma unroll
    for (int k = 0; k < ROWS; k++)
        if (k < rows) {
            const double r_res = f[k] - ((-l[k] + 2 * c[k + 1] - r[k]) * pass->_1bydx2 +
                                         (-c[k] + 2 * c[k + 1] - c[k + 2]) * pass->_1bydy2);
            U_next[(size_t)k * Nx] = c[k + 1] + r_res * pass->factor;
            norm += r_res * r_res;
        }
    return norm;
}

/* Laplacian, BoundaryConditions, Update and Norm of every unknown in one pass: U and RHS are read
 * once, U_next is written once, AU and RES never reach memory. */
double target_fused(const struct mesh *mesh, const double *RHS, const double *U, double *U_next,
                    struct offload_sums *sums) {
    const int Nx = mesh->Nx, Ny = mesh->Ny;
    const double _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2, factor = mesh->factor;
    const size_t columns = (size_t)((Ny + ROWS - 1) / ROWS) * (size_t)Nx;
    double *norm = &sums->norm, *parts = sums->parts;
    int *finished = &sums->finished;

#pragma omp target teams num_teams(SUM_TEAMS) thread_limit(SUM_THREADS) map(always, from : norm[:1])
#pragma omp parallel
    {
        const struct pass pass = {Nx, Ny, _1bydx2, _1bydy2, factor, RHS, U, U_next};
        const unsigned threads = (unsigned)omp_get_num_threads();
        const unsigned first = (unsigned)omp_get_team_num() * threads;
        double mine = 0.0;
        for (size_t column = first + (unsigned)omp_get_thread_num(); column < columns;
             column += (unsigned)omp_get_num_teams() * threads) {
            /* Fewer than 2³² columns: Ny ≤ 65536 rows by 8. */
            const int strip = (int)((unsigned)column / (unsigned)Nx);
            const int i = (int)((unsigned)column % (unsigned)Nx);
            const int j0 = strip * ROWS;
            mine += Ny - j0 >= ROWS ? relax_column(&pass, i, j0, ROWS)
                                    : relax_column(&pass, i, j0, Ny - j0);
        }
        sum_of_all(mine, norm, finished, parts);
    }
    return sums->norm;
}

double target_fused_structured(const struct mesh *mesh, const double *RHS, const double *U,
                               double *U_next, struct offload_sums *sums) {
    const size_t N = unknowns(mesh);
    double norm;
#pragma omp target data map(to : RHS[:N], U[:N]) map(from : U_next[:N])
    norm = target_fused(mesh, RHS, U, U_next, sums);
    return norm;
}
