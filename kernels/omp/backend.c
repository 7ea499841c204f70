/* The back end `omp`: its devices, the specs it supports, and its memory. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernels/cpu/roof.h"
#include "kernels/cpu/row.h"
#include "kernels/hip/hip.h"
#include "kernels/omp/omp.h"
#include "kernels/omp/ompt_tracer.h"
#include "solver/tuner.h"

enum { TRIAL_ITERATIONS = 48, TRIAL_SIDE = 4096, GEOMETRY_MIN = 1 << 14 /* unknowns */ };

static void describe_host_device(struct device *device, const struct offload *offload) {
    const char *compiler = offload->module->compiler;
    snprintf(device->name, sizeof device->name, "host device (x86-64)");
    snprintf(device->architecture, sizeof device->architecture, "x86-64");
    snprintf(device->driver, sizeof device->driver, "LLVM offload %.*s, %s",
             (int)strcspn(compiler, " "), compiler, offload->no_gpu);
    device->cache_bytes = cpu_last_cache();
    device->memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void describe_gpu(struct device *device, const struct offload *offload) {
    const char *compiler = offload->module->compiler;
    device->is_gpu = true;
    if (cuda_describe(device->index, device))
        return;
    snprintf(device->name, sizeof device->name, "GPU %d", device->index);
    snprintf(device->driver, sizeof device->driver, "LLVM offload %.*s",
             (int)strcspn(compiler, " "), compiler);
}

/* LLVM's runtime reports four host devices, all the same. */
static enum status omp_probe(struct device_list *devices, struct error *error) {
    struct offload offload;
    *devices = (struct device_list){0};
    TRY(offload_load(PRECISION_DOUBLE, &offload, error));
    const int count = offload.devices;
    devices->count = count < DEVICES_MAX ? count : DEVICES_MAX;
    for (int d = 0; d < devices->count; d++) {
        struct device *device = &devices->devices[d];
        device->index = d;
        (offload.module->is_gpu ? describe_gpu : describe_host_device)(device, &offload);
    }
    return STATUS_OK;
}

static enum status omp_supports(const struct engine_spec *spec, struct error *error) {
    struct offload offload = {0};
    TRY(offload_load(spec->run.precision, &offload, error));
    if (spec->run.user_kernels && !user_kernels_is_loaded())
        return error_set(error, STATUS_UNAVAILABLE, "no kernels of your own are loaded");
    if (spec->run.user_kernels && !user_kernels_has(spec->run.schedule.kind))
        return error_set(error, STATUS_BAD_INPUT,
                         "--schedule %s: none of your files has a function of it",
                         schedule_names[spec->run.schedule.kind]);
    if (spec->run.user_kernels && spec->run.method != METHOD_JACOBI)
        return error_set(error, STATUS_UNAVAILABLE, "kernels of your own need jacobi, not %s",
                         method_names[spec->run.method]);
    if (spec->run.mapping == MAPPING_UNIFIED && offload.module->is_gpu &&
        !cuda_shares_memory(spec->run.device))
        return error_set(error, STATUS_UNAVAILABLE,
                         "mapping 'unified' needs memory that host and GPU share, and device %d is "
                         "not known to have any",
                         spec->run.device);
    if (spec->run.schedule.kind == SCHEDULE_BLOCKED &&
        spec->run.schedule.depth > offload.module->depths->most)
        return error_set(error, STATUS_UNAVAILABLE, "a blocked sweep here is at most %d deep",
                         offload.module->depths->most);
    return STATUS_OK;
}

/* The host device uses the host's memory. `structured` keeps at most the arrays of its largest
 * kernel on the device. */
static struct footprint omp_footprint(const struct engine_spec *spec) {
    struct offload offload = {0};
    const uint64_t bytes = sync_bytes(spec);
    const bool is_gpu =
        offload_load(PRECISION_DOUBLE, &offload, NULL) == STATUS_OK && offload.module->is_gpu;
    if (is_gpu)
        return (struct footprint){.host_bytes = bytes, .device_bytes = bytes};
    const int copies = spec->run.mapping == MAPPING_UNIFIED ? 1 : 2;
    return (struct footprint){.host_bytes = copies * bytes};
}

/* The host device is the host's processors; a GPU is measured by the back end of its vendor's
 * driver. */
static enum status omp_roof(int device, const struct tuning *tuning, struct roof *roof,
                            struct error *error) {
    struct offload offload;
    TRY(offload_load(PRECISION_DOUBLE, &offload, error));
    if (!offload.module->is_gpu)
        return cpu_roof_measure(0, roof, error);
    if (!hip_backend.measure_roof)
        return error_set(error, STATUS_UNAVAILABLE, "no probe of a GPU's peaks is built in");
    return hip_backend.measure_roof(device, tuning, roof, error);
}

static enum status omp_open(const struct engine_spec *spec, struct event_log *events,
                            struct engine **engine, struct error *error);

/* Replaces an open depth by the fastest depth on this device. */
static enum status choose_depth(const char *device, const struct offload_depths *depths,
                                struct engine_spec *spec, uint64_t *tried, struct error *error) {
    struct autotune_choice choice = {.field = TUNING_DEPTH};
    struct tuning no_tuning;
    const struct autotune plan = {.device = device,
                                  .choices = &choice,
                                  .choice_count = 1,
                                  .rounds = 1,
                                  .open = omp_open,
                                  .side = depths->side,
                                  .iterations = TRIAL_ITERATIONS};
    for (int k = 0; k + 1 < AUTOTUNE_CANDIDATES && depths->tried[k]; k++)
        choice.candidates[k] = depths->tried[k];
    if (spec->run.schedule.kind != SCHEDULE_BLOCKED)
        return STATUS_OK;
    return autotune(&plan, spec, tried, &no_tuning, error);
}

/* Likewise chooses the number of teams that compute the sums on a GPU. It is irrelevant on small
 * grids and under mappings where copies take most of the time. Other methods run other regions. */
static enum status choose_teams(const char *device, struct engine_spec *spec, struct tuning *tried,
                                struct error *error) {
    static const struct autotune_choice classic = {TUNING_NORM_BLOCKS, {512, 256, 1024}};
    static const struct autotune_choice fused = {TUNING_FUSED_BLOCKS, {2, 4, 8}};
    const bool is_classic = spec->run.schedule.kind == SCHEDULE_CLASSIC;
    const struct autotune plan = {.device = device,
                                  .choices = is_classic ? &classic : &fused,
                                  .choice_count = 1,
                                  .rounds = 2,
                                  .open = omp_open,
                                  .side = TRIAL_SIDE,
                                  .iterations = TRIAL_ITERATIONS};
    if ((!is_classic && spec->run.schedule.kind != SCHEDULE_FUSED) || spec->run.user_kernels ||
        spec->run.method != METHOD_JACOBI || spec->run.mapping != MAPPING_UNSTRUCTURED ||
        mesh_unknowns(&spec->mesh) < GEOMETRY_MIN)
        return STATUS_OK;
    return autotune(&plan, spec, &(uint64_t){0}, tried, error);
}

static enum status omp_open(const struct engine_spec *spec, struct event_log *events,
                            struct engine **engine, struct error *error) {
    struct offload offload;
    struct device_list list = {0};
    struct engine_spec chosen = *spec;
    struct tuning tuning_tried = {0};
    uint64_t depths_tried = 0;
    char device[192];
    TRY(offload_load(PRECISION_DOUBLE, &offload, error));
    snprintf(device, sizeof device, "omp device %d", spec->run.device);
    if (omp_probe(&list, NULL) == STATUS_OK && spec->run.device < list.count)
        snprintf(device, sizeof device, "omp %s, %s%s", list.devices[spec->run.device].name,
                 list.devices[spec->run.device].driver,
                 spec->run.precision == PRECISION_DOUBLE ? "" : ", single");
    TRY(choose_depth(device, offload.module->depths, &chosen, &depths_tried, error));
    if (offload.module->is_gpu)
        TRY(choose_teams(device, &chosen, &tuning_tried, error));
    TRY((spec->run.precision == PRECISION_DOUBLE ? omp_engine_open : omp_engine_open_single)(
        &chosen, events, engine, error));
    (*engine)->depths_tried = depths_tried;
    (*engine)->tuning_tried = tuning_tried;
    return STATUS_OK;
}

static const struct user_kernels_ops user_kernels = {".c", SCHEDULE_CLASSIC, user_kernels_load,
                                                     tracer_interleave};

const struct backend omp_backend = {
    .name = "omp",
    .title = "OpenMP offload",
    .needs = "LLVM 19's OpenMP runtime; a GPU is optional",
    .advice =
        "install LLVM's OpenMP runtime with its offloading part (Debian: libomp5-19), and the "
        "modules beside the program (meson install)",
    .libraries = omp_libraries,
    .model = MODEL_TARGET_REGIONS,
    .probe = omp_probe,
    .user_kernels = &user_kernels,
    .supports = omp_supports,
    .footprint = omp_footprint,
    .transport = "omp_target_memcpy",
    .open = omp_open,
    .precisions = 1 << PRECISION_SINGLE | 1 << PRECISION_MIXED,
    .measure_roof = omp_roof,
    .blocked_flops = omp_blocked_flops,
};
