#include "kernels/omp/device/gpu/gpu.h"

/* sum(RES²). Each thread loads four elements at a time, so that more loads are in flight. It goes
 * against Update's direction, and so starts with the data that Update left in the cache. */
double target_norm(const struct mesh *mesh, const real *RES) {
    const size_t N = mesh_unknowns(mesh), quarter = (N + 3) / 4;
    double *norm = target_scratch->norms, *parts = target_address(target_scratch->parts);
    int *finished = target_address(&target_scratch->finished);
    struct offload_span *spans = target_scratch->spans;
    const int teams = target_scratch->norm_teams;
    const size_t spans_copied = spans_to_copy();
    struct offload_span *span = target_address(span_of(PHASE_NORM));
    RES = target_address(RES);

#pragma omp target teams num_teams(teams) thread_limit(SUM_THREADS)                                \
    map(always, from : spans[:spans_copied]) is_device_ptr(RES, norm, finished, parts, span)
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        span_begin(span, thread == 0 && omp_get_team_num() == 0);
        const size_t threads = (size_t)omp_get_num_threads();
        const size_t first = (size_t)omp_get_team_num() * threads + (size_t)thread;
        double mine = 0.0;
        for (size_t n = first; n < quarter; n += (size_t)omp_get_num_teams() * threads) {
            const size_t id = n, id1 = id + quarter;
            const size_t id2 = id1 + quarter, id3 = id2 + quarter;
            const double r0 = RES[id], r1 = id1 < N ? RES[id1] : 0.0;
            const double r2 = id2 < N ? RES[id2] : 0.0, r3 = id3 < N ? RES[id3] : 0.0;
            mine += (r0 * r0 + r1 * r1) + (r2 * r2 + r3 * r3);
        }
        sum_of_all(mine, norm, finished, parts);
        span_end(span, thread == 0, mine);
    }
    return target_scratch->norms[0];
}
