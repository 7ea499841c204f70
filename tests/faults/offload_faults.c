/* The OpenMP runtime's functions that give memory on a device, failing when asked to. The modules
 * of target regions are opened by the program, so they find the program's functions first. What a
 * map clause allocates is the runtime's own affair, and if that fails it ends the process. */
#include <dlfcn.h>
#include <stddef.h>

#include "tests/faults/faults.h"

void *omp_target_alloc(size_t size, int device);
int omp_target_associate_ptr(const void *host, const void *device, size_t size, size_t offset,
                             int number);

static void *runtimes(const char *name) {
    void *runtime = dlopen("libomptarget.so.19.1", RTLD_NOW | RTLD_NOLOAD);
    if (!runtime)
        runtime = dlopen("libomptarget.so", RTLD_NOW);
    return runtime ? dlsym(runtime, name) : NULL;
}

void *omp_target_alloc(size_t size, int device) {
    void *(*real)(size_t, int);
    *(void **)&real = runtimes("omp_target_alloc");
    return fault_comes(FAULT_OFFLOAD, '4') || !real ? NULL : real(size, device);
}

int omp_target_associate_ptr(const void *host, const void *device, size_t size, size_t offset,
                             int number) {
    int (*real)(const void *, const void *, size_t, size_t, int);
    *(void **)&real = runtimes("omp_target_associate_ptr");
    return fault_comes(FAULT_OFFLOAD, '1') || !real ? 1 : real(host, device, size, offset, number);
}
