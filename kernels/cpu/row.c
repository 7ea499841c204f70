#include "kernels/cpu/row.h"

#include <stdint.h>
#include <unistd.h>

/* The heart of the fast schedules. Neighbouring unknowns don't depend on each other, so the
 * compiler computes 8 (AVX-512), 4 (AVX, FMA) or 2 of them at once; CPU_CLONES makes it do so for
 * each kind of CPU, and the program takes the best one that it meets when it starts. */
static inline __attribute__((always_inline)) double
relax_span(const struct mesh *mesh, int count, const double *restrict RHS,
           const double *restrict down, const double *restrict here, const double *restrict up,
           double *restrict next) {
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < count; i++) {
        double r_res;
        next[i] =
            cpu_relax(mesh, here[i - 1], here[i + 1], down[i], up[i], here[i], RHS[i], &r_res);
        sum += r_res * r_res;
    }
    return sum;
}

CPU_CLONES
double cpu_relax_row(const struct mesh *mesh, int count, const double *restrict RHS,
                     const double *restrict down, const double *restrict here,
                     const double *restrict up, double *restrict next) {
    const struct mesh local = *mesh; /* in registers: `next` can't change it */
    return relax_span(&local, count, RHS, down, here, up, next);
}

CPU_CLONES
void cpu_relax_two_rows(const struct mesh *mesh, int count, const struct cpu_row *first,
                        const struct cpu_row *second, double sums[2]) {
    const struct mesh local = *mesh;
    const double *RHS = first->RHS, *RHS_above = second->RHS, *down = first->down,
                 *here = first->here, *above = second->here, *up = second->up;
    double *next = first->next, *next_above = second->next;
    double sum = 0.0, sum_above = 0.0;
#pragma omp simd reduction(+ : sum, sum_above)
    for (int i = 0; i < count; i++) {
        const double c = here[i], c_above = above[i];
        double r_res, r_above;
        next[i] = cpu_relax(&local, here[i - 1], here[i + 1], down[i], c_above, c, RHS[i], &r_res);
        next_above[i] = cpu_relax(&local, above[i - 1], above[i + 1], c, up[i], c_above,
                                  RHS_above[i], &r_above);
        sum += r_res * r_res;
        sum_above += r_above * r_above;
    }
    sums[0] = sum;
    sums[1] = sum_above;
}

/* As cpu_relax_row for CPU_ROWS rows, one above the other, but the next iterates go to memory past
 * the caches. A plain store first reads the cache line that it is going to overwrite: 32 bytes per
 * lattice update instead of 24. So a piece of a row is computed into a buffer that stays in the L1
 * cache and sent off from there.
 *
 * The rows advance together, a piece of each in turn, because one row alone asks memory for too
 * little at a time; the hardware follows each row as a stream. Each is a piece behind the row
 * below it: on grids whose rows are a power of two apart they would otherwise all meet in the same
 * few places of the L1 cache. */
CPU_CLONES
static double relax_rows_streamed(const struct mesh *mesh, int count, const double *RHS,
                                  const double *U, double *next) {
    enum { PIECE = 32 };
    const struct mesh local = *mesh;
    const size_t Nx = (size_t)mesh->Nx;
    _Alignas(CACHE_LINE) double piece[PIECE];
    double sum = 0.0;
    int at[CPU_ROWS]; /* how far each row has come */
    for (int row = 0; row < CPU_ROWS; row++) {
        const size_t id = (size_t)row * Nx;
        const int unaligned = (int)((uintptr_t)(next + id) % CACHE_LINE / sizeof *next);
        const int head = (LINE_DOUBLES - unaligned) % LINE_DOUBLES + (CPU_ROWS - 1 - row) * PIECE;
        at[row] = head < count ? head : count;
        sum += relax_span(&local, at[row], RHS + id, U + id - Nx, U + id, U + id + Nx, next + id);
    }
    while (at[0] + PIECE <= count)
        for (int row = 0; row < CPU_ROWS; row++) {
            const size_t id = (size_t)at[row] + (size_t)row * Nx;
            sum += relax_span(&local, PIECE, RHS + id, U + id - Nx, U + id, U + id + Nx, piece);
            cpu_stream(next + id, piece, PIECE);
            at[row] += PIECE;
        }
    for (int row = 0; row < CPU_ROWS; row++) {
        const size_t id = (size_t)at[row] + (size_t)row * Nx;
        sum += relax_span(&local, count - at[row], RHS + id, U + id - Nx, U + id, U + id + Nx,
                          next + id);
    }
    cpu_stream_end();
    return sum;
}

/* One unknown beside the edge of the grid. Returns RES². */
static double relax_edge(const struct mesh *mesh, int i, int j, const double *RHS, const double *U,
                         double *U_next) {
    const int Nx = mesh->Nx, Ny = mesh->Ny;
    const size_t id = (size_t)i + (size_t)j * (size_t)Nx;
    const double U_l = i > 0 ? U[id - 1] : 0, U_r = i < Nx - 1 ? U[id + 1] : 0;
    const double U_d = j > 0 ? U[id - Nx] : 0, U_u = j < Ny - 1 ? U[id + Nx] : 0;
    double r_res;
    U_next[id] = cpu_relax(mesh, U_l, U_r, U_d, U_u, U[id], RHS[id], &r_res);
    return r_res * r_res;
}

double cpu_relax_grid_rows(const struct mesh *mesh, int j, int end, bool stream, const double *RHS,
                           const double *U, double *U_next) {
    const int Nx = mesh->Nx, inner = Nx - 2;
    const bool together =
        stream && inner > 0 && j > 0 && j + CPU_ROWS <= end && j + CPU_ROWS < mesh->Ny;
    end = j + CPU_ROWS < end ? j + CPU_ROWS : end;
    const unsigned before = cpu_drop_subnormals();
    size_t id = 1 + (size_t)j * (size_t)Nx;
    double sum = together ? relax_rows_streamed(mesh, inner, RHS + id, U + id, U_next + id) : 0;
    for (; j < end; j++, id += (size_t)Nx) {
        const bool rim = j == 0 || j == mesh->Ny - 1 || inner < 1;
        for (int i = 0; i < (rim ? Nx : 1); i++)
            sum += relax_edge(mesh, i, j, RHS, U, U_next);
        if (!rim)
            sum += relax_edge(mesh, Nx - 1, j, RHS, U, U_next);
        if (!rim && !together)
            sum +=
                cpu_relax_row(mesh, inner, RHS + id, U + id - Nx, U + id, U + id + Nx, U_next + id);
    }
    cpu_keep_subnormals(before);
    return sum;
}

size_t cpu_last_cache(void) {
    const long known = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return known > 0 ? (size_t)known : 0;
}

bool cpu_streams(const struct mesh *mesh) {
    enum { ARRAYS = 3, COMMON_CACHE = 32 << 20 };
    const size_t known = cpu_last_cache(), cache = known ? known : COMMON_CACHE;
    return ARRAYS * sizeof(double) * mesh_unknowns(mesh) > cache;
}
