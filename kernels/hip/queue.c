#include "kernels/hip/queue.h"

#include <stdio.h>

static enum status open_context(struct queue *queue, struct error *error) {
    const struct driver *driver = queue->driver;
    if (!driver->context_retain)
        return STATUS_OK;
    const enum status status =
        driver_check(driver, driver->device_get(&queue->device, queue->gpu->ordinal),
                     "the device can't be opened", error);
    if (status)
        return status;
    return driver_check(driver, driver->context_retain(&queue->context, queue->device),
                        "the device can't be opened", error);
}

static enum status load_kernels(struct queue *queue, struct error *error) {
    const struct driver *driver = queue->driver;
    const struct gpu *gpu = queue->gpu;
    char what[96];
    snprintf(what, sizeof what, "the kernels for %s can't be loaded", gpu->architecture);
    enum status status =
        driver_check(driver, driver->module_load(&queue->module, gpu->image->data), what, error);
    for (int k = 0; k < KERNEL_COUNT && !status; k++) {
        const char *name = kernel_signatures[k].name;
        snprintf(what, sizeof what, "kernel %s is missing for %s", name, gpu->architecture);
        status =
            driver_check(driver, driver->module_function(&queue->functions[k], queue->module, name),
                         what, error);
    }
    return status;
}

enum status queue_open(struct queue *queue, const struct gpu *gpu, struct error *error) {
    *queue = (struct queue){.gpu = gpu, .driver = gpu->driver};
    if (!gpu->image)
        return error_set(error, STATUS_UNAVAILABLE, "this program holds no kernels for %s",
                         gpu->architecture);
    enum status status = open_context(queue, error);
    if (!status)
        status = queue_enter(queue, error);
    if (!status)
        status = load_kernels(queue, error);
    if (!status)
        status = driver_check(queue->driver,
                              queue->driver->stream_create(&queue->stream, hipStreamNonBlocking),
                              "a stream can't be made", error);
    if (status)
        queue_close(queue);
    return status;
}

void queue_close(struct queue *queue) {
    const struct driver *driver = queue->driver;
    if (!driver)
        return;
    if (queue->stream)
        driver->stream_destroy(queue->stream);
    if (queue->module)
        driver->module_unload(queue->module);
    if (queue->context)
        driver->context_release(queue->device);
    *queue = (struct queue){0};
}

enum status queue_enter(const struct queue *queue, struct error *error) {
    const struct driver *driver = queue->driver;
    const hipError_t code = driver->set_device ? driver->set_device(queue->gpu->ordinal)
                                               : driver->context_set(queue->context);
    return driver_check(driver, code, "the device can't be used", error);
}

enum status queue_launch(const struct queue *queue, enum kernel kernel, unsigned blocks,
                         unsigned threads, void **arguments, struct error *error) {
    const hipError_t code = queue->driver->launch(queue->functions[kernel], blocks, 1, 1, threads,
                                                  1, 1, 0, queue->stream, arguments, NULL);
    return driver_check(queue->driver, code, kernel_signatures[kernel].name, error);
}

enum status queue_wait(const struct queue *queue, struct error *error) {
    return driver_check(queue->driver, queue->driver->stream_wait(queue->stream),
                        "the device failed", error);
}

unsigned queue_resident_blocks(const struct queue *queue, enum kernel kernel, unsigned threads) {
    int blocks = 0;
    const hipError_t code =
        queue->driver->occupancy(&blocks, queue->functions[kernel], (int)threads, 0);
    if (code != hipSuccess || blocks < 1)
        blocks = 1;
    const int multiprocessors = queue->gpu->multiprocessors > 0 ? queue->gpu->multiprocessors : 1;
    return (unsigned)(blocks * multiprocessors);
}
