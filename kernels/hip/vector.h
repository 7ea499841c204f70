/* An array of the solver and its place, which depends on the mapping:
 *
 *   unstructured  on the device, from open to close
 *   structured    on the host; on the device only while mapped around a kernel
 *   unified       on the host, where the device reads and writes it */
#pragma once

#include "kernels/hip/timer.h"

/* The place of an engine's vectors, their timer, and the current phase. */
struct hip_context {
    struct error failure; /* the first failure on its streams (stream.h) */
    struct hip_stream stream;
    struct hip_timer timer;
    enum mapping mapping;
    enum host_memory host_memory; /* of the vectors that structured mapping keeps on the host */
    enum phase phase;             /* of copies and allocations */
    size_t shift;                 /* byte offset of new vectors in their device memory */
};

struct hip_vector {
    enum array array;
    size_t bytes, shift;
    void *host;   /* NULL if it is only on the device */
    void *device; /* the kernels' address; NULL while not mapped */
};

/* Waits for the stream, and notes the duration. */
void hip_context_synchronize(struct hip_context *context);

/* Allocates the vector in its place, filled with zeros. On failure it holds nothing, and can be
 * destroyed, too. */
void hip_vector_create(struct hip_context *context, struct hip_vector *vector, enum array array,
                       size_t bytes);
void hip_vector_destroy(struct hip_context *context, struct hip_vector *vector);

/* Call before and after a kernel that uses the vector, as `map(to/from/tofrom: …)` does. Both do
 * nothing unless the mapping is structured. `unmap` waits for the kernel, and releases the device's
 * memory even after a failure. */
void hip_vector_map(struct hip_context *context, struct hip_vector *vector, bool to);
void hip_vector_unmap(struct hip_context *context, struct hip_vector *vector, bool from);

/* Copies `bytes` bytes, from `offset` on, between host memory and the vector in its place;
 * blocks. */
void hip_vector_write(struct hip_context *context, struct hip_vector *vector, size_t offset,
                      const void *from, size_t bytes);
void hip_vector_read(struct hip_context *context, const struct hip_vector *vector, size_t offset,
                     void *to, size_t bytes);
