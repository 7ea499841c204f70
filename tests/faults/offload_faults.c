/* The OpenMP runtime's function that gives memory on a device, failing when asked to. The modules
 * of target regions are opened by the program, so they find the program's function first. What a
 * map clause allocates is the runtime's own affair, and if that fails it ends the process. */
#include <dlfcn.h>
#include <stddef.h>

#include "tests/faults/faults.h"

void *omp_target_alloc(size_t size, int device);

static void *runtimes(const char *name) {
    void *runtime = dlopen("libomptarget.so.19.1", RTLD_NOW | RTLD_NOLOAD);
    if (!runtime)
        runtime = dlopen("libomptarget.so", RTLD_NOW);
    return runtime ? dlsym(runtime, name) : NULL;
}

void *omp_target_alloc(size_t size, int device) {
    void *(*real)(size_t, int);
    int (*initial)(void); /* the host itself, whose memory unified arrays lie in */
    *(void **)&real = runtimes("omp_target_alloc");
    *(void **)&initial = dlsym(RTLD_DEFAULT, "omp_get_initial_device");
    const char status = initial && device == initial() ? '2' : '4';
    return fault_comes(FAULT_OFFLOAD, status) || !real ? NULL : real(size, device);
}
