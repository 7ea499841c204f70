#include "solver/problem.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* The boundary of AMD's program, quirks included. The sine divides by N+2, although the mesh
 * divides by N+1. The horizontal sides are weighted by 1/dx² and the vertical ones by 1/dy²; the
 * equations require the opposite (identical if Nx = Ny). */
static double blog_y(const struct mesh *mesh, int p, int j) {
    return p == 0 ? (j == 0) + (j == mesh->Ny - 1)
                  : sin(pi * (j + 1) / (mesh->Ny + 2)) / (mesh->dy * mesh->dy);
}

static void blog_add_x(const struct mesh *mesh, int p, double y, double *RHS) {
    for (int i = 0; i < mesh->Nx && p == 0; i++)
        RHS[i] += y * (sin(pi * (i + 1) / (mesh->Nx + 2)) / (mesh->dx * mesh->dx));
    RHS[0] += p == 1 ? y : 0;
    RHS[mesh->Nx - 1] += p == 1 ? y : 0;
}

/* Top edge at 1, the others at 0, cold initial values. */
static double hot_plate_y(const struct mesh *mesh, int p, int j) {
    return j == mesh->Ny - 1 ? mesh->_1bydy2 : 0;
}

static void hot_plate_add_x(const struct mesh *mesh, int p, double y, double *RHS) {
    for (int i = 0; i < mesh->Nx; i++)
        RHS[i] += y;
}

/* Hashes the cell's coordinates (splitmix64's finaliser) to a number in [-1, 1). */
static double hash_noise(uint64_t i, uint64_t j) {
    uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ (j + 1) * UINT64_C(0xc2b2ae3d27d4eb4f);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1.0;
}

/* Adds value noise of amplitude 1/2 to a row: hash values on a lattice of `wavelength` cells, with
 * bilinear interpolation. */
static void add_value_noise(int j, int wavelength, int Nx, double *U) {
    const int cj = j / wavelength;
    const double t = (double)(j % wavelength) / wavelength;
    const uint64_t salt = (uint64_t)wavelength << 32;
    double down = hash_noise(salt, cj), up = hash_noise(salt, cj + 1);
    for (int i = 0, ci = 0; i < Nx; ci++) {
        const double left_down = down, left_up = up;
        down = hash_noise(salt + ci + 1, cj);
        up = hash_noise(salt + ci + 1, cj + 1);
        for (int k = 0; k < wavelength && i < Nx; k++, i++) {
            const double s = (double)k / wavelength;
            const double bottom = left_down * (1 - s) + down * s;
            const double top = left_up * (1 - s) + up * s;
            U[i] += 0.5 * (bottom * (1 - t) + top * t);
        }
    }
}

/* Zero boundary, initial noise at many wavelengths. The middle wavelengths decay in a few
 * iterations. The longest hardly decay, and neither does the checkerboard unless ω < 1. The seed is
 * fixed: the same grid always has the same initial values. */
static void noise_fill_row(const struct mesh *mesh, int j, double *U, double *RHS) {
    const int side = mesh->Nx < mesh->Ny ? mesh->Nx : mesh->Ny;
    for (int wavelength = 1; wavelength <= (side < 4 ? 1 : side / 4); wavelength *= 4)
        add_value_noise(j, wavelength, mesh->Nx, U);
}

struct charge {
    double x, y, q;
};

static const struct charge charges[] = {{-0.22, -0.10, 1.0},
                                        {0.20, -0.18, -1.0},
                                        {0.05, 0.24, 1.0},
                                        {-0.28, 0.27, -0.5},
                                        {0.33, 0.12, 0.5}};

_Static_assert(sizeof charges / sizeof *charges <= PRODUCTS_MAX, "too many charges");

/* Point charges inside an earthed box: q/(dx*dy) at the unknown nearest to each. */
static double charges_y(const struct mesh *mesh, int p, int j) {
    return j == (int)((charges[p].y + 0.5) * mesh->Ny) ? charges[p].q / (mesh->dx * mesh->dy) : 0;
}

static void charges_add_x(const struct mesh *mesh, int p, double y, double *RHS) {
    RHS[(int)((charges[p].x + 0.5) * mesh->Nx)] += y;
}

/* u = sin(2πX) sin(πY) + X²Y, X = x + 1/2, Y = y + 1/2. Its boundary values are 0 on the left and
 * below, X² on top, Y on the right; -∇²u = 5π² sin(2πX) sin(πY) - 2Y. */
static double manufactured_exact(double x, double y) {
    const double X = x + 0.5, Y = y + 0.5;
    return sin(2 * pi * X) * sin(pi * Y) + X * X * Y;
}

/* f is a sum of two products; the upper and the right boundary add one each. */
static double manufactured_y(const struct mesh *mesh, int p, int j) {
    const double y = mesh_y(mesh, j), Y = y + 0.5;
    return p == 0   ? sin(pi * Y)
           : p == 1 ? -2 * Y
           : p == 2 ? (j == mesh->Ny - 1 ? mesh->_1bydy2 : 0)
                    : manufactured_exact(0.5, y) * mesh->_1bydx2;
}

static void manufactured_add_x(const struct mesh *mesh, int p, double y, double *RHS) {
    for (int i = 0; i < mesh->Nx && p < 3; i++) {
        const double x = mesh_x(mesh, i), X = x + 0.5;
        RHS[i] += p == 0   ? 5 * pi * pi * sin(2 * pi * X) * y
                  : p == 1 ? y
                           : manufactured_exact(x, 0.5) * y;
    }
    RHS[mesh->Nx - 1] += p == 3 ? y : 0;
}

const struct problem problems[] = {
    {"blog", "The blog's problem", "Sine-shaped boundary values creep into a cold plate.", 2,
     blog_y, blog_add_x, NULL, NULL},
    {"hot-plate", "Hot plate", "Heat enters from one edge and spreads to equilibrium.", 1,
     hot_plate_y, hot_plate_add_x, NULL, NULL},
    {"noise", "Noise",
     "Damped Jacobi removes oscillatory modes in a few iterations, smooth ones hardly at all.", 0,
     NULL, NULL, noise_fill_row, NULL},
    {"charges", "Point charges", "Potentials of point charges in an earthed box.",
     sizeof charges / sizeof *charges, charges_y, charges_add_x, NULL, NULL},
    {"manufactured", "Manufactured solution",
     "The exact solution is known, so the true error can be shown.", 4, manufactured_y,
     manufactured_add_x, NULL, manufactured_exact},
    {0},
};

void problem_fill_row(const struct problem *problem, const struct mesh *mesh, int j, double *U,
                      double *RHS) {
    memset(U, 0, (size_t)mesh->Nx * sizeof *U);
    memset(RHS, 0, (size_t)mesh->Nx * sizeof *RHS);
    for (int p = 0; p < problem->product_count; p++) {
        const double y = problem->y(mesh, p, j);
        if (y != 0)
            problem->add_x(mesh, p, y, RHS);
    }
    if (problem->fill_row)
        problem->fill_row(mesh, j, U, RHS);
}

const struct problem *problem_find(const char *name) {
    for (const struct problem *problem = problems; problem->name; problem++)
        if (strcmp(problem->name, name) == 0)
            return problem;
    return NULL;
}

void problem_residual_row(const struct mesh *mesh, const double *down, const double *U,
                          const double *up, const double *RHS, double *RES) {
    for (int i = 0; i < mesh->Nx; i++) {
        const double l = i > 0 ? U[i - 1] : 0, r = i < mesh->Nx - 1 ? U[i + 1] : 0;
        const double AU =
            (-l + 2 * U[i] - r) * mesh->_1bydx2 + (-down[i] + 2 * U[i] - up[i]) * mesh->_1bydy2;
        RES[i] = RHS[i] - AU;
    }
}

enum status problem_initial_residual(const struct problem *problem, const struct mesh *mesh,
                                     double *residual, struct error *error) {
    const size_t Nx = (size_t)mesh->Nx;
    double *rows = calloc(6 * Nx, sizeof *rows);
    if (!rows)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    double *down = rows, *here = rows + Nx, *up = rows + 2 * Nx;
    double *RHS = rows + 3 * Nx, *RHS_up = rows + 4 * Nx, *RES = rows + 5 * Nx;
    double sum = 0;
    problem_fill_row(problem, mesh, 0, here, RHS);
    for (int j = 0; j < mesh->Ny; j++) {
        if (j + 1 < mesh->Ny)
            problem_fill_row(problem, mesh, j + 1, up, RHS_up);
        else
            memset(up, 0, Nx * sizeof *up);
        problem_residual_row(mesh, down, here, up, RHS, RES);
        for (size_t i = 0; i < Nx; i++)
            sum += RES[i] * RES[i];
        double *oldest = down, *used = RHS;
        down = here, here = up, up = oldest;
        RHS = RHS_up, RHS_up = used;
    }
    free(rows);
    *residual = mesh_residual(mesh, sum);
    if (!isfinite(*residual))
        return error_set(error, STATUS_DIVERGED, "problem '%s' does not start with finite numbers",
                         problem->name);
    return STATUS_OK;
}

double problem_error(const struct problem *problem, const struct mesh *mesh, const double *U,
                     double *largest) {
    double sum = 0;
    *largest = 0;
    for (int j = 0; j < mesh->Ny; j++)
        for (int i = 0; i < mesh->Nx; i++) {
            const double e =
                U[i + (size_t)j * mesh->Nx] - problem->exact(mesh_x(mesh, i), mesh_y(mesh, j));
            sum += e * e;
            *largest = fmax(*largest, fabs(e));
        }
    return sqrt(sum * mesh->dx * mesh->dy);
}
