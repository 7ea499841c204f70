#include "kernels/cpu/depth.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/system.h"
#include "kernels/cpu/cpu_name.h"
#include "solver/depth_cache.h"

enum { FALLBACK = 8, TRIAL_ROWS = 384, TRIAL_COLUMNS = 4096, REPEATS = 3 };

static const int candidates[] = {4, 8, 12, 16, 24, 32};

/* Large enough to behave like the whole grid, small enough to be quick. */
static struct mesh trial_mesh(const struct mesh *mesh, int threads) {
    const long rows = (long)TRIAL_ROWS * threads;
    return mesh_make(mesh->Nx < TRIAL_COLUMNS ? mesh->Nx : TRIAL_COLUMNS,
                     rows < mesh->Ny ? (int)rows : mesh->Ny);
}

/* Nanoseconds of a pass, infinite where there is no memory for it. */
static double time_pass(const struct host_kernels *kernels, const struct mesh *mesh, int depth,
                        const double *RHS, double *U, double *U_next) {
    double sums[SCHEDULE_MAX_DEPTH];
    void *work = kernels->blocked_open(mesh, depth);
    if (!work)
        return INFINITY;
    const int64_t start = clock_now_ns();
    kernels->blocked(mesh, depth, RHS, U, U_next, sums, work);
    const int64_t end = clock_now_ns();
    free(work);
    return (double)(end - start);
}

/* All in turn, several times, and the best time of each: whatever else the machine is busy with
 * should not decide. */
static int try_depths(const struct host_kernels *kernels, const struct mesh *mesh, double *arrays) {
    const size_t N = mesh_unknowns(mesh);
    double *U = arrays, *U_next = arrays + N, *RHS = arrays + 2 * N;
    int best = FALLBACK;
    double least = INFINITY;
    kernels->initialize(problem_find("manufactured"), mesh, U, RHS, U_next, NULL);
    for (int repeat = 0; repeat < REPEATS; repeat++)
        for (size_t c = 0; c < sizeof candidates / sizeof *candidates; c++) {
            const int depth = candidates[c];
            const double ns = time_pass(kernels, mesh, depth, RHS, U, U_next) / depth;
            if (ns < least) {
                least = ns;
                best = depth;
            }
        }
    return best;
}

int host_depth(const struct host_kernels *kernels, const struct mesh *mesh, int threads) {
    char key[320], cpu[160];
    snprintf(key, sizeof key, "%s, %s, %d threads, %dx%d", kernels->name,
             host_cpu_name(cpu, sizeof cpu), threads, mesh->Nx, mesh->Ny);
    const int known = depth_cache_find(key);
    if (known)
        return known;
    const struct mesh trial = trial_mesh(mesh, threads);
    double *arrays = malloc(3 * mesh_unknowns(&trial) * sizeof *arrays);
    if (!arrays)
        return FALLBACK;
    const int depth = try_depths(kernels, &trial, arrays);
    free(arrays);
    depth_cache_keep(key, depth);
    return depth;
}
