#include "common.h"

/* Temporal blocking: several whole iterations in one pass.
 *
 * First the algebra. An iteration adds to U
 *
 *     change = factor*RES = factor*(RHS - AU)
 *
 * and AU is a sum over U and its neighbours. The next iteration has the same RHS, so RHS cancels in
 * the difference of two changes. Each change therefore depends on the previous change alone:
 *
 *     change' = (1 - 2x - 2y)*change + x*(left + right) + y*(down + up),  x = factor/dx²,
 *                                                                         y = factor/dy²
 *
 * where left … up are changes too. If dx = dy and nothing is damped, x = y = 1/4 and the first term
 * is 0. Two additions remain, because the right and upper neighbours of one unknown are the lower
 * and left neighbours of another: their sum is computed once for both. The remaining factor x is
 * deferred: the rows passed on hold change/x^k. So a pass computes the first change from U and RHS,
 * all others from their predecessor, and U becomes
 *
 *     U + change_0 + x*made_1 + x²*made_2 + …
 *
 * An iteration costs four instructions, not relax()'s eleven, and RHS is read once per pass.
 * Every residual remains available: sum(RES²) = sum(change²)/factor².
 *
 * Then the blocking. A pass moves 24 bytes per unknown in double, as the fused kernel does, but
 * makes `depth` iterations: 24/depth bytes for each. It is a software pipeline:
 *
 *   - A block owns a strip of the grid as wide as one *wave* (the 32 or 64 threads that run in
 *     lockstep). Each lane has COLUMNS neighbouring columns. The strip is walked upwards, one row
 *     per step.
 *   - The block's waves are stations of LEVELS iterations each. When row j of U arrives, the first
 *     station's first level computes row j-1 of the first change, its second level row j-2 of the
 *     second change, and so on. Shared memory passes the last change and the partial U to the next
 *     station, which takes them one step later. With two stations of four levels:
 *
 *         first    U row j, RHS row j-1 -> rows j-1, j-2, j-3, j-4 of changes 0 … 3
 *         second   row j-5 of change 3  -> rows j-6, j-7, j-8, j-9 of changes 4 … 7 -> U row j-9
 *
 *     A level keeps its last input row, and that row's sums along the diagonal, in registers.
 *   - The neighbours in x belong to the same lane or come from the next lane by a shuffle.
 *   - Rows are loaded several steps ahead, into a ring in shared memory (see ahead.h). Finished
 *     rows leave through shared memory, so that neighbouring threads access neighbouring bytes.
 *   - With each iteration one more column at each edge of the strip becomes wrong, because its
 *     neighbour is in another strip. So strips overlap, and only the columns between the HALOs are
 *     stored and counted. Likewise in y: a block that owns rows [begin, end) starts DEPTH rows
 *     before and ends DEPTH rows after.
 *   - Outside the grid every change is 0. Almost all steps are inside the grid and the block's
 *     rows; their code is compiled without checks.
 *   - In a shallower pass the levels beyond `depth` run, but add nothing to U. Stations with such
 *     levels check at every step, because after an overflow these levels compute NaN.
 */

/* Clang does not inline calls if a kernel would get too many basic blocks. A call would force
 * values into memory that belong in registers. */
#define ALWAYS_INLINE __attribute__((always_inline))

static const int COLUMNS = LANE_PACKS * PACK; /* per lane */
static const int PACKS = LANE_PACKS * WAVE;   /* in a row of a strip; one thread moves each */

typedef real columns[COLUMNS];

template <int VALUE> struct number {
    static const int value = VALUE;
};

/* ---- rows in shared memory ------------------------------------------------------------------- */

struct shared_row {
    pack packs[PACKS];
};

/* The position of a row's pack. If lane l has packs 2l and 2l+1, neighbouring packs are swapped in
 * every other group of eight. So eight lanes that read together have no bank conflicts. */
static __device__ inline int place_of(const int p) {
    return LANE_PACKS == 2 ? p ^ ((p >> 3) & 1) : p;
}

/* A lane's packs are at `place` and, if there is a second, next to it. */
static __device__ inline void get(const shared_row &row, columns &values) {
    const int place = place_of(LANE_PACKS * lane_of_thread());
#pragma unroll
    for (int p = 0; p < LANE_PACKS; p++) {
        const pack packed = row.packs[place ^ p];
#pragma unroll
        for (int n = 0; n < PACK; n++)
            values[p * PACK + n] = packed[n];
    }
}

static __device__ inline pack packed(const columns &values, const int p) {
    pack result;
#pragma unroll
    for (int n = 0; n < PACK; n++)
        result[n] = values[p * PACK + n];
    return result;
}

static __device__ inline void put(shared_row &row, const columns &values) {
    const int place = place_of(LANE_PACKS * lane_of_thread());
#pragma unroll
    for (int p = 0; p < LANE_PACKS; p++)
        row.packs[place ^ p] = packed(values, p);
}

static const int HANDED = 4; /* a power of two; see `walk` */

/* Aligned, to avoid bank conflicts. */
template <int STATIONS> struct alignas(128) block_memory {
    shared_row U[RING], RHS[RING];            /* row j of U and row j-1 of RHS: at j % RING */
    shared_row changes[STATIONS - 1][2];      /* from each station to the next: its last change */
    shared_row growing[STATIONS - 1][HANDED]; /* and the partial U */
    shared_row made[2];                       /* from the last station to memory */
};

/* ---- one level ------------------------------------------------------------------------------- */

/* The mesh constants, in the form that the levels use. */
struct weights {
    real _1bydx2, _1bydy2, factor;
    double x;   /* factor/dx²: 1/4 if PLAIN */
    real ratio; /* dx²/dy² */
    real rest;  /* (1 - 2x - 2y)/x: 0 if nothing is damped */
};

/* The state that a level keeps from step to step. */
struct level {
    columns centre;   /* the row that arrived last */
    columns diagonal; /* up + ratio*right of the last row: left + ratio*down of the next one;
                         of the very first level, unless PLAIN: the row below `centre` */
    columns U;        /* the last computed row: U and all changes up to this level's */
};

/* A station: its levels, the factor of each level's change in U, and the sums of change², one per
 * pack of the lane or one for all. */
template <int LEVELS, int SUMS> struct station {
    level levels[LEVELS];
    real scale[LEVELS];
    double squares[LEVELS][SUMS];
};

/* One sum for several packs of floats: a conversion to double costs as much as eight additions. */
template <int SUMS>
static __device__ ALWAYS_INLINE void add_squares(double (&sums)[SUMS], const columns &change) {
    if constexpr (SUMS == LANE_PACKS) {
#pragma unroll
        for (int p = 0; p < LANE_PACKS; p++)
            sums[p] = add_products(sums[p], packed(change, p), packed(change, p));
    } else {
        real own = change[0] * change[0];
#pragma unroll
        for (int c = 1; c < COLUMNS; c++)
            own = fma(change[c], change[c], own);
        sums[0] += own;
    }
}

/* sum = left + right + ratio*(down + up) of the row `centre`. Updates the level's diagonals with
 * `up`. `left` is the left lane's last diagonal, `right` the right lane's first centre. */
template <bool PLAIN>
static __device__ ALWAYS_INLINE void add_neighbours(const real ratio, level &level,
                                                    const columns &up, const real left,
                                                    const real right, columns &sum) {
    columns here, next;
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
        const real r = c < COLUMNS - 1 ? level.centre[c + 1] : right;
        here[c] = PLAIN ? r + up[c] : fma(ratio, up[c], r);
        next[c] = PLAIN ? here[c] : fma(ratio, r, up[c]);
    }
#pragma unroll
    for (int c = 0; c < COLUMNS; c++)
        sum[c] = here[c] + (c > 0 ? level.diagonal[c - 1] : left);
#pragma unroll
    for (int c = 0; c < COLUMNS; c++)
        level.diagonal[c] = next[c];
}

/* The first change of a pass, from U and RHS. */
template <bool PLAIN>
static __device__ ALWAYS_INLINE void
begin_change(const weights &weights, level &level, const columns &up, const real left,
             const real right, const columns &RHS, columns &change) {
    const columns &centre = level.centre;
    if (PLAIN) {
        const real x = weights.x;
        columns sum;
        add_neighbours<true>(1, level, up, left, right, sum);
#pragma unroll
        for (int c = 0; c < COLUMNS; c++)
            change[c] = fma(x, sum[c], fma(weights.factor, RHS[c], -centre[c]));
        return;
    }
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
        const real l = c > 0 ? centre[c - 1] : left;
        const real r = c < COLUMNS - 1 ? centre[c + 1] : right;
        real r_res;
        relax(l, r, level.diagonal[c], up[c], centre[c], RHS[c], weights._1bydx2, weights._1bydy2,
              weights.factor, &r_res, &change[c]);
    }
#pragma unroll
    for (int c = 0; c < COLUMNS; c++)
        level.diagonal[c] = centre[c];
}

/* ---- one step of a station ------------------------------------------------------------------- */

/* The checks that a step needs: none; for columns outside the grid; for rows outside the block's,
 * which are inside the grid; all of these, and for rows outside the grid. IDLE: none of the
 * station's rows has arrived yet. */
enum care { INSIDE, AT_EDGE, BESIDE, ANYWHERE, IDLE };

/* A thread's position. */
struct place {
    int Nx, Ny;
    int width;        /* of a row in memory */
    int stride;       /* from one row to the next: negative if the walk goes down */
    int begin, end;   /* the block owns rows [begin, end), counted in walking direction */
    int awaited;      /* how many of its first rows a neighbour waits for */
    int left_edge;    /* column of the strip's first unknown; may be outside the grid */
    bool at_edge;     /* the strip extends beyond the grid */
    bool in[COLUMNS]; /* this lane's columns are in the grid */
};

/* Takes one row and returns one. `row`: the row that the first level computes. `coming`: row+1 of
 * its input (U or a change). RHS: row `row`, for the first station. U: the partial row `row`, for
 * the others. `coming` is replaced by the last level's change, and U by that level's U. */
template <bool FIRST, bool PLAIN, int CARE, int LEVELS, int SUMS>
static __device__ ALWAYS_INLINE void step(const place &place, const weights &weights,
                                          station<LEVELS, SUMS> &station, int row,
                                          const columns &RHS, columns &coming, columns &U) {
    /* The neighbouring lanes' values are loaded one level ahead. The first change, unless PLAIN,
     * uses relax(), which needs the left neighbour itself. */
    const level &first = station.levels[0];
    real left =
        from_left(FIRST && !PLAIN ? first.centre[COLUMNS - 1] : first.diagonal[COLUMNS - 1]);
    real right = from_right(first.centre[0]);
#pragma unroll
    for (int k = 0; k < LEVELS; k++, row--) {
        level &level = station.levels[k];
        real next_left = 0, next_right = 0;
        if (k + 1 < LEVELS) {
            next_left = from_left(station.levels[k + 1].diagonal[COLUMNS - 1]);
            next_right = from_right(station.levels[k + 1].centre[0]);
        }

        columns change, after;
        if (FIRST && k == 0)
            begin_change<PLAIN>(weights, level, coming, left, right, RHS, change);
        else
            add_neighbours<PLAIN>(weights.ratio, level, coming, left, right, change);
        const bool outside = CARE == ANYWHERE && (row < 0 || row >= place.Ny);
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            if (!PLAIN && !(FIRST && k == 0))
                change[c] = fma(weights.rest, level.centre[c], change[c]);
            if (CARE == AT_EDGE || CARE == ANYWHERE)
                change[c] = outside || !place.in[c] ? 0 : change[c];
            after[c] = FIRST && k == 0 ? level.centre[c] + change[c]
                                       : fma(station.scale[k], change[c], U[c]);
            if (CARE == ANYWHERE && !(FIRST && k == 0) && station.scale[k] == 0)
                after[c] = U[c]; /* even if the change is NaN */
        }
        if (CARE < BESIDE || (row >= place.begin && row < place.end))
            add_squares(station.squares[k], change);
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            level.centre[c] = coming[c];
            coming[c] = change[c];
            U[c] = level.U[c]; /* the next level computes the row below */
            level.U[c] = after[c];
        }
        left = next_left;
        right = next_right;
    }
#pragma unroll
    for (int c = 0; c < COLUMNS; c++)
        U[c] = station.levels[LEVELS - 1].U[c];
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* The sizes that follow from the depth. */
template <int DEPTH> struct sizes {
    static const int HALO = DEPTH / PACK; /* packs on either side */
    static const int OWNED = PACK * (PACKS - 2 * HALO);
    static const int SUMS =
        sizeof(real) < sizeof(double) && HALO % LANE_PACKS == 0 ? 1 : LANE_PACKS;
    static const int ORIGIN = 2 * DEPTH; /* strips begin this far left of the multiples of OWNED:
                                            with 8 levels at multiples of 64 bytes */
};

/* How rows of U and RHS arrive: as in ahead.h or, if COPIES, by copies of whole waves. await_row
 * waits for this thread's part of all rows but the last ROWS_AHEAD-1. */
template <bool COPIES> struct row_copy {
    __device__ row_copy(int, int) {
    }
    static __device__ inline void await_row() {
        wait_for_row<ROWS_AHEAD - 1>();
    }
};

#ifdef COPIES_BY_WAVE
/* What takes the place of a row outside the grid. */
static __device__ const shared_row zeros = {};

template <> struct row_copy<true> {
    unsigned offset[COPY_PARTS]; /* from the strip's left edge, in the order of shared memory */

    /* Columns outside the grid are replaced by others; `walk` ignores their values. */
    __device__ row_copy(const int left_edge, const int width) {
#pragma unroll
        for (int n = 0; n < COPY_PARTS; n++) {
            const int byte = (n * WAVE + lane_of_thread()) * COPY_BYTES, size = sizeof(pack);
            const int p = place_of(wave_of_thread() * WAVE + byte / size);
            const int column = left_edge + PACK * p, last = width - PACK;
            const int nearest = column < 0 ? 0 : column > last ? last : column;
            offset[n] = (unsigned)((nearest - left_edge) * (int)sizeof(real) + byte % size);
        }
    }

    /* Starts the copy of a row that begins at `from`, or of zeros if `there` is false. */
    __device__ inline void begin(const real *from, const bool there, shared_row &to) const {
        char *const own = (char *)(to.packs + wave_of_thread() * WAVE);
#pragma unroll
        for (int n = 0; n < COPY_PARTS; n++)
            copy_lanes(there ? (const void *)from : &zeros, offset[n], own + n * WAVE * COPY_BYTES);
    }

    static __device__ inline void await_row() {
        wait_for_copies<2 * COPY_PARTS *(ROWS_AHEAD - 1)>();
    }
};
#endif

static __device__ inline bool is_owned(const int p, const int halo) {
    return p >= halo && p < PACKS - halo;
}

/* Walks station `w` up the strip. All stations make the same number of steps, with one barrier
 * each. At each step a station reads the `changes` that its predecessor wrote one step ago and the
 * `growing` rows from two steps ago, while the predecessor writes the next. */
template <bool COPIES, bool FIRST, bool LAST, bool PLAIN, int STATIONS, int LEVELS, int SUMS>
static __device__ ALWAYS_INLINE void
walk(const place &place, const weights &weights, const int w, const real *__restrict__ RHS,
     const real *__restrict__ U, real *__restrict__ U_next, struct pass_state *state,
     block_memory<STATIONS> &memory, station<LEVELS, SUMS> &station) {
    const int DEPTH = STATIONS * LEVELS;
    const int thread = (int)threadIdx.x; /* moves this pack between memory and shared memory */
    const int column = place.left_edge + PACK * thread;
    const bool moves =
        STATIONS * WAVE <= PACKS || (COPIES ? wave_of_thread() * WAVE : thread) < PACKS;
    const bool loads = column >= 0 && column < place.width;
    const bool stores = is_owned(thread, sizes<DEPTH>::HALO) && column >= 0 && column < place.Nx;
    const int my_place = place_of(thread);
    const long stride =
        place.stride; /* the compiler sees a 32-bit value, so its products are cheap */

    const row_copy<COPIES> copy(place.left_edge, place.width);
    coming_pack U_coming[2], RHS_coming[2];
    const auto begin_loading = [&](const int which, const int row) {
        if (!moves)
            return;
        const bool needed = (COPIES || loads) && row < place.end + DEPTH;
        const bool U_there = needed && row >= 0 && row < place.Ny;
        const bool RHS_there = needed && row >= 1 && row <= place.Ny;
        if constexpr (COPIES) {
            const real *const edge = U + place.left_edge, *const RHS_edge = RHS + place.left_edge;
            copy.begin(edge + row * stride, U_there, memory.U[row & (RING - 1)]);
            copy.begin(RHS_edge + (row - 1) * stride, RHS_there, memory.RHS[row & (RING - 1)]);
            return;
        }
        U_coming[which].begin(U_there ? U + column + row * stride : U, U_there,
                              memory.U[row & (RING - 1)].packs[my_place]);
        RHS_coming[which].begin(RHS_there ? RHS + column + (row - 1) * stride : RHS, RHS_there,
                                memory.RHS[row & (RING - 1)].packs[my_place]);
        end_of_row();
    };
    const auto end_loading = [&](const int which, const int row) {
        if (!moves || COPIES)
            return;
        U_coming[which].end(memory.U[row & (RING - 1)].packs[my_place]);
        RHS_coming[which].end(memory.RHS[row & (RING - 1)].packs[my_place]);
    };

    const int first_row = place.begin - DEPTH;
    begin_loading(0, first_row);
    end_loading(0, first_row);
#pragma unroll
    for (int n = 1; n < ROWS_AHEAD; n++)
        begin_loading((n - 1) % 2, first_row + n);
    row_copy<COPIES>::await_row();
    __syncthreads();

    /* How far below the arriving row the station's first and last level work, in rows. */
    const int lag = 1 + w * (LEVELS + 1), last_lag = lag + LEVELS - 1;
    const int store_lag = STATIONS * (LEVELS + 1);
    const auto step_to = [&](const auto care, const auto odd, const int row) ALWAYS_INLINE {
        const int ODD = odd.value;
        const bool works = care.value != IDLE;
        columns coming = {}, changed = {}, RHS_now = {};
        if (works && FIRST) {
            get(memory.U[row & (RING - 1)], coming);
            get(memory.RHS[row & (RING - 1)], RHS_now);
            if constexpr (COPIES)
#pragma unroll
                for (int c = 0; c < COLUMNS; c++)
                    coming[c] = care.value == INSIDE || place.in[c] ? coming[c] : 0;
        } else if (works) {
            get(memory.changes[w - 1][!ODD], coming);
            get(memory.growing[w - 1][(row - 2) & (HANDED - 1)], changed);
        }
        end_loading(ODD, row + 1);
        begin_loading(ODD, row + ROWS_AHEAD);
        const int stored = row - store_lag;
        if (stores && stored >= place.begin && stored < place.end)
            *(pack *)(U_next + column + stored * stride) = memory.made[!ODD].packs[my_place];

        if (works)
            step<FIRST, PLAIN, care.value>(place, weights, station, row - lag, RHS_now, coming,
                                           changed);
        if (works && LAST) {
            put(memory.made[ODD], changed);
        } else if (works) {
            put(memory.changes[w][ODD], coming);
            put(memory.growing[w][row & (HANDED - 1)], changed);
        }
        row_copy<COPIES>::await_row();
        __syncthreads();
    };
    /* Each care has a loop of its own: one loop around all of them costs 1 % of a long walk. */
    int row = first_row;
    const auto steps_to = [&](const auto care, const int end) ALWAYS_INLINE {
#pragma unroll 1
        for (; row < end; row += 2) {
            step_to(care, number<0>(), row);
            step_to(care, number<1>(), row + 1);
        }
    };
    if (w > 0)
        steps_to(number<IDLE>(), first_row + w * (2 * LEVELS + 1) - 1);
    const bool whole = station.scale[LEVELS - 1] != 0;
    const bool beside = whole && !place.at_edge && first_row >= 0 && place.end + DEPTH <= place.Ny;
    const int inside_from = (whole ? place.begin : place.end + store_lag) + last_lag;
    const int inside_to = place.end + lag - 1;
#pragma unroll 1
    for (int part = place.awaited > 0 ? 0 : 1; part < 2; part++) {
        const int end = store_lag + (part == 0 ? place.begin + place.awaited : place.end);
        while (row < end) {
            const bool fills = row < inside_from, drains = row >= inside_to;
            const int change = fills ? inside_from : drains ? end : inside_to;
            const int until = change < end ? change : end;
            if ((fills || drains) && beside)
                steps_to(number<BESIDE>(), until);
            else if (fills || drains)
                steps_to(number<ANYWHERE>(), until);
            else if (place.at_edge)
                steps_to(number<AT_EDGE>(), until);
            else
                steps_to(number<INSIDE>(), until);
        }
        if (part == 0)
            announce(state);
    }
}

/* A station's whole work: the walk, then its levels' sums. */
template <bool FIRST, bool LAST, bool PLAIN, int STATIONS, int LEVELS>
static __device__ ALWAYS_INLINE void
work(const place &place, const weights &weights, const int depth, const bool copies, const int w,
     const real *__restrict__ RHS, const real *__restrict__ U, real *__restrict__ U_next,
     double *__restrict__ partials, struct pass_state *state, block_memory<STATIONS> &memory) {
    typedef sizes<STATIONS * LEVELS> sizes;
    const int begin = w * LEVELS;
    station<LEVELS, sizes::SUMS> station = {};
    double scale = 1;
    for (int k = 0; k < begin; k++)
        scale *= weights.x;
#pragma unroll
    for (int k = 0; k < LEVELS; k++, scale *= weights.x)
        station.scale[k] = begin + k < depth ? scale : 0;

    if (MAY_COPY && copies)
        walk<MAY_COPY, FIRST, LAST, PLAIN>(place, weights, w, RHS, U, U_next, state, memory,
                                           station);
    else
        walk<false, FIRST, LAST, PLAIN>(place, weights, w, RHS, U, U_next, state, memory, station);

    scale = 1 / (double)weights.factor;
    for (int k = 0; k < begin; k++)
        scale *= weights.x;
#pragma unroll
    for (int k = 0; k < LEVELS; k++, scale *= weights.x) {
        double sum = 0;
#pragma unroll
        for (int p = 0; p < sizes::SUMS; p++)
            sum += is_owned(LANE_PACKS * lane_of_thread() + p, sizes::HALO) ? station.squares[k][p]
                                                                            : 0;
        sum = sum_wave(sum);
        if (lane_of_thread() == 0)
            partials[(unsigned)(begin + k) * gridDim.x + blockIdx.x] = sum * scale * scale;
    }
}

template <bool PLAIN, int STATIONS, int LEVELS>
static __device__ ALWAYS_INLINE void blocked(PASS_PARAMETERS) {
    const bool copies = MAY_COPY && how < 0;
    const int depth = copies ? -how : how;
    __shared__ block_memory<STATIONS> memory;

    typedef sizes<STATIONS * LEVELS> sizes;
    const int before =
        sizes::ORIGIN - PACK * sizes::HALO; /* the owned columns to the left of the grid */
    const int strips = (Nx + before + sizes::OWNED - 1) / sizes::OWNED;
    const int left_edge = (int)(blockIdx.x % strips) * sizes::OWNED - sizes::ORIGIN;
    const block_rows own =
        rows_of_block((int)(blockIdx.x / strips), first, last, rows, below, above);
    if (state->stopped) {
        if (own.awaited > 0)
            announce(state);
        return;
    }
    place place = {Nx, Ny, stride, stride, own.begin, own.end, own.awaited, left_edge, false, {}};
    if (own.down) {
        const long top = (Ny - 1) * (long)stride;
        U += top;
        RHS += top;
        U_next += top;
        place.stride = -stride;
        place.begin = Ny - own.end;
        place.end = Ny - own.begin;
    }
    place.at_edge = left_edge < 0 || left_edge + WAVE * COLUMNS > Nx;
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
        const int i = left_edge + lane_of_thread() * COLUMNS + c;
        place.in[c] = i >= 0 && i < Nx;
    }
    const double x = PLAIN ? 0.25 : factor * _1bydx2, ratio = _1bydy2 / _1bydx2;
    const weights weights = {
        (real)_1bydx2, (real)_1bydy2, (real)factor, x, (real)ratio, (real)(1 / x - 2 - 2 * ratio)};

    const int w = wave_of_thread();
    if (w == 0)
        work<true, false, PLAIN, STATIONS, LEVELS>(place, weights, depth, copies, 0, RHS, U, U_next,
                                                   partials, state, memory);
    else if (w == STATIONS - 1)
        work<false, true, PLAIN, STATIONS, LEVELS>(place, weights, depth, copies, STATIONS - 1, RHS,
                                                   U, U_next, partials, state, memory);
    else if (STATIONS > 2)
        work<false, false, PLAIN, STATIONS, LEVELS>(place, weights, depth, copies, w, RHS, U,
                                                    U_next, partials, state, memory);
    finish_pass<LEVELS>(depth, limit, partials, sums, state);
}

/* Blocked4, Blocked8: dx = dy and no damping, so that x = y = 1/4. The others take any mesh. The
 * second launch bound is the intended number of blocks per multiprocessor. */

extern "C" __global__ __launch_bounds__(2 * WAVE, 6) void Blocked4(PASS_PARAMETERS) {
    blocked<true, 2, 2>(PASS_ARGUMENTS);
}

extern "C" __global__ __launch_bounds__(2 * WAVE, 6) void Blocked4Any(PASS_PARAMETERS) {
    blocked<false, 2, 2>(PASS_ARGUMENTS);
}

extern "C" __global__ __launch_bounds__(8 / LEVELS_MAX * WAVE, 4) void Blocked8(PASS_PARAMETERS) {
    blocked<true, 8 / LEVELS_MAX, LEVELS_MAX>(PASS_ARGUMENTS);
}

extern "C" __global__ __launch_bounds__(8 / LEVELS_MAX * WAVE,
                                        4) void Blocked8Any(PASS_PARAMETERS) {
    blocked<false, 8 / LEVELS_MAX, LEVELS_MAX>(PASS_ARGUMENTS);
}
