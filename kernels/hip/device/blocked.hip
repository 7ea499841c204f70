#include "common.h"

/* Several whole iterations in one pass: blocking in time.
 *
 * One pass moves the same 24 bytes per unknown as the fused kernel, but makes `depth` iterations:
 * 24/depth bytes per iteration. It works like an assembly line:
 *
 *   - A block owns a strip of the grid as wide as one *wave* (the threads that run in step: 32 or
 *     64), each lane with COLUMNS neighbouring columns, and walks it upwards, one row per step.
 *   - Each of its waves is a station that makes two iterations: from the row of U^2w that comes
 *     in it makes the row below of U^(2w+1), and from that the row below of U^(2w+2), which it
 *     hands to the next station through shared memory. With three stations, when row j of U^0
 *     comes in:
 *
 *         station 0   U^0 row j   -> U^1 row j-1 -> U^2 row j-2
 *         station 1   U^2 row j-3 -> U^3 row j-4 -> U^4 row j-5
 *         station 2   U^4 row j-6 -> U^5 row j-7 -> U^6 row j-8  -> memory
 *
 *     The rows that an iteration still needs (the last two of what it reads) stay in registers.
 *   - The neighbours in x are the same lane's or come from the next lane by a shuffle.
 *   - RHS is needed by every iteration, each at its own time: its rows wait in a ring in shared
 *     memory until the last station has used them.
 *   - With each iteration one more column at each edge of the strip is wrong, since its neighbour
 *     is in another strip. So strips overlap by HALO lanes, and only the lanes between them store
 *     and count.
 *     Likewise in y: a block that owns rows [begin, end) starts DEPTH rows before and ends as many
 *     after.
 *   - sum(RES²) before every iteration is gathered over the owned unknowns alone.
 *   - A column outside the grid gets the factor 0, so it stays 0; a row outside the grid, and an
 *     iteration beyond `depth`, is not computed but handed on as it is.
 *
 * Rows begin `stride` apart as for the fused kernel. */

static const int COLUMNS = 4; /* per lane */

template <int VALUE> struct number { static const int value = VALUE; };

typedef double columns[COLUMNS];

/* A row of a strip in shared memory, so laid out that the lanes' accesses lie side by side. */
struct shared_row {
    pair halves[COLUMNS / 2][WAVE];
};

/* What a station knows of its place. */
struct station {
    int Ny, begin, end; /* the block owns rows [begin, end) */
    int depth;
    int iteration; /* the first of the two that it makes, from 0 */
    double _1bydx2, _1bydy2;
    columns factor; /* of this lane's columns; 0 outside the grid */
};

/* What one iteration keeps from step to step. */
struct iteration {
    columns rows[2]; /* the last two rows of what it reads; they change places */
    double norm;     /* this lane's sum of RES²*factor */
};

static __device__ inline void get(const shared_row &row, const int lane, columns &values) {
#pragma unroll
    for (int half = 0; half < COLUMNS / 2; half++) {
        const pair two = row.halves[half][lane];
        values[2 * half] = two.x;
        values[2 * half + 1] = two.y;
    }
}

static __device__ inline void put(shared_row &row, const int lane, const columns &values) {
#pragma unroll
    for (int half = 0; half < COLUMNS / 2; half++)
        row.halves[half][lane] = pair{values[2 * half], values[2 * half + 1]};
}

static __device__ inline void store(double *row, const columns &values) {
#pragma unroll
    for (int half = 0; half < COLUMNS / 2; half++)
        ((pair *)row)[half] = pair{values[2 * half], values[2 * half + 1]};
}

/* The place of column `c` of a strip in a row in shared memory. */
static __device__ inline double *shared_element(shared_row &row, const int c) {
    double *half = (double *)&row.halves[c % COLUMNS / 2][c / COLUMNS];
    return half + c % 2;
}

/* One iteration's step: row+1 of what it reads has come in as `up`; row `row` of what it makes goes
 * into `next`. ODD: which of the two rows kept is the older, `down`; `up` takes its place. */
template <int ODD>
static __device__ inline void iterate(const station &station, const int t, struct iteration &U,
                                      const int row, const columns &RHS, const columns &up,
                                      columns &next) {
    const bool active = row >= 0 && row < station.Ny && t < station.depth;
    const bool counts = row >= station.begin && row < station.end;
    columns &down = U.rows[ODD], &centre = U.rows[!ODD];
    const double left = from_left(centre[COLUMNS - 1]), right = from_right(centre[0]);
    double sum = 0;
#pragma unroll
    for (int c = 0; c < COLUMNS; c++)
        next[c] = centre[c];
    if (active) {
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            const double l = c > 0 ? centre[c - 1] : left;
            const double r = c < COLUMNS - 1 ? centre[c + 1] : right;
            double r_res, change;
            next[c] = relax(l, r, down[c], up[c], centre[c], RHS[c], station._1bydx2,
                            station._1bydy2, station.factor[c], &r_res, &change);
            sum = __builtin_fma(r_res, change, sum);
        }
    }
    if (counts)
        U.norm += sum;
#pragma unroll
    for (int c = 0; c < COLUMNS; c++)
        down[c] = up[c];
}

/* The sum of `value` over the lanes of this thread's wave. All threads of the block must call it.
 */
static __device__ inline double sum_wave(double value, double *shared) {
    double *mine = shared + threadIdx.x;
    *mine = value;
    for (int half = WAVE / 2; half > 0; half /= 2) {
        __syncthreads();
        if (lane_of_thread() < half)
            mine[0] += mine[half];
    }
    __syncthreads();
    const double sum = shared[threadIdx.x / WAVE * WAVE];
    __syncthreads();
    return sum;
}

template <int STATIONS, int RING> /* RING: a power of two, more than 3*STATIONS + 1 */
static __device__ inline void
blocked(const int Nx, const int Ny, const int stride, const int depth, const int rows,
        const double _1bydx2, const double _1bydy2, const double factor, const double limit,
        const double *__restrict__ RHS, const double *__restrict__ U, double *__restrict__ U_next,
        double *__restrict__ partials, double *__restrict__ sums,
        struct pass_state *__restrict__ state) {
    __shared__ shared_row ring[RING], handed[STATIONS][2];
    __shared__ double shared[STATIONS * WAVE];

    const int DEPTH = 2 * STATIONS;
    const int HALO = (DEPTH + COLUMNS - 1) / COLUMNS;
    const int OWNED = (WAVE - 2 * HALO) * COLUMNS;
    const int strips = (Nx + OWNED - 1) / OWNED;
    const int lane = lane_of_thread();
    const int w = (int)(threadIdx.x / WAVE);
    const int left_edge = (int)(blockIdx.x % strips) * OWNED - HALO * COLUMNS;
    const int i = left_edge + lane * COLUMNS;
    const int begin = (int)(blockIdx.x / strips) * rows;
    const int end = begin + rows < Ny ? begin + rows : Ny;
    const bool owned = lane >= HALO && lane < WAVE - HALO && i < Nx;

    station station = {Ny, begin, end, depth, 2 * w, _1bydx2, _1bydy2, {}};
#pragma unroll
    for (int c = 0; c < COLUMNS; c++)
        station.factor[c] = i + c >= 0 && i + c < Nx ? factor : 0;

    /* All threads load, LOADS columns each and a row ahead: what arrives during a step is put into
     * shared memory at its end. `coming` is the row of U that is under way, RHS's is the one below.
     */
    const int LOADS = COLUMNS / STATIONS;
    double U_coming[2][LOADS], RHS_coming[2][LOADS];
    const auto load = [&](const auto odd, const int coming) {
#pragma unroll
        for (int n = 0; n < LOADS; n++) {
            const int column = left_edge + n * STATIONS * WAVE + (int)threadIdx.x;
            const bool there = column >= 0 && column < stride;
            const double *U_row = U + column + coming * (long)stride;
            const double *RHS_row = RHS + column + (coming - 1) * (long)stride;
            U_coming[odd.value][n] = there && coming >= 0 && coming < Ny ? *U_row : 0;
            RHS_coming[odd.value][n] = there && coming >= 1 && coming <= Ny ? *RHS_row : 0;
        }
    };
    const auto unload = [&](const auto odd, shared_row &U_row, const int coming) {
#pragma unroll
        for (int n = 0; n < LOADS; n++) {
            const int column = n * STATIONS * WAVE + (int)threadIdx.x;
            *shared_element(U_row, column) = U_coming[odd.value][n];
            *shared_element(ring[(coming - 1) & (RING - 1)], column) = RHS_coming[odd.value][n];
        }
    };

    struct iteration first = {}, second = {};
    columns RHS_before = {}; /* of the row that `second` works on: `first` had it a step ago */
    const auto step = [&](const auto odd, const int coming) {
        const int ODD = odd.value;
        const int row = coming - 2 - 3 * w; /* that `first` makes */
        columns up, middle, next, RHS_now;
        get(handed[w][!ODD], lane, up);
        get(ring[row & (RING - 1)], lane, RHS_now);
        iterate<ODD>(station, 2 * w, first, row, RHS_now, up, middle);
        iterate<ODD>(station, 2 * w + 1, second, row - 1, RHS_before, middle, next);
#pragma unroll
        for (int c = 0; c < COLUMNS; c++)
            RHS_before[c] = RHS_now[c];
        if (w < STATIONS - 1)
            put(handed[w + 1][ODD], lane, next);
        else if (owned && row - 1 >= begin && row - 1 < end)
            store(U_next + i + (row - 1) * (long)stride, next);
        unload(odd, handed[0][ODD], coming);
        load(odd, coming + 2);
        __syncthreads();
    };

    const int bottom = begin - DEPTH;
    load(number<0>(), bottom);
    if (state->stopped) /* asked only now, while the first row is on its way */
        return;
    unload(number<0>(), handed[0][1], bottom);
    load(number<0>(), bottom + 1);
    load(number<1>(), bottom + 2);
    __syncthreads();
    for (int coming = bottom + 1; coming <= end - 1 + 3 * STATIONS; coming += 2) {
        step(number<0>(), coming);
        step(number<1>(), coming + 1);
    }

    const double sum_first = sum_wave(owned ? first.norm : 0, shared);
    const double sum_second = sum_wave(owned ? second.norm : 0, shared);
    if (lane == 0) {
        partials[(unsigned)(2 * w) * gridDim.x + blockIdx.x] = sum_first / factor;
        partials[(unsigned)(2 * w + 1) * gridDim.x + blockIdx.x] = sum_second / factor;
    }
    finish_pass(depth, limit, partials, sums, state, shared);
}

extern "C" __global__ __launch_bounds__(2 * WAVE, 1) void Blocked4(
    const int Nx, const int Ny, const int stride, const int depth, const int rows,
    const double _1bydx2, const double _1bydy2, const double factor, const double limit,
    const double *__restrict__ RHS, const double *__restrict__ U, double *__restrict__ U_next,
    double *__restrict__ partials, double *__restrict__ sums,
    struct pass_state *__restrict__ state) {
    blocked<2, 8>(Nx, Ny, stride, depth, rows, _1bydx2, _1bydy2, factor, limit, RHS, U, U_next,
                  partials, sums, state);
}

extern "C" __global__ __launch_bounds__(4 * WAVE, 1) void Blocked8(
    const int Nx, const int Ny, const int stride, const int depth, const int rows,
    const double _1bydx2, const double _1bydy2, const double factor, const double limit,
    const double *__restrict__ RHS, const double *__restrict__ U, double *__restrict__ U_next,
    double *__restrict__ partials, double *__restrict__ sums,
    struct pass_state *__restrict__ state) {
    blocked<4, 16>(Nx, Ny, stride, depth, rows, _1bydx2, _1bydy2, factor, limit, RHS, U, U_next,
                   partials, sums, state);
}
