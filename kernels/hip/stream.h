/* A GPU opened for one user: its kernels, loaded, and one stream, on which everything happens in
 * the order in which it was enqueued. */
#ifndef JACOBI_HIP_STREAM_H
#define JACOBI_HIP_STREAM_H

#include "kernels/hip/devices.h"
#include "kernels/hip/kernels.h"

struct hip_graph;

struct hip_stream {
    const struct hip_gpu *gpu;
    const struct hip_driver *driver;
    void *cuda_context; /* NVIDIA only: of `device` */
    hipDevice_t device;
    hipModule_t module, user_module; /* the program's kernels, the user's (own.h) */
    hipFunction_t functions[KERNEL_COUNT];
    hipStream_t handle;
    struct hip_graph *recording; /* that launches go to instead of the stream; see graph.h */
};

/* On failure nothing is left behind. An image that lacks a kernel is an error that names it. */
enum status hip_stream_open(struct hip_stream *stream, const struct hip_gpu *gpu,
                            struct error *error);

/* Releases whatever was opened. The stream should be idle. */
void hip_stream_close(struct hip_stream *stream);

/* Makes the GPU the calling thread's: the first call of every thread that uses the stream. */
enum status hip_stream_make_current(const struct hip_stream *stream, struct error *error);

/* Enqueues a kernel; returns before it has run. While a graph is recorded, adds it there. */
enum status hip_stream_launch(const struct hip_stream *stream, enum hip_kernel kernel,
                              unsigned blocks, unsigned threads, void **arguments,
                              struct error *error);

/* Enqueue: zeros in the device's memory; an event; a wait for another stream's event. */
enum status hip_stream_clear(const struct hip_stream *stream, void *memory, size_t bytes,
                             struct error *error);
enum status hip_stream_record(const struct hip_stream *stream, hipEvent_t event,
                              struct error *error);
enum status hip_stream_wait_for(const struct hip_stream *stream, hipEvent_t event,
                                struct error *error);

/* Blocks until everything enqueued is done. Failures of kernels and copies show here. */
enum status hip_stream_synchronize(const struct hip_stream *stream, struct error *error);

/* Blocks of that kernel that run at once on each multiprocessor; at least 1. */
unsigned hip_stream_resident_blocks(const struct hip_stream *stream, enum hip_kernel kernel,
                                    unsigned threads);

#endif
