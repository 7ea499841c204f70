/* Memory of the host device: unified arrays, and the sums, which it has no use for. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "kernels/omp/device/common/target.h"

/* One memory for host and device.
 *
 * `#pragma omp requires unified_shared_memory` says it for a whole program: LLVM ends a process
 * that holds modules with and without it, and on a GPU that can't do it the first access is a
 * fault. But a pointer that is mapped nowhere keeps its value in a target region (OpenMP 5.1,
 * firstprivate), so it is enough to map nothing. (Declaring an array to be its own copy, by
 * omp_target_associate_ptr, says the same; LLVM 19 unlocks a mutex that it has freed when that is
 * taken back.) */
void *target_alloc_unified(size_t bytes) {
    void *memory = omp_target_alloc(bytes, omp_get_initial_device());
    const uintptr_t page = 4096, first = ((uintptr_t)memory + page - 1) / page * page;
    if (memory && bytes > page)
        madvise((void *)first, bytes - (first - (uintptr_t)memory), MADV_HUGEPAGE);
    return memory ? memset(memory, 0, bytes) : NULL;
}

void target_free_unified(void *memory) {
    omp_target_free(memory, omp_get_initial_device());
}

/* The reduction clause needs no memory of its own on the device. */
struct device_scratch *target_open_scratch(void) {
    return calloc(1, sizeof(struct device_scratch));
}

void target_close_scratch(struct device_scratch *scratch) {
    free(scratch);
}
