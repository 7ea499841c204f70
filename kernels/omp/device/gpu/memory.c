/* Memory of a GPU: unified arrays, and the sums that its kernels leave. */
#include <string.h>

#include "kernels/omp/device/gpu/gpu.h"

/* LLVM's own: memory whose pages move to whoever touches them, host or GPU. */
void *llvm_omp_target_alloc_shared(size_t size, int device);
void llvm_omp_target_free_shared(void *memory, int device);

/* Mapped nowhere: see device/host/memory.c. */
void *target_alloc_unified(size_t bytes) {
    void *memory = llvm_omp_target_alloc_shared(bytes, omp_get_default_device());
    return memory ? memset(memory, 0, bytes) : NULL;
}

void target_free_unified(void *memory) {
    llvm_omp_target_free_shared(memory, omp_get_default_device());
}

void *target_alloc_pinned(size_t bytes) {
    void *memory = pinned_alloc(bytes);
    return memory ? memset(memory, 0, bytes) : NULL;
}

void target_free_pinned(void *memory) {
    pinned_free(memory);
}

struct offload_sums *target_open_sums(void) {
    struct offload_sums *sums = pinned_alloc(sizeof *sums);
    if (!sums)
        return NULL;
    memset(sums, 0, sizeof *sums);
#pragma omp target enter data map(to : sums[:1])
    return sums;
}

void target_close_sums(struct offload_sums *sums) {
#pragma omp target exit data map(release : sums[:1])
    pinned_free(sums);
}
