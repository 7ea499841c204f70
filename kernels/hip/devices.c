#include "kernels/hip/devices.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_once_t asked = PTHREAD_ONCE_INIT;
static struct hip_driver drivers[VENDOR_COUNT];
static struct hip_gpu gpus[DEVICES_MAX];
static int gpu_count;
static struct error reason; /* why there are no GPUs */

static bool any_amd_image(void) {
    bool any = false;
    for (const struct hip_image *image = hip_images; image->architecture; image++)
        any |= strncmp(image->architecture, "gfx", 3) == 0;
    return any;
}

static void add_gpu(const struct hip_driver *driver, int ordinal) {
    struct hip_gpu *gpu = &gpus[gpu_count];
    struct device *device = &gpu->device;
    *gpu = (struct hip_gpu){.driver = driver, .ordinal = ordinal};
    device->index = gpu_count++;
    hip_driver_describe(driver, ordinal, device);
    if (driver->vendor == VENDOR_NVIDIA && *hip_images_without_amd && !any_amd_image())
        strncat(device->driver, " (built without AMD's code objects)",
                sizeof device->driver - strlen(device->driver) - 1);

    /* PTX runs on the architecture in its name and on all later ones. sm_80 copies without
     * registers, and kernels for sm_90 wait for earlier ones themselves. */
    int capability = 0;
    sscanf(device->architecture, "sm_%d", &capability);
    snprintf(gpu->architecture, sizeof gpu->architecture, "%.15s",
             capability >= 90   ? "sm_90"
             : capability >= 80 ? "sm_80"
             : capability >= 70 ? "sm_70"
                                : device->architecture);
    for (const struct hip_image *image = hip_images; image->architecture && !gpu->image; image++)
        if (strcmp(image->architecture, gpu->architecture) == 0)
            gpu->image = image;

    gpu->has_copies =
        strcmp(gpu->architecture, "gfx942") == 0 || strcmp(gpu->architecture, "gfx950") == 0;
    /* The levels that fit in a thread's registers, as in device/vendor.h. */
    const bool has_many = driver->vendor == VENDOR_NVIDIA || gpu->has_copies ||
                          strcmp(gpu->architecture, "gfx90a") == 0;
    gpu->levels_max = has_many ? 4 : 2;
    gpu->has_pdl = driver->graph_add_edges && capability >= 90;

    const int multiprocessors = hip_driver_attribute(driver, ATTRIBUTE_MULTIPROCESSORS, ordinal);
    gpu->multiprocessors = multiprocessors > 0 ? multiprocessors : 1;
    gpu->wave = hip_driver_attribute(driver, ATTRIBUTE_WAVE, ordinal);
    gpu->maps_host = hip_driver_attribute(driver, ATTRIBUTE_MAPS_HOST, ordinal) != 0;
}

static enum status add_gpus_of(enum hip_vendor vendor, struct error *error) {
    struct hip_driver *driver = &drivers[vendor];
    TRY(hip_driver_load(vendor, driver, error));
    int count = 0;
    const hipError_t code = driver->device_count(&count);
    for (int ordinal = 0; ordinal < count && gpu_count < DEVICES_MAX; ordinal++)
        add_gpu(driver, ordinal);
    if (count > 0)
        return STATUS_OK;
    error_set(error, STATUS_UNAVAILABLE, "%s: %s", driver->library,
              code == hipSuccess ? "no device" : hip_driver_error_string(driver, code));
    hip_driver_unload(driver);
    return STATUS_UNAVAILABLE;
}

static void ask_drivers(void) {
    struct error amd = {0}, nvidia = {0};
    const bool no_amd = add_gpus_of(VENDOR_AMD, &amd);
    const bool no_nvidia = add_gpus_of(VENDOR_NVIDIA, &nvidia);
    if (no_amd && no_nvidia)
        error_set(&reason, STATUS_UNAVAILABLE, "no GPU found: %.200s; %.200s", amd.message,
                  nvidia.message);
}

enum status hip_gpus_find(const struct hip_gpu **found, int *count, struct error *error) {
    pthread_once(&asked, ask_drivers);
    *found = gpus;
    *count = gpu_count;
    if (gpu_count > 0)
        return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "%s", reason.message);
}

void hip_gpus_replace(const struct hip_gpu *gpu) {
    pthread_once(&asked, ask_drivers);
    gpus[0] = *gpu;
    gpu_count = 1;
}

enum status hip_gpu_find(int index, const struct hip_gpu **gpu, struct error *error) {
    const struct hip_gpu *found;
    int count;
    if (hip_gpus_find(&found, &count, NULL) || index < 0 || index >= count)
        return error_set(error, STATUS_UNAVAILABLE, "there is no GPU %d", index);
    *gpu = &found[index];
    return STATUS_OK;
}
