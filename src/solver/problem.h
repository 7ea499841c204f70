/* The problems: -∇²u = f on the mesh, each with its right-hand side and initial guess. */
#pragma once

#include <stdbool.h>

#include "core/status.h"
#include "solver/mesh.h"

enum { PRODUCTS_MAX = 5 };

struct problem {
    const char *name;    /* name on the command line: "hot-plate" */
    const char *title;   /* displayed name: "Hot plate" */
    const char *teaches; /* the lesson, in one sentence */

    /* RHS as a sum of at most PRODUCTS_MAX products x(i)*y(j), with U⁰ = 0: f plus the contribution
     * of the Dirichlet boundary (g/dx² beside a vertical side, g/dy² beside a horizontal one). `y`
     * returns a factor of product p; add_x adds y*x(i) to a row of Nx values. */
    int product_count; /* 0: RHS has no such form */
    double (*y)(const struct mesh *mesh, int p, int j);
    void (*add_x)(const struct mesh *mesh, int p, double y, double *RHS);

    /* Adds row j of U⁰ and of an RHS without that form, Nx values each. NULL: none. */
    void (*fill_row)(const struct mesh *mesh, int j, double *U, double *RHS);

    /* The exact solution of the differential equation at (x, y); NULL if none is known. */
    double (*exact)(double x, double y);
};

/* The table of problems, ended by an entry whose name is NULL. The first is `blog`. */
extern const struct problem problems[];

const struct problem *problem_find(const char *name); /* NULL if there is none */

/* Writes row j of U⁰ and of RHS, Nx values each. Rows are independent, so each thread can fill the
 * rows that it will work on. */
void problem_fill_row(const struct problem *problem, const struct mesh *mesh, int j, double *U,
                      double *RHS);

/* Computes RES = RHS - A*U of a row, from the rows of U below, at and above it. Rows outside the
 * grid are zeros. The arithmetic is the same as in the kernels. */
void problem_residual_row(const struct mesh *mesh, const double *down, const double *U,
                          const double *up, const double *RHS, double *RES);

/* Computes the residual of U⁰. Reads every row once; needs O(Nx) memory. STATUS_INTERNAL if memory
 * runs out, STATUS_DIVERGED if the problem's own data are not finite. */
enum status problem_initial_residual(const struct problem *problem, const struct mesh *mesh,
                                     double *residual, struct error *error);

/* Returns the L2 norm of the error, sqrt(sum((U - exact)²)*dx*dy), and sets *largest to the largest
 * |U - exact|. The problem must have `exact`. */
double problem_error(const struct problem *problem, const struct mesh *mesh, const double *U,
                     double *largest);
