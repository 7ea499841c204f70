#include "kernels/omp/device/gpu/gpu.h"

enum { THREADS = 256 };

typedef double pair __attribute__((vector_size(16)));

/* RES = RHS - AU, U += RES * D⁻¹. Each thread takes two neighbouring unknowns, by accesses of 16
 * bytes, against Laplacian's direction: it meets first what that has left in the cache. There are
 * as many threads as pairs, or, if the runtime gives fewer, they take several. */
void target_update(const struct mesh *mesh, const double *RHS, const double *AU, double *RES,
                   double *U) {
    const size_t N = mesh_unknowns(mesh);
    const unsigned pairs = (unsigned)((N + 1) / 2);
    const double factor = mesh->factor;
    const int teams = teams_for(pairs, THREADS);
    struct offload_span *span = target_address(span_of(PHASE_UPDATE));
    RHS = target_address(RHS);
    AU = target_address(AU);
    RES = target_address(RES);
    U = target_address(U);

#pragma omp target teams num_teams(teams) thread_limit(THREADS)                                    \
    is_device_ptr(RHS, AU, RES, U, span)
#pragma omp parallel
    {
        const unsigned threads = (unsigned)omp_get_num_threads();
        const unsigned all = (unsigned)omp_get_num_teams() * threads;
        const unsigned me = (unsigned)omp_get_team_num() * threads + (unsigned)omp_get_thread_num();
        span_begin(span, me == 0);
        for (unsigned n = me; n < pairs; n += all) {
            const size_t p = pairs - 1 - n;
            double last;
            if (2 * p + 1 < N) {
                const pair r_res = ((const pair *)RHS)[p] - ((const pair *)AU)[p];
                const pair u = ((const pair *)U)[p];
                ((pair *)RES)[p] = r_res;
                ((pair *)U)[p] = u + r_res * factor;
                last = r_res[0];
            } else { /* the last of an odd number */
                RES[2 * p] = last = RHS[2 * p] - AU[2 * p];
                U[2 * p] += last * factor;
            }
            span_end(span, is_late(n, pairs), last);
        }
    }
}
