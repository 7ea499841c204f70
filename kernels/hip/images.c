#include "kernels/hip/images.h"

#include <string.h>

const struct image *image_find(const char *architecture) {
    for (const struct image *image = images; image->architecture; image++)
        if (strcmp(image->architecture, architecture) == 0)
            return image;
    return NULL;
}
