#include <string.h>

#include "kernels/omp/target.h"

/* LLVM's own: memory of the host that the device's copy engine can reach, so that copying the norm
 * does not hold up the host. */
void *llvm_omp_target_alloc_host(size_t size, int device);
void llvm_omp_target_free_host(void *memory, int device);

struct offload_sums *target_open_sums(int device) {
    struct offload_sums *sums = llvm_omp_target_alloc_host(sizeof *sums, device);
    if (!sums)
        return NULL;
    memset(sums, 0, sizeof *sums);
#pragma omp target enter data map(to : sums[:1])
    return sums;
}

void target_close_sums(struct offload_sums *sums, int device) {
#pragma omp target exit data map(release : sums[:1])
    llvm_omp_target_free_host(sums, device);
}
