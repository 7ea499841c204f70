#include "kernels/cpu/strip.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/cpu/row.h"

/* Blocking in time.
 *
 * A fused iteration moves 24 bytes per unknown, and a pass over memory is what it costs. To
 * do better, a pass must advance each unknown by more than one iteration. Iteration k+1 of row j
 * needs iteration k of the rows j-1, j and j+1, no more. So the iterations can follow each other
 * through the grid one row apart, like a wave:
 *
 *     row   j+1   j    j-1   j-2   j-3
 *           load  1st  2nd   3rd   4th   iteration      (step j+1, depth 4)
 *
 * A step loads rows of U and RHS from memory, lets every iteration ("level") advance by as many,
 * and writes as many finished rows back: 24 bytes for `depth` lattice updates. Here a step is two
 * rows: they are each other's neighbours, so that a level reads four rows for two, and not three
 * for one. What the levels keep is a sliding window: two rows of each level, and the rows of RHS
 * until the last level has used them. The window must stay in the L2 cache, so wide grids are cut
 * into strips of columns.
 *
 * Two rows per level are enough, since a level that makes the rows j and j+1 of rows j-1 … j+2 is
 * the last to need j-1 and j. Row j takes the place of j-1, value by value. Row j+1 can't take that
 * of row j, whose values have right neighbours: it takes the place that the level before has left
 * in this way. Cache lines that are written have just been read, and need not be fetched.
 *
 * A strip can't see its neighbour's intermediate levels. It carries a halo instead, extra columns
 * that both strips compute: the outermost k columns of level k are wrong (their neighbours were
 * missing) and are never used; the halo is as wide as the pass is deep, so the error never
 * reaches the strip. The same holds for the rows below and above the tile, of which each level
 * needs one less than the level before.
 *
 * RES of every level is at hand when it is relaxed, so the residual of every iterate comes for
 * free. Only the strip's own columns and rows count: the halo counts in the strip next to it.
 *
 * The window ends in a column of zeros left and right, which is what lies outside the grid. */

enum { LANES = 8, STEP_ROWS = 2 };
enum { PIECE = 256 }; /* columns that are relaxed between two requests to memory */

struct window {
    int depth;
    size_t stride;
    double *RHS;   /* depth + STEP_ROWS rows, used in turns */
    int first;     /* row of the grid with which level 0 begins */
    double *lower; /* depth + 1 rows: of each level 0 … depth-1 the lower one of a step; */
    double *upper; /* depth + 2 rows: the upper one. Used in turns, as the levels go on */
    double *zeros; /* the row below and above the grid */
    double *last;  /* STEP_ROWS rows of the last level on their way past the caches; NULL if they
                      are stored where they belong */
};

static int round_up(int value, int multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

/* A row with its halo and, on either side, the column of zeros; rows start where a vector
 * may. */
static size_t row_stride(const struct blocking *blocking) {
    return (size_t)blocking->width + 2 * (size_t)blocking->halo + 2 * LANES;
}

static int window_rows(int depth) {
    return (depth + 1) + (depth + 2) + (depth + STEP_ROWS) + 1 + STEP_ROWS;
}

static struct blocking cut_grid(const struct mesh *mesh, int depth) {
    enum { COMMON_CACHE = 512 << 10, NARROWEST = 64, WIDEST = 1024 };
    const long known = sysconf(_SC_LEVEL2_CACHE_SIZE);
    const long window = (known > 0 ? known : COMMON_CACHE) / 4 * 3; /* the rest streams through */
    const int halo = round_up(depth, LANES);
    const int fits = (int)(window / (long)sizeof(double) / window_rows(depth)) - 2 * halo;
    const int width = larger(NARROWEST, smaller(WIDEST, fits));
    const int strips = (mesh->Nx + width - 1) / width;
    return (struct blocking){
        .depth = depth,
        .width = round_up((mesh->Nx + strips - 1) / strips, LANES),
        .halo = halo,
        .streams = cpu_streams(mesh),
    };
}

static size_t thread_stride(const struct blocking *blocking) {
    const size_t doubles = (size_t)window_rows(blocking->depth) * row_stride(blocking);
    return (doubles + LINE_DOUBLES - 1) / LINE_DOUBLES * LINE_DOUBLES;
}

size_t cpu_window_bytes(const struct mesh *mesh, int depth, int threads) {
    const struct blocking blocking = cut_grid(mesh, depth);
    return CACHE_LINE + (size_t)threads * thread_stride(&blocking) * sizeof(double);
}

struct cpu_window *cpu_window_open(const struct mesh *mesh, int depth, void *memory) {
    struct cpu_window *window = memory;
    if (window) {
        window->blocking = cut_grid(mesh, depth);
        window->stride = thread_stride(&window->blocking);
    }
    return window;
}

double *cpu_window_of(const struct cpu_window *window, int thread) {
    return (double *)window + LINE_DOUBLES + (size_t)thread * window->stride;
}

/* Lays the window out in `work`, for rows of `width` columns, with zeros around them. */
static struct window window_make(const struct blocking *blocking, int depth, int width, int first,
                                 double *work) {
    const size_t stride = row_stride(blocking);
    const int rows = window_rows(depth);
    for (int row = 0; row < rows; row++) {
        work[LANES - 1 + (size_t)row * stride] = 0.0;
        work[LANES + width + (size_t)row * stride] = 0.0;
    }
    struct window window = {
        .depth = depth, .stride = stride, .zeros = work + LANES, .first = first};
    memset(window.zeros, 0, (size_t)width * sizeof *work);
    window.RHS = window.zeros + stride;
    window.lower = window.RHS + (size_t)(depth + STEP_ROWS) * stride;
    window.upper = window.lower + (size_t)(depth + 1) * stride;
    window.last = blocking->streams ? window.upper + (size_t)(depth + 2) * stride : NULL;
    return window;
}

static double *window_RHS(const struct window *window, int j) {
    return window->RHS + (size_t)(j % (window->depth + STEP_ROWS)) * window->stride;
}

/* A step later, each level has the place of a lower row that the level before had, and that of an
 * upper row that the level two before had. */
static double *window_level(const struct window *window, int level, int j) {
    const int depth = window->depth, row = j + level - window->first, step = row / STEP_ROWS;
    if (row % STEP_ROWS == 0)
        return window->lower + (size_t)((step - level + depth) % (depth + 1)) * window->stride;
    return window->upper + (size_t)((2 * step - level + depth) % (depth + 2)) * window->stride;
}

/* What is done to row j at one level: which columns of the window are the strip's own. */
struct span {
    int first, last, width; /* own columns [first, last) of `width` */
};

static struct cpu_row row_from(const struct cpu_row *row, int column) {
    return (struct cpu_row){row->RHS + column, row->down + column, row->here + column,
                            row->up + column, row->next + column};
}

/* `count` rows, STEP_ROWS or one, from column `from` to before `to`, PIECE at most. */
static void relax_columns(const struct mesh *mesh, int from, int to, int count,
                          const struct cpu_row rows[STEP_ROWS], double sums[STEP_ROWS]) {
    const struct cpu_row first = row_from(&rows[0], from);
    if (count == STEP_ROWS) {
        const struct cpu_row second = row_from(&rows[1], from);
        cpu_relax_two_rows(mesh, to - from, &first, &second, sums);
    } else {
        double next[PIECE]; /* its place may be that of the row below */
        sums[0] = cpu_relax_row(mesh, to - from, first.RHS, first.down, first.here, first.up, next);
        memcpy(first.next, next, (size_t)(to - from) * sizeof *next);
    }
}

/* What the next step will load: memory has its work while the levels have theirs. */
struct ahead {
    const double *rows[2 * STEP_ROWS]; /* of U and RHS, `width` of each; NULL beyond the last */
    int width;
};

/* Iteration `level` (from 1) of the rows [j0, j1), STEP_ROWS at most. `grid` is where the last
 * level goes, from the window's first column on. Adds to sums[k] that of the strip's own columns in
 * row k. */
static void relax_level(const struct mesh *mesh, const struct window *window,
                        const struct span *span, int level, int j0, int j1,
                        const struct ahead *ahead, double *grid, double sums[STEP_ROWS]) {
    const bool is_last = level == window->depth;
    struct cpu_row rows[STEP_ROWS] = {0};
    double halo[STEP_ROWS];
    double *to[STEP_ROWS];
    for (int j = j0; j < j1; j++) {
        to[j - j0] = is_last ? grid + (size_t)j * (size_t)mesh->Nx : window_level(window, level, j);
        rows[j - j0] = (struct cpu_row){
            .RHS = window_RHS(window, j),
            .down = j > 0 ? window_level(window, level - 1, j - 1) : window->zeros,
            .here = window_level(window, level - 1, j),
            .up = j < mesh->Ny - 1 ? window_level(window, level - 1, j + 1) : window->zeros,
            .next = to[j - j0],
        };
        if (is_last && window->last)
            rows[j - j0].next = window->last + (size_t)(j - j0) * window->stride +
                                (uintptr_t)to[j - j0] % CACHE_LINE / sizeof(double);
    }
    if (!is_last) {
        relax_columns(mesh, 0, span->first, j1 - j0, rows, halo);
        relax_columns(mesh, span->last, span->width, j1 - j0, rows, halo);
    }
    /* In pieces, and with each a part of what the next step will load: a few lines at a time, as
     * many as a core can wait for without standing still. */
    const int pieces = (span->last - span->first + PIECE - 1) / PIECE;
    for (int piece = 0; piece < pieces; piece++) {
        const int from = span->first + piece * PIECE;
        const long part = (long)(level - 1) * pieces + piece, parts = (long)window->depth * pieces;
        const int ask_first = round_up((int)(ahead->width * part / parts), LINE_DOUBLES);
        const int ask_last = (int)(ahead->width * (part + 1) / parts);
        for (int i = ask_first; i < ask_last; i += LINE_DOUBLES)
            for (int row = 0; row < 2 * STEP_ROWS && ahead->rows[row]; row++)
                __builtin_prefetch(ahead->rows[row] + i);
        double own[STEP_ROWS];
        relax_columns(mesh, from, smaller(from + PIECE, span->last), j1 - j0, rows, own);
        for (int k = 0; k < j1 - j0; k++)
            sums[k] += own[k];
    }
    if (is_last && window->last)
        for (int k = 0; k < j1 - j0; k++)
            cpu_stream_row(to[k] + span->first, rows[k].next + span->first,
                           span->last - span->first);
}

/* The unknowns [i0, i1) × [j0, j1). */
struct tile {
    int i0, i1, j0, j1;
};

static void relax_tile(const struct mesh *mesh, const struct blocking *blocking, int depth,
                       struct tile tile, const double *RHS, const double *U, double *U_next,
                       double *sums, double *work) {
    const size_t Nx = (size_t)mesh->Nx;
    const int left = larger(0, tile.i0 - blocking->halo);
    const int right = smaller(mesh->Nx, tile.i1 + blocking->halo);
    const struct span span = {tile.i0 - left, tile.i1 - left, right - left};
    const int first = larger(0, tile.j0 - depth), end = smaller(mesh->Ny, tile.j1 + depth);
    const struct window window = window_make(blocking, depth, span.width, first, work);

    for (int step = first; step < tile.j1 + depth; step += STEP_ROWS) {
        for (int j = step; j < smaller(end, step + STEP_ROWS); j++) {
            const size_t row = (size_t)left + (size_t)j * Nx;
            memcpy(window_level(&window, 0, j), U + row, (size_t)span.width * sizeof *U);
            memcpy(window_RHS(&window, j), RHS + row, (size_t)span.width * sizeof *RHS);
        }
        struct ahead ahead = {.width = span.width};
        for (int j = step + STEP_ROWS, n = 0; j < smaller(end, step + 2 * STEP_ROWS); j++) {
            ahead.rows[n++] = U + (size_t)left + (size_t)j * Nx;
            ahead.rows[n++] = RHS + (size_t)left + (size_t)j * Nx;
        }
        for (int level = 1; level <= depth; level++) {
            /* The rows that the levels which follow still need around the tile. */
            const int around = depth - level;
            const int j0 = larger(step - level, larger(0, tile.j0 - around));
            const int j1 = smaller(step - level + STEP_ROWS, smaller(mesh->Ny, tile.j1 + around));
            if (j0 >= j1)
                continue;
            double own[STEP_ROWS] = {0};
            relax_level(mesh, &window, &span, level, j0, j1, &ahead, U_next + left, own);
            for (int j = larger(j0, tile.j0); j < smaller(j1, tile.j1); j++)
                sums[level - 1] += own[j - j0];
        }
    }
}

void cpu_strips(const struct mesh *mesh, const struct blocking *blocking, int depth, int j0, int j1,
                const double *RHS, const double *U, double *U_next, double *sums, double *work) {
    if (j0 == j1)
        return; /* more threads than rows */
    const unsigned before = cpu_drop_subnormals();
    for (int i0 = 0; i0 < mesh->Nx; i0 += blocking->width) {
        const struct tile tile = {i0, smaller(mesh->Nx, i0 + blocking->width), j0, j1};
        relax_tile(mesh, blocking, depth, tile, RHS, U, U_next, sums, work);
    }
    cpu_stream_end();
    cpu_keep_subnormals(before);
}
