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
static const struct {
    size_t member;
    const char *names[VENDOR_COUNT];
} symbols[] = {
    {offsetof(struct hip_driver, init), {"hipInit", "cuInit"}},
    {offsetof(struct hip_driver, driver_version), {"hipDriverGetVersion", "cuDriverGetVersion"}},
    {offsetof(struct hip_driver, device_count), {"hipGetDeviceCount", "cuDeviceGetCount"}},
    {offsetof(struct hip_driver, device_get), {"hipDeviceGet", "cuDeviceGet"}},
    {offsetof(struct hip_driver, device_name), {"hipDeviceGetName", "cuDeviceGetName"}},
    {offsetof(struct hip_driver, device_memory), {"hipDeviceTotalMem", "cuDeviceTotalMem_v2"}},
    {offsetof(struct hip_driver, device_bus_id), {"hipDeviceGetPCIBusId", "cuDeviceGetPCIBusId"}},
    {offsetof(struct hip_driver, device_attribute),
     {"hipDeviceGetAttribute", "cuDeviceGetAttribute"}},
    {offsetof(struct hip_driver, set_device), {"hipSetDevice", NULL}},
    {offsetof(struct hip_driver, context_retain), {NULL, "cuDevicePrimaryCtxRetain"}},
    {offsetof(struct hip_driver, context_release), {NULL, "cuDevicePrimaryCtxRelease_v2"}},
    {offsetof(struct hip_driver, context_set), {NULL, "cuCtxSetCurrent"}},
    {offsetof(struct hip_driver, peer_possible),
     {"hipDeviceCanAccessPeer", "cuDeviceCanAccessPeer"}},
    {offsetof(struct hip_driver, peer_enable), {"hipDeviceEnablePeerAccess", NULL}},
    {offsetof(struct hip_driver, peer_copy), {"hipMemcpyPeerAsync", NULL}},
    {offsetof(struct hip_driver, context_peer_enable), {NULL, "cuCtxEnablePeerAccess"}},
    {offsetof(struct hip_driver, context_peer_copy), {NULL, "cuMemcpyPeerAsync"}},
    {offsetof(struct hip_driver, module_load), {"hipModuleLoadData", "cuModuleLoadData"}},
    {offsetof(struct hip_driver, module_unload), {"hipModuleUnload", "cuModuleUnload"}},
    {offsetof(struct hip_driver, module_function), {"hipModuleGetFunction", "cuModuleGetFunction"}},
    {offsetof(struct hip_driver, launch), {"hipModuleLaunchKernel", "cuLaunchKernel"}},
    {offsetof(struct hip_driver, occupancy),
     {"hipModuleOccupancyMaxActiveBlocksPerMultiprocessor",
      "cuOccupancyMaxActiveBlocksPerMultiprocessor"}},
    {offsetof(struct hip_driver, allocate), {"hipMalloc", "cuMemAlloc_v2"}},
    {offsetof(struct hip_driver, release), {"hipFree", "cuMemFree_v2"}},
    {offsetof(struct hip_driver, host_allocate), {"hipHostMalloc", "cuMemHostAlloc"}},
    {offsetof(struct hip_driver, host_release), {"hipHostFree", "cuMemFreeHost"}},
    {offsetof(struct hip_driver, host_pointer),
     {"hipHostGetDevicePointer", "cuMemHostGetDevicePointer_v2"}},
    {offsetof(struct hip_driver, copy_to), {"hipMemcpyHtoDAsync", "cuMemcpyHtoDAsync_v2"}},
    {offsetof(struct hip_driver, copy_from), {"hipMemcpyDtoHAsync", "cuMemcpyDtoHAsync_v2"}},
    {offsetof(struct hip_driver, fill), {"hipMemsetD8Async", "cuMemsetD8Async"}},
    {offsetof(struct hip_driver, stream_create), {"hipStreamCreateWithFlags", "cuStreamCreate"}},
    {offsetof(struct hip_driver, stream_create_urgent),
     {"hipStreamCreateWithPriority", "cuStreamCreateWithPriority"}},
    {offsetof(struct hip_driver, stream_destroy), {"hipStreamDestroy", "cuStreamDestroy_v2"}},
    {offsetof(struct hip_driver, stream_wait), {"hipStreamSynchronize", "cuStreamSynchronize"}},
    {offsetof(struct hip_driver, stream_wait_event), {"hipStreamWaitEvent", "cuStreamWaitEvent"}},
    {offsetof(struct hip_driver, event_create), {"hipEventCreateWithFlags", "cuEventCreate"}},
    {offsetof(struct hip_driver, event_destroy), {"hipEventDestroy", "cuEventDestroy_v2"}},
    {offsetof(struct hip_driver, event_record), {"hipEventRecord", "cuEventRecord"}},
    {offsetof(struct hip_driver, event_wait), {"hipEventSynchronize", "cuEventSynchronize"}},
    {offsetof(struct hip_driver, event_elapsed), {"hipEventElapsedTime", "cuEventElapsedTime"}},
    {offsetof(struct hip_driver, error_string), {"hipGetErrorString", NULL}},
    {offsetof(struct hip_driver, cuda_error_string), {NULL, "cuGetErrorString"}},
    {offsetof(struct hip_driver, properties), {"hipGetDeviceProperties", NULL}},
};

/* What a driver may lack. */
static const struct {
    size_t member;
    const char *name; /* NVIDIA's */
} graph_symbols[] = {
    {offsetof(struct hip_driver, graph_create), "cuGraphCreate"},
    {offsetof(struct hip_driver, graph_destroy), "cuGraphDestroy"},
    {offsetof(struct hip_driver, graph_add_kernel), "cuGraphAddKernelNode"},
    {offsetof(struct hip_driver, graph_instantiate), "cuGraphInstantiateWithFlags"},
    {offsetof(struct hip_driver, graph_release), "cuGraphExecDestroy"},
    {offsetof(struct hip_driver, graph_launch), "cuGraphLaunch"},
};

static void load_graphs(struct hip_driver *driver) {
    driver->has_graphs = driver->vendor == VENDOR_NVIDIA;
    for (size_t s = 0; s < sizeof graph_symbols / sizeof *graph_symbols; s++) {
        void *function = dlsym(driver->handle, graph_symbols[s].name);
        driver->has_graphs = driver->has_graphs && function;
        memcpy((char *)driver + graph_symbols[s].member, &function, sizeof function);
    }
    void *add_edges =
        driver->has_graphs ? dlsym(driver->handle, "cuGraphAddDependencies_v2") : NULL;
    memcpy(&driver->graph_add_edges, &add_edges, sizeof add_edges);
}

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
        if (name && !function) {
            hip_driver_unload(driver);
            return error_set(error, STATUS_UNAVAILABLE, "%s has no %s", driver->library, name);
        }
        memcpy((char *)driver + symbols[s].member, &function, sizeof function);
    }

    load_graphs(driver);

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

enum status hip_check(const struct hip_driver *driver, hipError_t code, const char *what,
                      struct error *error) {
    if (code == hipSuccess)
        return STATUS_OK;
    return error_set(error, STATUS_DEVICE_FAILED, "%s: %s (%s, error %d)", what,
                     hip_driver_error_string(driver, code), driver->library, (int)code);
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
