#include "kernels/hip/driver.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

/* The newest versions first. */
const struct library hip_libraries[VENDOR_COUNT + 1] = {
    [VENDOR_AMD] = {.title = "AMD's HIP runtime",
                    .names = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"},
                    .advice =
                        "for an AMD GPU: install ROCm's HIP runtime (Debian: libamdhip64-5 or -6)"},
    [VENDOR_NVIDIA] = {.title = "NVIDIA's driver",
                       .names = {"libcuda.so.1"},
                       .advice = "for an NVIDIA GPU: install its driver (Debian: nvidia-driver)"},
};

/* NULL: that vendor has no such call, and needs none. */
#define IN(member, hip, cuda, may_lack)                                                            \
    {offsetof(struct hip_driver, member), {hip, cuda}, may_lack},
#define IN_BOTH(member, hip, cuda) IN(member, #hip, #cuda, false)
#define IN_AMD(member, hip) IN(member, #hip, NULL, false)
#define IN_NVIDIA(member, cuda) IN(member, NULL, #cuda, false)
#define NEWER(member, hip, cuda) IN(member, #hip, #cuda, true)
#define NEWER_AMD(member, hip) IN(member, #hip, NULL, true)
#define NEWER_NVIDIA(member, cuda) IN(member, NULL, #cuda, true)
static const struct {
    size_t member;
    const char *names[VENDOR_COUNT];
    bool may_lack;
} symbols[] = {HIP_DRIVER_CALLS(IN_BOTH, IN_AMD, IN_NVIDIA, NEWER, NEWER_AMD, NEWER_NVIDIA){
    offsetof(struct hip_driver, properties), {"hipGetDeviceProperties", NULL}, false}};

enum status hip_driver_load(enum hip_vendor vendor, struct hip_driver *driver,
                            struct error *error) {
    *driver = (struct hip_driver){.vendor = vendor};
    /* RTLD_NODELETE: threads of a vendor's library may still run after it is closed. */
    const char *const *names = hip_libraries[vendor].names;
    for (int l = 0; l < LIBRARY_NAMES && names[l] && !driver->handle; l++) {
        driver->handle = dlopen(names[l], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        snprintf(driver->library, sizeof driver->library, "%s", names[l]);
    }
    if (!driver->handle)
        return error_set(error, STATUS_UNAVAILABLE, "%s", dlerror());

    for (size_t s = 0; s < sizeof symbols / sizeof *symbols; s++) {
        const char *name = symbols[s].names[vendor];
        void *function = name ? dlsym(driver->handle, name) : NULL;
        if (name && !function && !symbols[s].may_lack) {
            hip_driver_unload(driver);
            return error_set(error, STATUS_UNAVAILABLE, "%s has no %s", driver->library, name);
        }
        memcpy((char *)driver + symbols[s].member, &function, sizeof function);
    }

    const hipError_t code = driver->init(0);
    if (code == hipSuccess)
        return STATUS_OK;
    int count;
    const hipError_t plainer = driver->device_count(&count); /* reports a missing device */
    error_set(error, STATUS_UNAVAILABLE, "%s: %s", driver->library,
              hip_driver_error_string(driver, plainer != hipSuccess ? plainer : code));
    hip_driver_unload(driver);
    return STATUS_UNAVAILABLE;
}

void hip_driver_unload(struct hip_driver *driver) {
    if (driver->handle)
        dlclose(driver->handle);
    driver->handle = NULL;
}

const char *hip_driver_error_string(const struct hip_driver *driver, hipError_t code) {
    static _Thread_local char number[64];
    const char *words = NULL;
    enum { STUB_LIBRARY = 34 }; /* of CUDA's toolkit, which is only for linking */
    if (driver->error_string)
        words = driver->error_string(code);
    else if (driver->cuda_error_string)
        driver->cuda_error_string(code, &words);
    snprintf(number, sizeof number, "error %d%s", (int)code,
             driver->error_string || (int)code != STUB_LIBRARY
                 ? ""
                 : ": a stub library instead of the driver's");
    return words ? words : number;
}

void hip_check(const struct hip_driver *driver, hipError_t code, const char *what,
               struct error *failure) {
    if (code != hipSuccess && !failure->status)
        error_set(failure, STATUS_DEVICE_FAILED, "%s: %s (%s, error %d)", what,
                  hip_driver_error_string(driver, code), driver->library, (int)code);
}

enum status hip_take_failure(struct error *failure, struct error *error) {
    const enum status status = failure->status;
    if (status && error)
        *error = *failure;
    failure->status = STATUS_OK;
    return status;
}

int hip_driver_attribute(const struct hip_driver *driver, enum hip_attribute attribute,
                         int ordinal) {
    /* CUDA's own numbers; HIP's are in its header. */
    static const int numbers[][VENDOR_COUNT] = {
        [ATTRIBUTE_MULTIPROCESSORS] = {hipDeviceAttributeMultiprocessorCount, 16},
        [ATTRIBUTE_WAVE] = {hipDeviceAttributeWarpSize, 10},
        [ATTRIBUTE_RESIDENT_THREADS] = {hipDeviceAttributeMaxThreadsPerMultiProcessor, 39},
        [ATTRIBUTE_MAPS_HOST] = {hipDeviceAttributeCanMapHostMemory, 19},
        [ATTRIBUTE_CACHE] = {hipDeviceAttributeL2CacheSize, 38},
        [ATTRIBUTE_CAPABILITY_MAJOR] = {0, 75},
        [ATTRIBUTE_CAPABILITY_MINOR] = {0, 76},
        [ATTRIBUTE_SHARES_MEMORY] = {0, 89},
    };
    int value = 0;
    const int number = numbers[attribute][driver->vendor];
    const hipDeviceAttribute_t attribute_of = (hipDeviceAttribute_t)number; /* NOLINT: or CUDA's */
    if (driver->device_attribute(&value, attribute_of, ordinal) != hipSuccess)
        return 0;
    return value;
}

/* CUDA's number is 1000*major + 10*minor. HIP's is 10000000*major + 100000*minor + patch, since
 * ROCm 4.3. */
static void describe_driver(const struct hip_driver *driver, char *text, size_t size) {
    int version = 0;
    driver->driver_version(&version);
    if (driver->vendor == VENDOR_NVIDIA)
        snprintf(text, size, "CUDA driver %d.%d", version / 1000, version % 1000 / 10);
    else
        snprintf(text, size, "HIP %d.%d.%d (%s)", version / 10000000, version / 100000 % 100,
                 version % 100000, driver->library);
}

static void describe_architecture(const struct hip_driver *driver, int ordinal, char *text,
                                  size_t size) {
    if (driver->vendor == VENDOR_NVIDIA) {
        snprintf(text, size, "sm_%d%d",
                 hip_driver_attribute(driver, ATTRIBUTE_CAPABILITY_MAJOR, ordinal),
                 hip_driver_attribute(driver, ATTRIBUTE_CAPABILITY_MINOR, ordinal));
        return;
    }
    /* The structure's layout differs between ROCm 5, 6 and 7, but its only text with "gfx" at its
     * start is the architecture: "gfx90a:sramecc+:xnack-". The array fits all versions. */
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

/* The L2 of NVIDIA's GPUs and of AMD's older ones. Behind the L2, AMD's newer ones have an Infinity
 * Cache, which HIP does not report: MB, from AMD's data on each architecture's largest GPU. */
static uint64_t last_cache(const struct hip_driver *driver, int ordinal, const char *architecture) {
    static const struct {
        const char *architecture;
        uint64_t mb;
    } caches[] = {{"gfx942", 256}, {"gfx950", 256}, {"gfx1030", 128}, {"gfx1031", 96},
                  {"gfx1032", 32}, {"gfx1100", 96}, {"gfx1101", 64},  {"gfx1102", 32},
                  {"gfx1200", 32}, {"gfx1201", 64}};
    for (size_t c = 0; c < sizeof caches / sizeof *caches; c++)
        if (strcmp(architecture, caches[c].architecture) == 0)
            return caches[c].mb << 20;
    const int L2 = hip_driver_attribute(driver, ATTRIBUTE_CACHE, ordinal);
    return L2 > 0 ? (uint64_t)L2 : 0;
}

void hip_driver_describe(const struct hip_driver *driver, int ordinal, struct device *device) {
    hipDevice_t handle = 0;
    size_t memory = 0;
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
    device->cache_bytes = last_cache(driver, ordinal, device->architecture);
    text_sanitize(device->name);
    text_sanitize(device->bus_id);
    text_sanitize(device->architecture);
}
