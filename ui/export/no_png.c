#include "ui/export/picture.h"

bool png_available(void) {
    return false;
}

enum status png_write(FILE *file, const struct grid *grid, const struct look *look,
                      struct error *error) {
    (void)file, (void)grid, (void)look;
    return error_set(error, STATUS_INTERNAL, "this program was built without PNG");
}
