/* The back end `serial`: its kernels in the engine that it shares with threads (kernels/cpu). */
#include <stddef.h>

#include "kernels/cpu/roof.h"
#include "kernels/cpu/row.h"
#include "kernels/serial/serial.h"

static enum status serial_probe(struct device_list *devices, struct error *error) {
    return cpu_probe(1, devices);
}

static struct footprint serial_footprint(const struct engine_spec *spec) {
    return cpu_footprint(spec, 1);
}

static enum status serial_open(const struct engine_spec *spec, struct event_log *events,
                               struct engine **engine, struct error *error) {
    if (spec->run.precision == PRECISION_DOUBLE)
        return cpu_open(&serial_kernels, 1, spec, events, engine, error);
    return cpu_open_single(&serial_kernels_single, 1, spec, events, engine, error);
}

static enum status serial_roof(int device, const struct tuning *tuning, struct roof *roof,
                               struct error *error) {
    (void)device, (void)tuning;
    return cpu_roof_measure(1, roof, error);
}

const struct backend serial_backend = {
    .name = "serial",
    .title = "serial",
    .needs = "nothing",
    .model = MODEL_HOST_LOOPS,
    .probe = serial_probe,
    .supports = cpu_supports,
    .footprint = serial_footprint,
    .transport = "host copies",
    .open = serial_open,
    .precisions = 1 << PRECISION_SINGLE | 1 << PRECISION_MIXED,
    .blocked_flops = cpu_blocked_flops,
    .measure_roof = serial_roof,
};
