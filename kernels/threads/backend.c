#include <omp.h>
#include <stddef.h>

#include "kernels/cpu/roof.h"
#include "kernels/threads/threads.h"

static void threads_initialize(const struct problem *problem, const struct mesh *mesh, double *U,
                               double *RHS, double *other1, double *other2) {
    const size_t Nx = (size_t)mesh->Nx;
#pragma omp parallel for schedule(static)
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
    .name = "threads",
    .use_threads = omp_set_num_threads,
    .initialize = threads_initialize,
    .laplacian = threads_laplacian,
    .boundary = threads_boundary,
    .update = threads_update,
    .norm = threads_norm,
    .fused = threads_fused,
    .blocked = threads_blocked,
    .blocked_open = threads_blocked_open,
    .downsample = threads_downsample,
};

static enum status threads_probe(struct device_list *devices, struct error *why_not) {
    (void)why_not;
    return host_probe(threads_count(0), devices);
}

static struct engine_spec with_threads(const struct engine_spec *spec) {
    struct engine_spec ours = *spec;
    ours.tuning.threads = threads_count(spec->tuning.threads);
    return ours;
}

static struct footprint threads_footprint(const struct engine_spec *spec) {
    const struct engine_spec ours = with_threads(spec);
    return host_footprint(&ours);
}

static enum status threads_open(const struct engine_spec *spec, struct event_log *events,
                                struct engine **engine, struct error *error) {
    const struct engine_spec ours = with_threads(spec);
    threads_pin(ours.tuning.threads);
    return host_open(&kernels, &ours, events, engine, error);
}

static enum status threads_roof(int device, const struct tuning *tuning, struct roof *roof,
                                struct error *error) {
    (void)device;
    return host_roof_measure(threads_count(tuning->threads), roof, error);
}

const struct backend threads_backend = {
    .name = "threads",
    .title = "OpenMP threads",
    .needs = "a compiler with OpenMP",
    .model = MODEL_HOST_LOOPS,
    .probe = threads_probe,
    .supports = host_supports,
    .footprint = threads_footprint,
    .open = threads_open,
    .measure_roof = threads_roof,
};
