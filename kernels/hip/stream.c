#include "kernels/hip/graph.h"

#include "core/format.h"

static void find_kernels(struct hip_stream *stream) {
    const struct hip_driver *driver = stream->driver;
    const int count = stream->of_float ? KERNELS_OF_FLOAT : KERNEL_COUNT;
    for (int k = 0; k < count && !hip_failed(stream); k++) {
        const char *name = hip_kernel_signatures[k].name;
        const hipError_t code =
            driver->module_function(&stream->functions[k], stream->module, name);
        if (!stream->gpu->is_emulated) /* it has only a few of them */
            hip_check(driver, code,
                      PRINT("kernel %s is missing for %s", name, stream->gpu->architecture),
                      stream->failure);
    }
}

void hip_stream_open(struct hip_stream *stream, const struct hip_gpu *gpu, enum precision precision,
                     struct error *failure) {
    const struct hip_driver *driver = gpu->driver;
    const char *failed = "the device can't be opened";
    *stream = (struct hip_stream){.gpu = gpu,
                                  .driver = driver,
                                  .failure = failure,
                                  .of_float = precision != PRECISION_DOUBLE};
    if (!gpu->image)
        error_set(failure, STATUS_UNAVAILABLE, "this program has no kernels for %s",
                  gpu->architecture);
    if (driver->context_retain) {
        HIP_CALL(stream, device_get(&stream->device, gpu->ordinal), failed);
        HIP_CALL(stream, context_retain(&stream->cuda_context, stream->device), failed);
    }
    hip_stream_make_current(stream);
    HIP_CALL(stream, module_load(&stream->module, gpu->image->data[stream->of_float]),
             PRINT("the kernels for %s can't be loaded", gpu->architecture));
    find_kernels(stream);
    HIP_CALL(stream, stream_create(&stream->handle, hipStreamNonBlocking),
             "a stream can't be created");
    if (hip_failed(stream))
        hip_stream_close(stream);
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

void hip_stream_make_current(const struct hip_stream *stream) {
    if (stream->driver->set_device)
        HIP_CALL(stream, set_device(stream->gpu->ordinal), "the device can't be used");
    else
        HIP_CALL(stream, context_set(stream->cuda_context), "the device can't be used");
}

/* Kernels for float take reals as floats. */
static void round_reals(const char *letters, void **arguments, float *reals, void **rounded) {
    for (int a = 0; letters[a]; a++) {
        const bool is_real = letters[a] == 'r';
        reals[a] = is_real ? (float)*(const double *)arguments[a] : 0;
        rounded[a] = is_real ? &reals[a] : arguments[a];
    }
}

void hip_stream_launch(const struct hip_stream *stream, enum hip_kernel kernel, unsigned blocks,
                       unsigned threads, void **arguments) {
    enum { ARGUMENTS_MAX = 20 };
    float reals[ARGUMENTS_MAX];
    void *rounded[ARGUMENTS_MAX];
    if (hip_failed(stream))
        return;
    if (stream->of_float) {
        round_reals(hip_kernel_signatures[kernel].arguments, arguments, reals, rounded);
        arguments = rounded;
    }
    if (stream->recording && !stream->recording->is_captured)
        hip_graph_add(stream, kernel, blocks, threads, arguments);
    else
        HIP_CALL(stream,
                 launch(stream->functions[kernel], blocks, 1, 1, threads, 1, 1, 0, stream->handle,
                        arguments, NULL),
                 hip_kernel_signatures[kernel].name);
}

void hip_stream_clear(const struct hip_stream *stream, void *memory, size_t bytes) {
    HIP_CALL(stream, fill(memory, 0, bytes, stream->handle), "clearing the device's memory");
}

void hip_stream_copy_to(const struct hip_stream *stream, void *device, const void *host,
                        size_t bytes, const char *what) {
    HIP_CALL(stream, copy_to(device, (void *)host, bytes, stream->handle), what);
}

void hip_stream_copy_from(const struct hip_stream *stream, void *host, const void *device,
                          size_t bytes, const char *what) {
    HIP_CALL(stream, copy_from(host, (void *)device, bytes, stream->handle), what);
}

void hip_stream_record(const struct hip_stream *stream, hipEvent_t event) {
    HIP_CALL(stream, event_record(event, stream->handle), "an event can't be recorded");
}

void hip_stream_wait_for(const struct hip_stream *stream, hipEvent_t event) {
    HIP_CALL(stream, stream_wait_event(stream->handle, event, 0),
             "a stream can't wait for another");
}

void hip_stream_synchronize(const struct hip_stream *stream) {
    hip_check(stream->driver, stream->driver->stream_wait(stream->handle), "the device failed",
              stream->failure);
}

void *hip_stream_allocate(const struct hip_stream *stream, size_t bytes, const char *what) {
    void *memory = NULL;
    HIP_CALL(stream, allocate(&memory, bytes), PRINT("no memory on the device for %s", what));
    return memory;
}

void *hip_stream_allocate_host(const struct hip_stream *stream, size_t bytes, unsigned flags,
                               void **device, const char *what) {
    void *memory = NULL;
    HIP_CALL(stream, host_allocate(&memory, bytes, flags), PRINT("no %s", what));
    if (device)
        HIP_CALL(stream, host_pointer(device, memory, 0),
                 "host memory has no address on the device");
    return memory;
}

hipEvent_t hip_stream_event(const struct hip_stream *stream, unsigned flags) {
    hipEvent_t event = NULL;
    HIP_CALL(stream, event_create(&event, flags), "an event can't be created");
    return event;
}

/* 0 if the driver does not report it. */
static unsigned blocks_at_once(const struct hip_stream *stream, enum hip_kernel kernel,
                               unsigned threads) {
    int blocks = 0;
    const hipError_t code =
        stream->driver->occupancy(&blocks, stream->functions[kernel], (int)threads, 0);
    return code == hipSuccess && blocks > 0 ? (unsigned)blocks : 0;
}

unsigned hip_stream_resident_blocks(const struct hip_stream *stream, enum hip_kernel kernel,
                                    unsigned threads) {
    const unsigned blocks = blocks_at_once(stream, kernel, threads);
    return blocks > 0 ? blocks : 1;
}

struct kernel_usage hip_stream_usage(const struct hip_stream *stream, enum hip_kernel kernel,
                                     unsigned threads) {
    const struct hip_driver *driver = stream->driver;
    const unsigned wave = (unsigned)stream->gpu->wave;
    struct kernel_usage usage = {0};
    if (stream->gpu->is_emulated || wave == 0)
        return usage;
    const int most = hip_driver_attribute(driver, ATTRIBUTE_RESIDENT_THREADS, stream->gpu->ordinal);
    if (driver->function_attribute &&
        driver->function_attribute(&usage.registers, HIP_FUNC_ATTRIBUTE_NUM_REGS,
                                   stream->functions[kernel]) != hipSuccess)
        usage.registers = 0;
    const unsigned resident = (threads + wave - 1) / wave * wave;
    if (most > 0)
        usage.occupancy = 100.0 * blocks_at_once(stream, kernel, threads) * resident / most;
    return usage;
}
