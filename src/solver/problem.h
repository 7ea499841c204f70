/* The problems: -∇²u = f on the mesh, each with its right-hand side and initial guess. */
#ifndef JACOBI_SOLVER_PROBLEM_H
#define JACOBI_SOLVER_PROBLEM_H

#include "core/status.h"
#include "solver/mesh.h"

struct problem {
    const char *name;    /* as typed: "hot-plate" */
    const char *title;   /* as shown: "Hot plate" */
    const char *teaches; /* one sentence */

    /* Writes row j of U⁰ and of RHS, Nx values each. RHS holds f plus what the Dirichlet boundary
     * contributes (g/dx² beside a vertical side, g/dy² beside a horizontal one). Rows are
     * independent, so threads can fill those that they will work on. */
    void (*fill_row)(const struct mesh *mesh, int j, double *U, double *RHS);

    /* The exact solution of the differential equation at (x, y); NULL if none is known. */
    double (*exact)(double x, double y);
};

/* The table of problems, ended by an entry whose name is NULL. The first is `blog`. */
extern const struct problem problems[];

/* NULL if no problem has that name. */
const struct problem *problem_find(const char *name);

/* The residual of U⁰. Reads every row once; needs O(Nx) memory (STATUS_INTERNAL if there is
 * none). STATUS_DIVERGED if the problem's own data are not finite. */
enum status problem_initial_residual(const struct problem *problem, const struct mesh *mesh,
                                     double *residual, struct error *error);

/* The L2 norm of the error, sqrt(sum((U - exact)²)*dx*dy); the problem must have `exact`. */
double problem_error(const struct problem *problem, const struct mesh *mesh, const double *U);

#endif
