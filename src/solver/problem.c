#include "solver/problem.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static void clear_row(const struct mesh *mesh, double *U, double *RHS) {
    memset(U, 0, (size_t)mesh->Nx * sizeof *U);
    memset(RHS, 0, (size_t)mesh->Nx * sizeof *RHS);
}

/* The boundary of AMD's program, quirks included. The sine divides by N+2, although the mesh
 * divides by N+1. The horizontal sides are weighted by 1/dx² and the vertical ones by 1/dy²; the
 * equations require the opposite (identical if Nx = Ny). */
static void blog_fill_row(const struct mesh *mesh, int j, double *U, double *RHS) {
    clear_row(mesh, U, RHS);
    const int horizontal_sides = (j == 0) + (j == mesh->Ny - 1);
    for (int side = 0; side < horizontal_sides; side++)
        for (int i = 0; i < mesh->Nx; i++)
            RHS[i] += sin(pi * (i + 1) / (mesh->Nx + 2)) / (mesh->dx * mesh->dx);
    const double g = sin(pi * (j + 1) / (mesh->Ny + 2)) / (mesh->dy * mesh->dy);
    RHS[0] += g;
    RHS[mesh->Nx - 1] += g;
}

/* The sines along the edges times the indicators of the edges' rows and columns. */
static bool blog_product(const struct mesh *mesh, int p, double *x, double *y) {
    if (p == 0) {
        for (int i = 0; i < mesh->Nx; i++)
            x[i] = sin(pi * (i + 1) / (mesh->Nx + 2)) / (mesh->dx * mesh->dx);
        y[0] += 1;
        y[mesh->Ny - 1] += 1;
    } else if (p == 1) {
        x[0] += 1;
        x[mesh->Nx - 1] += 1;
        for (int j = 0; j < mesh->Ny; j++)
            y[j] = sin(pi * (j + 1) / (mesh->Ny + 2)) / (mesh->dy * mesh->dy);
    }
    return p < 2;
}

/* Top edge at 1, the others at 0, cold initial values. */
static void hot_plate_fill_row(const struct mesh *mesh, int j, double *U, double *RHS) {
    clear_row(mesh, U, RHS);
    if (j == mesh->Ny - 1)
        for (int i = 0; i < mesh->Nx; i++)
            RHS[i] = mesh->_1bydy2;
}

static bool hot_plate_product(const struct mesh *mesh, int p, double *x, double *y) {
    for (int i = 0; i < mesh->Nx; i++)
        x[i] = 1;
    y[mesh->Ny - 1] = mesh->_1bydy2;
    return p == 0;
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
    clear_row(mesh, U, RHS);
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

/* Point charges inside an earthed box: q/(dx*dy) at the unknown nearest to each. */
static void charges_fill_row(const struct mesh *mesh, int j, double *U, double *RHS) {
    clear_row(mesh, U, RHS);
    for (size_t k = 0; k < sizeof charges / sizeof *charges; k++) {
        const int i = (int)((charges[k].x + 0.5) * mesh->Nx);
        if (j == (int)((charges[k].y + 0.5) * mesh->Ny))
            RHS[i] += charges[k].q / (mesh->dx * mesh->dy);
    }
}

static bool charges_product(const struct mesh *mesh, int p, double *x, double *y) {
    if ((size_t)p >= sizeof charges / sizeof *charges)
        return false;
    x[(int)((charges[p].x + 0.5) * mesh->Nx)] = charges[p].q / (mesh->dx * mesh->dy);
    y[(int)((charges[p].y + 0.5) * mesh->Ny)] = 1;
    return true;
}

/* u = sin(2πX) sin(πY) + X²Y, X = x + 1/2, Y = y + 1/2. Its boundary values are 0 on the left and
 * below, X² on top, Y on the right; -∇²u = 5π² sin(2πX) sin(πY) - 2Y. */
static double manufactured_exact(double x, double y) {
    const double X = x + 0.5, Y = y + 0.5;
    return sin(2 * pi * X) * sin(pi * Y) + X * X * Y;
}

static void manufactured_fill_row(const struct mesh *mesh, int j, double *U, double *RHS) {
    clear_row(mesh, U, RHS);
    const double y = mesh_y(mesh, j), Y = y + 0.5;
    for (int i = 0; i < mesh->Nx; i++) {
        const double x = mesh_x(mesh, i), X = x + 0.5;
        RHS[i] = 5 * pi * pi * sin(2 * pi * X) * sin(pi * Y) - 2 * Y;
        if (j == mesh->Ny - 1)
            RHS[i] += manufactured_exact(x, 0.5) * mesh->_1bydy2;
    }
    RHS[mesh->Nx - 1] += manufactured_exact(0.5, y) * mesh->_1bydx2;
}

/* f is a sum of two products; the right and the upper boundary add one each. */
static bool manufactured_product(const struct mesh *mesh, int p, double *x, double *y) {
    for (int i = 0; i < mesh->Nx && p < 3; i++)
        x[i] = p == 0   ? sin(2 * pi * (mesh_x(mesh, i) + 0.5))
               : p == 1 ? 1
                        : manufactured_exact(mesh_x(mesh, i), 0.5);
    for (int j = 0; j < mesh->Ny && p != 2; j++)
        y[j] = p == 0   ? 5 * pi * pi * sin(pi * (mesh_y(mesh, j) + 0.5))
               : p == 1 ? -2 * (mesh_y(mesh, j) + 0.5)
                        : manufactured_exact(0.5, mesh_y(mesh, j));
    if (p == 2)
        y[mesh->Ny - 1] = mesh->_1bydy2;
    if (p == 3)
        x[mesh->Nx - 1] = mesh->_1bydx2;
    return p < 4;
}

const struct problem problems[] = {
    {"blog", "The blog's problem", "Sine-shaped boundary values creep into a cold plate.",
     blog_fill_row, blog_product, NULL},
    {"hot-plate", "Hot plate", "Heat enters from one edge and spreads to equilibrium.",
     hot_plate_fill_row, hot_plate_product, NULL},
    {"noise", "Noise",
     "Damped Jacobi removes oscillatory modes in a few iterations, smooth ones hardly at all.",
     noise_fill_row, NULL, NULL},
    {"charges", "Point charges", "Potentials of point charges in an earthed box.", charges_fill_row,
     charges_product, NULL},
    {"manufactured", "Manufactured solution",
     "The exact solution is known, so the true error can be shown.", manufactured_fill_row,
     manufactured_product, manufactured_exact},
    {0},
};

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
    problem->fill_row(mesh, 0, here, RHS);
    for (int j = 0; j < mesh->Ny; j++) {
        if (j + 1 < mesh->Ny)
            problem->fill_row(mesh, j + 1, up, RHS_up);
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
