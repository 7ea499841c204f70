#include "kernels/omp/depth.h"

#include <stdio.h>

#include "kernels/omp/omp.h"
#include "solver/depth_trial.h"

enum { TRIAL_ITERATIONS = 48 };

static void name_device(int index, char *name, size_t size) {
    struct device_list list;
    snprintf(name, size, "omp device %d", index);
    if (omp_backend.probe(&list, NULL) == STATUS_OK && index < list.count)
        snprintf(name, size, "omp %s, %s", list.devices[index].name, list.devices[index].driver);
}

enum status omp_depth_choose(struct engine_spec *spec, const struct offload_depths *depths,
                             struct error *error) {
    char device[192];
    if (spec->schedule.kind != SCHEDULE_BLOCKED || spec->schedule.depth > 0)
        return STATUS_OK;
    name_device(spec->device, device, sizeof device);
    const struct depth_trial trial = {.open = omp_engine_open,
                                      .depths = depths->tried,
                                      .side = depths->side,
                                      .iterations = TRIAL_ITERATIONS,
                                      .device = device};
    return depth_trial_choose(&trial, spec, &spec->schedule.depth, error);
}
