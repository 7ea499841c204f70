/* Memory of the host that the GPU's copy engine can reach: copying to it does not hold up the host.
 * Of the default device; host code. */
#ifndef JACOBI_KERNELS_OMP_DEVICE_GPU_PINNED_H
#define JACOBI_KERNELS_OMP_DEVICE_GPU_PINNED_H

#include <omp.h>
#include <stddef.h>

/* LLVM's own functions. */
void *llvm_omp_target_alloc_host(size_t size, int device);
void llvm_omp_target_free_host(void *memory, int device);

/* NULL where there is none. */
static inline void *pinned_alloc(size_t size) {
    return llvm_omp_target_alloc_host(size, omp_get_default_device());
}

static inline void pinned_free(void *memory) {
    llvm_omp_target_free_host(memory, omp_get_default_device());
}

#endif
