#include "kernels/hip/vector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format.h"
#include "core/system.h"

enum status hip_context_synchronize(struct hip_context *context, struct error *error) {
    struct hip_timer *timer = &context->timer;
    const int64_t start = clock_now_ns();
    const enum status status = hip_stream_synchronize(&context->stream, error);
    /* In the steps that nobody times the wait is only counted. */
    hip_timer_note(timer, EVENT_WAIT, context->phase, ARRAY_NONE,
                   timer->sampled ? CLOCK_HOST : CLOCK_NONE, start, clock_now_ns() - start, 0);
    hip_timer_break(timer);
    return status;
}

/* Allocates the device's own memory. The driver blocks, so the host's clock times it. */
static enum status allocate_on_device(struct hip_context *context, struct hip_vector *vector,
                                      struct error *error) {
    const struct hip_driver *driver = context->stream.driver;
    char what[64], size[32];
    void *device = NULL;
    const int64_t start = clock_now_ns();
    snprintf(what, sizeof what, "no memory on the device for %s (%s)", array_name(vector->array),
             format_bytes(size, sizeof size, (double)vector->bytes));
    const enum status status =
        hip_check(driver, driver->allocate(&device, context->shift + vector->bytes), what, error);
    if (status)
        return status;
    hip_driver_label(driver, device, array_name(vector->array));
    vector->device = (double *)device + context->shift / sizeof(double);
    hip_timer_break(&context->timer);
    hip_timer_note(&context->timer, EVENT_ALLOC, context->phase, vector->array, CLOCK_HOST, start,
                   clock_now_ns() - start, vector->bytes);
    return STATUS_OK;
}

/* Enqueues the copy of `bytes` bytes between `host` and the vector's device memory at `offset`. */
static enum status enqueue_copy(struct hip_context *context, const struct hip_vector *vector,
                                size_t offset, void *host, size_t bytes, bool to_device,
                                struct error *error) {
    const struct hip_driver *driver = context->stream.driver;
    const hipStream_t stream = context->stream.handle;
    char what[64], *device = (char *)vector->device + offset;
    snprintf(what, sizeof what, "copying %s %s the device", array_name(vector->array),
             to_device ? "to" : "from");
    enum status status = hip_timer_before(&context->timer, error);
    if (status)
        return status;
    const hipError_t code = to_device ? driver->copy_to(device, host, bytes, stream)
                                      : driver->copy_from(host, device, bytes, stream);
    status = hip_check(driver, code, what, error);
    if (status)
        return status;
    return hip_timer_after(&context->timer, to_device ? EVENT_TO_DEVICE : EVENT_FROM_DEVICE,
                           context->phase, vector->array, bytes, error);
}

enum status hip_vector_create(struct hip_context *context, struct hip_vector *vector,
                              enum array array, size_t bytes, struct error *error) {
    const struct hip_driver *driver = context->stream.driver;
    void *host = NULL, *device = NULL;
    enum status status = STATUS_OK;
    *vector = (struct hip_vector){.array = array, .bytes = bytes};
    if (context->mapping == MAPPING_STRUCTURED && context->host_memory == HOST_PINNED) {
        status = hip_check(driver, driver->host_allocate(&host, bytes, 0), "no pinned host memory",
                           error);
        if (!status)
            vector->host = memset(host, 0, bytes);
    } else if (context->mapping == MAPPING_STRUCTURED) {
        vector->host = alloc_pages(bytes);
        if (vector->host)
            memset(vector->host, 0, bytes);
        else
            status = error_set(error, STATUS_INTERNAL, "out of memory for %s", array_name(array));
    } else if (context->mapping == MAPPING_UNIFIED) {
        status = hip_check(driver, driver->host_allocate(&host, bytes, hipHostMallocMapped),
                           "no host memory that the device can address", error);
        if (!status) {
            vector->host = host;
            memset(host, 0, bytes);
            status = hip_check(driver, driver->host_pointer(&device, host, 0),
                               "host memory has no address on the device", error);
            vector->device = device;
        }
    } else {
        status = allocate_on_device(context, vector, error);
        if (!status)
            status = hip_stream_clear(&context->stream, vector->device, bytes, error);
    }
    if (status)
        hip_vector_destroy(context, vector);
    return status;
}

void hip_vector_destroy(struct hip_context *context, struct hip_vector *vector) {
    const struct hip_driver *driver = context->stream.driver;
    if (context->mapping != MAPPING_UNIFIED && vector->device)
        driver->release((char *)vector->device - context->shift);
    if (context->mapping != MAPPING_UNIFIED && context->host_memory != HOST_PINNED)
        free(vector->host);
    else if (vector->host)
        driver->host_release(vector->host);
    *vector = (struct hip_vector){0};
}

enum status hip_vector_map(struct hip_context *context, struct hip_vector *vector, bool to,
                           struct error *error) {
    if (context->mapping != MAPPING_STRUCTURED)
        return STATUS_OK;
    const enum status status = allocate_on_device(context, vector, error);
    if (status || !to)
        return status;
    return enqueue_copy(context, vector, 0, vector->host, vector->bytes, true, error);
}

enum status hip_vector_unmap(struct hip_context *context, struct hip_vector *vector, bool from,
                             struct error *error) {
    if (context->mapping != MAPPING_STRUCTURED || !vector->device)
        return STATUS_OK;
    const struct hip_driver *driver = context->stream.driver;
    enum status status = STATUS_OK;
    if (from)
        status = enqueue_copy(context, vector, 0, vector->host, vector->bytes, false, error);
    if (!status)
        status = hip_context_synchronize(context, error);

    const int64_t start = clock_now_ns();
    double *device = vector->device;
    vector->device = NULL;
    const enum status released =
        hip_check(driver, driver->release(device), "the device's memory can't be freed",
                  status ? NULL : error);
    hip_timer_note(&context->timer, EVENT_ALLOC, context->phase, vector->array, CLOCK_HOST, start,
                   clock_now_ns() - start, 0);
    return status ? status : released;
}

enum status hip_vector_write(struct hip_context *context, struct hip_vector *vector, size_t offset,
                             const void *from, size_t bytes, struct error *error) {
    if (vector->host) {
        memcpy((char *)vector->host + offset, from, bytes);
        return STATUS_OK;
    }
    const enum status status =
        enqueue_copy(context, vector, offset, (void *)from, bytes, true, error);
    return status ? status : hip_context_synchronize(context, error);
}

enum status hip_vector_read(struct hip_context *context, const struct hip_vector *vector,
                            size_t offset, void *to, size_t bytes, struct error *error) {
    if (vector->host) {
        memcpy(to, (const char *)vector->host + offset, bytes);
        return STATUS_OK;
    }
    const enum status status = enqueue_copy(context, vector, offset, to, bytes, false, error);
    return status ? status : hip_context_synchronize(context, error);
}
