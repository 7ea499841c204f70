/* Kernels of your own for jacobi-tui: write any of these functions into a file
 * FOLDER/NAME.c, and
 *
 *     jacobi-tui --kernels FOLDER
 *
 * runs them; the program supplies all others. Each time you save, clang-19
 * compiles the file. Its kernels are compared with plain C on three small
 * grids, and join the run if they are right.
 *
 * Arrays hold nx*ny doubles: unknown (i, j), 0 <= i < nx, 0 <= j < ny, is at
 * id = i + j*nx. A neighbour outside the grid counts as 0. dx and dy are the
 * mesh widths.
 *
 * `unstructured` (the default): the arrays have been mapped before a function
 * is called, so that a map clause for them copies nothing. `structured`:
 * nothing is mapped, and each function maps what it needs around itself. Map
 * clauses written for `structured` are right under both.
 *
 * A function returns when its kernel has ended, and must launch one: an OpenMP
 * target region. Only norm need not, because update may have added up the
 * sum that norm returns. */
#pragma once

/* ---- The four kernels of `--schedule classic`, in their order. */

/* AU = (-U_l + 2U - U_r)/dx² + (-U_d + 2U - U_u)/dy² for the unknowns that
 * have four neighbours: 1 <= i < nx-1 and 1 <= j < ny-1. Values that it
 * leaves next to the boundary don't matter: boundary overwrites them. */
void laplacian(long nx, long ny, double dx, double dy, const double *U,
               double *AU);

/* The same formula next to the boundary: i = 0, i = nx-1, j = 0 or j = ny-1.
 */
void boundary(long nx, long ny, double dx, double dy, const double *U,
              double *AU);

/* RES = RHS - AU, then U += RES * omega / (2/dx² + 2/dy²). omega is the value
 * of --omega, by default 1. */
void update(long nx, long ny, double dx, double dy, double omega,
            const double *RHS, const double *AU, double *RES, double *U);

/* Returns sum(RES²). */
double norm(long nx, long ny, const double *RES);

/* ---- `--schedule fused`: all four in one sweep over memory. Reads U and RHS,
 * writes the next iterate to U_next, and returns sum(RES²) of the iterate U.
 */
double fused(long nx, long ny, double dx, double dy, double omega,
             const double *RHS, const double *U, double *U_next);

/* ---- `--schedule blocked:2`: `depth` whole iterations, 1 or 2, in one sweep.
 * U remains unchanged, U_next is the iterate after the last of them, sums[k] =
 * sum(RES²) before iteration k. sums is host memory. */
void blocked(long nx, long ny, double dx, double dy, double omega, int depth,
             const double *RHS, const double *U, double *U_next, double *sums);

/* ---- Mapping by hand, for `unstructured` with the four kernels: bring the
 * arrays to the device before the run, and release them after it. The program
 * fetches U itself. */
void enter(long nx, long ny, double *U, double *AU, double *RES, double *RHS);
void leave(long nx, long ny, double *U, double *AU, double *RES, double *RHS);
