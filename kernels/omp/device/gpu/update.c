#include "kernels/omp/device/gpu/gpu.h"

enum { THREADS = 256, PACK = 16 / sizeof(real) };

typedef real pack __attribute__((vector_size(16)));

/* RES = RHS - AU, U += RES * D⁻¹. Each thread takes PACK neighbouring unknowns, by 16-byte
 * accesses. It goes against Laplacian's direction, to start with the data still in the cache.
 * There is one thread per pack; if the runtime starts fewer threads, each takes several. */
void target_update(const struct mesh *mesh, const real *RHS, const real *AU, real *RES, real *U) {
    const size_t N = mesh_unknowns(mesh);
    const unsigned packs = (unsigned)((N + PACK - 1) / PACK);
    const real factor = mesh->factor;
    const int teams = teams_for(packs, THREADS);
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
        for (unsigned n = me; n < packs; n += all) {
            const size_t p = packs - 1 - n;
            real last = 0;
            if ((p + 1) * PACK <= N) {
                const pack r_res = ((const pack *)RHS)[p] - ((const pack *)AU)[p];
                const pack u = ((const pack *)U)[p];
                ((pack *)RES)[p] = r_res;
                ((pack *)U)[p] = u + r_res * factor;
                last = r_res[0];
            } else { /* the unknowns after the last full pack */
                for (size_t id = p * PACK; id < N; id++) {
                    RES[id] = last = RHS[id] - AU[id];
                    U[id] += last * factor;
                }
            }
            span_end(span, is_late(n, packs), last);
        }
    }
}
