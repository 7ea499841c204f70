/* Replaces png.c in builds without PNG. */
#include "ui/export/picture.h"

bool png_available(void) {
    return false;
}

enum status png_write(FILE *file, const struct grid *grid, const struct palette *palette,
                      struct error *error) {
    (void)file, (void)grid, (void)palette;
    return error_set(error, STATUS_INTERNAL, "this program was built without PNG");
}
