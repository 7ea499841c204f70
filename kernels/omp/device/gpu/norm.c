#include "kernels/omp/device/gpu/gpu.h"

/* sum(RES²). Each thread reads four elements at a time, to have more loads under way. */
double target_norm(const struct mesh *mesh, const double *RES, struct offload_sums *sums) {
    const size_t N = mesh_unknowns(mesh), quarter = (N + 3) / 4;
    double *norm = sums->norms, *parts = sums->parts;
    int *finished = &sums->finished;
    char *results = results_of(sums);
    const size_t bytes = results_bytes(sums, 1);
    struct offload_span *span = span_of(sums, PHASE_NORM);

#pragma omp target teams num_teams(SUM_TEAMS) thread_limit(SUM_THREADS) map(always, from           \
                                                                            : results[:bytes])
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        span_begin(span, thread == 0 && omp_get_team_num() == 0);
        const size_t threads = (size_t)omp_get_num_threads();
        const size_t first = (size_t)omp_get_team_num() * threads + (size_t)thread;
        double mine = 0.0;
        for (size_t id = first; id < quarter; id += (size_t)omp_get_num_teams() * threads) {
            const size_t id1 = id + quarter, id2 = id1 + quarter, id3 = id2 + quarter;
            const double r0 = RES[id], r1 = id1 < N ? RES[id1] : 0.0;
            const double r2 = id2 < N ? RES[id2] : 0.0, r3 = id3 < N ? RES[id3] : 0.0;
            mine += (r0 * r0 + r1 * r1) + (r2 * r2 + r3 * r3);
        }
        sum_of_all(mine, norm, finished, parts);
        span_end(span, thread == 0, mine);
    }
    return sums->norms[0];
}
