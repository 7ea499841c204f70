#include "solver/mesh.h"

#include <math.h>

struct mesh mesh_make(int nx, int ny) {
    struct mesh mesh = {.Nx = nx, .Ny = ny, .dx = 1.0 / (nx + 1), .dy = 1.0 / (ny + 1)};
    mesh._1bydx2 = 1.0 / (mesh.dx * mesh.dx);
    mesh._1bydy2 = 1.0 / (mesh.dy * mesh.dy);
    mesh.factor = 1 / (2.0 / (mesh.dx * mesh.dx) + 2.0 / (mesh.dy * mesh.dy));
    return mesh;
}

double mesh_x(const struct mesh *mesh, int i) {
    return -0.5 + (i + 1) * mesh->dx;
}

double mesh_y(const struct mesh *mesh, int j) {
    return -0.5 + (j + 1) * mesh->dy;
}

double mesh_residual(const struct mesh *mesh, double sum_of_squares) {
    return sqrt(sum_of_squares * mesh->dx * mesh->dy) / (double)mesh_unknowns(mesh);
}

double mesh_spectral_radius(const struct mesh *mesh) {
    const double pi = acos(-1.0);
    return (mesh->_1bydx2 * cos(pi / (mesh->Nx + 1)) + mesh->_1bydy2 * cos(pi / (mesh->Ny + 1))) /
           (mesh->_1bydx2 + mesh->_1bydy2);
}

void downsample_span(int begin, int end, int count, int index, int *first, int *last) {
    const long width = end - begin;
    *first = begin + (int)(index * width / count);
    *last = begin + (int)((index + 1) * width / count);
    if (*last <= *first)
        *last = *first + 1;
}
