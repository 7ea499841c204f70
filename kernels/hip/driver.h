/* The vendors' driver libraries, behind one table of functions.
 *
 * HIP's calls for modules, memory, streams and events have the signatures of the CUDA driver's, so
 * one table serves both. dlopen and dlsym fill it from AMD's libamdhip64.so or NVIDIA's
 * libcuda.so.1. No other library of either vendor is needed at run time. The types are those of
 * <hip/hip_runtime_api.h>. The compiler checks every call against the official header if that is
 * installed, or else against fallback/hip/hip_runtime_api.h. */
#pragma once

#include <stdbool.h>

#include <hip/hip_runtime_api.h>

#include "core/status.h"
#include "solver/backend.h"

enum hip_vendor { VENDOR_AMD, VENDOR_NVIDIA, VENDOR_COUNT };

/* By vendor; the last entry has no title. */
extern const struct library hip_libraries[VENDOR_COUNT + 1];

enum hip_attribute {
    ATTRIBUTE_MULTIPROCESSORS,
    ATTRIBUTE_WAVE,             /* threads that run in lockstep */
    ATTRIBUTE_RESIDENT_THREADS, /* the most per multiprocessor */
    ATTRIBUTE_MAPS_HOST,        /* 1 if the device can address host memory */
    ATTRIBUTE_CACHE,            /* bytes of its L2 */
    ATTRIBUTE_CAPABILITY_MAJOR, /* NVIDIA */
    ATTRIBUTE_CAPABILITY_MINOR,
    ATTRIBUTE_SHARES_MEMORY /* NVIDIA: 1 if host and device can access memory at the same time */
};

/* CUDA_KERNEL_NODE_PARAMS, first version. */
struct cuda_kernel_node {
    hipFunction_t function;
    unsigned grid[3], block[3], shared_bytes;
    void **arguments, **extra;
};

/* CUgraphEdgeData. The second kernel may begin as soon as every thread of the first has either
 * allowed it or ended. */
struct cuda_graph_edge {
    unsigned char from_port, to_port, type, reserved[5];
};

/* Signatures of NVIDIA's calls without a counterpart of AMD's here: HIP's contexts are deprecated,
 * and not every ROCm accepts a module's functions in kernel nodes. */
hipError_t cuDevicePrimaryCtxRetain(void **context, hipDevice_t device);
hipError_t cuDevicePrimaryCtxRelease_v2(hipDevice_t device);
hipError_t cuDevicePrimaryCtxSetFlags_v2(hipDevice_t device, unsigned flags);
hipError_t cuCtxSetCurrent(void *context);
hipError_t cuCtxSynchronize(void);
hipError_t cuCtxEnablePeerAccess(void *context, unsigned flags);
hipError_t cuMemcpyPeerAsync(hipDeviceptr_t to, void *to_context, hipDeviceptr_t from,
                             void *from_context, size_t bytes, hipStream_t stream);
hipError_t cuGetErrorString(hipError_t code, const char **text);
hipError_t cuGraphCreate(hipGraph_t *graph, unsigned flags);
hipError_t cuGraphAddKernelNode(void **node, hipGraph_t graph, void *const *after, size_t count,
                                const struct cuda_kernel_node *kernel);
hipError_t cuGraphAddDependencies_v2(hipGraph_t graph, void *const *from, void *const *to,
                                     const struct cuda_graph_edge *edges, size_t count);

/* Every call: its member, and its names in the libraries. AMD, NVIDIA: only that vendor has it.
 * NEWER: NULL if the driver lacks it. */
/* clang-format off */
#define HIP_DRIVER_CALLS(BOTH, AMD, NVIDIA, NEWER, NEWER_AMD, NEWER_NVIDIA)                        \
    BOTH(init, hipInit, cuInit)                                                                    \
    BOTH(driver_version, hipRuntimeGetVersion, cuDriverGetVersion)                                 \
    BOTH(device_count, hipGetDeviceCount, cuDeviceGetCount)                                        \
    BOTH(device_get, hipDeviceGet, cuDeviceGet)                                                    \
    BOTH(device_name, hipDeviceGetName, cuDeviceGetName)                                           \
    BOTH(device_memory, hipDeviceTotalMem, cuDeviceTotalMem_v2)                                    \
    BOTH(device_bus_id, hipDeviceGetPCIBusId, cuDeviceGetPCIBusId)                                 \
    BOTH(device_attribute, hipDeviceGetAttribute, cuDeviceGetAttribute)                            \
    AMD(set_device, hipSetDevice)                                                                  \
    NVIDIA(context_retain, cuDevicePrimaryCtxRetain)                                               \
    NVIDIA(context_release, cuDevicePrimaryCtxRelease_v2)                                          \
    NEWER_NVIDIA(context_set_flags, cuDevicePrimaryCtxSetFlags_v2)                                 \
    NVIDIA(context_set, cuCtxSetCurrent)                                                           \
    NEWER_NVIDIA(context_wait, cuCtxSynchronize)                                                   \
    /* test and enabling of a device's direct access to another's memory, and copies */            \
    BOTH(peer_possible, hipDeviceCanAccessPeer, cuDeviceCanAccessPeer)                             \
    AMD(peer_enable, hipDeviceEnablePeerAccess)                                                    \
    AMD(peer_copy, hipMemcpyPeerAsync)                                                             \
    NVIDIA(context_peer_enable, cuCtxEnablePeerAccess)                                             \
    NVIDIA(context_peer_copy, cuMemcpyPeerAsync)                                                   \
    BOTH(module_load, hipModuleLoadData, cuModuleLoadData)                                         \
    BOTH(module_unload, hipModuleUnload, cuModuleUnload)                                           \
    BOTH(module_function, hipModuleGetFunction, cuModuleGetFunction)                               \
    BOTH(launch, hipModuleLaunchKernel, cuLaunchKernel)                                            \
    BOTH(occupancy, hipModuleOccupancyMaxActiveBlocksPerMultiprocessor,                            \
         cuOccupancyMaxActiveBlocksPerMultiprocessor)                                              \
    NEWER(function_attribute, hipFuncGetAttribute, cuFuncGetAttribute)                             \
    BOTH(allocate, hipMalloc, cuMemAlloc_v2)                                                       \
    BOTH(release, hipFree, cuMemFree_v2)                                                           \
    BOTH(host_allocate, hipHostMalloc, cuMemHostAlloc)                                             \
    BOTH(host_release, hipHostFree, cuMemFreeHost)                                                 \
    BOTH(host_pin, hipHostRegister, cuMemHostRegister_v2)                                          \
    BOTH(host_unpin, hipHostUnregister, cuMemHostUnregister)                                       \
    BOTH(host_pointer, hipHostGetDevicePointer, cuMemHostGetDevicePointer_v2)                      \
    BOTH(copy_to, hipMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2)                                        \
    BOTH(copy_from, hipMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2)                                      \
    BOTH(fill, hipMemsetD8Async, cuMemsetD8Async)                                                  \
    BOTH(stream_create, hipStreamCreateWithFlags, cuStreamCreate)                                  \
    BOTH(stream_create_urgent, hipStreamCreateWithPriority, cuStreamCreateWithPriority)            \
    BOTH(stream_destroy, hipStreamDestroy, cuStreamDestroy_v2)                                     \
    BOTH(stream_wait, hipStreamSynchronize, cuStreamSynchronize)                                   \
    BOTH(stream_wait_event, hipStreamWaitEvent, cuStreamWaitEvent)                                 \
    BOTH(event_create, hipEventCreateWithFlags, cuEventCreate)                                     \
    BOTH(event_destroy, hipEventDestroy, cuEventDestroy_v2)                                        \
    BOTH(event_record, hipEventRecord, cuEventRecord)                                              \
    BOTH(event_elapsed, hipEventElapsedTime, cuEventElapsedTime)                                   \
    AMD(error_string, hipGetErrorString)                                                           \
    NVIDIA(cuda_error_string, cuGetErrorString)                                                    \
    /* recorded and replayed launches (graph.h): AMD's on a stream, NVIDIA's by nodes */           \
    NEWER_AMD(capture_begin, hipStreamBeginCapture)                                                \
    NEWER_AMD(capture_end, hipStreamEndCapture)                                                    \
    NEWER_NVIDIA(graph_create, cuGraphCreate)                                                      \
    NEWER_NVIDIA(graph_add_kernel, cuGraphAddKernelNode)                                           \
    NEWER_NVIDIA(graph_add_edges, cuGraphAddDependencies_v2) /* since CUDA 12.3 */                 \
    NEWER(graph_destroy, hipGraphDestroy, cuGraphDestroy)                                          \
    /* since ROCm 5.0 and CUDA 11.4, which have the other calls */                                 \
    NEWER(graph_instantiate, hipGraphInstantiateWithFlags, cuGraphInstantiateWithFlags)            \
    NEWER(graph_release, hipGraphExecDestroy, cuGraphExecDestroy)                                  \
    NEWER(graph_launch, hipGraphLaunch, cuGraphLaunch)

#define OF_BOTH(member, hip, cuda) __typeof__(&hip) member;
#define OF_ONE(member, shape) __typeof__(&shape) member;
struct hip_driver {
    enum hip_vendor vendor;
    char library[32]; /* "libcuda.so.1" */
    void *handle;
    HIP_DRIVER_CALLS(OF_BOTH, OF_ONE, OF_ONE, OF_BOTH, OF_ONE, OF_ONE)

    /* Fills a structure whose layout differs between versions; AMD only. See driver.c. */
    hipError_t (*properties)(void *properties, int device);

    /* Names memory for messages; emulator only. `name` must stay valid. */
    void (*label)(void *memory, const char *name);
};
#undef OF_BOTH
#undef OF_ONE
/* clang-format on */

/* Opens the vendor's library, fills the table and starts the driver; hip_driver_unload undoes this.
 * On failure returns STATUS_UNAVAILABLE and the loader's or driver's message, with nothing open. */
enum status hip_driver_load(enum hip_vendor vendor, struct hip_driver *driver, struct error *error);
void hip_driver_unload(struct hip_driver *driver);

/* The vendor's text for a status; never NULL. */
const char *hip_driver_error_string(const struct hip_driver *driver, hipError_t code);

/* If `code` is not hipSuccess and *failure holds no earlier failure, sets *failure to
 * STATUS_DEVICE_FAILED and "`what`: the vendor's text". */
void hip_check(const struct hip_driver *driver, hipError_t code, const char *what,
               struct error *failure);

/* Returns the failure's status, or STATUS_OK if there is none, and clears it. Copies its text to
 * `error` unless that is NULL. */
enum status hip_take_failure(struct error *failure, struct error *error);

/* Names memory for messages, if the driver supports names. */
static inline void hip_driver_label(const struct hip_driver *driver, void *memory,
                                    const char *name) {
    if (driver->label)
        driver->label(memory, name);
}

/* Returns 0 if the driver does not report the attribute. */
int hip_driver_attribute(const struct hip_driver *driver, enum hip_attribute attribute,
                         int ordinal);

/* Fills in all fields but the index. */
void hip_driver_describe(const struct hip_driver *driver, int ordinal, struct device *device);
