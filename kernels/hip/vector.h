/* An array of the solver and where it lives, by mapping:
 *
 *   unstructured  on the device, from open to close
 *   structured    on the host; on the device only while mapped around a kernel
 *   unified       on the host, where the device reads and writes it
 */
#ifndef JACOBI_HIP_VECTOR_H
#define JACOBI_HIP_VECTOR_H

#include "kernels/hip/timer.h"

/* Where an engine's vectors live, what times them, and what runs now. */
struct hip_context {
    struct error failure; /* what has failed on its streams (stream.h) */
    struct hip_stream stream;
    struct hip_timer timer;
    enum mapping mapping;
    enum host_memory host_memory; /* of the vectors that structured mapping keeps on the host */
    enum phase phase;             /* that copies and allocations belong to */
    size_t shift; /* bytes by which new vectors on the device begin later than their memory */
};

struct hip_vector {
    enum array array;
    size_t bytes, shift;
    void *host;   /* NULL if it lives on the device alone */
    void *device; /* as the kernels see it; NULL while not mapped */
};

/* Waits for the stream, and notes how long. */
void hip_context_synchronize(struct hip_context *context);

/* Allocates it where it lives, all zero. On failure it holds nothing. */
void hip_vector_create(struct hip_context *context, struct hip_vector *vector, enum array array,
                       size_t bytes);

/* Does nothing if nothing was created. */
void hip_vector_destroy(struct hip_context *context, struct hip_vector *vector);

/* Before and after a kernel that uses it: as `map(to/from/tofrom: …)` does. Neither does anything
 * unless the mapping is structured. `unmap` waits for the kernel, and releases the device's memory
 * even if something has failed. */
void hip_vector_map(struct hip_context *context, struct hip_vector *vector, bool to);
void hip_vector_unmap(struct hip_context *context, struct hip_vector *vector, bool from);

/* Copies `bytes` bytes, from `offset` on, between host memory and the vector, wherever it lives;
 * blocks. */
void hip_vector_write(struct hip_context *context, struct hip_vector *vector, size_t offset,
                      const void *from, size_t bytes);
void hip_vector_read(struct hip_context *context, const struct hip_vector *vector, size_t offset,
                     void *to, size_t bytes);

#endif
