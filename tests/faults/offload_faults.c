/* The OpenMP runtime's device allocation function, failing on request. The program opens the
 * modules of target regions, so they find the program's function first. Allocations for map clauses
 * are internal to the runtime; if one fails, the runtime ends the process. */
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
    int (*initial)(void); /* returns the host's device number; unified arrays are in its memory */
    *(void **)&real = runtimes("omp_target_alloc");
    *(void **)&initial = dlsym(RTLD_DEFAULT, "omp_get_initial_device");
    const char status = initial && device == initial() ? '2' : '4';
    return fault_comes(FAULT_OFFLOAD, status) || !real ? NULL : real(size, device);
}
