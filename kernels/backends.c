#include "kernels/backends.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format.h"
#include "core/system.h"
#include "kernels/hip/hip.h"
#include "kernels/omp/omp.h"
#include "kernels/serial/serial.h"
#include "kernels/threads/threads.h"
#include "solver/slabs.h"

const struct backend *const backends[] = {&hip_backend, &omp_backend, &threads_backend,
                                          &serial_backend, NULL};

const struct backend *backend_find(const char *name) {
    for (const struct backend *const *backend = backends; *backend; backend++)
        if (strcmp((*backend)->name, name) == 0)
            return *backend;
    return NULL;
}

const struct backend *backend_of_library(const char *path) {
    const char *dot = strrchr(path, '.');
    const struct backend *backend = dot ? backend_find(dot + 1) : NULL;
    return backend && backend->user_kernels && backend->user_kernels->load ? backend : NULL;
}

enum status backend_devices(const struct backend *backend, const struct engine_spec *spec,
                            int devices[SLABS_MAX], int *count, struct error *error) {
    const struct device_choice *choice = &spec->run.devices;
    const bool on_host = backend->model == MODEL_HOST_LOOPS;
    struct device_list list = {0};
    TRY(backend->probe(&list, error));
    *count = choice->count == DEVICES_ALL ? list.count : choice->count > 0 ? choice->count : 1;
    for (int s = 0; s < *count; s++) {
        devices[s] = choice->count == 0 ? spec->run.device
                     : choice->listed   ? choice->index[s]
                     : s < list.count   ? list.devices[s].index
                     : on_host          ? 0
                                        : s;
        if (!device_find(&list, devices[s]))
            return error_set(error, STATUS_UNAVAILABLE,
                             "%s has no device %d: there %s %d (see --list)", backend->name,
                             devices[s], list.count == 1 ? "is" : "are", list.count);
    }
    return STATUS_OK;
}

/* The spec of each engine of a run: of a slab, or of the whole. An open depth counts as 1. */
static enum status spec_of_slab(const struct backend *backend, const struct engine_spec *spec,
                                const int *devices, int slab, int count, struct engine_spec *part,
                                struct error *error) {
    if (count > 1)
        return slab_cut(backend, spec, slab, count, devices[slab], part, error);
    *part = *spec;
    part->run.device = devices[slab];
    part->run.devices = (struct device_choice){0};
    return STATUS_OK;
}

enum status backend_add_needs(const struct backend *backend, const struct engine_spec *spec,
                              struct memory_needs *needs, struct error *error) {
    int devices[SLABS_MAX], count = 0;
    TRY(backend_devices(backend, spec, devices, &count, error));
    for (int s = 0; s < count; s++) {
        struct engine_spec part;
        TRY(spec_of_slab(backend, spec, devices, s, count, &part, error));
        const struct footprint more = backend->footprint(&part);
        needs->host_bytes += more.host_bytes;
        needs->device_bytes[devices[s]] += more.device_bytes;
    }
    return STATUS_OK;
}

static enum status too_large(const struct engine_spec *spec, int runs, const char *where,
                             uint64_t needed, uint64_t there, struct error *error) {
    char several[32] = "";
    if (runs > 1)
        snprintf(several, sizeof several, "%d runs of ", runs);
    return error_set(error, STATUS_BAD_INPUT, "%sgrid %s %s %s of %s memory; %s is available",
                     several, AS(format_grid, spec->mesh.Nx, spec->mesh.Ny),
                     runs > 1 ? "are too large together: they need" : "is too large: it needs",
                     AS(format_bytes, (double)needed), where, AS(format_bytes, (double)there));
}

enum status backend_check_memory(const struct backend *backend, const struct engine_spec *spec,
                                 int runs, const struct memory_needs *needs, struct error *error) {
    struct device_list list = {0};
    const uint64_t usable = memory_usable();
    TRY(backend->probe(&list, error));
    if (needs->host_bytes > usable)
        return too_large(spec, runs, "host", needs->host_bytes, usable, error);
    for (int d = 0; d < list.count; d++) {
        const uint64_t there = list.devices[d].memory_bytes; /* 0: not reported */
        char where[32] = "device";
        if (spec->run.devices.count != 0)
            snprintf(where, sizeof where, "device %d's", d);
        if (there && needs->device_bytes[d] > there)
            return too_large(spec, runs, where, needs->device_bytes[d], there, error);
    }
    return STATUS_OK;
}

/* Only Jacobi has precisions other than double; the other methods' kernels are compiled once. */
static enum status check_precision(const struct backend *backend, const struct run_id *run,
                                   struct error *error) {
    const char *name = precision_names[run->precision];
    if (run->precision == PRECISION_DOUBLE)
        return STATUS_OK;
    if (run->method != METHOD_JACOBI)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s computes in double only: %s precision needs jacobi",
                         method_names[run->method], name);
    if (run->user_kernels)
        return error_set(error, STATUS_UNAVAILABLE,
                         "kernels of your own compute in double, not in %s precision", name);
    if (!backend_has_precision(backend, run->precision))
        return error_set(error, STATUS_UNAVAILABLE,
                         "it computes in double only, not in %s precision", name);
    return STATUS_OK;
}

bool backend_is_on_gpu(const struct backend *backend, int device) {
    struct device_list list = {0};
    if (backend->model == MODEL_HOST_LOOPS || backend->probe(&list, NULL))
        return false;
    const struct device *found = device_find(&list, device);
    return found && found->is_gpu;
}

enum status backend_check(const struct backend *backend, const struct engine_spec *spec,
                          struct error *error) {
    struct memory_needs needs = {0};
    int devices[SLABS_MAX], count = 0;
    if (spec->run.user_kernels && !backend->user_kernels)
        return error_set(error, STATUS_UNAVAILABLE, "%s does not run kernels of your own",
                         backend->name);
    TRY(backend_devices(backend, spec, devices, &count, error));
    TRY(method_check(spec->run.method, spec->run.schedule, spec->run.omega, error));
    TRY(check_precision(backend, &spec->run, error));
    for (int s = 0; s < count; s++) {
        struct engine_spec part;
        TRY(spec_of_slab(backend, spec, devices, s, count, &part, error));
        TRY(backend->supports(&part, error));
    }
    TRY(backend_add_needs(backend, spec, &needs, error));
    return backend_check_memory(backend, spec, 1, &needs, error);
}

/* A run also allocates memory beside the engine's: for samples, fields and results. */
enum status backend_open(const struct backend *backend, const struct engine_spec *spec,
                         struct event_log *events, struct engine **engine, struct error *error) {
    struct slabs_spec slabs = {.backend = backend};
    struct engine_spec whole = *spec;
    int devices[SLABS_MAX] = {0};
    uint64_t tried = 0;
    TRY(backend_devices(backend, spec, devices, &slabs.count, error));
    slabs.total = slabs.count;
    whole.run.device = devices[0];
    if (slabs.count == 1) {
        TRY(backend->open(&whole, events, engine, error));
    } else {
        TRY(slab_cut(backend, spec, 0, slabs.count, devices[0], &slabs.slabs[0], error));
        TRY(slabs_choose_depth(backend, &slabs.slabs[0], &whole, &tried, error));
        for (int s = 0; s < slabs.count; s++)
            TRY(slab_cut(backend, &whole, s, slabs.count, devices[s], &slabs.slabs[s], error));
        TRY(slabs_open(&slabs, &whole, events, engine, error));
        (*engine)->depths_tried = tried;
    }
    void *rest = alloc_pages(4 << 20);
    free(rest);
    if (rest)
        return STATUS_OK;
    engine_close(*engine);
    return engine_spec_too_large(spec, error);
}
