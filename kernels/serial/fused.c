#include "kernels/cpu/row.h"
#include "kernels/serial/serial.h"

/* Four kernels, one pass.
 *
 * `classic` makes four passes over memory per iteration and moves 64 bytes per unknown: Laplacian
 * reads U and writes AU (16), Update reads RHS, AU and U and writes RES and U (40), Norm reads RES
 * (8). But AU and RES of an unknown are needed only where they have just been computed. In the
 * fused kernel they never leave the registers. It reads U and RHS and writes U_next: 24 bytes.
 *
 * U_next can't be U: the row above still needs this row's old values. */
double serial_fused(const struct mesh *mesh, struct row_range rows, const real *RHS, const real *U,
                    real *U_next) {
    const bool stream = cpu_streams(mesh);
    const int step = cpu_rows();
    double norm = 0.0;

    for (int j = rows.begin; j < rows.end; j += step)
        norm += cpu_relax_grid_rows(mesh, j, rows.end, stream, RHS, U, U_next);
    return norm;
}
