#include "kernels/hip/graph.h"

#include <stdio.h>

enum status hip_stream_open(struct hip_stream *stream, const struct hip_gpu *gpu,
                            struct error *error) {
    const struct hip_driver *driver = gpu->driver;
    *stream = (struct hip_stream){.gpu = gpu, .driver = driver};
    if (!gpu->image)
        return error_set(error, STATUS_UNAVAILABLE, "this program holds no kernels for %s",
                         gpu->architecture);

    const char *failed = "the device can't be opened";
    enum status status = STATUS_OK;
    if (driver->context_retain) {
        status =
            hip_check(driver, driver->device_get(&stream->device, gpu->ordinal), failed, error);
        if (!status)
            status =
                hip_check(driver, driver->context_retain(&stream->cuda_context, stream->device),
                          failed, error);
    }
    if (!status)
        status = hip_stream_make_current(stream, error);

    char what[96];
    snprintf(what, sizeof what, "the kernels for %s can't be loaded", gpu->architecture);
    if (!status)
        status =
            hip_check(driver, driver->module_load(&stream->module, gpu->image->data), what, error);
    for (int k = 0; k < KERNEL_COUNT && !status; k++) {
        const char *name = hip_kernel_signatures[k].name;
        snprintf(what, sizeof what, "kernel %s is missing for %s", name, gpu->architecture);
        const hipError_t code =
            driver->module_function(&stream->functions[k], stream->module, name);
        if (!gpu->is_emulated) /* it has few of them */
            status = hip_check(driver, code, what, error);
    }

    if (!status)
        status = hip_check(driver, driver->stream_create(&stream->handle, hipStreamNonBlocking),
                           "a stream can't be made", error);
    if (status)
        hip_stream_close(stream);
    return status;
}

void hip_stream_close(struct hip_stream *stream) {
    const struct hip_driver *driver = stream->driver;
    if (!driver)
        return;
    if (stream->handle)
        driver->stream_destroy(stream->handle);
    if (stream->user_module)
        driver->module_unload(stream->user_module);
    if (stream->module)
        driver->module_unload(stream->module);
    if (stream->cuda_context)
        driver->context_release(stream->device);
    *stream = (struct hip_stream){0};
}

enum status hip_stream_make_current(const struct hip_stream *stream, struct error *error) {
    const struct hip_driver *driver = stream->driver;
    const hipError_t code = driver->set_device ? driver->set_device(stream->gpu->ordinal)
                                               : driver->context_set(stream->cuda_context);
    return hip_check(driver, code, "the device can't be used", error);
}

enum status hip_stream_launch(const struct hip_stream *stream, enum hip_kernel kernel,
                              unsigned blocks, unsigned threads, void **arguments,
                              struct error *error) {
    if (stream->recording)
        return hip_graph_add(stream, kernel, blocks, threads, arguments, error);
    const hipError_t code = stream->driver->launch(stream->functions[kernel], blocks, 1, 1, threads,
                                                   1, 1, 0, stream->handle, arguments, NULL);
    return hip_check(stream->driver, code, hip_kernel_signatures[kernel].name, error);
}

enum status hip_stream_clear(const struct hip_stream *stream, void *memory, size_t bytes,
                             struct error *error) {
    return hip_check(stream->driver, stream->driver->fill(memory, 0, bytes, stream->handle),
                     "clearing the device's memory", error);
}

enum status hip_stream_record(const struct hip_stream *stream, hipEvent_t event,
                              struct error *error) {
    return hip_check(stream->driver, stream->driver->event_record(event, stream->handle),
                     "an event can't be recorded", error);
}

enum status hip_stream_wait_for(const struct hip_stream *stream, hipEvent_t event,
                                struct error *error) {
    return hip_check(stream->driver, stream->driver->stream_wait_event(stream->handle, event, 0),
                     "a stream can't wait for another", error);
}

enum status hip_stream_synchronize(const struct hip_stream *stream, struct error *error) {
    return hip_check(stream->driver, stream->driver->stream_wait(stream->handle),
                     "the device failed", error);
}

unsigned hip_stream_resident_blocks(const struct hip_stream *stream, enum hip_kernel kernel,
                                    unsigned threads) {
    int blocks = 0;
    const hipError_t code =
        stream->driver->occupancy(&blocks, stream->functions[kernel], (int)threads, 0);
    return code == hipSuccess && blocks > 0 ? (unsigned)blocks : 1;
}
