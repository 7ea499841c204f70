/* Memory of the host device: unified arrays, and the sums, which it has no use for. */
#include <omp.h>
#include <stdlib.h>

#include "kernels/omp/device/common/target.h"

/* One memory for host and device.
 *
 * `#pragma omp requires unified_shared_memory` says it for a whole program: LLVM ends a process
 * that holds modules with and without it, and on a GPU that can't do it the first access is a
 * fault. So each array is declared to be its own copy on the device instead, which is what it says
 * too. */
void *target_alloc_unified(size_t bytes) {
    void *memory = calloc(1, bytes);
    if (memory && omp_target_associate_ptr(memory, memory, bytes, 0, omp_get_default_device())) {
        free(memory);
        return NULL;
    }
    return memory;
}

void target_free_unified(void *memory) {
    omp_target_disassociate_ptr(memory, omp_get_default_device());
    free(memory);
}

/* The reduction clause needs no memory of its own on the device. */
struct offload_sums *target_open_sums(void) {
    return calloc(1, sizeof(struct offload_sums));
}

void target_close_sums(struct offload_sums *sums) {
    free(sums);
}
