#include "kernels/hip/vector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/text.h"

/* The device's own memory; the driver blocks, so the host's clock times it. */
static enum status allocate(struct hip_context *context, struct hip_vector *vector,
                            struct error *error) {
    const struct hip_driver *driver = context->stream.driver;
    char what[64], size[32];
    void *device = NULL;
    const int64_t start = clock_now_ns();
    snprintf(what, sizeof what, "no memory on the device for %s (%s)", array_name(vector->array),
             text_bytes(size, sizeof size, (double)vector->bytes));
    const enum status status =
        hip_check(driver, driver->allocate(&device, vector->bytes), what, error);
    if (status)
        return status;
    vector->device = device;
    hip_timer_note(&context->timer, EVENT_ALLOC, context->phase, vector->array, CLOCK_HOST, start,
                   clock_now_ns() - start, vector->bytes);
    return STATUS_OK;
}

static enum status release(struct hip_context *context, struct hip_vector *vector,
                           struct error *error) {
    const struct hip_driver *driver = context->stream.driver;
    const int64_t start = clock_now_ns();
    double *device = vector->device;
    vector->device = NULL;
    const enum status status = hip_check(driver, driver->release(device),
                                         "the device's memory can't be given back", error);
    hip_timer_note(&context->timer, EVENT_ALLOC, context->phase, vector->array, CLOCK_HOST, start,
                   clock_now_ns() - start, 0);
    return status;
}

static enum status copy_to(struct hip_context *context, struct hip_vector *vector, size_t offset,
                           const void *from, size_t bytes, struct error *error) {
    const struct hip_driver *driver = context->stream.driver;
    char what[64];
    snprintf(what, sizeof what, "copying %s to the device", array_name(vector->array));
    enum status status = hip_timer_before(&context->timer, error);
    if (!status)
        status = hip_check(driver,
                           driver->copy_to((char *)vector->device + offset, (void *)from, bytes,
                                           context->stream.handle),
                           what, error);
    if (!status)
        status = hip_timer_after(&context->timer, EVENT_TO_DEVICE, context->phase, vector->array,
                                 bytes, error);
    return status;
}

static enum status copy_from(struct hip_context *context, const struct hip_vector *vector,
                             size_t offset, void *to, size_t bytes, struct error *error) {
    const struct hip_driver *driver = context->stream.driver;
    char what[64];
    snprintf(what, sizeof what, "copying %s from the device", array_name(vector->array));
    enum status status = hip_timer_before(&context->timer, error);
    if (!status)
        status = hip_check(
            driver,
            driver->copy_from(to, (char *)vector->device + offset, bytes, context->stream.handle),
            what, error);
    if (!status)
        status = hip_timer_after(&context->timer, EVENT_FROM_DEVICE, context->phase, vector->array,
                                 bytes, error);
    return status;
}

static enum status create_on_device(struct hip_context *context, struct hip_vector *vector,
                                    struct error *error) {
    const struct hip_driver *driver = context->stream.driver;
    const enum status status = allocate(context, vector, error);
    if (status)
        return status;
    return hip_check(driver, driver->fill(vector->device, 0, vector->bytes, context->stream.handle),
                     "clearing the device's memory", error);
}

static enum status create_on_host(struct hip_vector *vector, struct error *error) {
    vector->host = aligned_alloc(64, (vector->bytes + 63) / 64 * 64);
    if (!vector->host)
        return error_set(error, STATUS_INTERNAL, "out of memory for %s", array_name(vector->array));
    memset(vector->host, 0, vector->bytes);
    return STATUS_OK;
}

static enum status create_unified(struct hip_context *context, struct hip_vector *vector,
                                  struct error *error) {
    const struct hip_driver *driver = context->stream.driver;
    void *host = NULL, *device = NULL;
    enum status status =
        hip_check(driver, driver->host_allocate(&host, vector->bytes, hipHostMallocMapped),
                  "no host memory that the device can address", error);
    if (status)
        return status;
    vector->host = host;
    memset(host, 0, vector->bytes);
    status = hip_check(driver, driver->host_pointer(&device, host, 0),
                       "host memory has no address on the device", error);
    vector->device = device;
    return status;
}

enum status hip_vector_create(struct hip_context *context, struct hip_vector *vector,
                              enum array array, size_t bytes, struct error *error) {
    *vector = (struct hip_vector){.array = array, .bytes = bytes};
    enum status status;
    if (context->mapping == MAPPING_STRUCTURED)
        status = create_on_host(vector, error);
    else if (context->mapping == MAPPING_UNIFIED)
        status = create_unified(context, vector, error);
    else
        status = create_on_device(context, vector, error);
    if (status)
        hip_vector_destroy(context, vector);
    return status;
}

void hip_vector_destroy(struct hip_context *context, struct hip_vector *vector) {
    if (context->mapping == MAPPING_UNIFIED) {
        if (vector->host)
            context->stream.driver->host_release(vector->host);
    } else {
        if (vector->device)
            context->stream.driver->release(vector->device);
        free(vector->host);
    }
    *vector = (struct hip_vector){0};
}

enum status hip_vector_map(struct hip_context *context, struct hip_vector *vector, bool to,
                           struct error *error) {
    if (context->mapping != MAPPING_STRUCTURED)
        return STATUS_OK;
    const enum status status = allocate(context, vector, error);
    if (status || !to)
        return status;
    return copy_to(context, vector, 0, vector->host, vector->bytes, error);
}

enum status hip_vector_unmap(struct hip_context *context, struct hip_vector *vector, bool from,
                             struct error *error) {
    if (context->mapping != MAPPING_STRUCTURED || !vector->device)
        return STATUS_OK;
    enum status status = STATUS_OK;
    if (from)
        status = copy_from(context, vector, 0, vector->host, vector->bytes, error);
    if (!status)
        status = hip_stream_synchronize(&context->stream, error);
    const enum status released = release(context, vector, status ? NULL : error);
    return status ? status : released;
}

enum status hip_vector_write(struct hip_context *context, struct hip_vector *vector, size_t offset,
                             const void *from, size_t bytes, struct error *error) {
    if (vector->host) {
        memcpy((char *)vector->host + offset, from, bytes);
        return STATUS_OK;
    }
    const enum status status = copy_to(context, vector, offset, from, bytes, error);
    return status ? status : hip_stream_synchronize(&context->stream, error);
}

enum status hip_vector_read(struct hip_context *context, const struct hip_vector *vector,
                            size_t offset, void *to, size_t bytes, struct error *error) {
    if (vector->host) {
        memcpy(to, (const char *)vector->host + offset, bytes);
        return STATUS_OK;
    }
    const enum status status = copy_from(context, vector, offset, to, bytes, error);
    return status ? status : hip_stream_synchronize(&context->stream, error);
}
