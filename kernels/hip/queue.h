/* A GPU opened for one user: its context, the kernels loaded for it, and one stream, on which
 * everything happens in the order in which it was asked for. */
#ifndef JACOBI_HIP_QUEUE_H
#define JACOBI_HIP_QUEUE_H

#include "kernels/hip/devices.h"
#include "kernels/hip/kernels.h"

struct queue {
    const struct gpu *gpu;
    const struct driver *driver;
    void *context; /* NVIDIA only: of `device` */
    hipDevice_t device;
    hipModule_t module;
    hipFunction_t functions[KERNEL_COUNT];
    hipStream_t stream;
};

/* On failure nothing is left behind. An image without one of the kernels is an error that names it.
 */
enum status queue_open(struct queue *queue, const struct gpu *gpu, struct error *error);

/* Gives everything back, as far as it was opened. The stream should be idle. */
void queue_close(struct queue *queue);

/* Makes the GPU the calling thread's; to be called first whenever a thread comes to use the queue.
 */
enum status queue_enter(const struct queue *queue, struct error *error);

/* Enqueues a kernel; returns before it has run. */
enum status queue_launch(const struct queue *queue, enum kernel kernel, unsigned blocks,
                         unsigned threads, void **arguments, struct error *error);

/* Waits until all that was enqueued is done: failures of kernels and copies show here. */
enum status queue_wait(const struct queue *queue, struct error *error);

/* Blocks of that kernel that run at once on the whole GPU; at least 1. */
unsigned queue_resident_blocks(const struct queue *queue, enum kernel kernel, unsigned threads);

#endif
