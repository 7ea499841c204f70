/* One iteration of some rows, the basis of `fused` and `blocked` of serial and threads.
 *
 * One expression computes Laplacian, BoundaryConditions, Update and Norm of an unknown. `fused` has
 * the operations and order of `classic`, so normal numbers have the same bits; `blocked` has fewer
 * (see below). The squares of RES are added in a different order. Numbers below 2.2e-308 (float:
 * 1.2e-38) become 0, because CPUs compute with them many times more slowly. An iteration passes a
 * quarter of a value on to the next row, so unknowns far from a boundary hold such numbers for
 * hundreds of iterations. */
#pragma once

#include <stdbool.h>

#include "kernels/cpu/arch.h"
#include "solver/engine.h"

/* The mesh's constants as kernels use them, each rounded once. */
struct stencil {
    real _1bydx2, _1bydy2, factor;
    real x, y;      /* factor/dx², factor/dy² */
    real left_over; /* 1 - ω */
};

static inline struct stencil stencil_of(const struct mesh *mesh) {
    return (struct stencil){
        ._1bydx2 = (real)mesh->_1bydx2,
        ._1bydy2 = (real)mesh->_1bydy2,
        .factor = (real)mesh->factor,
        .x = (real)(mesh->factor * mesh->_1bydx2),
        .y = (real)(mesh->factor * mesh->_1bydy2),
        .left_over = (real)(1.0 - mesh->omega),
    };
}

/* change = the next iterate - U, from U there (c) and at its left, right, lower and upper
 * neighbours; r_res = RHS - AU. For numbers or vectors. */
#define CPU_CHANGE(change, by, l, r, d, u, c, RHS, r_res)                                          \
    do {                                                                                           \
        /* 2*c is exact, so each of these two may be a multiply-add without another rounding. */   \
        const __typeof__(change) beside_ = (real)2 * (c) - (l), below_ = (real)2 * (c) - (d);      \
        const __typeof__(change) x_ = (beside_ - (r)) * (by)->_1bydx2;                             \
        const __typeof__(change) y_ = (below_ - (u)) * (by)->_1bydy2;                              \
        (r_res) = (RHS) - (x_ + y_);                                                               \
        (change) = (r_res) * (by)->factor;                                                         \
    } while (0)

/* to = the next iterate. */
#define CPU_RELAX(to, by, l, r, d, u, c, RHS, r_res)                                               \
    do {                                                                                           \
        __typeof__(to) change_;                                                                    \
        CPU_CHANGE(change_, by, l, r, d, u, c, RHS, r_res);                                        \
        (to) = (c) + change_;                                                                      \
    } while (0)

/* The same at one unknown, as a function. */
static inline real cpu_relax(const struct stencil *by, real l, real r, real d, real u, real c,
                             real RHS, real *r_res) {
    real next, res;
    CPU_RELAX(next, by, l, r, d, u, c, RHS, res);
    *r_res = res;
    return next;
}

/* The same at (i, j) of U, also next to the boundary: a neighbour outside the grid counts as 0. */
static inline real cpu_relax_at(const struct mesh *mesh, int i, int j, const real *RHS,
                                const real *U, real *r_res) {
    const struct stencil by = stencil_of(mesh);
    const size_t Nx = (size_t)mesh->Nx, id = (size_t)i + (size_t)j * Nx;
    const real l = i > 0 ? U[id - 1] : 0, r = i < mesh->Nx - 1 ? U[id + 1] : 0;
    const real d = j > 0 ? U[id - Nx] : 0, u = j < mesh->Ny - 1 ? U[id + Nx] : 0;
    return cpu_relax(&by, l, r, d, u, U[id], RHS[id], r_res);
}

/* The iterations of `blocked`. Let D be a pass's changes to U so far. The first iteration computes
 * D¹ = factor*RES from U and RHS. A is linear and RHS does not change, so later ones need neither:
 *
 *     Dᵏ⁺¹ = D¹ + x*(left + right) + y*(down + up) + (1 - ω)*Dᵏ     x = factor/dx², y = factor/dy²
 *
 * with the neighbours' Dᵏ, and RES = (Dᵏ⁺¹ - Dᵏ)/factor. If dx = dy and nothing is damped, x and y
 * are 1/4, and six instructions suffice instead of eleven. D is small, so there is less round-off
 * than in an iteration of U. On narrow grids U is iterated: there `classic`'s own round-off is
 * visible. */
enum cpu_iteration {
    CPU_ITERATE_U, /* the next U from U and RHS, as in `classic` */
    CPU_FIRST,     /* D¹ from U and RHS */
    CPU_NEXT,      /* the next D from D and D¹ */
    CPU_NEXT_EVEN, /* the same if x = y = 1/4 */
};

/* The kind of the pass's iteration `level`, counted from 1. */
enum cpu_iteration cpu_iteration_of(const struct mesh *mesh, int level);

/* The floating-point operations of a pass per unknown, as written here (struct backend). */
int cpu_blocked_flops(const struct mesh *mesh, int depth, bool on_gpu);

/* Makes an iteration of `rows` adjacent rows, from column `from` to before `to`. here[k] is the
 * k-th row, of U in the first iteration and of D in later ones; here[-1] and here[rows] are the
 * rows below and above. given[k] is its RHS in the first iteration, and D¹ in later ones. next[k]
 * receives the new D. Reads the columns from - 1 and `to` of here[0] … here[rows-1], and possibly
 * up to a cache line on either side. next[k] may be here[-1] if k > 1, and must not overlap
 * anything else that is read. Returns sum(RES²). */
double cpu_iterate_rows(const struct mesh *mesh, enum cpu_iteration iteration, int rows, int from,
                        int to, const real *const *given, const real *const *here,
                        real *const *next);

/* to = U + D at `count` unknowns of a row. `stream`: non-temporal stores, on processors where these
 * do not delay other computation; call cpu_stream_end afterwards. */
void cpu_add_row(int count, bool stream, const real *U, const real *D, real *to);

/* The bytes of the last-level cache that a core can use; 0 if the system doesn't report them. On
 * AMD's CPUs the system reports the sum over a socket, but a few cores share each cache, usually of
 * 32 MiB. */
enum { AMD_LAST_CACHE = 32 << 20 };
size_t cpu_last_cache(void);

/* Whether the arrays of a fused run are too large for the caches, so that non-temporal stores are
 * faster. */
bool cpu_streams(const struct mesh *mesh);

/* The number of rows that `fused` relaxes together on this processor, at most CPU_ROWS: as many
 * streams of U and RHS as a core needs to keep its memory busy. */
enum { CPU_ROWS = 4 };
int cpu_rows(void);

/* Relaxes whole rows from U to U_next, both Nx*Ny: rows j to j + cpu_rows() - 1, but only rows
 * before `end`. A neighbour outside the grid counts as 0. `stream`: the value of cpu_streams.
 * Returns sum(RES²) of the rows. */
double cpu_relax_grid_rows(const struct mesh *mesh, int j, int end, bool stream, const real *RHS,
                           const real *U, real *U_next);

/* ---- Functions of a row with the signature that for_rows of struct cpu_kernels requires. */

/* A downsample of U + base. */
struct reduction {
    const struct engine_spec *spec;
    const struct downsample *downsample;
    int stride;         /* from a row of U to the next */
    const void *U;      /* reals */
    const double *base; /* NULL: nothing is added to U */
    double *sums;       /* of all cells, as struct engine_ops defines them */
};

/* Writes the sums of a row of cells. Reads U once, in memory order. (downsample.c) */
void cpu_downsample_row(void *reduction, int row);

/* Refinement for mixed precision. Call one function for all rows, then the other. (refine.c) */
struct refinement {
    const struct mesh *mesh;
    const double *RHS;
    double *U;
    real *e, *g;
};

/* U += e, e = 0. */
void refine_add_row(void *refinement, int j);

/* g = RHS - A·U, where a neighbour outside the grid counts as 0. */
void refine_residual_row(void *refinement, int j);
