/* The mesh: Nx × Ny interior unknowns on (-0.5, 0.5)².
 *
 * Unknown (i, j), 0 ≤ i < Nx, 0 ≤ j < Ny, lies at id = i + j*Nx of every array (row-major, j = 0 is
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
    double factor;           /* 1/(2/dx² + 2/dy²), the inverse of A's diagonal */
};

/* Needs 1 ≤ nx, ny ≤ MESH_MAX_SIDE. */
struct mesh mesh_make(int nx, int ny);

/* Nx*Ny, the length of U, AU, RHS and RES. Device code calls it too. */
static inline size_t mesh_unknowns(const struct mesh *mesh) {
    return (size_t)mesh->Nx * (size_t)mesh->Ny;
}

/* Coordinates of unknown (i, j): x = -0.5 + (i+1)*dx. */
double mesh_x(const struct mesh *mesh, int i);
double mesh_y(const struct mesh *mesh, int j);

/* The blog's residual, sqrt(sum(RES²)*dx*dy)/N, from sum(RES²). */
double mesh_residual(const struct mesh *mesh, double sum_of_squares);

/* By how much one Jacobi iteration shrinks the slowest part of the error:
 * (cos(π/(Nx+1))/dx² + cos(π/(Ny+1))/dy²) / (1/dx² + 1/dy²). */
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
