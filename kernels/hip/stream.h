/* A GPU opened for one user: its kernels, loaded, and one stream, on which everything happens in
 * the order in which it was enqueued.
 *
 * Failures stick: once a call has failed, those that follow do nothing, and what they return is 0.
 * So a row of calls is written without questions between them. Whoever answers for it asks at the
 * end, and takes the failure (hip_engine_status). Waiting and releasing work always. */
#ifndef JACOBI_HIP_STREAM_H
#define JACOBI_HIP_STREAM_H

#include "kernels/hip/devices.h"
#include "kernels/hip/kernels.h"

struct hip_graph;

struct hip_stream {
    const struct hip_gpu *gpu;
    const struct hip_driver *driver;
    struct error *failure; /* the first since it was taken, of all streams of one user */
    void *cuda_context;    /* NVIDIA only: of `device` */
    hipDevice_t device;
    bool of_float;                   /* what its kernels compute with */
    hipModule_t module, user_module; /* the program's kernels, the user's (user_kernels.h) */
    hipFunction_t functions[KERNEL_COUNT];
    hipStream_t handle;
    struct hip_graph *recording; /* that launches go to instead of the stream; see graph.h */
};

static inline bool hip_failed(const struct hip_stream *stream) {
    return stream->failure->status != STATUS_OK;
}

/* Failures go to *failure, which outlives the stream. If opening fails nothing is left behind. An
 * image that lacks a kernel is an error that names it. `precision`: of its kernels; mixed's are
 * those of single. */
void hip_stream_open(struct hip_stream *stream, const struct hip_gpu *gpu, enum precision precision,
                     struct error *failure);

/* Releases whatever was opened. The stream should be idle. */
void hip_stream_close(struct hip_stream *stream);

/* Makes the GPU the calling thread's: the first call of every thread that uses the stream. */
void hip_stream_make_current(const struct hip_stream *stream);

/* Enqueues a kernel; returns before it has run. While a graph is recorded, adds it there. */
void hip_stream_launch(const struct hip_stream *stream, enum hip_kernel kernel, unsigned blocks,
                       unsigned threads, void **arguments);

/* Enqueue: zeros in the device's memory; a copy between it and the host's (`what` says of what, if
 * it fails); an event; a wait for another stream's event. */
void hip_stream_clear(const struct hip_stream *stream, void *memory, size_t bytes);
void hip_stream_copy_to(const struct hip_stream *stream, void *device, const void *host,
                        size_t bytes, const char *what);
void hip_stream_copy_from(const struct hip_stream *stream, void *host, const void *device,
                          size_t bytes, const char *what);
void hip_stream_record(const struct hip_stream *stream, hipEvent_t event);
void hip_stream_wait_for(const struct hip_stream *stream, hipEvent_t event);

/* Blocks until everything enqueued is done. Failures of kernels and copies show here. */
void hip_stream_synchronize(const struct hip_stream *stream);

/* Memory of the device; NULL and "no memory on the device for `what`" if there is none. */
void *hip_stream_allocate(const struct hip_stream *stream, size_t bytes, const char *what);

/* Pinned memory of the host; NULL and "no `what`" if there is none. *device, unless `device` is
 * NULL, is its address on the device, which may fail when there is memory. */
void *hip_stream_allocate_host(const struct hip_stream *stream, size_t bytes, unsigned flags,
                               void **device, const char *what);

/* Pins whole pages of the host's memory, for copies; `driver->host_unpin` ends that. */
void hip_stream_pin(const struct hip_stream *stream, void *memory, size_t bytes, const char *what);

hipEvent_t hip_stream_event(const struct hip_stream *stream, unsigned flags);

/* Another stream of the same user. The less, the more urgent. */
struct hip_stream hip_stream_beside(const struct hip_stream *stream, int priority);

/* Blocks of that kernel that run at once on each multiprocessor; at least 1. */
unsigned hip_stream_resident_blocks(const struct hip_stream *stream, enum hip_kernel kernel,
                                    unsigned threads);

#endif
