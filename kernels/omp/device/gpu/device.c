/* A GPU's memory and clock: memory for unified arrays, pinned memory for the sums that kernels
 * write, and the measurement of the clock. */
#include <string.h>

#include "kernels/omp/device/gpu/gpu.h"

/* LLVM's extensions: host memory that the GPU's copy engine accesses directly, */
void *llvm_omp_target_alloc_host(size_t size, int device);
void llvm_omp_target_free_host(void *memory, int device);
/* and memory whose pages migrate to the processor that accesses them, host or GPU. */
void *llvm_omp_target_alloc_shared(size_t size, int device);
void llvm_omp_target_free_shared(void *memory, int device);

/* Not mapped: see device/host/memory.c. */
void *target_alloc_unified(size_t bytes) {
    void *memory = llvm_omp_target_alloc_shared(bytes, omp_get_default_device());
    return memory ? memset(memory, 0, bytes) : NULL;
}

void target_free_unified(void *memory) {
    llvm_omp_target_free_shared(memory, omp_get_default_device());
}

void *target_alloc_pinned(size_t bytes) {
    void *memory = llvm_omp_target_alloc_host(bytes, omp_get_default_device());
    return memory ? memset(memory, 0, bytes) : NULL;
}

void target_free_pinned(void *memory) {
    llvm_omp_target_free_host(memory, omp_get_default_device());
}

void *target_open_mapped(size_t bytes) {
    char *memory = target_alloc_pinned(bytes);
    if (!memory)
        return NULL;
#pragma omp target enter data map(to : memory[:bytes])
    target_keep(memory, bytes);
    return memory;
}

void target_close_mapped(void *memory, size_t bytes) {
    char *const mapped = memory;
    target_forget(memory);
#pragma omp target exit data map(release : mapped[:bytes])
    target_free_pinned(memory);
}

struct device_scratch *target_open_scratch(void) {
    return target_open_mapped(sizeof(struct device_scratch));
}

void target_close_scratch(struct device_scratch *scratch) {
    target_close_mapped(scratch, sizeof *scratch);
}

/* Reads the clock until it has advanced several times. A step takes at least one reading. */
void target_measure_clock(struct offload_clock *clock) {
    enum { READINGS = 4096 };
    double tick = 0.0;
    uint64_t least = UINT64_MAX;

#pragma omp target map(from : tick, least)
    {
        uint64_t last = __builtin_readsteadycounter(), shortest = UINT64_MAX;
        for (int n = 0; n < READINGS; n++) {
            const uint64_t now = __builtin_readsteadycounter();
            if (now != last && now - last < shortest)
                shortest = now - last;
            last = now;
        }
        least = shortest;
        tick = omp_get_wtick();
    }
    clock->tick_ns = 1e9 * tick;
    clock->step_ns = clock->tick_ns * (double)least;
}
