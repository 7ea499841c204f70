/* The kernels of `serial` in the engine that it shares with threads (kernels/cpu). */
#include "kernels/serial/serial.h"

static void serial_for_rows(int rows, void (*work)(void *context, int row), void *context) {
    for (int row = 0; row < rows; row++)
        work(context, row);
}

const struct cpu_kernels serial_kernels = {
    .name = "serial",
    .for_rows = serial_for_rows,
    .phases =
        {
            .laplacian = serial_laplacian,
            .boundary = serial_boundary,
            .update = serial_update,
            .norm = serial_norm,
            .fused = serial_fused,
            .blocked = serial_blocked,
        },
};
