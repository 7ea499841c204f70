#include "kernels/serial/serial.h"

/* Laplacian, BoundaryConditions, Update and Norm of one unknown, in one expression: the same
 * operations in the same order, so that every iterate has the same bits. */
static double relax(const struct mesh *mesh, double l, double r, double d, double u, double c,
                    double RHS, double *r_res) {
    *r_res = RHS - ((-l + 2 * c - r) * mesh->_1bydx2 + (-d + 2 * c - u) * mesh->_1bydy2);
    return c + *r_res * mesh->factor;
}

double serial_fused(const struct mesh *mesh, const double *RHS, const double *U, double *U_next) {
    const int Nx = mesh->Nx, Ny = mesh->Ny;
    double norm = 0.0;

    for (int j = 0; j < Ny; j++) {
        double row = 0.0;
        for (int i = 0; i < Nx; i++) {
            const size_t id = (size_t)i + (size_t)j * (size_t)Nx;
            double r_res;
            U_next[id] =
                relax(mesh, i > 0 ? U[id - 1] : 0, i < Nx - 1 ? U[id + 1] : 0,
                      j > 0 ? U[id - Nx] : 0, j < Ny - 1 ? U[id + Nx] : 0, U[id], RHS[id], &r_res);
            row += r_res * r_res;
        }
        norm += row;
    }
    return norm;
}
