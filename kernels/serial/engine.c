/* The kernels of `serial` in the engine that it shares with threads (kernels/cpu). */
#include "kernels/serial/serial.h"

static void serial_for_rows(int rows, void (*work)(void *context, int row), void *context) {
    for (int row = 0; row < rows; row++)
        work(context, row);
}

static const struct cpu_kernels kernels = {
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
    .blocked_open = serial_blocked_open,
};

enum status serial_open(const struct engine_spec *spec, struct event_log *events,
                        struct engine **engine, struct error *error) {
    return cpu_open(&kernels, 1, spec, events, engine, error);
}
