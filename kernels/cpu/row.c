#include "kernels/cpu/row.h"

#include <stdint.h>
#include <unistd.h>

/* ---- unknowns side by side ------------------------------------------------------------------ */

/* Neighbouring unknowns don't depend on each other, so the compiler computes 8 (AVX-512), 4 (AVX,
 * FMA) or 2 of them at once; CPU_CLONES makes it do so for each kind of CPU, and the program takes
 * the best one that it meets when it starts.
 *
 * Compilers load a row three times, as the unknowns, their left and their right neighbours, and two
 * of these loads touch two cache lines each. On AMD's CPUs with AVX-512 that is what takes the
 * time, and it holds up prefetches, too. For them there are vectors by hand: a row is loaded once,
 * and its values are moved within registers to where they are neighbours. Intel's do this with the
 * units that add; there it was not tried. */

#define WIDE_AT(row) (*(const wide_anywhere *)(row))
#define WIDE_FROM_LEFT(left, here) __builtin_shufflevector(left, here, 7, 8, 9, 10, 11, 12, 13, 14)
#define WIDE_FROM_RIGHT(here, right) __builtin_shufflevector(here, right, 1, 2, 3, 4, 5, 6, 7, 8)

#define ALWAYS_INLINE static inline __attribute__((always_inline))

static double sum_of(const wide *lanes) {
    double sum = 0.0;
    for (int lane = 0; lane < WIDE; lane++)
        sum += (*lanes)[lane];
    return sum;
}

/* The vector behind the one at `i`. Of the row's last one only the first value may be read. */
#define WIDE_BEHIND(row, i, whole)                                                                 \
    ((i) + WIDE < (whole) ? WIDE_AT((row) + (i) + WIDE) : (wide){(row)[(i) + WIDE]})

ALWAYS_INLINE double relax_span(const struct mesh *mesh, int count, const double *restrict RHS,
                                const double *restrict down, const double *restrict here,
                                const double *restrict up, double *restrict next) {
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

/* ---- two rows ------------------------------------------------------------------------------- */

CPU_CLONES
static void relax_two_rows(const struct mesh *mesh, int count, const struct cpu_row *first,
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

/* The same for whole vectors. */
CPU_WIDE
static void relax_two_rows_wide(const struct mesh *mesh, int count, const struct cpu_row *first,
                                const struct cpu_row *second, double sums[2]) {
    const struct mesh local = *mesh;
    const double *RHS = first->RHS, *RHS_above = second->RHS, *down = first->down,
                 *here = first->here, *above = second->here, *up = second->up;
    double *next = first->next, *next_above = second->next;
    wide sum = {0}, sum_above = {0}, left = {0}, left_above = {0};
    wide c = WIDE_AT(here), c_above = WIDE_AT(above);
    left[WIDE - 1] = here[-1];
    left_above[WIDE - 1] = above[-1];
    for (int i = 0; i < count; i += WIDE) {
        const wide right = WIDE_BEHIND(here, i, count);
        const wide right_above = WIDE_BEHIND(above, i, count);
        wide r_res, r_above, to, to_above;
        CPU_RELAX(to, &local, WIDE_FROM_LEFT(left, c), WIDE_FROM_RIGHT(c, right), WIDE_AT(down + i),
                  c_above, c, WIDE_AT(RHS + i), r_res);
        CPU_RELAX(to_above, &local, WIDE_FROM_LEFT(left_above, c_above),
                  WIDE_FROM_RIGHT(c_above, right_above), c, WIDE_AT(up + i), c_above,
                  WIDE_AT(RHS_above + i), r_above);
        *(wide_anywhere *)(next + i) = to;
        *(wide_anywhere *)(next_above + i) = to_above;
        sum += r_res * r_res;
        sum_above += r_above * r_above;
        left = c;
        left_above = c_above;
        c = right;
        c_above = right_above;
    }
    sums[0] = sum_of(&sum);
    sums[1] = sum_of(&sum_above);
}

void cpu_relax_two_rows(const struct mesh *mesh, int count, const struct cpu_row *first,
                        const struct cpu_row *second, double sums[2]) {
    if (cpu_computes_wide() && count > 0 && count % WIDE == 0)
        relax_two_rows_wide(mesh, count, first, second, sums);
    else
        relax_two_rows(mesh, count, first, second, sums);
}

/* ---- rows of the grid ----------------------------------------------------------------------- */

int cpu_rows(void) {
    return cpu_computes_wide() ? CPU_ROWS - 1 : CPU_ROWS;
}

/* As cpu_relax_row for cpu_rows() rows, one above the other, but the next iterates go to memory
 * past the caches. A plain store first reads the cache line that it is going to overwrite: 32 bytes
 * per lattice update instead of 24.
 *
 * The rows advance together, a piece of each in turn, because one row alone asks memory for too
 * little at a time; the hardware follows each row as a stream, as long as there are not too many.
 * Each lags behind the row below it: on grids whose rows are a power of two apart they would
 * otherwise all meet in the same few places of the L1 cache. */
enum { STREAM_PIECE = 32 };

/* The columns before the first whole piece of each row, whose next iterates begin a cache line.
 * Returns sum(RES²) and in at[row] how far that row has come. */
ALWAYS_INLINE double begin_rows(const struct mesh *mesh, int rows, int lag, int count,
                                const double *RHS, const double *U, double *next, int *at) {
    double sum = 0.0;
    for (int row = 0; row < rows; row++) {
        const size_t id = (size_t)row * (size_t)mesh->Nx;
        const int unaligned = (int)((uintptr_t)(next + id) % CACHE_LINE / sizeof *next);
        const int head = (LINE_DOUBLES - unaligned) % LINE_DOUBLES + (rows - 1 - row) * lag;
        at[row] = head < count ? head : count;
        sum += relax_span(mesh, at[row], RHS + id, U + id - mesh->Nx, U + id, U + id + mesh->Nx,
                          next + id);
    }
    return sum;
}

/* The columns behind the last whole piece. */
ALWAYS_INLINE double end_rows(const struct mesh *mesh, int rows, int count, const double *RHS,
                              const double *U, double *next, const int *at) {
    double sum = 0.0;
    for (int row = 0; row < rows; row++) {
        const size_t id = (size_t)at[row] + (size_t)row * (size_t)mesh->Nx;
        sum += relax_span(mesh, count - at[row], RHS + id, U + id - mesh->Nx, U + id,
                          U + id + mesh->Nx, next + id);
    }
    cpu_stream_end();
    return sum;
}

/* A piece is computed into a buffer that stays in the L1 cache, and sent off from there. */
CPU_CLONES
static double relax_rows_streamed(const struct mesh *mesh, int count, const double *RHS,
                                  const double *U, double *next) {
    const struct mesh local = *mesh;
    const size_t Nx = (size_t)mesh->Nx;
    _Alignas(CACHE_LINE) double piece[STREAM_PIECE];
    int at[CPU_ROWS];
    double sum = begin_rows(&local, CPU_ROWS, STREAM_PIECE, count, RHS, U, next, at);
    while (at[0] + STREAM_PIECE <= count)
        for (int row = 0; row < CPU_ROWS; row++) {
            const size_t id = (size_t)at[row] + (size_t)row * Nx;
            sum +=
                relax_span(&local, STREAM_PIECE, RHS + id, U + id - Nx, U + id, U + id + Nx, piece);
            cpu_stream(next + id, piece, STREAM_PIECE);
            at[row] += STREAM_PIECE;
        }
    return sum + end_rows(&local, CPU_ROWS, count, RHS, U, next, at);
}

/* Whole vectors of a row go to memory as they are. The first one's left neighbours and the last
 * one's right neighbours may be in other rows of the grid. */
CPU_WIDE
static double relax_rows_streamed_wide(const struct mesh *mesh, int count, const double *RHS,
                                       const double *U, double *next) {
    enum { ROWS = CPU_ROWS - 1 };
    const struct mesh local = *mesh;
    const size_t Nx = (size_t)mesh->Nx;
    int at[ROWS];
    wide sum = {0};
    const double before = begin_rows(&local, ROWS, WIDE, count, RHS, U, next, at);
    while (at[0] + STREAM_PIECE <= count)
        for (int row = 0; row < ROWS; row++) {
            const size_t id = (size_t)at[row] + (size_t)row * Nx;
            wide left = WIDE_AT(U + id - WIDE), c = WIDE_AT(U + id);
            for (int i = 0; i < STREAM_PIECE; i += WIDE) {
                const double *here = U + id + i;
                const wide right = WIDE_AT(here + WIDE);
                wide r_res, to;
                CPU_RELAX(to, &local, WIDE_FROM_LEFT(left, c), WIDE_FROM_RIGHT(c, right),
                          WIDE_AT(here - Nx), WIDE_AT(here + Nx), c, WIDE_AT(RHS + id + i), r_res);
                cpu_stream_wide(next + id + i, &to);
                sum += r_res * r_res;
                left = c;
                c = right;
            }
            at[row] += STREAM_PIECE;
        }
    return before + sum_of(&sum) + end_rows(&local, ROWS, count, RHS, U, next, at);
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
    const int Nx = mesh->Nx, inner = Nx - 2, rows = cpu_rows();
    const bool together = stream && inner > 0 && j > 0 && j + rows <= end && j + rows < mesh->Ny;
    end = j + rows < end ? j + rows : end;
    const unsigned before = cpu_drop_subnormals();
    size_t id = 1 + (size_t)j * (size_t)Nx;
    double sum = 0;
    if (together)
        sum = (cpu_computes_wide() ? relax_rows_streamed_wide : relax_rows_streamed)(
            mesh, inner, RHS + id, U + id, U_next + id);
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
    const size_t cache = known > 0 ? (size_t)known : 0;
    return cpu_is_amd() && cache > AMD_LAST_CACHE ? AMD_LAST_CACHE : cache;
}

bool cpu_streams(const struct mesh *mesh) {
    enum { ARRAYS = 3, COMMON_CACHE = 32 << 20 };
    const size_t known = cpu_last_cache(), cache = known ? known : COMMON_CACHE;
    return ARRAYS * sizeof(double) * mesh_unknowns(mesh) > cache / 2; /* others have a part of it */
}
