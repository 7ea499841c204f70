#include "kernels/cpu/row.h"

#include <stdint.h>
#include <unistd.h>

/* ---- unknowns side by side ------------------------------------------------------------------ */

/* Neighbouring unknowns don't depend on each other, so the compiler computes 8 (AVX-512), 4 (AVX,
 * FMA) or 2 of them together. CPU_CLONES makes a version for each kind of CPU, and the program
 * selects the best one when it starts.
 *
 * Compilers load a row three times, as the unknowns, their left and their right neighbours, and two
 * of these loads cross cache lines. On AMD's CPUs with AVX-512 these loads are the bottleneck, and
 * also delay prefetches. There hand-written vector code loads a row once, and shifts its values in
 * registers to get the neighbours. Intel's CPUs shift in the units that add; this code was not
 * tried there. */

#define WIDE_AT(row) (*(const wide_anywhere *)(row))

#define ALWAYS_INLINE static inline __attribute__((always_inline))

static double sum_of(const wide *lanes) {
    double sum = 0.0;
    for (int lane = 0; lane < WIDE; lane++)
        sum += (double)(*lanes)[lane];
    return sum;
}

/* The squares of this many columns are accumulated in one sum of reals. */
enum { SUM_COLUMNS = 1024 };

ALWAYS_INLINE double relax_span(const struct stencil *by, int count, const real *restrict RHS,
                                const real *restrict down, const real *restrict here,
                                const real *restrict up, real *restrict next) {
    double sum = 0.0;
    for (int begin = 0; begin < count; begin += SUM_COLUMNS) {
        const int end = begin + SUM_COLUMNS < count ? begin + SUM_COLUMNS : count;
        real part = 0;
#pragma omp simd reduction(+ : part)
        for (int i = begin; i < end; i++) {
            real r_res;
            next[i] =
                cpu_relax(by, here[i - 1], here[i + 1], down[i], up[i], here[i], RHS[i], &r_res);
            part += r_res * r_res;
        }
        sum += (double)part;
    }
    return sum;
}

/* Relaxes `count` neighbouring unknowns of a row. All pointers are to the first of them: in RHS, in
 * the rows of U below, at and above it, and in the next iterate. Returns sum(RES²). */
CPU_CLONES
static double relax_row(const struct mesh *mesh, int count, const real *restrict RHS,
                        const real *restrict down, const real *restrict here,
                        const real *restrict up, real *restrict next) {
    const struct stencil by = stencil_of(mesh); /* in registers: `next` can't change it */
    return relax_span(&by, count, RHS, down, here, up, next);
}

/* ---- rows of a window ----------------------------------------------------------------------- */

enum cpu_iteration cpu_iteration_of(const struct mesh *mesh, int level) {
    enum { NARROW = 64 };
    if (mesh->Nx < NARROW)
        return CPU_ITERATE_U;
    if (level == 1)
        return CPU_FIRST;
    return mesh->_1bydx2 == mesh->_1bydy2 && mesh->omega == 1.0 ? CPU_NEXT_EVEN : CPU_NEXT;
}

int cpu_blocked_flops(const struct mesh *mesh, int depth, bool on_gpu) {
    static const int flops[] = {
        [CPU_ITERATE_U] = 14, [CPU_FIRST] = 14, [CPU_NEXT] = 11, [CPU_NEXT_EVEN] = 8};
    return flops[cpu_iteration_of(mesh, 1)] + (depth - 1) * flops[cpu_iteration_of(mesh, 2)];
}

/* For one unknown or a vector. `moved` is RES, but factor*RES in D's iterations after the first. */
#define ITERATE(to, by, iteration, l, r, d, u, c, given, moved)                                    \
    do {                                                                                           \
        if ((iteration) == CPU_ITERATE_U) {                                                        \
            CPU_RELAX(to, by, l, r, d, u, c, given, moved);                                        \
        } else if ((iteration) == CPU_FIRST) {                                                     \
            CPU_CHANGE(to, by, l, r, d, u, c, given, moved);                                       \
        } else if ((iteration) == CPU_NEXT_EVEN) {                                                 \
            /* A quarter is exact, so this may be a multiply-add without another rounding. */      \
            (to) = (given) + (real)0.25 * (((l) + (r)) + ((d) + (u)));                             \
            (moved) = (to) - (c);                                                                  \
        } else {                                                                                   \
            /* Separate products, so that none of them is rounded together with a sum. */          \
            const __typeof__(to) beside_ = (by)->x * ((l) + (r));                                  \
            const __typeof__(to) below_ = (by)->y * ((d) + (u));                                   \
            const __typeof__(to) left_over_ = (by)->left_over * (c);                               \
            (to) = ((given) + left_over_) + (beside_ + below_);                                    \
            (moved) = (to) - (c);                                                                  \
        }                                                                                          \
    } while (0)

/* Computes rows in pairs. Each row is the other's neighbour, so it comes from the caches once
 * instead of twice. A last row without a partner is computed alone. */
ALWAYS_INLINE double iterate_pairs(const struct stencil *by, enum cpu_iteration iteration, int rows,
                                   int from, int to, const real *const *given,
                                   const real *const *here, real *const *next) {
    double all = 0.0;
    int row = 0;
    for (; row + 2 <= rows; row += 2) {
        const real *g = given[row], *g_above = given[row + 1], *down = here[row - 1],
                   *at = here[row], *above = here[row + 1], *up = here[row + 2];
        real *next_at = next[row], *next_above = next[row + 1];
        real sum = 0, sum_above = 0;
#pragma omp simd reduction(+ : sum, sum_above)
        for (int i = from; i < to; i++) {
            const real c = at[i], c_above = above[i];
            real x, x_above, moved, moved_above;
            ITERATE(x, by, iteration, at[i - 1], at[i + 1], down[i], c_above, c, g[i], moved);
            ITERATE(x_above, by, iteration, above[i - 1], above[i + 1], c, up[i], c_above,
                    g_above[i], moved_above);
            next_at[i] = x;
            next_above[i] = x_above;
            sum += moved * moved;
            sum_above += moved_above * moved_above;
        }
        all += (double)(sum + sum_above);
    }
    if (row < rows) {
        const real *g = given[row], *down = here[row - 1], *at = here[row], *up = here[row + 1];
        real *next_at = next[row];
        real sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = from; i < to; i++) {
            real x, moved;
            ITERATE(x, by, iteration, at[i - 1], at[i + 1], down[i], up[i], at[i], g[i], moved);
            next_at[i] = x;
            sum += moved * moved;
        }
        all += (double)sum;
    }
    return all;
}

/* Calls the version of `pairs` for one kind of iteration, in which the compiler knows the kind. */
#define FOR_ITERATION(pairs, by, iteration, ...)                                                   \
    ((iteration) == CPU_ITERATE_U ? pairs(by, CPU_ITERATE_U, __VA_ARGS__)                          \
     : (iteration) == CPU_FIRST   ? pairs(by, CPU_FIRST, __VA_ARGS__)                              \
     : (iteration) == CPU_NEXT    ? pairs(by, CPU_NEXT, __VA_ARGS__)                               \
                                  : pairs(by, CPU_NEXT_EVEN, __VA_ARGS__))

CPU_CLONES
static double iterate_rows(const struct mesh *mesh, enum cpu_iteration iteration, int rows,
                           int from, int to, const real *const *given, const real *const *here,
                           real *const *next) {
    const struct stencil by = stencil_of(mesh);
    return FOR_ITERATION(iterate_pairs, &by, iteration, rows, from, to, given, here, next);
}

/* For whole vectors of pairs. */
CPU_WIDE
ALWAYS_INLINE double iterate_pairs_wide(const struct stencil *by, enum cpu_iteration iteration,
                                        int rows, int from, int to, const real *const *given,
                                        const real *const *here, real *const *next) {
    wide sum = {0}, sum_above = {0};
    for (int row = 0; row < rows; row += 2) {
        const real *g = given[row], *g_above = given[row + 1], *down = here[row - 1],
                   *at = here[row], *above = here[row + 1], *up = here[row + 2];
        real *next_at = next[row], *next_above = next[row + 1];
        wide left = WIDE_AT(at + from - WIDE), left_above = WIDE_AT(above + from - WIDE);
        wide c = WIDE_AT(at + from), c_above = WIDE_AT(above + from);
        for (int i = from; i < to; i += WIDE) {
            const wide right = WIDE_AT(at + i + WIDE), right_above = WIDE_AT(above + i + WIDE);
            wide x, x_above, moved, moved_above;
            ITERATE(x, by, iteration, WIDE_FROM_LEFT(left, c), WIDE_FROM_RIGHT(c, right),
                    WIDE_AT(down + i), c_above, c, WIDE_AT(g + i), moved);
            ITERATE(x_above, by, iteration, WIDE_FROM_LEFT(left_above, c_above),
                    WIDE_FROM_RIGHT(c_above, right_above), c, WIDE_AT(up + i), c_above,
                    WIDE_AT(g_above + i), moved_above);
            *(wide_anywhere *)(next_at + i) = x;
            *(wide_anywhere *)(next_above + i) = x_above;
            sum += moved * moved;
            sum_above += moved_above * moved_above;
            left = c;
            left_above = c_above;
            c = right;
            c_above = right_above;
        }
    }
    sum += sum_above;
    return sum_of(&sum);
}

CPU_WIDE
static double iterate_rows_wide(const struct mesh *mesh, enum cpu_iteration iteration, int rows,
                                int from, int to, const real *const *given, const real *const *here,
                                real *const *next) {
    const struct stencil by = stencil_of(mesh);
    return FOR_ITERATION(iterate_pairs_wide, &by, iteration, rows, from, to, given, here, next);
}

double cpu_iterate_rows(const struct mesh *mesh, enum cpu_iteration iteration, int rows, int from,
                        int to, const real *const *given, const real *const *here,
                        real *const *next) {
    const int paired = rows / 2 * 2;
    const int whole = cpu_computes_wide() ? from + (to - from) / WIDE * WIDE : from;
    double sum = 0.0;
    if (whole > from && paired > 0)
        sum += iterate_rows_wide(mesh, iteration, paired, from, whole, given, here, next);
    if (whole < to)
        sum += iterate_rows(mesh, iteration, rows, whole, to, given, here, next);
    if (whole > from && paired < rows)
        sum += iterate_rows(mesh, iteration, 1, from, whole, given + paired, here + paired,
                            next + paired);
    const bool is_of_D = iteration == CPU_NEXT || iteration == CPU_NEXT_EVEN;
    return is_of_D ? sum / (mesh->factor * mesh->factor) : sum;
}

/* Stores each cache line as a whole. With smaller stores between other stores, lines would leave
 * the core in parts. */
CPU_WIDE
static void add_D_wide(int count, const real *U, const real *D, real *to) {
    for (int i = 0; i < count; i += WIDE) {
        const wide next = WIDE_AT(U + i) + WIDE_AT(D + i);
        cpu_stream_wide(to + i, &next);
    }
}

static void add_D(int count, const real *restrict U, const real *restrict D, real *restrict to) {
    for (int i = 0; i < count; i++)
        to[i] = U[i] + D[i];
}

void cpu_add_row(int count, bool stream, const real *U, const real *D, real *to) {
    const int unaligned = (int)((uintptr_t)to % CACHE_LINE / sizeof *to);
    const int head = (LINE_REALS - unaligned) % LINE_REALS;
    const int lines = (count - head) / LINE_REALS * LINE_REALS;
    if (!stream || !cpu_streams_wide() || lines <= 0) {
        add_D(count, U, D, to);
        return;
    }
    const int done = head + lines;
    add_D(head, U, D, to);
    add_D_wide(lines, U + head, D + head, to + head);
    add_D(count - done, U + done, D + done, to + done);
}

/* ---- rows of the grid ----------------------------------------------------------------------- */

int cpu_rows(void) {
    return cpu_computes_wide() ? CPU_ROWS - 1 : CPU_ROWS;
}

/* As relax_row for cpu_rows() adjacent rows, but the next iterates are stored non-temporally. A
 * plain store first reads the cache line that it overwrites (write-allocate): 32 bytes per lattice
 * update instead of 24.
 *
 * The rows advance together, one piece each in turn, because one row alone has too few loads in
 * flight. The hardware follows each row as a stream, if there are not too many. Each row lags
 * behind the row below it. Otherwise, on grids whose rows are a power of two apart, they would
 * compete for the same few lines of the L1 cache. */
enum { STREAM_PIECE = 4 * LINE_REALS };

/* Computes the columns before the first whole piece of each row; the next iterates of a piece start
 * at a cache line. Returns sum(RES²), and in at[row] the position of each row. */
ALWAYS_INLINE double begin_rows(const struct stencil *by, size_t Nx, int rows, int lag, int count,
                                const real *RHS, const real *U, real *next, int *at) {
    double sum = 0.0;
    for (int row = 0; row < rows; row++) {
        const size_t id = (size_t)row * Nx;
        const int unaligned = (int)((uintptr_t)(next + id) % CACHE_LINE / sizeof *next);
        const int head = (LINE_REALS - unaligned) % LINE_REALS + (rows - 1 - row) * lag;
        at[row] = head < count ? head : count;
        sum += relax_span(by, at[row], RHS + id, U + id - Nx, U + id, U + id + Nx, next + id);
    }
    return sum;
}

/* Computes the columns after the last whole piece. */
ALWAYS_INLINE double end_rows(const struct stencil *by, size_t Nx, int rows, int count,
                              const real *RHS, const real *U, real *next, const int *at) {
    double sum = 0.0;
    for (int row = 0; row < rows; row++) {
        const size_t id = (size_t)at[row] + (size_t)row * Nx;
        sum +=
            relax_span(by, count - at[row], RHS + id, U + id - Nx, U + id, U + id + Nx, next + id);
    }
    cpu_stream_end();
    return sum;
}

/* Computes each piece in a buffer that stays in the L1 cache, and stores it from there. */
CPU_CLONES
static double relax_rows_streamed(const struct mesh *mesh, int count, const real *RHS,
                                  const real *U, real *next) {
    const struct stencil by = stencil_of(mesh);
    const size_t Nx = (size_t)mesh->Nx;
    _Alignas(CACHE_LINE) real piece[STREAM_PIECE];
    int at[CPU_ROWS];
    double sum = begin_rows(&by, Nx, CPU_ROWS, STREAM_PIECE, count, RHS, U, next, at);
    while (at[0] + STREAM_PIECE <= count)
        for (int row = 0; row < CPU_ROWS; row++) {
            const size_t id = (size_t)at[row] + (size_t)row * Nx;
            sum += relax_span(&by, STREAM_PIECE, RHS + id, U + id - Nx, U + id, U + id + Nx, piece);
            cpu_stream(next + id, piece, STREAM_PIECE);
            at[row] += STREAM_PIECE;
        }
    return sum + end_rows(&by, Nx, CPU_ROWS, count, RHS, U, next, at);
}

/* Stores whole vectors of a row directly. The left neighbours of the first vector and the right
 * ones of the last may be in other rows of the grid. */
CPU_WIDE
static double relax_rows_streamed_wide(const struct mesh *mesh, int count, const real *RHS,
                                       const real *U, real *next) {
    enum { ROWS = CPU_ROWS - 1 };
    const struct stencil by = stencil_of(mesh);
    const size_t Nx = (size_t)mesh->Nx;
    int at[ROWS];
    wide sum = {0};
    const double before = begin_rows(&by, Nx, ROWS, WIDE, count, RHS, U, next, at);
    while (at[0] + STREAM_PIECE <= count)
        for (int row = 0; row < ROWS; row++) {
            const size_t id = (size_t)at[row] + (size_t)row * Nx;
            wide left = WIDE_AT(U + id - WIDE), c = WIDE_AT(U + id);
            for (int i = 0; i < STREAM_PIECE; i += WIDE) {
                const real *here = U + id + i;
                const wide right = WIDE_AT(here + WIDE);
                wide r_res, to;
                CPU_RELAX(to, &by, WIDE_FROM_LEFT(left, c), WIDE_FROM_RIGHT(c, right),
                          WIDE_AT(here - Nx), WIDE_AT(here + Nx), c, WIDE_AT(RHS + id + i), r_res);
                cpu_stream_wide(next + id + i, &to);
                sum += r_res * r_res;
                left = c;
                c = right;
            }
            at[row] += STREAM_PIECE;
        }
    return before + sum_of(&sum) + end_rows(&by, Nx, ROWS, count, RHS, U, next, at);
}

/* Relaxes one unknown next to the boundary. Returns RES². */
static double relax_edge(const struct mesh *mesh, int i, int j, const real *RHS, const real *U,
                         real *U_next) {
    real r_res;
    U_next[(size_t)i + (size_t)j * (size_t)mesh->Nx] = cpu_relax_at(mesh, i, j, RHS, U, &r_res);
    return r_res * r_res;
}

double cpu_relax_grid_rows(const struct mesh *mesh, int j, int end, bool stream, const real *RHS,
                           const real *U, real *U_next) {
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
        const bool at_boundary = j == 0 || j == mesh->Ny - 1 || inner < 1;
        for (int i = 0; i < (at_boundary ? Nx : 1); i++)
            sum += relax_edge(mesh, i, j, RHS, U, U_next);
        if (!at_boundary)
            sum += relax_edge(mesh, Nx - 1, j, RHS, U, U_next);
        if (!at_boundary && !together)
            sum += relax_row(mesh, inner, RHS + id, U + id - Nx, U + id, U + id + Nx, U_next + id);
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
    return ARRAYS * sizeof(real) * mesh_unknowns(mesh) > cache / 2; /* other cores use part of it */
}
