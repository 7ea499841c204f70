#include <string.h>

#include "kernels/omp/device/gpu/gpu.h"

/* Blocking in time on a GPU.
 *
 * A team takes a tile of SIDE × SIDE unknowns into its registers, advances it by `depth` iterations
 * and writes back the part that is right: at the rim of a tile the neighbours were missing, and the
 * error creeps inwards by one unknown per iteration. So tiles overlap by a halo as wide as the pass
 * is deep, and memory is read once and written once for `depth` iterations.
 *
 * A thread keeps the U and RHS of a column of ROWS unknowns; what its neighbours have it reads from
 * the team's memory, where all leave theirs before each iteration. What lies outside the grid stays
 * 0. */
enum { SIDE = 64, ROWS = 8, THREADS = SIDE * SIDE / ROWS, TEAMS = 264, MOST = 16 };

const struct offload_depths target_depths = {.most = MOST, .side = 4096, .tried = {4, 5, 6, 7, 8}};

/* The teams' parts of the sums of each iteration of a pass. */
struct offload_window {
    int finished;
    double parts[MOST][TEAMS];
};

struct offload_window *target_open_window(const struct mesh *mesh, int depth) {
    (void)mesh, (void)depth;
    struct offload_window *window = pinned_alloc(sizeof *window);
    if (!window)
        return NULL;
    memset(window, 0, sizeof *window);
#pragma omp target enter data map(to : window[:1])
    return window;
}

void target_close_window(struct offload_window *window) {
#pragma omp target exit data map(release : window[:1])
    pinned_free(window);
}

/* A thread's column of a tile. */
struct column {
    int i, j;         /* of its lowest unknown; may lie outside the grid */
    double U[ROWS];   /* 0 outside */
    double RHS[ROWS]; /* 0 outside */
};

/* What a pass works on, and how tiles lie on it. */
struct pass {
    int Nx, Ny, last, depth; /* rows from `last` on are not its own */
    double _1bydx2, _1bydy2, factor;
    const double *RHS, *U;
    double *U_next;
};

static inline int inside(const struct pass *pass, int i, int j) {
    return i >= 0 && i < pass->Nx && j >= 0 && j < pass->Ny;
}

static inline void load_column(const struct pass *pass, struct column *column) {
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int there = inside(pass, column->i, column->j + r);
        const ptrdiff_t id = column->i + (ptrdiff_t)(column->j + r) * pass->Nx;
        column->U[r] = there ? pass->U[id] : 0.0;
        column->RHS[r] = there ? pass->RHS[id] : 0.0;
    }
}

/* One iteration of a column; `tile` holds all columns' U at (x, y) = x + y*SIDE. own[r] says
 * whether the unknown counts for the norm. Returns sum(RES²) of those. */
static inline double relax_column(const struct pass *pass, struct column *column,
                                  const double *tile, int x, int y, unsigned own) {
    double below = y > 0 ? tile[x + (y - 1) * SIDE] : 0.0, norm = 0.0;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int row = (y + r) * SIDE;
        const double l = x > 0 ? tile[x - 1 + row] : 0.0, c = column->U[r];
        const double right = x < SIDE - 1 ? tile[x + 1 + row] : 0.0;
        const double above = r < ROWS - 1      ? column->U[r + 1 < ROWS ? r + 1 : r]
                             : y + ROWS < SIDE ? tile[x + row + SIDE]
                                               : 0.0;
        const double r_res = column->RHS[r] - ((-l + 2 * c - right) * pass->_1bydx2 +
                                               (-below + 2 * c - above) * pass->_1bydy2);
        if (inside(pass, column->i, column->j + r))
            column->U[r] = c + r_res * pass->factor;
        if (own >> r & 1)
            norm += r_res * r_res;
        below = c;
    }
    return norm;
}

/* Bit r: unknown r of the column is the tile's own, not of its halo. */
static inline unsigned own_rows(const struct pass *pass, const struct column *column, int x,
                                int y) {
    unsigned own = 0;
    if (x < pass->depth || x >= SIDE - pass->depth)
        return 0;
    for (int r = 0; r < ROWS; r++)
        if (y + r >= pass->depth && y + r < SIDE - pass->depth &&
            inside(pass, column->i, column->j + r) && column->j + r < pass->last)
            own |= 1u << r;
    return own;
}

/* All iterations of the tile whose own unknowns begin at (i0, j0). Adds to sums[k]. */
static inline void relax_tile(const struct pass *pass, int i0, int j0, double *tile, double *sums) {
    const int x = omp_get_thread_num() % SIDE, y = omp_get_thread_num() / SIDE * ROWS;
    struct column column = {.i = i0 - pass->depth + x, .j = j0 - pass->depth + y};
    load_column(pass, &column);
    const unsigned own = own_rows(pass, &column, x, y);
    for (int k = 0; k < pass->depth; k++) {
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            tile[x + (y + r) * SIDE] = column.U[r];
#pragma omp barrier
        sums[k] += relax_column(pass, &column, tile, x, y, own);
#pragma omp barrier
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if (own >> r & 1)
            pass->U_next[column.i + (ptrdiff_t)(column.j + r) * pass->Nx] = column.U[r];
}

/* The norms of a pass, from every thread's sums; the last thing that a kernel does. */
static inline void norms_of_all(const double *sums, int depth, double *norms, int *finished,
                                double (*parts)[TEAMS]) {
    for (int k = 0; k < depth; k++) {
        const double part = sum_of_team(sums[k]);
        if (omp_get_thread_num() == 0)
            parts[k][omp_get_team_num()] = part;
    }
    if (!is_last_team(finished))
        return;
    for (int k = 0; k < depth; k++) {
        const double sum = sum_of_parts(parts[k]);
        if (omp_get_thread_num() == 0)
            norms[k] = sum;
    }
}

void target_blocked(const struct mesh *mesh, struct band rows, int depth, const double *RHS,
                    const double *U, double *U_next, double *norms, struct offload_sums *sums,
                    struct offload_window *window) {
    const int Nx = mesh->Nx, Ny = mesh->Ny, own = SIDE - 2 * depth;
    const double _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2, factor = mesh->factor;
    const int tiles_x = (Nx + own - 1) / own, first = rows.begin, last = rows.end;
    const int tiles = tiles_x * ((last - first + own - 1) / own);
    double *all_norms = sums->norms, (*parts)[TEAMS] = window->parts;
    int *finished = &window->finished;
    char *results = results_of(sums);
    const size_t bytes = results_bytes(sums, depth);
    struct offload_span *span = span_of(sums, PHASE_BLOCKED);

#pragma omp target teams num_teams(TEAMS) thread_limit(THREADS) map(always, from : results[:bytes])
#pragma omp parallel
    {
        span_begin(span, omp_get_thread_num() == 0 && omp_get_team_num() == 0);
        static double tile[SIDE * SIDE] __attribute__((loader_uninitialized));
#pragma omp allocate(tile) allocator(omp_pteam_mem_alloc)
        const struct pass pass = {Nx, Ny, last, depth, _1bydx2, _1bydy2, factor, RHS, U, U_next};
        double mine[MOST] = {0.0};
        for (int t = omp_get_team_num(); t < tiles; t += omp_get_num_teams())
            relax_tile(&pass, t % tiles_x * own, first + t / tiles_x * own, tile, mine);
        norms_of_all(mine, depth, all_norms, finished, parts);
        span_end(span, omp_get_thread_num() == 0, mine[0]);
    }
    memcpy(norms, sums->norms, (size_t)depth * sizeof *norms);
}
