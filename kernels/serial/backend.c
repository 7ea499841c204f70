#include <stddef.h>

#include "kernels/cpu/roof.h"
#include "kernels/serial/serial.h"

static void serial_initialize(const struct problem *problem, const struct mesh *mesh, double *U,
                              double *RHS, double *other1, double *other2) {
    const size_t Nx = (size_t)mesh->Nx;
    for (int j = 0; j < mesh->Ny; j++) {
        problem->fill_row(mesh, j, U + (size_t)j * Nx, RHS + (size_t)j * Nx);
        for (size_t i = 0; i < Nx; i++) {
            if (other1)
                other1[i + (size_t)j * Nx] = 0;
            if (other2)
                other2[i + (size_t)j * Nx] = 0;
        }
    }
}

static const struct host_kernels kernels = {
    .name = "serial",
    .initialize = serial_initialize,
    .laplacian = serial_laplacian,
    .boundary = serial_boundary,
    .update = serial_update,
    .norm = serial_norm,
    .fused = serial_fused,
    .blocked = serial_blocked,
    .blocked_open = serial_blocked_open,
    .downsample = serial_downsample,
};

static enum status serial_probe(struct device_list *devices, struct error *why_not) {
    (void)why_not;
    return host_probe(1, devices);
}

/* Whatever is asked for: one. */
static struct engine_spec with_one_thread(const struct engine_spec *spec) {
    struct engine_spec ours = *spec;
    ours.tuning.threads = 1;
    return ours;
}

static struct footprint serial_footprint(const struct engine_spec *spec) {
    const struct engine_spec ours = with_one_thread(spec);
    return host_footprint(&ours);
}

static enum status serial_open(const struct engine_spec *spec, struct event_log *events,
                               struct engine **engine, struct error *error) {
    const struct engine_spec ours = with_one_thread(spec);
    return host_open(&kernels, &ours, events, engine, error);
}

static enum status serial_roof(int device, const struct tuning *tuning, struct roof *roof,
                               struct error *error) {
    (void)device;
    (void)tuning;
    return host_roof_measure(1, roof, error);
}

const struct backend serial_backend = {
    .name = "serial",
    .title = "serial",
    .needs = "nothing",
    .model = MODEL_HOST_LOOPS,
    .probe = serial_probe,
    .supports = host_supports,
    .footprint = serial_footprint,
    .open = serial_open,
    .measure_roof = serial_roof,
};
