#include <string.h>

#include "kernels/omp/device/gpu/gpu.h"

/* Temporal blocking on a GPU: several whole iterations in one pass.
 *
 * First the algebra, which kernels/hip/device/blocked.hip derives: `made` is the change that an
 * iteration makes to U, divided by x^k, where x = factor/dx²,
 *
 *     made' = left + right + ratio*(down + up) + rest*made,  ratio = dx²/dy², rest 0 if not damped
 *
 * so RHS is read once per pass, U + sum(x^k*made_k) is the new U, and sum(RES²) =
 * sum(made²)*(x^k/factor)².
 *
 * Then the blocking, as a software pipeline. The LANES threads of a wave take a strip of the grid,
 * COLUMNS columns each, and walk it upwards, one row per step. When row j of U arrives, the first
 * level computes row j-1 of the first change, the second level row j-2 of the second change, and so
 * on; row j-LEVELS of U is then complete. Levels keep the earlier rows that they need in registers.
 * The neighbours in x are the thread's own or come from the thread beside it. Memory is read and
 * written once for LEVELS iterations, and no thread waits for another.
 *
 * With each iteration one more column at either edge of the strip becomes wrong, because its
 * neighbour is in another strip. So strips overlap, and only the columns between the halos count.
 * Likewise a wave that owns rows [begin, end) starts LEVELS rows before and ends LEVELS rows after.
 * For float, three columns are the fastest on an H200: with four, too many waves lack registers.
 */
enum {
    COLUMNS = sizeof(real) == 8 ? 2 : 3,
    LEVELS = 8,
    WIDTH = LANES * COLUMNS,
    HALO = (LEVELS + COLUMNS - 1) / COLUMNS * COLUMNS, /* a multiple of COLUMNS */
    OWNED = WIDTH - 2 * HALO
};

enum { AHEAD = 4 }; /* rows being loaded; take_rows has one call for each */

/* A team has as many waves of LANES threads as its registers allow, each with a strip of its own.
 * There are as many teams as an H200 runs concurrently. */
enum { WAVES = 8, TEAMS = 132, WALKS = TEAMS * WAVES };

const struct offload_depths target_depths = {.most = LEVELS, .side = 4096, .tried = {LEVELS}};

/* Each team's part of the sums, for each iteration of a pass. */
struct team_sums {
    int finished;
    double parts[LEVELS][TEAMS];
};

void *target_open_work(const struct mesh *mesh, int depth) {
    return target_open_mapped(sizeof(struct team_sums));
}

void target_close_work(void *work) {
    target_close_mapped(work, sizeof(struct team_sums));
}

/* Functions that must be inlined: otherwise their arrays would be in memory, not in registers. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* The data of a pass. */
struct pass {
    int Nx, Ny, depth;
    real _1bydx2, _1bydy2, factor;
    real x, ratio, rest;
    const real *RHS, *U;
    real *U_next;
};

/* A thread's position: its columns, and the rows that its wave owns. */
struct place {
    int i, begin, end;
    bool in[COLUMNS]; /* the column is in the grid */
    bool at_edge;     /* the strip extends beyond the grid */
    bool owns;        /* its columns are not in the halo */
};

/* The state that a level keeps from step to step. */
struct level {
    real centre[COLUMNS];   /* the row that arrived last */
    real diagonal[COLUMNS]; /* of the last computed row: right*ratio + up, the down and left of the
                                 unknown above on the right; of the first level, unless
                                 `simple`: the row below `centre` */
    real U[COLUMNS];        /* the last computed row: U and all changes up to this level's */
    double squares;         /* sum(made²) */
};

ALWAYS_INLINE real multiply_add(real a, real b, real c) {
    return sizeof(real) == sizeof(double) ? (real)__builtin_fma(a, b, c)
                                          : (real)__builtin_fmaf((float)a, (float)b, (float)c);
}

ALWAYS_INLINE void load_row(const struct pass *pass, const struct place *place, const real *array,
                            int row, real *values) {
    const int there = row >= 0 && row < pass->Ny && row < place->end + LEVELS;
    array += place->i + (ptrdiff_t)row * pass->Nx;
#pragma unroll
    for (int c = 0; c < COLUMNS; c++)
        values[c] = there && place->in[c] ? array[c] : 0;
}

/* One step: takes row `row` of U, `row_of_U`, and row - 1 of RHS, and computes row - 1 - k of level
 * k's change. `U` becomes row - LEVELS of the new U. `simple`: dx = dy, and no damping. `careful`:
 * rows may be outside the grid or belong to another wave, columns may be outside the grid, or the
 * pass may be shallow. */
ALWAYS_INLINE void step(const struct pass *pass, const struct place *place, struct level *levels,
                        int row, const real *RHS, const real *row_of_U, real *U, const bool simple,
                        const bool careful) {
    real coming[COLUMNS], scale = 1; /* x^k */
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
        coming[c] = row_of_U[c];
        U[c] = 0;
    }
#pragma unroll
    for (int k = 0; k < LEVELS; k++, scale *= simple ? (real)0.25 : pass->x) {
        struct level *level = &levels[k];
        const int j = row - 1 - k;
        const bool below = k == 0 && !simple;
        const real from_left =
            of_left_lane(below ? level->centre[COLUMNS - 1] : level->diagonal[COLUMNS - 1]);
        const real from_right = of_right_lane(level->centre[0]);
        real made[COLUMNS], next[COLUMNS], after[COLUMNS];
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            const real centre = level->centre[c], up = coming[c];
            const real right =
                c < COLUMNS - 1 ? level->centre[c < COLUMNS - 1 ? c + 1 : c] : from_right;
            if (below) {
                const real left = c > 0 ? level->centre[c > 0 ? c - 1 : c] : from_left;
                const real r_res =
                    RHS[c] - ((-left + 2 * centre - right) * pass->_1bydx2 +
                              (-level->diagonal[c] + 2 * centre - up) * pass->_1bydy2);
                made[c] = r_res * pass->factor;
                next[c] = centre;
                continue;
            }
            const real here = simple ? right + up : multiply_add(pass->ratio, up, right);
            next[c] = simple ? here : multiply_add(pass->ratio, right, up);
            made[c] = here + (c > 0 ? level->diagonal[c > 0 ? c - 1 : c] : from_left);
            if (k == 0)
                made[c] =
                    multiply_add(pass->x, made[c], multiply_add(pass->factor, RHS[c], -centre));
            else if (!simple)
                made[c] = multiply_add(pass->rest, centre, made[c]);
        }
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            if (careful && (!place->in[c] || j < 0 || j >= pass->Ny))
                made[c] = 0;
            after[c] = k == 0 ? level->centre[c] + made[c] : multiply_add(scale, made[c], U[c]);
            if (careful && k >= pass->depth)
                after[c] = U[c]; /* beyond the pass's depth */
            if (!careful || (j >= place->begin && j < place->end))
                level->squares = __builtin_fma((double)made[c], (double)made[c], level->squares);
        }
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            level->centre[c] = coming[c];
            level->diagonal[c] = next[c];
            coming[c] = made[c];
            U[c] = level->U[c]; /* the next level computes the row below */
            level->U[c] = after[c];
        }
    }
#pragma unroll
    for (int c = 0; c < COLUMNS; c++)
        U[c] = levels[LEVELS - 1].U[c];
}

/* A row of U, and the row below it of RHS, while they are loaded. */
struct coming {
    real U[COLUMNS], RHS[COLUMNS];
};

ALWAYS_INLINE void begin_loading(const struct pass *pass, const struct place *place, int row,
                                 struct coming *coming) {
    load_row(pass, place, pass->U, row, coming->U);
    load_row(pass, place, pass->RHS, row - 1, coming->RHS);
}

/* Takes the loaded row `row`, starts loading the row AHEAD rows later, and stores the row of U_next
 * that is complete. */
ALWAYS_INLINE void take_row(const struct pass *pass, const struct place *place,
                            struct level *levels, int row, struct coming *coming, const bool simple,
                            const bool careful) {
    const struct coming come = *coming;
    real ready[COLUMNS];
    begin_loading(pass, place, row + AHEAD, coming);
    step(pass, place, levels, row, come.RHS, come.U, ready, simple, careful);
    const int stored = row - LEVELS;
    real *to = pass->U_next + place->i + (ptrdiff_t)stored * pass->Nx;
    if (place->owns && (!careful || (stored >= place->begin && stored < place->end)))
#pragma unroll
        for (int c = 0; c < COLUMNS; c++)
            if (!careful || place->in[c])
                to[c] = ready[c];
}

ALWAYS_INLINE void take_rows(const struct pass *pass, const struct place *place,
                             struct level *levels, int row, struct coming *coming,
                             const bool simple, const bool careful) {
    take_row(pass, place, levels, row, &coming[0], simple, careful);
    take_row(pass, place, levels, row + 1, &coming[1], simple, careful);
    take_row(pass, place, levels, row + 2, &coming[2], simple, careful);
    take_row(pass, place, levels, row + 3, &coming[3], simple, careful);
}

/* Walks the strip upwards, from LEVELS rows below the wave's own rows to LEVELS rows above them.
 * Adds sum(made²) to squares[k]. */
ALWAYS_INLINE void walk(const struct pass *pass, const struct place *place, double *squares,
                        const bool simple) {
    struct level levels[LEVELS] = {0};
    struct coming coming[AHEAD];
    const int first = place->begin - LEVELS;
#pragma unroll
    for (int a = 0; a < AHEAD; a++)
        begin_loading(pass, place, first + a, &coming[a]);
    for (int row = first; row < place->end + LEVELS; row += AHEAD)
        if (place->at_edge || pass->depth < LEVELS || row < place->begin + LEVELS ||
            row + AHEAD - 1 > place->end)
            take_rows(pass, place, levels, row, coming, simple, true);
        else
            take_rows(pass, place, levels, row, coming, simple, false);
#pragma unroll
    for (int k = 0; k < LEVELS; k++)
        squares[k] += place->owns ? levels[k].squares : 0.0;
}

/* Computes sum(RES²) of a pass's iterations from every thread's sum(made²). In the first iteration
 * made is RES/scale; each later iteration multiplies that scale by x. A kernel calls this last. */
static inline void norms_of_all(int depth, double scale, double x, const double *squares,
                                double *norms, int *finished, double (*parts)[TEAMS]) {
    for (int k = 0; k < depth; k++, scale *= x) {
        const double part = sum_of_team(squares[k]);
        if (omp_get_thread_num() == 0)
            parts[k][omp_get_team_num()] = part * scale * scale;
    }
    if (!is_last_team(finished))
        return;
    for (int k = 0; k < depth; k++) {
        const double sum = sum_of_parts(parts[k]);
        if (omp_get_thread_num() == 0)
            norms[k] = sum;
    }
}

void target_blocked(const struct mesh *mesh, struct row_range rows, int depth, const real *RHS,
                    const real *U, real *U_next, double *norms, void *work) {
    const int Nx = mesh->Nx, Ny = mesh->Ny;
    const double _1bydx2 = mesh->_1bydx2, _1bydy2 = mesh->_1bydy2, factor = mesh->factor;
    const bool simple = _1bydx2 == _1bydy2 && mesh->omega == 1.0;
    const double x = simple ? 0.25 : factor * _1bydx2, ratio = _1bydy2 / _1bydx2;
    const double rest = simple ? 0.0 : 1 / x - 2 - 2 * ratio;
    const int first = rows.begin, last = rows.end, count = last - first;
    const int strips = (Nx + OWNED - 1) / OWNED, most = WALKS / strips > 0 ? WALKS / strips : 1;
    const int chunks = count < 2 * LEVELS * most ? 1 + (count - 1) / (2 * LEVELS) : most;
    const int height = (count + chunks - 1) / chunks, walks = strips * chunks;
    const int teams = walks < WALKS ? (walks + WAVES - 1) / WAVES : TEAMS;
    struct team_sums *team_sums = work;
    double *all_norms = target_scratch->norms, (*parts)[TEAMS] = target_address(team_sums->parts);
    int *finished = target_address(&team_sums->finished);
    struct offload_span *spans = target_scratch->spans;
    const size_t spans_copied = spans_to_copy();
    struct offload_span *span = target_address(span_of(PHASE_BLOCKED));
    RHS = target_address(RHS);
    U = target_address(U);
    U_next = target_address(U_next);

#pragma omp target teams num_teams(teams) thread_limit(WAVES * LANES)                              \
    map(always, from : spans[:spans_copied])                                                       \
    is_device_ptr(RHS, U, U_next, all_norms, finished, parts, span)
#pragma omp parallel
    {
        const int lane = omp_get_thread_num() % LANES, wave = omp_get_thread_num() / LANES;
        span_begin(span, omp_get_thread_num() == 0 && omp_get_team_num() == 0);
        const struct pass pass = {Nx, Ny,    depth, _1bydx2, _1bydy2, factor,
                                  x,  ratio, rest,  RHS,     U,       U_next};
        double squares[LEVELS] = {0.0};
        for (int w = omp_get_team_num() * WAVES + wave; w < walks;
             w += omp_get_num_teams() * WAVES) {
            const int i0 = w % strips * OWNED - HALO, begin = first + w / strips * height;
            struct place place = {.i = i0 + lane * COLUMNS,
                                  .begin = begin,
                                  .end = begin + height < last ? begin + height : last,
                                  .at_edge = i0 < 0 || i0 + WIDTH > Nx,
                                  .owns = lane * COLUMNS >= HALO && lane * COLUMNS < WIDTH - HALO};
#pragma unroll
            for (int c = 0; c < COLUMNS; c++)
                place.in[c] = place.i + c >= 0 && place.i + c < Nx;
            if (begin >= last)
                continue;
            if (simple)
                walk(&pass, &place, squares, true);
            else
                walk(&pass, &place, squares, false);
        }
        norms_of_all(depth, 1 / factor, x, squares, all_norms, finished, parts);
        span_end(span, omp_get_thread_num() == 0, squares[0]);
    }
    memcpy(norms, target_scratch->norms, (size_t)depth * sizeof *norms);
}
