/* The mesh: Nx × Ny interior unknowns on (-0.5, 0.5)², and how far a step on it goes.
 *
 * Unknown (i, j), 0 ≤ i < Nx, 0 ≤ j < Ny, is at id = i + j*Nx of every array (row-major, j = 0 is
 * the bottom row). The boundary itself holds no unknowns: a neighbour outside the grid counts as 0,
 * and Dirichlet values reach the equations through the right-hand side.
 */
#ifndef JACOBI_SOLVER_MESH_H
#define JACOBI_SOLVER_MESH_H

#include <stddef.h>

enum { MESH_MAX_SIDE = 65536 };

struct mesh {
    int Nx, Ny;
    double dx, dy;           /* 1/(Nx+1), 1/(Ny+1) */
    double _1bydx2, _1bydy2; /* 1/dx², 1/dy² */
    double omega;            /* damping, ω: 1 is Jacobi's own step */
    double factor;           /* ω/(2/dx² + 2/dy²): U += RES*factor; ω by A's diagonal */
};

/* Undamped. Needs 1 ≤ nx, ny ≤ MESH_MAX_SIDE. */
struct mesh mesh_make(int nx, int ny);

/* The same mesh damped by 0 < omega < 2. To most kernels ω is a part of the factor. */
struct mesh mesh_damped(struct mesh mesh, double omega);

/* Nx*Ny, the length of U, AU, RHS and RES. Device code calls it too. */
static inline size_t mesh_unknowns(const struct mesh *mesh) {
    return (size_t)mesh->Nx * (size_t)mesh->Ny;
}

/* The rows from `begin` to before `end`. */
struct row_range {
    int begin, end;
};

/* Coordinates of unknown (i, j): x = -0.5 + (i+1)*dx. */
double mesh_x(const struct mesh *mesh, int i);
double mesh_y(const struct mesh *mesh, int j);

/* The blog's residual, sqrt(sum(RES²)*dx*dy)/N, from sum(RES²); NaN if the sum is not finite, so
 * that no tolerance lets a run go on that has diverged. */
double mesh_residual(const struct mesh *mesh, double sum_of_squares);

/* What of the residual is drawn, or compared with the tolerance. */
enum measure {
    MEASURE_BLOG,     /* as AMD's program has it: mesh_residual */
    MEASURE_RMS,      /* sqrt(sum(RES²)/N) */
    MEASURE_RELATIVE, /* to the residual of U⁰ */
    MEASURE_COUNT
};

/* As typed: "blog", "rms", "relative"; as said: "the blog's residual", "the RMS residual", "the
 * residual relative to the start". */
extern const char *const measure_names[MEASURE_COUNT + 1]; /* ended by NULL */
extern const char *const measure_titles[MEASURE_COUNT];

/* What the blog's residual is to be multiplied by; `initial` is the blog's residual of U⁰. */
double measure_scale(enum measure measure, const struct mesh *mesh, double initial);

/* By how much one iteration shrinks the slowest part of the error. Undamped that is
 * ρ = (cos(π/(Nx+1))/dx² + cos(π/(Ny+1))/dy²) / (1/dx² + 1/dy²); damped, the larger of 1 - ω + ωρ
 * (the longest wave) and ω + ωρ - 1 (the checkerboard). Above 1, for ω > 2/(1 + ρ), it grows. */
double mesh_spectral_radius(const struct mesh *mesh);

/* A rectangle of unknowns, [i0, i1) × [j0, j1), reduced to cols × rows cells by their mean.
 * Cell (c, r) covers i0 + c*w/cols ≤ i < i0 + (c+1)*w/cols, w = i1 - i0, at least one unknown, and
 * likewise in j; cells[c + r*cols], r = 0 at the bottom. */
struct downsample {
    int i0, i1, j0, j1;
    int cols, rows;
};

/* The unknowns [*first, *last) that cell `index` of `count` covers in [begin, end). */
void downsample_span(int begin, int end, int count, int index, int *first, int *last);

#endif
