#include "kernels/cpu/strip.h"

#include <string.h>
#include <unistd.h>

#include "kernels/cpu/row.h"
#include "solver/phase.h"

/* Temporal blocking.
 *
 * A fused iteration moves 24 bytes per unknown, and its cost is one pass over memory. To do better,
 * a pass must advance each unknown by more than one iteration. Iteration k+1 of row j needs only
 * iteration k of the rows j-1, j and j+1. So the iterations can follow each other through the grid
 * one row apart, like a wave:
 *
 *     row   j+1   j    j-1   j-2   j-3
 *           load  1st  2nd   3rd   4th   iteration      (step j+1, depth 4)
 *
 * A step loads rows of U and RHS from memory, advances every iteration ("level") by the same number
 * of rows, and writes that number of finished rows back: 24 bytes for `depth` lattice updates. Of
 * each level only the upper two rows must be kept for the next step, however many rows a step has.
 * The next level uses up all other rows in the same step. So a step has eight rows, and processes
 * its levels in pieces of 16 cache lines: the rows passed to the next level then stay in the L1
 * cache. The kept rows form a sliding window, which must stay in the L2 cache, so wide grids are
 * cut into strips of columns.
 *
 * The levels iterate the pass's change to U (row.h): level 1 computes it from U and RHS, the others
 * from level 1 and from their predecessor. So the window keeps level 1 until the last level has
 * used it, and neither U nor RHS. At the end of a piece, U_next = U + the last level's change; U is
 * read again, from the last-level cache. Stores are non-temporal if the arrays exceed the caches.
 *
 * A level needs one column more of the previous level, on either side, than it computes. The left
 * column is in the previous piece; the right one does not exist yet. So each level begins and ends
 * a cache line further left than the previous level: pieces lean. Two sets of passed rows are
 * enough, for even and for odd levels. A level overwrites values of the level two before it: the
 * level in between has already used all values that far left.
 *
 * For the same reason the two rows that a level keeps can replace rows of the previous step. The
 * lower row replaces the previous level's, which is needed only as the lower neighbour of the
 * computed row. The previous level's upper row has right neighbours, so the upper row replaces that
 * of the level two before.
 *
 * A strip has no access to its neighbour's intermediate levels. Instead it has a halo, extra
 * columns that both strips compute. The outermost k columns of level k are wrong, because their
 * neighbours are missing, and are never used. The halo is as wide as the pass is deep, so the error
 * never reaches the strip. The same holds for the rows below and above the tile: each level needs
 * one fewer of them than the previous level.
 *
 * Each level computes RES anyway, so the residual of every iterate costs nothing extra. Only the
 * strip's own columns and rows count; the halo counts in the neighbouring strip.
 *
 * The window ends in a column of zeros left and right: the values outside the grid. */

enum { LANES = LINE_REALS, STEP_ROWS = 8, KEPT_ROWS = 2, HANDED_ROWS = STEP_ROWS - KEPT_ROWS };
enum { PIECE = 16 * LINE_REALS };

struct window {
    int depth;
    size_t stride;
    real *zeros;  /* the row below and above the grid */
    real *D1;     /* depth + STEP_ROWS rows of level 1, used cyclically */
    real *handed; /* for an even level and an odd one, all but the upper two rows of a step */
    real *lower;  /* depth + 1 rows: the lower kept row of each level 0 … depth-1 */
    real *upper;  /* depth + 2 rows: the upper one. Both are used cyclically */
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

/* A row with its halo and, on either side, the column of zeros; rows are aligned for vectors. Their
 * length is an odd number of cache lines, so that rows don't conflict in the L1 cache. */
static size_t row_stride(const struct cpu_window *cut) {
    const int lines = (cut->width + 2 * cut->halo) / LINE_REALS + 2;
    return (size_t)LINE_REALS * (size_t)(lines % 2 ? lines : lines + 1);
}

static int window_rows(int depth) {
    return 1 + (depth + STEP_ROWS) + 2 * HANDED_ROWS + (depth + 1) + (depth + 2);
}

static struct cpu_window cut_grid(const struct mesh *mesh, int depth) {
    enum { COMMON_CACHE = 512 << 10, NARROWEST = 64, WIDEST = 1024 };
    const long known = sysconf(_SC_LEVEL2_CACHE_SIZE);
    const long window = (known > 0 ? known : COMMON_CACHE) / 4 * 3; /* the rest is for streams */
    const int halo = round_up(depth, LANES);
    const int fits = (int)(window / (long)sizeof(real) / window_rows(depth)) - 2 * halo;
    const int width = larger(NARROWEST, smaller(WIDEST, fits));
    const int strips = (mesh->Nx + width - 1) / width;
    return (struct cpu_window){
        .depth = depth,
        .width = round_up((mesh->Nx + strips - 1) / strips, LANES),
        .halo = halo,
        .streams = cpu_streams(mesh),
    };
}

static size_t thread_stride(const struct cpu_window *cut) {
    return (size_t)window_rows(cut->depth) * row_stride(cut);
}

size_t cpu_window_bytes(const struct mesh *mesh, int depth, int threads) {
    const struct cpu_window cut = cut_grid(mesh, depth);
    return CACHE_LINE + (size_t)threads * thread_stride(&cut) * sizeof(real);
}

struct cpu_window *cpu_window_open(const struct mesh *mesh, int depth, void *memory) {
    struct cpu_window *window = memory;
    if (window)
        *window = cut_grid(mesh, depth);
    return window;
}

real *cpu_window_of(const struct cpu_window *window, int thread) {
    return (real *)window + LINE_REALS + (size_t)thread * thread_stride(window);
}

/* Lays out the window in `work`, for rows of `width` columns, with zeros around them. */
static struct window window_make(const struct cpu_window *cut, int depth, int width, real *work) {
    const size_t stride = row_stride(cut);
    const int rows = window_rows(depth);
    for (int row = 0; row < rows; row++) {
        work[LANES - 1 + (size_t)row * stride] = 0.0;
        work[LANES + width + (size_t)row * stride] = 0.0;
    }
    struct window window = {.depth = depth, .stride = stride, .zeros = work + LANES};
    memset(window.zeros, 0, (size_t)width * sizeof *work);
    window.D1 = window.zeros + stride;
    window.handed = window.D1 + (size_t)(depth + STEP_ROWS) * stride;
    window.lower = window.handed + (size_t)(2 * HANDED_ROWS) * stride;
    window.upper = window.lower + (size_t)(depth + 1) * stride;
    return window;
}

/* Level 1 of row j of the grid. */
static real *window_D1(const struct window *window, int j) {
    return window->D1 + (size_t)(j % (window->depth + STEP_ROWS)) * window->stride;
}

/* Level 1 of the row above. */
static real *window_above(const struct window *window, real *row) {
    return row + window->stride < window->handed ? row + window->stride : window->D1;
}

/* Row number `row` of a level in a step; rows -2 and -1 are from the previous step. */
static real *window_level(const struct window *window, int step, int level, int row) {
    const int depth = window->depth;
    if (row >= 0 && row < HANDED_ROWS)
        return window->handed + (size_t)(level % 2 * HANDED_ROWS + row) * window->stride;
    const int made = row < 0 ? step - 1 : step;
    if (row == -2 || row == HANDED_ROWS)
        return window->lower + (size_t)((made - level + depth + 1) % (depth + 1)) * window->stride;
    return window->upper + (size_t)((2 * made - level + depth + 2) % (depth + 2)) * window->stride;
}

/* The unknowns [i0, i1) × [j0, j1), and the halo computed for them. */
struct tile {
    int i0, i1, j0, j1;
    int left, width; /* the window's first column is the grid's column `left` */
    int begin, end;  /* the rows to load */
    bool streams;    /* as in struct cpu_window */
};

/* A step's work at one level: the rows from `first` on, of which [own, others) are the tile's. */
struct level {
    int first, count, own, others;
    enum cpu_iteration iteration;
    const real *given[STEP_ROWS], *before[1 + STEP_ROWS + 1]; /* starting with the row below */
    real *next[STEP_ROWS];
};

/* The columns [from, to) of the window. */
struct span {
    int from, to;
};

static int clip(int value, int least, int most) {
    return larger(least, smaller(value, most));
}

/* Pieces go from left to right; each level's piece begins a cache line further left. */
static struct span piece_of(const struct tile *tile, int piece, int level) {
    const int from = piece * PIECE - level * LANES;
    return (struct span){clip(from, 0, tile->width), clip(from + PIECE, 0, tile->width)};
}

/* The rows of `level`, from 1, in that step. */
static struct level level_make(const struct mesh *mesh, const struct tile *tile,
                               const struct window *window, int step, int level, const real *RHS) {
    /* The rows around the tile that later levels still need. */
    const int around = window->depth - level, base = tile->begin + step * STEP_ROWS - level;
    const int first = larger(base, larger(0, tile->j0 - around));
    const int end = smaller(base + STEP_ROWS, smaller(mesh->Ny, tile->j1 + around));
    struct level made = {.first = first, .count = larger(0, end - first)};
    made.own = clip(tile->j0 - first, 0, made.count);
    made.others = clip(tile->j1 - first, 0, made.count);
    made.iteration = cpu_iteration_of(mesh, level);
    const bool of_U = made.iteration == CPU_ITERATE_U, of_RHS = level == 1 || of_U;
    if (made.count == 0)
        return made;
    for (int k = -1; k <= made.count; k++) { /* the previous level is a row ahead */
        const int j = first + k;
        made.before[1 + k] = j < 0 || j >= mesh->Ny ? window->zeros
                             : level == 2 && !of_U
                                 ? window_D1(window, j)
                                 : window_level(window, step, level - 1, j - base - 1);
    }
    real *row = window_D1(window, first);
    for (int k = 0; k < made.count; k++, row = window_above(window, row)) {
        const int j = first + k;
        made.given[k] = of_RHS ? RHS + tile->left + (size_t)j * (size_t)mesh->Nx : row;
        made.next[k] = level == 1 && !of_U ? row : window_level(window, step, level, j - base);
    }
    return made;
}

static double make_part(const struct mesh *mesh, const struct level *level, int row, int end,
                        int from, int to) {
    if (row >= end || from >= to)
        return 0.0;
    return cpu_iterate_rows(mesh, level->iteration, end - row, from, to, level->given + row,
                            level->before + 1 + row, level->next + row);
}

/* Computes a piece at one level. Returns sum(RES²) of the tile's own unknowns. */
static double make_piece(const struct mesh *mesh, const struct tile *tile,
                         const struct level *level, struct span piece) {
    const int own = clip(tile->i0 - tile->left, piece.from, piece.to);
    const int others = clip(tile->i1 - tile->left, piece.from, piece.to);
    make_part(mesh, level, 0, level->count, piece.from, own);
    make_part(mesh, level, 0, level->own, own, others);
    const double sum = make_part(mesh, level, level->own, level->others, own, others);
    make_part(mesh, level, level->others, level->count, own, others);
    make_part(mesh, level, 0, level->count, others, piece.to);
    return sum;
}

/* Writes the last level's result, in the tile's own columns of a piece, to U_next. */
static void finish_piece(const struct mesh *mesh, const struct tile *tile,
                         const struct level *level, struct span piece, const real *U,
                         real *U_next) {
    const int own = clip(tile->i0 - tile->left, piece.from, piece.to);
    const int count = clip(tile->i1 - tile->left, piece.from, piece.to) - own;
    for (int k = 0; k < level->count; k++) {
        const size_t id =
            (size_t)(tile->left + own) + (size_t)(level->first + k) * (size_t)mesh->Nx;
        const real *found = level->next[k] + own;
        if (level->iteration == CPU_ITERATE_U)
            memcpy(U_next + id, found, (size_t)count * sizeof *found);
        else
            cpu_add_row(count, tile->streams, U + id, found, U_next + id);
    }
}

/* Rows of U to load into the window, in the columns of a piece at level 0. */
struct load {
    int step, rows;
    struct span columns;
};

static struct load load_of(const struct tile *tile, int step, int piece) {
    const int left = tile->end - (tile->begin + step * STEP_ROWS);
    return (struct load){step, clip(left, 0, STEP_ROWS), piece_of(tile, piece, 0)};
}

static void load_piece(const struct mesh *mesh, const struct tile *tile,
                       const struct window *window, const struct load *load, const real *U) {
    const int from = load->columns.from, count = load->columns.to - from;
    for (int row = 0; row < load->rows; row++) {
        const int j = tile->begin + load->step * STEP_ROWS + row;
        memcpy(window_level(window, load->step, 0, row) + from,
               U + tile->left + from + (size_t)j * (size_t)mesh->Nx, (size_t)count * sizeof *U);
    }
}

/* Prefetches the part-th of `parts` parts of the next load, so that memory works while the levels
 * compute. */
static void ask_for(const struct mesh *mesh, const struct tile *tile, const struct load *load,
                    int part, int parts, const real *RHS, const real *U) {
    const int rows = 2 * load->rows; /* rows of U and RHS alternate */
    for (int row = rows * part / parts; row < rows * (part + 1) / parts; row++) {
        const int j = tile->begin + load->step * STEP_ROWS + row / 2;
        const real *asked = (row % 2 ? RHS : U) + tile->left + (size_t)j * (size_t)mesh->Nx;
        for (int i = load->columns.from; i < load->columns.to; i += LINE_REALS)
            __builtin_prefetch(asked + i);
    }
}

static void make_tile(const struct mesh *mesh, const struct tile *tile, int depth,
                      const struct window *window, const real *RHS, const real *U, real *U_next,
                      double *sums) {
    struct level levels[SCHEDULE_MAX_DEPTH] = {0};
    const int pieces = (tile->width + depth * LANES + PIECE - 1) / PIECE;
    for (int step = 0; tile->begin + step * STEP_ROWS < tile->j1 + depth; step++) {
        for (int k = 0; k < depth; k++)
            levels[k] = level_make(mesh, tile, window, step, k + 1, RHS);
        for (int piece = 0; piece < pieces; piece++) {
            const bool is_last = piece == pieces - 1;
            const struct load now = load_of(tile, step, piece);
            const struct load next = load_of(tile, step + is_last, is_last ? 0 : piece + 1);
            load_piece(mesh, tile, window, &now, U);
            for (int k = 0; k < depth; k++) {
                ask_for(mesh, tile, &next, k, depth, RHS, U);
                sums[k] += make_piece(mesh, tile, &levels[k], piece_of(tile, piece, k + 1));
            }
            finish_piece(mesh, tile, &levels[depth - 1], piece_of(tile, piece, depth), U, U_next);
        }
    }
}

void cpu_strips(const struct mesh *mesh, const struct cpu_window *cut, int depth, int j0, int j1,
                const real *RHS, const real *U, real *U_next, double *sums, real *work) {
    if (j0 == j1)
        return; /* more threads than rows */
    const unsigned before = cpu_drop_subnormals();
    for (int i0 = 0; i0 < mesh->Nx; i0 += cut->width) {
        const int i1 = smaller(mesh->Nx, i0 + cut->width);
        const int left = larger(0, i0 - cut->halo);
        const int right = smaller(mesh->Nx, i1 + cut->halo);
        const struct tile tile = {
            .i0 = i0,
            .i1 = i1,
            .j0 = j0,
            .j1 = j1,
            .left = left,
            .width = right - left,
            .begin = larger(0, j0 - depth),
            .end = smaller(mesh->Ny, j1 + depth),
            .streams = cut->streams,
        };
        const struct window window = window_make(cut, depth, tile.width, work);
        make_tile(mesh, &tile, depth, &window, RHS, U, U_next, sums);
    }
    cpu_stream_end();
    cpu_keep_subnormals(before);
}
