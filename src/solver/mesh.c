#include "solver/mesh.h"

#include <math.h>

struct mesh mesh_make(int nx, int ny) {
    struct mesh mesh = {.Nx = nx, .Ny = ny, .dx = 1.0 / (nx + 1), .dy = 1.0 / (ny + 1)};
    mesh._1bydx2 = 1.0 / (mesh.dx * mesh.dx);
    mesh._1bydy2 = 1.0 / (mesh.dy * mesh.dy);
    return mesh_damped(mesh, 1);
}

struct mesh mesh_damped(struct mesh mesh, double omega) {
    mesh.omega = omega;
    mesh.factor = omega / (2.0 / (mesh.dx * mesh.dx) + 2.0 / (mesh.dy * mesh.dy));
    return mesh;
}

double mesh_x(const struct mesh *mesh, int i) {
    return -0.5 + (i + 1) * mesh->dx;
}

double mesh_y(const struct mesh *mesh, int j) {
    return -0.5 + (j + 1) * mesh->dy;
}

double mesh_residual(const struct mesh *mesh, double sum_of_squares) {
    return isfinite(sum_of_squares)
               ? sqrt(sum_of_squares * mesh->dx * mesh->dy) / (double)mesh_unknowns(mesh)
               : NAN;
}

const char *const measure_names[MEASURE_COUNT + 1] = {
    [MEASURE_BLOG] = "blog", [MEASURE_RMS] = "rms", [MEASURE_RELATIVE] = "relative"};

const char *const measure_titles[MEASURE_COUNT] = {
    [MEASURE_BLOG] = "the blog's residual",
    [MEASURE_RMS] = "the RMS residual",
    [MEASURE_RELATIVE] = "the residual relative to the start",
};

double measure_scale(enum measure measure, const struct mesh *mesh, double initial) {
    return measure == MEASURE_BLOG ? 1
           : measure == MEASURE_RELATIVE
               ? 1 / initial
               : sqrt((double)mesh_unknowns(mesh) / (mesh->dx * mesh->dy));
}

double mesh_spectral_radius(const struct mesh *mesh) {
    const double pi = acos(-1.0);
    const double rho =
        (mesh->_1bydx2 * cos(pi / (mesh->Nx + 1)) + mesh->_1bydy2 * cos(pi / (mesh->Ny + 1))) /
        (mesh->_1bydx2 + mesh->_1bydy2);
    const double omega = mesh->omega;
    return omega > 1 ? fmax(1 - omega + omega * rho, omega + omega * rho - 1)
                     : 1 - omega + omega * rho;
}

void downsample_span(int begin, int end, int count, int index, int *first, int *last) {
    const long width = end - begin;
    *first = begin + (int)(index * width / count);
    *last = begin + (int)((index + 1) * width / count);
    if (*last <= *first)
        *last = *first + 1;
}
