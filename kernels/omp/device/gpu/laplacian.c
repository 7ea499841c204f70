#include "kernels/omp/device/gpu/gpu.h"

/* Unknowns of a column that one thread computes, one above the other. */
enum { ROWS = 32 / sizeof(real), THREADS = 256 };

/* AU_i,j = (-U_i-1,j + 2U_i,j - U_i+1,j)/dx² + (-U_i,j-1 + 2U_i,j - U_i,j+1)/dy²
 * for the unknowns whose four neighbours are unknowns too. A loaded row of U serves as up, centre
 * and down. It is loaded as memory that the kernel does not write, so loads never wait for stores.
 * AU is stored non-temporally: the cache keeps U. There is one thread per column of ROWS unknowns.
 * A thread needs 32 registers without a loop and 36 with one; then a quarter fewer threads would
 * fit. */
void target_laplacian(const struct mesh *mesh, const real *U, real *AU) {
    const int Nx = mesh->Nx, last_row = mesh->Ny - 2;
    const real _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2;
    const unsigned strips = last_row > 0 ? ((unsigned)last_row + ROWS - 1) / ROWS : 0;
    const unsigned columns = strips * (unsigned)Nx;
    const int teams = teams_for(columns, THREADS);
    struct offload_span *span = target_address(span_of(PHASE_LAPLACIAN));
    U = target_address(U);
    AU = target_address(AU);

#pragma omp target teams num_teams(teams) thread_limit(THREADS) is_device_ptr(U, AU, span)
#pragma omp parallel
    {
        const unsigned threads = (unsigned)omp_get_num_threads();
        const unsigned all = (unsigned)omp_get_num_teams() * threads;
        const unsigned me = (unsigned)omp_get_team_num() * threads + (unsigned)omp_get_thread_num();
        real last = 0;
        span_begin(span, me == 0);
        const int i = (int)(me % (unsigned)Nx), begin = 1 + (int)(me / (unsigned)Nx) * ROWS;
        if (me < columns && i >= 1 && i <= Nx - 2) {
            ptrdiff_t id = i + (ptrdiff_t)begin * Nx;
            real U_d = unwritten(&U[id - Nx]), U_c = unwritten(&U[id]);
#pragma unroll
            for (int n = 0; n < ROWS; n++, id += Nx)
                if (begin + n <= last_row) {
                    const real U_u = unwritten(&U[id + Nx]);
                    last = (-unwritten(&U[id - 1]) + 2 * U_c - unwritten(&U[id + 1])) * _1bydx2 +
                           (-U_d + 2 * U_c - U_u) * _1bydy2;
                    __builtin_nontemporal_store(last, &AU[id]);
                    U_d = U_c;
                    U_c = U_u;
                }
        }
        /* If the runtime starts fewer threads: the remaining unknowns, one by one. */
#pragma unroll 1
        for (unsigned column = me + all; column < columns; column += all)
#pragma unroll 1
            for (int n = 0; n < ROWS; n++) {
                const int column_i = (int)(column % (unsigned)Nx);
                const int row = 1 + (int)(column / (unsigned)Nx) * ROWS + n;
                const ptrdiff_t id = column_i + (ptrdiff_t)row * Nx;
                if (column_i >= 1 && column_i <= Nx - 2 && row <= last_row)
                    AU[id] = (-U[id - 1] + 2 * U[id] - U[id + 1]) * _1bydx2 +
                             (-U[id - Nx] + 2 * U[id] - U[id + Nx]) * _1bydy2;
            }
        span_end(span, is_late(me, all), last);
    }
}
