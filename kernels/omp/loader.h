/* Opens the OpenMP runtime and the module for the devices of this machine. */
#ifndef JACOBI_KERNELS_OMP_LOADER_H
#define JACOBI_KERNELS_OMP_LOADER_H

#include "kernels/omp/module.h"

struct offload {
    const struct offload_module *module;
    int devices;
    const char *no_gpu; /* why it is the host device, NULL for GPUs */
};

/* The module for GPUs where there is a GPU that it has code for, else the one for LLVM's host
 * device: a process uses one of them. The work is done by the first call, which may take a second;
 * later ones give the same answer at once. Safe from any thread. STATUS_UNAVAILABLE and the reason
 * where no module can be used, or where the runtime would not report what it does. */
enum status offload_load(struct offload *offload, struct error *why_not);

#endif
