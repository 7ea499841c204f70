/* Takes the place of sixel.c if the program was built without libsixel. */
#include "ui/terminal/encodings.h"

bool sixel_is_built(void) {
    return false;
}

char *sixel_encode_picture(const struct pixel_picture *picture, int width, int height, int colors,
                           const struct palette *palette, size_t *length) {
    (void)picture, (void)width, (void)height, (void)colors, (void)palette, (void)length;
    return NULL;
}
