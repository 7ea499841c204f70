/* The problems: -∇²u = f on the mesh, each with its right-hand side and initial guess. */
#ifndef JACOBI_SOLVER_PROBLEM_H
#define JACOBI_SOLVER_PROBLEM_H

#include <stdbool.h>

#include "core/status.h"
#include "solver/mesh.h"

enum { PRODUCTS_MAX = 5 };

struct problem {
    const char *name;    /* as typed: "hot-plate" */
    const char *title;   /* as shown: "Hot plate" */
    const char *teaches; /* one sentence */

    /* Writes row j of U⁰ and of RHS, Nx values each. RHS holds f plus what the Dirichlet boundary
     * contributes (g/dx² beside a vertical side, g/dy² beside a horizontal one). Rows are
     * independent, so threads can fill those that they will work on. */
    void (*fill_row)(const struct mesh *mesh, int j, double *U, double *RHS);

    /* RHS as a sum of at most PRODUCTS_MAX products x(i)*y(j): writes what is not 0 of the factors
     * of product p, Nx and Ny values; false if there are no more. U⁰ is 0 then. NULL if it has no
     * such form. */
    bool (*product)(const struct mesh *mesh, int p, double *x, double *y);

    /* The exact solution of the differential equation at (x, y); NULL if none is known. */
    double (*exact)(double x, double y);
};

/* The table of problems, ended by an entry whose name is NULL. The first is `blog`. */
extern const struct problem problems[];

/* NULL if no problem has that name. */
const struct problem *problem_find(const char *name);

/* RES = RHS - A*U of a row, from the rows of U below, at and above it; a row outside the grid is
 * zeros. The same arithmetic as the kernels'. */
void problem_residual_row(const struct mesh *mesh, const double *down, const double *U,
                          const double *up, const double *RHS, double *RES);

/* The residual of U⁰. Reads every row once; needs O(Nx) memory (STATUS_INTERNAL if there is
 * none). STATUS_DIVERGED if the problem's own data are not finite. */
enum status problem_initial_residual(const struct problem *problem, const struct mesh *mesh,
                                     double *residual, struct error *error);

/* The L2 norm of the error, sqrt(sum((U - exact)²)*dx*dy), and the largest |U - exact|; the problem
 * must have `exact`. */
double problem_error(const struct problem *problem, const struct mesh *mesh, const double *U,
                     double *largest);

#endif
