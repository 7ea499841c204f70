#include <stdio.h>
#include <string.h>

#include "kernels/hip/devices.h"
#include "kernels/hip/engine.h"
#include "kernels/hip/hip.h"
#include "kernels/hip/roof.h"

enum { BLOCK_MAX = 1024, NORM_BLOCKS_MAX = 1 << 20 };

/* What this program was built without goes to the reason why there is no device. */
static enum status hip_probe(struct device_list *devices, struct error *why_not) {
    const struct hip_gpu *gpus;
    struct error reason = {0};
    devices->count = 0;
    const enum status status = hip_gpus_find(&gpus, &devices->count, &reason);
    for (int d = 0; d < devices->count; d++)
        devices->devices[d] = gpus[d].device;
    if (status == STATUS_OK)
        return STATUS_OK;
    return error_set(why_not, status, "%.380s%s%.100s", reason.message,
                     *hip_images_without_amd ? "; built without AMD's code objects: " : "",
                     hip_images_without_amd);
}

static enum status check_image(const struct hip_gpu *gpu, struct error *why_not) {
    if (gpu->image)
        return STATUS_OK;
    const char *because = gpu->driver->vendor == VENDOR_AMD ? hip_images_without_amd : "";
    return error_set(why_not, STATUS_UNAVAILABLE, "this program holds no kernels for %s (%s)%s%s",
                     gpu->architecture, gpu->device.name, *because ? ": " : "", because);
}

static enum status check_tuning(const struct tuning *tuning, struct error *why_not) {
    if (tuning->block > BLOCK_MAX || tuning->norm_block > BLOCK_MAX)
        return error_set(why_not, STATUS_BAD_INPUT, "a block has at most %d threads on a GPU",
                         BLOCK_MAX);
    if (tuning->norm_blocks > NORM_BLOCKS_MAX)
        return error_set(why_not, STATUS_BAD_INPUT, "Norm runs with at most %d blocks",
                         NORM_BLOCKS_MAX);
    return STATUS_OK;
}

static enum status hip_supports(const struct engine_spec *spec, struct error *why_not) {
    const struct hip_gpu *gpu = hip_gpu_find(spec->device);
    if (!gpu)
        return error_set(why_not, STATUS_UNAVAILABLE, "there is no GPU %d", spec->device);
    const enum status status = check_image(gpu, why_not);
    if (status)
        return status;
    if (gpu->wave < 1)
        return error_set(why_not, STATUS_UNAVAILABLE, "%s does not say how wide its waves are",
                         gpu->device.name);
    if (spec->mapping == MAPPING_UNIFIED && !gpu->maps_host)
        return error_set(why_not, STATUS_UNAVAILABLE,
                         "mapping 'unified': %s can't address the host's memory", gpu->device.name);
    return check_tuning(&spec->tuning, why_not);
}

/* Classic holds U, AU, RHS and RES; fused and blocked U, U' and RHS, their rows rounded up. */
static struct footprint hip_footprint(const struct engine_spec *spec) {
    const bool classic = spec->schedule.kind == SCHEDULE_CLASSIC;
    const uint64_t row =
        classic ? (uint64_t)spec->mesh.Nx : ((uint64_t)spec->mesh.Nx + 15) / 16 * 16;
    const uint64_t array = row * (uint64_t)spec->mesh.Ny * sizeof(double);
    const uint64_t all = (classic ? 4 : 3) * array;
    return (struct footprint){
        .host_bytes = spec->mapping == MAPPING_UNSTRUCTURED ? 0 : all,
        .device_bytes = spec->mapping == MAPPING_UNIFIED ? 0 : all,
    };
}

const struct backend hip_backend = {
    .name = "hip",
    .title = "HIP",
    .needs = "an AMD or NVIDIA GPU with its driver",
    .model = MODEL_KERNEL_LAUNCHES,
    .maps = true,
    .probe = hip_probe,
    .supports = hip_supports,
    .footprint = hip_footprint,
    .open = hip_engine_open,
    .measure_roof = hip_measure_roof,
};
