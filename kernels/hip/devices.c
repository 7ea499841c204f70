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

/* The structure's layout differs between ROCm 5, 6 and 7, but its only text that begins with "gfx"
 * is the architecture: "gfx90a:sramecc+:xnack-". So it is looked for, in room enough for all. */
static void amd_architecture(const struct hip_driver *driver, int ordinal, char *text,
                             size_t size) {
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

static void nvidia_architecture(const struct hip_driver *driver, int ordinal, char *text,
                                size_t size) {
    enum { CAPABILITY_MAJOR = 75, CAPABILITY_MINOR = 76 };
    int major = 0, minor = 0;
    driver->device_attribute(&major, (hipDeviceAttribute_t)CAPABILITY_MAJOR, ordinal);
    driver->device_attribute(&minor, (hipDeviceAttribute_t)CAPABILITY_MINOR, ordinal);
    snprintf(text, size, "sm_%d%d", major, minor);
}

/* CUDA counts 1000*major + 10*minor. HIP's number changed its meaning; the library's name says
 * which ROCm it is. */
static void describe_driver(const struct hip_driver *driver, char *text, size_t size) {
    int version = 0;
    driver->driver_version(&version);
    if (driver->vendor == VENDOR_NVIDIA)
        snprintf(text, size, "CUDA driver %d.%d%s", version / 1000, version % 1000 / 10,
                 *hip_images_without_amd ? " (built without AMD's code objects)" : "");
    else
        snprintf(text, size, "HIP %d (%s)", version, driver->library);
}

/* PTX is for sm_70 and whatever came later. */
static const char *image_name(const struct hip_driver *driver, const char *architecture) {
    if (driver->vendor == VENDOR_AMD)
        return architecture;
    int capability = 0;
    sscanf(architecture, "sm_%d", &capability);
    return capability >= 70 ? "sm_70" : architecture;
}

static void describe_gpu(const struct hip_driver *driver, int ordinal) {
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
    if (driver->vendor == VENDOR_AMD)
        amd_architecture(driver, ordinal, device->architecture, sizeof device->architecture);
    else
        nvidia_architecture(driver, ordinal, device->architecture, sizeof device->architecture);
    describe_driver(driver, device->driver, sizeof device->driver);
    text_make_visible(device->name);
    text_make_visible(device->architecture);
    snprintf(gpu->architecture, sizeof gpu->architecture, "%.15s",
             image_name(driver, device->architecture));
    gpu->image = hip_image_find(gpu->architecture);
    gpu->multiprocessors = hip_driver_attribute(driver, ATTRIBUTE_MULTIPROCESSORS, ordinal);
    gpu->wave = hip_driver_attribute(driver, ATTRIBUTE_WAVE, ordinal);
    gpu->maps_host = hip_driver_attribute(driver, ATTRIBUTE_MAPS_HOST, ordinal) != 0;
}

static enum status ask_driver(enum hip_vendor vendor, struct error *why_not) {
    struct hip_driver *driver = &drivers[vendor];
    const enum status status = hip_driver_load(vendor, driver, why_not);
    if (status)
        return status;
    int count = 0;
    const hipError_t code = driver->device_count(&count);
    for (int ordinal = 0; ordinal < count && gpu_count < DEVICES_MAX; ordinal++)
        describe_gpu(driver, ordinal);
    if (count > 0)
        return STATUS_OK;
    error_set(why_not, STATUS_UNAVAILABLE, "%s: %s", driver->library,
              code == hipSuccess ? "no device" : hip_driver_error_string(driver, code));
    hip_driver_unload(driver);
    return STATUS_UNAVAILABLE;
}

static void ask(void) {
    struct error amd = {0}, nvidia = {0};
    const bool no_amd = ask_driver(VENDOR_AMD, &amd),
               no_nvidia = ask_driver(VENDOR_NVIDIA, &nvidia);
    if (no_amd && no_nvidia)
        error_set(&reason, STATUS_UNAVAILABLE, "no GPU found: %.200s; %.200s", amd.message,
                  nvidia.message);
}

enum status hip_gpus_find(const struct hip_gpu **found, int *count, struct error *why_not) {
    pthread_once(&asked, ask);
    *found = gpus;
    *count = gpu_count;
    if (gpu_count > 0)
        return STATUS_OK;
    return error_set(why_not, STATUS_UNAVAILABLE, "%s", reason.message);
}

const struct hip_gpu *hip_gpu_find(int index) {
    const struct hip_gpu *found;
    int count;
    if (hip_gpus_find(&found, &count, NULL) || index < 0 || index >= count)
        return NULL;
    return &found[index];
}
