#include "kernels/serial/serial.h"

/* sum(RES²). One sum per row and then the sum of those: rounding stays small on any grid. */
double serial_norm(const struct mesh *mesh, const double *RES) {
    const size_t Nx = (size_t)mesh->Nx;
    double norm = 0.0;

    for (int j = 0; j < mesh->Ny; j++) {
        double row = 0.0;
        for (size_t i = 0; i < Nx; i++)
            row += RES[i + (size_t)j * Nx] * RES[i + (size_t)j * Nx];
        norm += row;
    }
    return norm;
}
