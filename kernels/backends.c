#include "kernels/backends.h"

#include <string.h>

#include "core/system.h"
#include "core/text.h"
#include "kernels/hip/hip.h"
#include "kernels/omp/omp.h"
#include "kernels/serial/serial.h"
#include "kernels/threads/threads.h"

const struct backend *const backends[] = {&hip_backend, &omp_backend, &threads_backend,
                                          &serial_backend, NULL};

const struct backend *backend_find(const char *name) {
    for (const struct backend *const *backend = backends; *backend; backend++)
        if (strcmp((*backend)->name, name) == 0)
            return *backend;
    return NULL;
}

static enum status too_large(const struct engine_spec *spec, const char *where, uint64_t needed,
                             uint64_t there, struct error *error) {
    char grid[32], need[32], have[32];
    return error_set(error, STATUS_BAD_INPUT,
                     "grid %s is too large: it needs %s of %s memory, there are %s",
                     text_grid(grid, sizeof grid, spec->mesh.Nx, spec->mesh.Ny),
                     text_bytes(need, sizeof need, (double)needed), where,
                     text_bytes(have, sizeof have, (double)there));
}

enum status backend_check(const struct backend *backend, const struct engine_spec *spec,
                          struct error *error) {
    struct device_list list = {0};
    enum status status = backend->probe(&list, error);
    if (status)
        return status;
    const struct device *device = NULL;
    for (int d = 0; d < list.count; d++)
        if (list.devices[d].index == spec->device)
            device = &list.devices[d];
    if (!device)
        return error_set(error, STATUS_UNAVAILABLE, "%s has no device %d: there %s %d (see --list)",
                         backend->name, spec->device, list.count == 1 ? "is" : "are", list.count);
    status = backend->supports(spec, error);
    if (status)
        return status;
    const struct footprint footprint = backend->footprint(spec);
    const uint64_t usable = memory_usable();
    if (footprint.host_bytes > usable)
        return too_large(spec, "host", footprint.host_bytes, usable, error);
    if (device->memory_bytes && footprint.device_bytes > device->memory_bytes)
        return too_large(spec, "device", footprint.device_bytes, device->memory_bytes, error);
    return STATUS_OK;
}
