/* Queries NVIDIA's driver, opened at run time, for data that LLVM's runtime lacks (omp.h). */
#include "kernels/hip/driver.h"
#include "kernels/omp/omp.h"

static struct hip_driver driver; /* no handle: no driver was found */

/* The runtime shares a GPU's primary context, and leaves its flags unchanged if it is in use. */
void cuda_prepare(void) {
    enum { SCHED_SPIN = 1 };
    int count = 0;
    if (hip_driver_load(VENDOR_NVIDIA, &driver, NULL) || driver.device_count(&count) ||
        !driver.context_set_flags)
        return;
    for (int number = 0; number < count; number++) {
        hipDevice_t device;
        void *context;
        if (driver.device_get(&device, number) == hipSuccess &&
            driver.context_set_flags(device, SCHED_SPIN) == hipSuccess)
            driver.context_retain(&context, device);
    }
}

bool cuda_describe(int number, struct device *device) {
    if (driver.handle)
        hip_driver_describe(&driver, number, device);
    return driver.handle;
}

int cuda_multiprocessors(int number) {
    return driver.handle ? hip_driver_attribute(&driver, ATTRIBUTE_MULTIPROCESSORS, number) : 0;
}

bool cuda_wait(void) {
    return driver.handle && driver.context_wait && driver.context_wait() == hipSuccess;
}

bool cuda_shares_memory(int number) {
    return driver.handle && hip_driver_attribute(&driver, ATTRIBUTE_SHARES_MEMORY, number) != 0;
}
