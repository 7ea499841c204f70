#include "kernels/hip/driver.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The newest first. */
const struct library hip_libraries[VENDOR_COUNT + 1] = {
    [VENDOR_AMD] = {.title = "AMD's HIP runtime",
                    .names = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"},
                    .advice =
                        "for an AMD GPU: install ROCm's HIP runtime (Debian: libamdhip64-5 or -6)"},
    [VENDOR_NVIDIA] = {.title = "NVIDIA's driver",
                       .names = {"libcuda.so.1"},
                       .advice = "for an NVIDIA GPU: install its driver (Debian: nvidia-driver)"},
};

/* NULL: that vendor has no such call, and none is needed. */
#define IN_BOTH(member, hip, cuda) {offsetof(struct hip_driver, member), {#hip, #cuda}, false},
#define IN_AMD(member, hip) {offsetof(struct hip_driver, member), {#hip, NULL}, false},
#define IN_NVIDIA(member, cuda) {offsetof(struct hip_driver, member), {NULL, #cuda}, false},
#define IN_NEWER(member, cuda) {offsetof(struct hip_driver, member), {NULL, #cuda}, true},
static const struct {
    size_t member;
    const char *names[VENDOR_COUNT];
    bool may_lack;
} symbols[] = {HIP_DRIVER_CALLS(IN_BOTH, IN_AMD, IN_NVIDIA, IN_NEWER){
    offsetof(struct hip_driver, properties), {"hipGetDeviceProperties", NULL}, false}};

enum status hip_driver_load(enum hip_vendor vendor, struct hip_driver *driver,
                            struct error *error) {
    *driver = (struct hip_driver){.vendor = vendor};
    /* RTLD_NODELETE: threads that a vendor's library has started may outlive its closing. */
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
    enum { STUB_LIBRARY = 34 }; /* of CUDA's toolkit, which is only linked with */
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
    /* CUDA's own numbers; HIP's come from its header. */
    static const int numbers[][VENDOR_COUNT] = {
        [ATTRIBUTE_MULTIPROCESSORS] = {hipDeviceAttributeMultiprocessorCount, 16},
        [ATTRIBUTE_WAVE] = {hipDeviceAttributeWarpSize, 10},
        [ATTRIBUTE_MAPS_HOST] = {hipDeviceAttributeCanMapHostMemory, 19},
        [ATTRIBUTE_CACHE] = {hipDeviceAttributeL2CacheSize, 38},
    };
    int value = 0;
    const int number = numbers[attribute][driver->vendor];
    if (driver->device_attribute(&value, (hipDeviceAttribute_t)number, ordinal) != hipSuccess)
        return 0;
    return value;
}
