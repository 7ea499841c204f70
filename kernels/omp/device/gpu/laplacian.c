#include "kernels/omp/device/gpu/gpu.h"

/* Unknowns of a column that one thread takes at a time; teams, as many as an H200 holds at once. */
enum { ROWS = 8, TEAMS = 264, THREADS = 256 };

/* AU_i,j = (-U_i-1,j + 2U_i,j - U_i+1,j)/dx² + (-U_i,j-1 + 2U_i,j - U_i,j+1)/dy²
 * for the unknowns whose four neighbours are unknowns too. A row of U that a thread has loaded
 * serves as up, centre and down, and all loads of a column come first, so that they are under way
 * together. What is left over at the top is done one by one. */
void target_laplacian(const struct mesh *mesh, const double *U, double *AU,
                      struct offload_sums *sums) {
    const int localNx = mesh->Nx > 2 ? mesh->Nx - 2 : 0, localNy = mesh->Ny > 2 ? mesh->Ny - 2 : 0;
    const double _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2;
    const ptrdiff_t stride = mesh->Nx;
    const unsigned columns = (unsigned)(localNy / ROWS) * (unsigned)localNx;
    const unsigned left_over = (unsigned)(localNy % ROWS) * (unsigned)localNx;
    struct offload_span *span = span_of(sums, PHASE_LAPLACIAN);

#pragma omp target teams num_teams(TEAMS) thread_limit(THREADS)
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        span_begin(span, thread == 0 && omp_get_team_num() == 0);
        const unsigned threads = (unsigned)omp_get_num_threads();
        const unsigned all = (unsigned)omp_get_num_teams() * threads;
        const unsigned me = (unsigned)omp_get_team_num() * threads + (unsigned)thread;
        double last = 0.0;
        for (unsigned column = me; column < columns; column += all) {
            const ptrdiff_t id =
                1 + column % (unsigned)localNx + (1 + column / (unsigned)localNx * ROWS) * stride;
            double c[ROWS + 2], l[ROWS], r[ROWS];
#pragma unroll
            for (int k = 0; k < ROWS + 2; k++)
                c[k] = U[id + (k - 1) * stride];
#pragma unroll
            for (int k = 0; k < ROWS; k++) {
                l[k] = U[id + k * stride - 1];
                r[k] = U[id + k * stride + 1];
            }
#pragma unroll
            for (int k = 0; k < ROWS; k++)
                AU[id + k * stride] = last = (-l[k] + 2 * c[k + 1] - r[k]) * _1bydx2 +
                                             (-c[k] + 2 * c[k + 1] - c[k + 2]) * _1bydy2;
        }
        for (unsigned n = me; n < left_over; n += all) {
            const ptrdiff_t id =
                1 + n % (unsigned)localNx + (localNy - n / (unsigned)localNx) * stride;
            AU[id] = last = (-U[id - 1] + 2 * U[id] - U[id + 1]) * _1bydx2 +
                            (-U[id - stride] + 2 * U[id] - U[id + stride]) * _1bydy2;
        }
        span_end(span, thread == 0, last);
    }
}
