#include "kernels/hip/devices.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

static pthread_once_t asked = PTHREAD_ONCE_INIT;
static struct hip_driver drivers[VENDOR_COUNT];
static struct hip_gpu gpus[DEVICES_MAX];
static int gpu_count;
static struct error reason; /* why there is none */

/* CUDA counts 1000*major + 10*minor. HIP's number changed its meaning; the library's name has
 * ROCm's version. */
static void describe_driver(const struct hip_driver *driver, char *text, size_t size) {
    int version = 0;
    driver->driver_version(&version);
    if (driver->vendor == VENDOR_NVIDIA)
        snprintf(text, size, "CUDA driver %d.%d%s", version / 1000, version % 1000 / 10,
                 *hip_images_without_amd ? " (built without AMD's code objects)" : "");
    else
        snprintf(text, size, "HIP %d (%s)", version, driver->library);
}

static void describe_architecture(const struct hip_driver *driver, int ordinal, char *text,
                                  size_t size) {
    enum { CAPABILITY_MAJOR = 75, CAPABILITY_MINOR = 76 };
    if (driver->vendor == VENDOR_NVIDIA) {
        int major = 0, minor = 0;
        driver->device_attribute(&major, (hipDeviceAttribute_t)CAPABILITY_MAJOR, ordinal);
        driver->device_attribute(&minor, (hipDeviceAttribute_t)CAPABILITY_MINOR, ordinal);
        snprintf(text, size, "sm_%d%d", major, minor);
        return;
    }
    /* The structure's layout differs between ROCm 5, 6 and 7, but its only text that begins with
     * "gfx" is the architecture: "gfx90a:sramecc+:xnack-". The array is large enough for all. */
    char properties[16384] = "";
    snprintf(text, size, "unknown");
    if (driver->properties(properties, ordinal) != hipSuccess)
        return;
    for (size_t at = 0; at + 32 < sizeof properties; at++)
        if (strncmp(properties + at, "gfx", 3) == 0) {
            const int length = (int)strcspn(properties + at, ":");
            snprintf(text, size, "%.*s", length, properties + at);
            return;
        }
}

static void add_gpu(const struct hip_driver *driver, int ordinal) {
    struct hip_gpu *gpu = &gpus[gpu_count];
    struct device *device = &gpu->device;
    hipDevice_t handle = 0;
    size_t memory = 0;
    *gpu = (struct hip_gpu){.driver = driver, .ordinal = ordinal};
    device->index = gpu_count++;
    device->is_gpu = true;
    if (driver->device_get(&handle, ordinal) != hipSuccess ||
        driver->device_name(device->name, (int)sizeof device->name - 1, handle) != hipSuccess)
        snprintf(device->name, sizeof device->name, "GPU %d", ordinal);
    if (driver->device_memory(&memory, handle) == hipSuccess)
        device->memory_bytes = memory;
    if (driver->device_bus_id(device->bus_id, (int)sizeof device->bus_id - 1, ordinal) !=
        hipSuccess)
        *device->bus_id = '\0';
    describe_architecture(driver, ordinal, device->architecture, sizeof device->architecture);
    describe_driver(driver, device->driver, sizeof device->driver);
    text_sanitize(device->name);
    text_sanitize(device->bus_id);
    text_sanitize(device->architecture);

    /* PTX is for what it names and everything later; sm_80 copies past the registers, and kernels
     * of sm_90 wait for earlier ones by themselves. */
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

    gpu->has_pdl = driver->graph_instantiate && driver->graph_add_edges && capability >= 90;

    const int multiprocessors = hip_driver_attribute(driver, ATTRIBUTE_MULTIPROCESSORS, ordinal);
    gpu->multiprocessors = multiprocessors > 0 ? multiprocessors : 1;
    gpu->wave = hip_driver_attribute(driver, ATTRIBUTE_WAVE, ordinal);
    gpu->maps_host = hip_driver_attribute(driver, ATTRIBUTE_MAPS_HOST, ordinal) != 0;
    const int cache = hip_driver_attribute(driver, ATTRIBUTE_CACHE, ordinal);
    device->cache_bytes = cache > 0 ? (uint64_t)cache : 0;
}

static enum status add_gpus_of(enum hip_vendor vendor, struct error *error) {
    struct hip_driver *driver = &drivers[vendor];
    const enum status status = hip_driver_load(vendor, driver, error);
    if (status)
        return status;
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
