#include "kernels/hip/images.h"

#include <string.h>

const struct hip_image *hip_image_find(const char *architecture) {
    for (const struct hip_image *image = hip_images; image->architecture; image++)
        if (strcmp(image->architecture, architecture) == 0)
            return image;
    return NULL;
}
