/* The GPUs there are, AMD's and NVIDIA's. */
#ifndef JACOBI_HIP_DEVICES_H
#define JACOBI_HIP_DEVICES_H

#include "kernels/hip/driver.h"
#include "kernels/hip/images.h"
#include "solver/backend.h"

struct hip_gpu {
    const struct hip_driver *driver;
    const struct hip_image *image; /* the kernels for it; NULL: they were not built */
    struct device device;          /* as --list shows it */
    int ordinal;                   /* the driver's own number */
    int multiprocessors, wave;
    bool maps_host;        /* it can address host memory */
    char architecture[16]; /* of that image: "gfx90a", "sm_70" */
};

/* All GPUs, or STATUS_UNAVAILABLE and what each driver library said. Loads the libraries and asks
 * on its first call, from any thread; the answer stays. */
enum status hip_gpus_find(const struct hip_gpu **found, int *count, struct error *why_not);

/* The GPU with that index; NULL where there is none. */
const struct hip_gpu *hip_gpu_find(int index);

#endif
