/* The mesh: Nx × Ny interior unknowns on (-0.5, 0.5)², and the step length of an iteration.
 *
 * Unknown (i, j), 0 ≤ i < Nx, 0 ≤ j < Ny, is at id = i + j*Nx of every array (row-major, with j = 0
 * as the bottom row). The boundary itself holds no unknowns: a neighbour outside the grid counts as
 * 0, and Dirichlet values enter the equations through the right-hand side. */
#pragma once

#include <stddef.h>

enum { MESH_MAX_SIDE = 65536 };

struct mesh {
    int Nx, Ny;
    double dx, dy;           /* 1/(Nx+1), 1/(Ny+1) */
    double _1bydx2, _1bydy2; /* 1/dx², 1/dy² */
    double omega;            /* relaxation factor, ω; 1: Jacobi's own step */
    double factor;           /* ω/(2/dx² + 2/dy²), ω over A's diagonal: U += RES*factor */
};

/* Makes an undamped mesh. Requires 1 ≤ nx, ny ≤ MESH_MAX_SIDE. */
struct mesh mesh_make(int nx, int ny);

/* Returns the same mesh damped by 0 < omega < 2. Most kernels use ω only through `factor`. */
struct mesh mesh_damped(struct mesh mesh, double omega);

/* Returns Nx*Ny, the length of U, AU, RHS and RES. Device code calls it too. */
static inline size_t mesh_unknowns(const struct mesh *mesh) {
    return (size_t)mesh->Nx * (size_t)mesh->Ny;
}

/* The rows from `begin` up to, but not including, `end`. */
struct row_range {
    int begin, end;
};

/* Return the coordinates of unknown (i, j): x = -0.5 + (i+1)*dx. */
double mesh_x(const struct mesh *mesh, int i);
double mesh_y(const struct mesh *mesh, int j);

/* Returns the blog's residual, sqrt(sum(RES²)*dx*dy)/N, from sum(RES²). It is NaN if the sum is not
 * finite, so that a diverged run ends at any tolerance. */
double mesh_residual(const struct mesh *mesh, double sum_of_squares);

/* The measure in which the residual is drawn or compared with the tolerance. */
enum measure {
    MEASURE_BLOG,     /* as in AMD's program: mesh_residual */
    MEASURE_RMS,      /* sqrt(sum(RES²)/N) */
    MEASURE_RELATIVE, /* relative to the residual of U⁰ */
    MEASURE_COUNT
};

/* Names on the command line: "blog", "rms", "relative". Titles: "the blog's residual", "the RMS
 * residual", "the residual relative to the start". */
extern const char *const measure_names[MEASURE_COUNT + 1]; /* ended by NULL */
extern const char *const measure_titles[MEASURE_COUNT];

/* Returns the factor that converts the blog's residual to `measure`; `initial` is that of U⁰. */
double measure_scale(enum measure measure, const struct mesh *mesh, double initial);

/* Returns the factor by which one iteration reduces the slowest error mode. Undamped, it is ρ =
 * (cos(π/(Nx+1))/dx² + cos(π/(Ny+1))/dy²) / (1/dx² + 1/dy²). Damped, it is the larger of 1 - ω + ωρ
 * (smoothest mode) and ω + ωρ - 1 (checkerboard). Above 1, for ω > 2/(1 + ρ), the error grows. */
double mesh_spectral_radius(const struct mesh *mesh);

/* A rectangle of unknowns, [i0, i1) × [j0, j1), reduced to cols × rows cells by their mean. Cell
 * (c, r) is cells[c + r*cols], r = 0 at the bottom. It covers i0 + c*w/cols ≤ i < i0 +
 * (c+1)*w/cols, w = i1 - i0, at least one unknown, and likewise in j. */
struct downsample {
    int i0, i1, j0, j1;
    int cols, rows;
};

/* Finds the unknowns [*first, *last) that cell `index` of `count` covers in [begin, end). */
void downsample_span(int begin, int end, int count, int index, int *first, int *last);
