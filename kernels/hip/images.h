/* The kernels as compiled for each architecture, embedded in the program by images.S. */
#ifndef JACOBI_HIP_IMAGES_H
#define JACOBI_HIP_IMAGES_H

#include <stddef.h>

struct hip_image {
    const char *architecture; /* "gfx90a"; "sm_70" for PTX, which any later NVIDIA card takes */
    const void *data;         /* an ELF code object, or PTX ending in a zero byte */
    size_t size;
};

/* What was built, ended by an entry whose architecture is NULL. */
extern const struct hip_image hip_images[];

/* Why AMD's code objects, or the PTX, were not built; "" where they were. */
extern const char *const hip_images_without_amd, *const hip_images_without_nvidia;

/* NULL where the kernels were not built for that architecture. */
const struct hip_image *hip_image_find(const char *architecture);

#endif
