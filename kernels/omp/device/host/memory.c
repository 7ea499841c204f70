/* Memory of the host device: unified arrays, and the scratch memory, which it does not use. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "kernels/omp/device/common/target.h"

/* One memory for host and device.
 *
 * `#pragma omp requires unified_shared_memory` applies to a whole program. LLVM ends a process
 * that holds modules with and without it, and on a GPU without support the first access faults.
 * A pointer that is not mapped keeps its value in a target region (OpenMP 5.1, firstprivate),
 * so the program maps nothing. (omp_target_associate_ptr, which can declare an array to be its
 * own copy, does the same. But LLVM 19 unlocks a freed mutex when that association is
 * removed.) */
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

/* Allocates no device memory: the reduction clause needs none. */
struct device_scratch *target_open_scratch(void) {
    return calloc(1, sizeof(struct device_scratch));
}

void target_close_scratch(struct device_scratch *scratch) {
    free(scratch);
}
