/* Asks NVIDIA's driver, opened at run time, what LLVM's runtime does not tell (kernels/omp/omp.h).
 */
#include "kernels/omp/omp.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

#include "core/text.h"

/* Values of the driver's interface. */
enum {
    SCHED_SPIN = 1,
    MULTIPROCESSORS = 16,
    L2_BYTES = 38,
    MAJOR = 75,
    MINOR = 76,
    CONCURRENT_MANAGED_ACCESS = 89,
};

/* The driver's functions; 0 is success. */
static struct {
    int (*init)(unsigned flags);
    int (*driver_version)(int *version);
    int (*count)(int *count);
    int (*get)(int *device, int number);
    int (*name)(char *name, int size, int device);
    int (*memory)(size_t *bytes, int device);
    int (*bus_id)(char *id, int size, int device);
    int (*attribute)(int *value, int attribute, int device);
    int (*set_flags)(int device, unsigned flags);
    int (*retain)(void **context, int device);
    int (*synchronize)(void);
    bool ready;
} driver;

static bool find_function(void *library, const char *name, void *function) {
    *(void **)function = dlsym(library, name);
    return *(void **)function != NULL;
}

static bool open_driver(void) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    return library && find_function(library, "cuInit", &driver.init) &&
           find_function(library, "cuDriverGetVersion", &driver.driver_version) &&
           find_function(library, "cuDeviceGetCount", &driver.count) &&
           find_function(library, "cuDeviceGet", &driver.get) &&
           find_function(library, "cuDeviceGetName", &driver.name) &&
           find_function(library, "cuDeviceTotalMem_v2", &driver.memory) &&
           find_function(library, "cuDeviceGetPCIBusId", &driver.bus_id) &&
           find_function(library, "cuDeviceGetAttribute", &driver.attribute) &&
           find_function(library, "cuDevicePrimaryCtxSetFlags_v2", &driver.set_flags) &&
           find_function(library, "cuDevicePrimaryCtxRetain", &driver.retain) &&
           find_function(library, "cuCtxSynchronize", &driver.synchronize) && driver.init(0) == 0;
}

/* The runtime shares a GPU's primary context, and leaves its flags alone if it is in use. */
void cuda_prepare(void) {
    int count = 0;
    driver.ready = open_driver();
    if (!driver.ready || driver.count(&count))
        return;
    for (int number = 0; number < count; number++) {
        int device;
        void *context;
        if (driver.get(&device, number) == 0 && driver.set_flags(device, SCHED_SPIN) == 0)
            driver.retain(&context, device);
    }
}

bool cuda_describe(int number, struct device *device) {
    int handle, major, minor, version, cache;
    size_t bytes;
    if (!driver.ready || driver.get(&handle, number) ||
        driver.name(device->name, sizeof device->name, handle) || driver.memory(&bytes, handle) ||
        driver.attribute(&major, MAJOR, handle) || driver.attribute(&minor, MINOR, handle) ||
        driver.driver_version(&version))
        return false;
    text_sanitize(device->name);
    snprintf(device->architecture, sizeof device->architecture, "sm_%d%d", major, minor);
    snprintf(device->driver, sizeof device->driver, "CUDA driver %d.%d", version / 1000,
             version % 1000 / 10);
    device->memory_bytes = bytes;
    if (driver.bus_id(device->bus_id, sizeof device->bus_id, handle))
        *device->bus_id = '\0';
    if (driver.attribute(&cache, L2_BYTES, handle) == 0 && cache > 0)
        device->cache_bytes = (uint64_t)cache;
    return true;
}

int cuda_multiprocessors(int number) {
    int handle, count;
    return driver.ready && driver.get(&handle, number) == 0 &&
                   driver.attribute(&count, MULTIPROCESSORS, handle) == 0 && count > 0
               ? count
               : 0;
}

bool cuda_wait(void) {
    return driver.ready && driver.synchronize() == 0;
}

bool cuda_shares_memory(int number) {
    int handle, value = 0;
    return driver.ready && driver.get(&handle, number) == 0 &&
           driver.attribute(&value, CONCURRENT_MANAGED_ACCESS, handle) == 0 && value != 0;
}
