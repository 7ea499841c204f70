#include "kernels/cpu/row.h"

#include <stdint.h>
#include <unistd.h>

/* The heart of the fast schedules. Neighbouring unknowns don't depend on each other, so the
 * compiler computes 8 (AVX-512), 4 (AVX2) or 2 of them at once; CPU_CLONES makes it do so for each
 * kind of CPU, and the program takes the best one that it meets when it starts. */
CPU_CLONES
double cpu_relax_row(const struct mesh *mesh, int count, const double *restrict RHS,
                     const double *restrict down, const double *restrict here,
                     const double *restrict up, double *restrict next) {
    const struct mesh local = *mesh; /* in registers: `next` can't change it */
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < count; i++) {
        double r_res;
        next[i] =
            cpu_relax(&local, here[i - 1], here[i + 1], down[i], up[i], here[i], RHS[i], &r_res);
        sum += r_res * r_res;
    }
    return sum;
}

enum { PIECE = 128, AHEAD = 512 };

/* Asks for the values that will be needed a little later. The hardware does that by itself, but it
 * begins anew with every 4 KiB page. */
static void prefetch(const double *values, int count) {
    for (int i = 0; i < count; i += LINE_DOUBLES)
        __builtin_prefetch(values + i);
}

/* As cpu_relax_row, but the next iterate goes to memory past the caches. A plain store first reads
 * the cache line that it is going to overwrite: 32 bytes per lattice update instead of 24. So a
 * piece of the row is computed into a buffer that stays in the L1 cache and sent off from there,
 * whole cache lines at a time. */
static double relax_row_streamed(const struct mesh *mesh, int count, const double *RHS,
                                 const double *down, const double *here, const double *up,
                                 double *next) {
    _Alignas(CACHE_LINE) double piece[PIECE];
    double sum = 0.0;
    int length =
        PIECE - (int)((uintptr_t)next % CACHE_LINE / sizeof *next); /* from here on aligned */
    for (int i = 0; i < count; i += length, length = PIECE) {
        if (length > count - i)
            length = count - i;
        prefetch(RHS + i + AHEAD, length);
        prefetch(up + i + AHEAD, length);
        sum += cpu_relax_row(mesh, length, RHS + i, down + i, here + i, up + i, piece);
        cpu_stream(next + i, piece, length);
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

double cpu_relax_grid_row(const struct mesh *mesh, int j, bool stream, const double *RHS,
                          const double *U, double *U_next) {
    const int Nx = mesh->Nx;
    const unsigned before = cpu_drop_subnormals();
    double sum = 0.0;
    if (j == 0 || j == mesh->Ny - 1 || Nx < 3) {
        for (int i = 0; i < Nx; i++)
            sum += relax_edge(mesh, i, j, RHS, U, U_next);
    } else {
        const size_t id = 1 + (size_t)j * (size_t)Nx;
        const double inner = (stream ? relax_row_streamed : cpu_relax_row)(
            mesh, Nx - 2, RHS + id, U + id - Nx, U + id, U + id + Nx, U_next + id);
        sum = relax_edge(mesh, 0, j, RHS, U, U_next) + inner +
              relax_edge(mesh, Nx - 1, j, RHS, U, U_next);
    }
    cpu_keep_subnormals(before);
    return sum;
}

bool cpu_streams(const struct mesh *mesh) {
    enum { ARRAYS = 3, COMMON_CACHE = 32 << 20 };
    const long known = sysconf(_SC_LEVEL3_CACHE_SIZE);
    const size_t cache = known > 0 ? (size_t)known : COMMON_CACHE;
    return ARRAYS * sizeof(double) * mesh_unknowns(mesh) > cache;
}
