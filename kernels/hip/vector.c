#include "kernels/hip/vector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format.h"
#include "core/system.h"

void hip_context_synchronize(struct hip_context *context) {
    struct hip_timer *timer = &context->timer;
    const int64_t start = clock_now_ns();
    hip_stream_synchronize(&context->stream);
    /* In untimed steps the wait is only counted. */
    hip_timer_note(timer, EVENT_WAIT, context->phase, ARRAY_NONE,
                   timer->sampled ? CLOCK_HOST : CLOCK_NONE, start, clock_now_ns() - start, 0);
    hip_timer_break(timer);
}

/* The driver blocks during allocation and release, so the host's clock times these. */
static void note_allocation(struct hip_context *context, enum array array, int64_t start,
                            size_t bytes) {
    hip_timer_note(&context->timer, EVENT_ALLOC, context->phase, array, CLOCK_HOST, start,
                   clock_now_ns() - start, bytes);
}

/* Allocates the device's own memory. */
static void allocate_on_device(struct hip_context *context, struct hip_vector *vector) {
    const int64_t start = clock_now_ns();
    void *device = hip_stream_allocate(
        &context->stream, vector->shift + vector->bytes,
        PRINT("%s (%s)", array_names[vector->array], AS(format_bytes, (double)vector->bytes)));
    if (!device)
        return;
    hip_driver_label(context->stream.driver, device, array_names[vector->array]);
    vector->device = (char *)device + vector->shift;
    hip_timer_break(&context->timer);
    note_allocation(context, vector->array, start, vector->bytes);
}

/* Enqueues the copy of `bytes` bytes between `host` and the vector's device memory at `offset`. */
static void enqueue_copy(struct hip_context *context, const struct hip_vector *vector,
                         size_t offset, void *host, size_t bytes, bool to_device) {
    char what[64];
    if (hip_failed(&context->stream))
        return;
    char *device = (char *)vector->device + offset;
    snprintf(what, sizeof what, "copying %s %s the device", array_names[vector->array],
             to_device ? "to" : "from");
    hip_timer_before(&context->timer);
    if (to_device)
        hip_stream_copy_to(&context->stream, device, host, bytes, what);
    else
        hip_stream_copy_from(&context->stream, host, device, bytes, what);
    hip_timer_after(&context->timer, to_device ? EVENT_TO_DEVICE : EVENT_FROM_DEVICE,
                    context->phase, vector->array, bytes);
}

void hip_vector_create(struct hip_context *context, struct hip_vector *vector, enum array array,
                       size_t bytes) {
    const struct hip_stream *stream = &context->stream;
    void *device = NULL;
    *vector = (struct hip_vector){.array = array, .bytes = bytes, .shift = context->shift};
    if (hip_failed(stream))
        return;
    if (context->mapping == MAPPING_UNSTRUCTURED) {
        allocate_on_device(context, vector);
        hip_stream_clear(stream, vector->device, bytes);
    } else if (context->mapping == MAPPING_UNIFIED) {
        /* Coarse-grained on AMD, whose GPUs do not cache fine-grained host memory. Each side sees
         * the other's writes after a wait for the stream. */
        const bool amd = stream->driver->vendor == VENDOR_AMD;
        const unsigned flags = hipHostMallocMapped | (amd ? hipHostMallocNonCoherent : 0);
        vector->host = hip_stream_allocate_host(stream, bytes, flags, &device,
                                                "host memory that the device can address");
        vector->device = device;
    } else if (context->host_memory == HOST_PINNED) {
        vector->host = hip_stream_allocate_host(stream, bytes, 0, NULL, "pinned host memory");
    } else if (!(vector->host = alloc_pages(bytes))) {
        error_set(stream->failure, STATUS_BAD_INPUT, "out of memory for %s", array_names[array]);
    }
    if (vector->host)
        memset(vector->host, 0, bytes);
    if (hip_failed(stream))
        hip_vector_destroy(context, vector);
}

void hip_vector_destroy(struct hip_context *context, struct hip_vector *vector) {
    const struct hip_driver *driver = context->stream.driver;
    if (context->mapping != MAPPING_UNIFIED && vector->device)
        driver->release((char *)vector->device - vector->shift);
    if (context->mapping != MAPPING_UNIFIED && context->host_memory != HOST_PINNED)
        free(vector->host);
    else if (vector->host)
        driver->host_release(vector->host);
    *vector = (struct hip_vector){0};
}

void hip_vector_map(struct hip_context *context, struct hip_vector *vector, bool to) {
    if (context->mapping != MAPPING_STRUCTURED)
        return;
    allocate_on_device(context, vector);
    if (to)
        enqueue_copy(context, vector, 0, vector->host, vector->bytes, true);
}

void hip_vector_unmap(struct hip_context *context, struct hip_vector *vector, bool from) {
    const struct hip_stream *stream = &context->stream;
    if (context->mapping != MAPPING_STRUCTURED || !vector->device)
        return;
    if (from)
        enqueue_copy(context, vector, 0, vector->host, vector->bytes, false);
    hip_context_synchronize(context);
    const int64_t start = clock_now_ns();
    hip_check(stream->driver, stream->driver->release(vector->device),
              "the device's memory can't be freed", stream->failure);
    vector->device = NULL;
    note_allocation(context, vector->array, start, 0);
}

void hip_vector_write(struct hip_context *context, struct hip_vector *vector, size_t offset,
                      const void *from, size_t bytes) {
    if (vector->host) {
        memcpy((char *)vector->host + offset, from, bytes);
        return;
    }
    enqueue_copy(context, vector, offset, (void *)from, bytes, true);
    hip_context_synchronize(context);
}

void hip_vector_read(struct hip_context *context, const struct hip_vector *vector, size_t offset,
                     void *to, size_t bytes) {
    if (vector->host) {
        memcpy(to, (const char *)vector->host + offset, bytes);
        return;
    }
    enqueue_copy(context, vector, offset, to, bytes, false);
    hip_context_synchronize(context);
}
