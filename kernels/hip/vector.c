#include "kernels/hip/vector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/text.h"

/* The device's own memory; the driver blocks, so the host's clock times it. */
static enum status allocate(struct place *place, struct vector *vector, struct error *error) {
    const struct driver *driver = place->queue.driver;
    char what[64], size[32];
    void *device = NULL;
    const int64_t start = clock_now_ns();
    snprintf(what, sizeof what, "no memory on the device for %s (%s)", array_name(vector->array),
             text_bytes(size, sizeof size, (double)vector->bytes));
    const enum status status =
        driver_check(driver, driver->allocate(&device, vector->bytes), what, error);
    if (status)
        return status;
    vector->device = device;
    timer_note(&place->timer, EVENT_ALLOC, place->phase, vector->array, CLOCK_HOST, start,
               clock_now_ns() - start, vector->bytes);
    return STATUS_OK;
}

static enum status release(struct place *place, struct vector *vector, struct error *error) {
    const struct driver *driver = place->queue.driver;
    const int64_t start = clock_now_ns();
    double *device = vector->device;
    vector->device = NULL;
    const enum status status = driver_check(driver, driver->release(device),
                                            "the device's memory can't be given back", error);
    timer_note(&place->timer, EVENT_ALLOC, place->phase, vector->array, CLOCK_HOST, start,
               clock_now_ns() - start, 0);
    return status;
}

static enum status copy_to(struct place *place, struct vector *vector, size_t offset,
                           const void *from, size_t bytes, struct error *error) {
    const struct driver *driver = place->queue.driver;
    char what[64];
    snprintf(what, sizeof what, "copying %s to the device", array_name(vector->array));
    enum status status = timer_before(&place->timer, error);
    if (!status)
        status = driver_check(driver,
                              driver->copy_to((char *)vector->device + offset, (void *)from, bytes,
                                              place->queue.stream),
                              what, error);
    if (!status)
        status =
            timer_after(&place->timer, EVENT_TO_DEVICE, place->phase, vector->array, bytes, error);
    return status;
}

static enum status copy_from(struct place *place, const struct vector *vector, size_t offset,
                             void *to, size_t bytes, struct error *error) {
    const struct driver *driver = place->queue.driver;
    char what[64];
    snprintf(what, sizeof what, "copying %s from the device", array_name(vector->array));
    enum status status = timer_before(&place->timer, error);
    if (!status)
        status = driver_check(
            driver,
            driver->copy_from(to, (char *)vector->device + offset, bytes, place->queue.stream),
            what, error);
    if (!status)
        status = timer_after(&place->timer, EVENT_FROM_DEVICE, place->phase, vector->array, bytes,
                             error);
    return status;
}

static enum status create_on_device(struct place *place, struct vector *vector,
                                    struct error *error) {
    const struct driver *driver = place->queue.driver;
    const enum status status = allocate(place, vector, error);
    if (status)
        return status;
    return driver_check(driver, driver->fill(vector->device, 0, vector->bytes, place->queue.stream),
                        "clearing the device's memory", error);
}

static enum status create_on_host(struct vector *vector, struct error *error) {
    vector->host = aligned_alloc(64, (vector->bytes + 63) / 64 * 64);
    if (!vector->host)
        return error_set(error, STATUS_INTERNAL, "out of memory for %s", array_name(vector->array));
    memset(vector->host, 0, vector->bytes);
    return STATUS_OK;
}

static enum status create_unified(struct place *place, struct vector *vector, struct error *error) {
    const struct driver *driver = place->queue.driver;
    void *host = NULL, *device = NULL;
    enum status status =
        driver_check(driver, driver->host_allocate(&host, vector->bytes, hipHostMallocMapped),
                     "no host memory that the device can address", error);
    if (status)
        return status;
    vector->host = host;
    memset(host, 0, vector->bytes);
    status = driver_check(driver, driver->host_pointer(&device, host, 0),
                          "host memory has no address on the device", error);
    vector->device = device;
    return status;
}

enum status vector_create(struct place *place, struct vector *vector, enum array array,
                          size_t bytes, struct error *error) {
    *vector = (struct vector){.array = array, .bytes = bytes};
    enum status status;
    if (place->mapping == MAPPING_STRUCTURED)
        status = create_on_host(vector, error);
    else if (place->mapping == MAPPING_UNIFIED)
        status = create_unified(place, vector, error);
    else
        status = create_on_device(place, vector, error);
    if (status)
        vector_destroy(place, vector);
    return status;
}

void vector_destroy(struct place *place, struct vector *vector) {
    if (place->mapping == MAPPING_UNIFIED) {
        if (vector->host)
            place->queue.driver->host_release(vector->host);
    } else {
        if (vector->device)
            place->queue.driver->release(vector->device);
        free(vector->host);
    }
    *vector = (struct vector){0};
}

enum status vector_map(struct place *place, struct vector *vector, bool to, struct error *error) {
    if (place->mapping != MAPPING_STRUCTURED)
        return STATUS_OK;
    const enum status status = allocate(place, vector, error);
    if (status || !to)
        return status;
    return copy_to(place, vector, 0, vector->host, vector->bytes, error);
}

enum status vector_unmap(struct place *place, struct vector *vector, bool from,
                         struct error *error) {
    if (place->mapping != MAPPING_STRUCTURED || !vector->device)
        return STATUS_OK;
    enum status status = STATUS_OK;
    if (from)
        status = copy_from(place, vector, 0, vector->host, vector->bytes, error);
    if (!status)
        status = queue_wait(&place->queue, error);
    const enum status released = release(place, vector, status ? NULL : error);
    return status ? status : released;
}

enum status vector_write(struct place *place, struct vector *vector, size_t offset,
                         const void *from, size_t bytes, struct error *error) {
    if (vector->host) {
        memcpy((char *)vector->host + offset, from, bytes);
        return STATUS_OK;
    }
    const enum status status = copy_to(place, vector, offset, from, bytes, error);
    return status ? status : queue_wait(&place->queue, error);
}

enum status vector_read(struct place *place, const struct vector *vector, size_t offset, void *to,
                        size_t bytes, struct error *error) {
    if (vector->host) {
        memcpy(to, (const char *)vector->host + offset, bytes);
        return STATUS_OK;
    }
    const enum status status = copy_from(place, vector, offset, to, bytes, error);
    return status ? status : queue_wait(&place->queue, error);
}
