#include "kernels/backends.h"

#include <string.h>

#include "kernels/hip/hip.h"
#include "kernels/omp/omp.h"
#include "kernels/serial/serial.h"
#include "kernels/threads/threads.h"

const struct backend *const backends[] = {&hip_backend, &omp_backend, &threads_backend,
                                          &serial_backend, NULL};

const struct backend *backend_find(const char *name) {
    for (const struct backend *const *backend = backends; *backend; backend++)
        if (strcmp((*backend)->name, name) == 0)
            return *backend;
    return NULL;
}
