/* A GPU opened for one user: its loaded kernels, and one stream, which runs all work in the order
 * of enqueueing.
 *
 * Failures persist: after a failed call, later calls do nothing and return 0. So a sequence of
 * calls needs no checks in between. The caller checks at the end, and clears the failure
 * (hip_engine_status). Waiting and releasing always work. */
#pragma once

#include "kernels/hip/devices.h"
#include "kernels/hip/kernels.h"
#include "solver/events.h"

struct hip_graph;

struct hip_stream {
    const struct hip_gpu *gpu;
    const struct hip_driver *driver;
    struct error *failure; /* the first not yet cleared, of all streams of one user */
    void *cuda_context;    /* NVIDIA only: of `device` */
    hipDevice_t device;
    bool of_float;                   /* the kernels compute in float */
    hipModule_t module, user_module; /* the program's kernels, the user's (user_kernels.c) */
    hipFunction_t functions[KERNEL_COUNT];
    hipStream_t handle;
    struct hip_graph *recording; /* launches go to it instead of the stream; see graph.h */
};

static inline bool hip_failed(const struct hip_stream *stream) {
    return stream->failure->status != STATUS_OK;
}

/* Calls the stream's driver, unless there was a failure. `what` describes the call if it fails. */
#define HIP_CALL(stream, call, what)                                                               \
    do {                                                                                           \
        if (!hip_failed(stream))                                                                   \
            hip_check((stream)->driver, (stream)->driver->call, what, (stream)->failure);          \
    } while (0)

/* Opens a stream. Failures go to *failure, which must outlive the stream. If opening fails, nothing
 * stays open. An image that lacks a kernel is an error that names it. `precision`: of its kernels;
 * mixed uses those of single. */
void hip_stream_open(struct hip_stream *stream, const struct hip_gpu *gpu, enum precision precision,
                     struct error *failure);

/* Releases everything that was opened. The stream should be idle. */
void hip_stream_close(struct hip_stream *stream);

/* Selects the GPU for the calling thread: the first call of every thread that uses the stream. */
void hip_stream_make_current(const struct hip_stream *stream);

/* Enqueues a kernel; returns before it has run. While a graph is being recorded, adds it there. */
void hip_stream_launch(const struct hip_stream *stream, enum hip_kernel kernel, unsigned blocks,
                       unsigned threads, void **arguments);

/* Enqueue zeroing of device memory; a copy between device and host memory (`what` names it if it
 * fails); an event; a wait for another stream's event. */
void hip_stream_clear(const struct hip_stream *stream, void *memory, size_t bytes);
void hip_stream_copy_to(const struct hip_stream *stream, void *device, const void *host,
                        size_t bytes, const char *what);
void hip_stream_copy_from(const struct hip_stream *stream, void *host, const void *device,
                          size_t bytes, const char *what);
void hip_stream_record(const struct hip_stream *stream, hipEvent_t event);
void hip_stream_wait_for(const struct hip_stream *stream, hipEvent_t event);

/* Blocks until all enqueued work is done. Failures of kernels and copies appear here. */
void hip_stream_synchronize(const struct hip_stream *stream);

/* Allocates device memory; NULL and "no memory on the device for `what`" if there is none. */
void *hip_stream_allocate(const struct hip_stream *stream, size_t bytes, const char *what);

/* Allocates pinned host memory; NULL and "no `what`" if there is none. *device, unless `device` is
 * NULL, gets its device address, which may fail even if there is memory. */
void *hip_stream_allocate_host(const struct hip_stream *stream, size_t bytes, unsigned flags,
                               void **device, const char *what);

hipEvent_t hip_stream_event(const struct hip_stream *stream, unsigned flags);

/* The number of blocks of that kernel that run concurrently on each multiprocessor; at least 1. */
unsigned hip_stream_resident_blocks(const struct hip_stream *stream, enum hip_kernel kernel,
                                    unsigned threads);

/* What a launch in blocks of that size uses, as far as the driver reports it. */
struct kernel_usage hip_stream_usage(const struct hip_stream *stream, enum hip_kernel kernel,
                                     unsigned threads);
