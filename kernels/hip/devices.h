/* The GPUs of this machine, AMD's and NVIDIA's, and this program's kernels for them. */
#pragma once

#include "kernels/hip/driver.h"
#include "solver/backend.h"

/* The kernels compiled for one architecture and embedded in the program (see images.py): for arrays
 * of double, and for arrays of float. */
struct hip_image {
    const char
        *architecture;   /* "gfx90a"; "sm_70" to "sm_90": PTX, which later NVIDIA cards take, too */
    const void *data[2]; /* ELF code objects, or PTX ending in a zero byte */
};

/* All images in this build; the last entry's architecture is NULL. */
extern const struct hip_image hip_images[];

/* The AMD architectures that this build left out, and why; "" if none. */
extern const char *const hip_images_without_amd;

struct hip_gpu {
    const struct hip_driver *driver;
    const struct hip_image *image; /* NULL if no kernels were built for this architecture */
    struct device device;          /* as --list shows it */
    int ordinal;                   /* the driver's own number */
    int multiprocessors;           /* at least 1 */
    int wave;                      /* threads that run in lockstep; 0: not reported by the driver */
    int levels_max;                /* of its image's kernels: device/vendor.h */
    bool has_copies;               /* its image's Blocked can copy past registers: device/ahead.h */
    bool maps_host;                /* it can address host memory */
    bool has_pdl;                  /* supports programmatic dependent launch */
    bool is_emulated;      /* it is the CPU; its image has no kernels but plain's and Fused */
    char architecture[16]; /* the image's: "gfx90a", "sm_70" */
};

/* Finds all GPUs. The first call, from any thread, loads the driver libraries; later calls return
 * the same result. Returns STATUS_UNAVAILABLE and each library's message if there is no GPU. */
enum status hip_gpus_find(const struct hip_gpu **found, int *count, struct error *error);

/* Makes that GPU the only one. Call it before any GPU is opened. */
void hip_gpus_replace(const struct hip_gpu *gpu);

/* STATUS_UNAVAILABLE if there is no GPU with that index. */
enum status hip_gpu_find(int index, const struct hip_gpu **gpu, struct error *error);
