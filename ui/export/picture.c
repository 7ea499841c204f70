#include "ui/export/picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *ending;
    enum picture_format format;
} endings[] = {
    {".svg", PICTURE_SVG}, {".png", PICTURE_PNG}, {".txt", PICTURE_TEXT}, {".ans", PICTURE_ANSI}};

enum { ENDINGS = sizeof endings / sizeof *endings };

struct rgb cell_rgb(const struct cell *cell, const struct look *look) {
    return cell->attributes & CELL_REVERSE
               ? theme_rgb(look->theme, look->colormap, (enum ink)cell->paper, true)
               : theme_rgb(look->theme, look->colormap, (enum ink)cell->ink, false);
}

struct rgb cell_paper_rgb(const struct cell *cell, const struct look *look) {
    return cell->attributes & CELL_REVERSE
               ? theme_rgb(look->theme, look->colormap, (enum ink)cell->ink, false)
               : theme_rgb(look->theme, look->colormap, (enum ink)cell->paper, true);
}

enum status picture_format_of(const char *path, enum picture_format *format, struct error *error) {
    const size_t length = strlen(path);
    int k = 0;
    while (k < ENDINGS && (length < 5 || strcasecmp(path + length - 4, endings[k].ending) != 0))
        k++;
    if (k == ENDINGS)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: a picture's name ends in .svg, .png, .txt or .ans", path);
    if (endings[k].format == PICTURE_PNG && !png_available())
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: this program was built without PNG; .svg .txt .ans can be had", path);
    *format = endings[k].format;
    return STATUS_OK;
}

static enum status write_format(FILE *file, enum picture_format format, const struct grid *grid,
                                const struct look *look, struct error *error) {
    switch (format) {
    case PICTURE_SVG:
        svg_write(file, grid, look);
        return STATUS_OK;
    case PICTURE_PNG:
        return png_write(file, grid, look, error);
    case PICTURE_TEXT:
        text_write(file, grid);
        return STATUS_OK;
    default:
        ansi_write(file, grid, look);
        return STATUS_OK;
    }
}

static enum status fail(struct error *error, const char *path) {
    return error_set(error, STATUS_INTERNAL, "%s: can't write it: %s", path, strerror(errno));
}

/* mkstemp makes files that nobody else may read; a picture is an ordinary file. */
static void open_to_others(int descriptor) {
    const mode_t mask = umask(0);
    umask(mask);
    if (fchmod(descriptor, 0666 & ~mask))
        return;
}

static enum status write_beside(char *beside, const char *path, enum picture_format format,
                                const struct grid *grid, const struct look *look,
                                struct error *error) {
    const int descriptor = mkstemp(beside);
    if (descriptor < 0)
        return fail(error, path);
    open_to_others(descriptor);
    FILE *file = fdopen(descriptor, "wb");
    if (!file) {
        close(descriptor);
        unlink(beside);
        return fail(error, path);
    }
    enum status status = write_format(file, format, grid, look, error);
    const bool bad = fflush(file) || ferror(file);
    if ((fclose(file) || bad) && !status)
        status = fail(error, path);
    if (!status && rename(beside, path))
        status = fail(error, path);
    if (status)
        unlink(beside);
    return status;
}

enum status picture_write(const char *path, const struct grid *grid, const struct look *look,
                          struct error *error) {
    enum picture_format format = PICTURE_TEXT;
    if (picture_format_of(path, &format, error))
        return error->status;
    char *beside = NULL;
    if (asprintf(&beside, "%s.XXXXXX", path) < 0)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    const enum status status = write_beside(beside, path, format, grid, look, error);
    free(beside);
    return status;
}
