#include "kernels.h"

/* A tile's side, and how many unknowns around it are iterated once with it. */
enum { TILE = 64, HALO = 0, SIDE = TILE + 2 * HALO };

/* Makes `depth` iterations, 1 or 2, in one sweep; sums[k] = sum(RES²) before
 * iteration k. */
void blocked(long nx, long ny, double dx, double dy, double omega, int depth,
             const double *RHS, const double *U, double *U_next,
             double *sums) {
    const long N = nx * ny, tiles_x = (nx + TILE - 1) / TILE;
    const long tiles_y = (ny + TILE - 1) / TILE;
    const double _1bydx2 = 1 / (dx * dx), _1bydy2 = 1 / (dy * dy);
    const double factor = omega / (2 * _1bydx2 + 2 * _1bydy2);
    double first = 0, second = 0;

#pragma omp target teams distribute parallel for reduction(+ : first, second) \
    map(to : U[:N], RHS[:N]) map(from : U_next[:N])
    for (long tile = 0; tile < tiles_x * tiles_y; tile++) {
        /* The tile and its halo after one iteration. */
        double once[SIDE * SIDE];
        const long i0 = tile % tiles_x * TILE, j0 = tile / tiles_x * TILE;
        const long i1 = i0 + TILE < nx ? i0 + TILE : nx;
        const long j1 = j0 + TILE < ny ? j0 + TILE : ny;

        for (long j = j0 - HALO; j < j1 + HALO; j++)
            for (long i = i0 - HALO; i < i1 + HALO; i++) {
                const long id = i + j * nx;
                const long here = (i - i0 + HALO) + (j - j0 + HALO) * SIDE;
                if (i < 0 || i >= nx || j < 0 || j >= ny) {
                    once[here] = 0; /* outside the grid */
                    continue;
                }
                const double left = i > 0 ? U[id - 1] : 0;
                const double right = i < nx - 1 ? U[id + 1] : 0;
                const double down = j > 0 ? U[id - nx] : 0;
                const double up = j < ny - 1 ? U[id + nx] : 0;
                const double RES = RHS[id] -
                                   (-left + 2 * U[id] - right) * _1bydx2 -
                                   (-down + 2 * U[id] - up) * _1bydy2;
                once[here] = U[id] + RES * factor;
                if (i >= i0 && i < i1 && j >= j0 && j < j1)
                    first += RES * RES;
            }

        for (long j = j0; j < j1; j++)
            for (long i = i0; i < i1; i++) {
                const long id = i + j * nx, x = i - i0 + HALO;
                const long y = j - j0 + HALO;
                const double u = once[x + y * SIDE];
                const double left = x > 0 ? once[x - 1 + y * SIDE] : 0;
                const double right = x < SIDE - 1 ? once[x + 1 + y * SIDE] : 0;
                const double down = y > 0 ? once[x + (y - 1) * SIDE] : 0;
                const double up = y < SIDE - 1 ? once[x + (y + 1) * SIDE] : 0;
                const double RES = RHS[id] -
                                   (-left + 2 * u - right) * _1bydx2 -
                                   (-down + 2 * u - up) * _1bydy2;
                U_next[id] = depth > 1 ? u + RES * factor : u;
                second += RES * RES;
            }
    }
    sums[0] = first;
    if (depth > 1)
        sums[1] = second;
}
