/* The vendors' driver libraries, behind one table of functions.
 *
 * HIP's calls for modules, memory, streams and events have the shapes of the CUDA driver's, so one
 * table serves both: it is filled by dlopen and dlsym from AMD's libamdhip64.so or NVIDIA's
 * libcuda.so.1. Nothing else of either vendor is needed at run time. The types are those of
 * <hip/hip_runtime_api.h>: the compiler checks every call against the official header if that is
 * installed, and against fallback/hip/hip_runtime_api.h if not.
 */
#ifndef JACOBI_HIP_DRIVER_H
#define JACOBI_HIP_DRIVER_H

#include <stdbool.h>

#include <hip/hip_runtime_api.h>

#include "core/status.h"
#include "solver/backend.h"

enum hip_vendor { VENDOR_AMD, VENDOR_NVIDIA, VENDOR_COUNT };

/* By vendor; one without a title ends them. */
extern const struct library hip_libraries[VENDOR_COUNT + 1];

enum hip_attribute {
    ATTRIBUTE_MULTIPROCESSORS,
    ATTRIBUTE_WAVE,      /* threads that run in step */
    ATTRIBUTE_MAPS_HOST, /* 1 if the device can address host memory */
    ATTRIBUTE_CACHE      /* bytes of its L2 */
};

/* CUDA_KERNEL_NODE_PARAMS, first version. */
struct cuda_kernel_node {
    hipFunction_t function;
    unsigned grid[3], block[3], shared_bytes;
    void **arguments, **extra;
};

/* CUgraphEdgeData: the second kernel may begin as soon as every thread of the first has begun and
 * let it, or at its end. */
struct cuda_graph_edge {
    unsigned char from_port, to_port, type, reserved[5];
};

struct hip_driver {
    enum hip_vendor vendor;
    char library[32]; /* "libcuda.so.1" */
    void *handle;

    __typeof__(&hipInit) init;
    __typeof__(&hipDriverGetVersion) driver_version;
    __typeof__(&hipGetDeviceCount) device_count;
    __typeof__(&hipDeviceGet) device_get;
    __typeof__(&hipDeviceGetName) device_name;
    __typeof__(&hipDeviceTotalMem) device_memory;
    __typeof__(&hipDeviceGetPCIBusId) device_bus_id;
    __typeof__(&hipDeviceGetAttribute) device_attribute;
    __typeof__(&hipSetDevice) set_device; /* AMD */

    /* NVIDIA; HIP's twins are deprecated. */
    hipError_t (*context_retain)(void **context, hipDevice_t device);
    hipError_t (*context_release)(hipDevice_t device);
    hipError_t (*context_set)(void *context);

    /* Copies between devices, and whether and how one reaches the other's memory by itself. */
    __typeof__(&hipDeviceCanAccessPeer) peer_possible;
    __typeof__(&hipDeviceEnablePeerAccess) peer_enable; /* AMD */
    __typeof__(&hipMemcpyPeerAsync) peer_copy;          /* AMD */
    hipError_t (*context_peer_enable)(void *context, unsigned flags);
    hipError_t (*context_peer_copy)(hipDeviceptr_t to, void *to_context, hipDeviceptr_t from,
                                    void *from_context, size_t bytes, hipStream_t stream);

    __typeof__(&hipModuleLoadData) module_load;
    __typeof__(&hipModuleUnload) module_unload;
    __typeof__(&hipModuleGetFunction) module_function;
    __typeof__(&hipModuleLaunchKernel) launch;
    __typeof__(&hipModuleOccupancyMaxActiveBlocksPerMultiprocessor) occupancy;

    __typeof__(&hipMalloc) allocate;
    __typeof__(&hipFree) release;
    __typeof__(&hipHostMalloc) host_allocate;
    __typeof__(&hipHostFree) host_release;
    __typeof__(&hipHostGetDevicePointer) host_pointer;
    __typeof__(&hipMemcpyHtoDAsync) copy_to;
    __typeof__(&hipMemcpyDtoHAsync) copy_from;
    __typeof__(&hipMemsetD8Async) fill;

    __typeof__(&hipStreamCreateWithFlags) stream_create;
    __typeof__(&hipStreamCreateWithPriority) stream_create_urgent; /* the less, the more urgent */
    __typeof__(&hipStreamDestroy) stream_destroy;
    __typeof__(&hipStreamSynchronize) stream_wait;
    __typeof__(&hipStreamWaitEvent) stream_wait_event;
    __typeof__(&hipEventCreateWithFlags) event_create;
    __typeof__(&hipEventDestroy) event_destroy;
    __typeof__(&hipEventRecord) event_record;
    __typeof__(&hipEventSynchronize) event_wait;
    __typeof__(&hipEventElapsedTime) event_elapsed;

    /* Launches recorded once and replayed (graph.h); NVIDIA, unless its driver is too old. HIP has
     * twins, which are not used: nobody has tried them. */
    bool has_graphs;
    hipError_t (*graph_create)(void **graph, unsigned flags);
    hipError_t (*graph_destroy)(void *graph);
    hipError_t (*graph_add_kernel)(void **node, void *graph, void *const *after, size_t count,
                                   const struct cuda_kernel_node *kernel);
    hipError_t (*graph_add_edges)(void *graph, void *const *from, void *const *to,
                                  const struct cuda_graph_edge *edges,
                                  size_t count); /* NULL before CUDA 12.3 */
    hipError_t (*graph_instantiate)(void **executable, void *graph, unsigned long long flags);
    hipError_t (*graph_release)(void *executable);
    hipError_t (*graph_launch)(void *executable, hipStream_t stream);

    /* The vendor's text for a status. */
    __typeof__(&hipGetErrorString) error_string;                    /* AMD */
    hipError_t (*cuda_error_string)(hipError_t, const char **text); /* NVIDIA */

    /* Names memory for messages; the emulator only. `name` must stay. */
    void (*label)(void *memory, const char *name);

    /* Fills a structure whose layout has changed over the years; AMD only. See devices.c. */
    hipError_t (*properties)(void *properties, int device);
};

/* Opens the vendor's library, fills the table and starts the driver; hip_driver_unload undoes it.
 * Fails with STATUS_UNAVAILABLE and the loader's or the driver's own words, and then holds nothing.
 */
enum status hip_driver_load(enum hip_vendor vendor, struct hip_driver *driver, struct error *error);

/* Does nothing if no library is loaded. */
void hip_driver_unload(struct hip_driver *driver);

/* The vendor's text for a status; never NULL. */
const char *hip_driver_error_string(const struct hip_driver *driver, hipError_t code);

/* STATUS_OK for hipSuccess; otherwise STATUS_DEVICE_FAILED and "`what`: the vendor's text". */
enum status hip_check(const struct hip_driver *driver, hipError_t code, const char *what,
                      struct error *error);

/* Names memory for messages, if the driver has any that name it. */
static inline void hip_driver_label(const struct hip_driver *driver, void *memory,
                                    const char *name) {
    if (driver->label)
        driver->label(memory, name);
}

/* 0 if the driver does not know. */
int hip_driver_attribute(const struct hip_driver *driver, enum hip_attribute attribute,
                         int ordinal);

#endif
