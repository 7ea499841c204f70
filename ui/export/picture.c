#include "ui/export/picture.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/file.h"
#include "ui/export/ansi.h"

const struct picture_kind picture_kinds[PICTURE_FORMATS] = {
    [PICTURE_SVG] = {".svg", "SVG",
                     "sharp at any size, its text can be selected: for slides and pages"},
    [PICTURE_PNG] = {".png", "PNG", "pixels: for programs that can't show SVG"},
    [PICTURE_ANSI] = {".ans", "ANSI", "text with its colours: cat shows it on a terminal"},
    [PICTURE_TEXT] = {".txt", "text", "plain text, the field in shades"},
};

/* PNG_WRITER is png_write, or NULL if the program is built without PNG. */
static enum status (*const png_writer)(FILE *, const struct grid *, const struct palette *,
                                       struct error *) = PNG_WRITER;

bool png_available(void) {
    return png_writer != NULL;
}

struct rgb cell_rgb(const struct cell *cell, bool background, const struct palette *palette) {
    const bool is_own = background != !!(cell->attributes & REVERSE);
    return theme_rgb(palette->theme, palette->map,
                     (enum role)(is_own ? cell->background : cell->foreground), is_own);
}

enum status picture_format_of(const char *path, enum picture_format *format, struct error *error) {
    const size_t length = strlen(path);
    int k = 0;
    while (k < PICTURE_FORMATS &&
           (length < 5 || strcasecmp(path + length - 4, picture_kinds[k].ending) != 0))
        k++;
    if (k == PICTURE_FORMATS)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: a picture's name ends in .svg, .png, .txt or .ans", path);
    if (k == PICTURE_PNG && !png_available())
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: this program was built without PNG: use .svg, .txt or .ans", path);
    *format = (enum picture_format)k;
    return STATUS_OK;
}

enum status picture_write(const char *path, bool replace, const struct grid *grid,
                          const struct palette *palette, struct error *error) {
    enum picture_format format = PICTURE_TEXT;
    char *bytes = NULL;
    size_t size = 0;
    TRY(picture_format_of(path, &format, error));
    FILE *memory = open_memstream(&bytes, &size);
    if (!memory)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    enum status status = STATUS_OK;
    if (format == PICTURE_SVG)
        svg_write(memory, grid, palette);
    else if (format == PICTURE_PNG)
        status = png_writer(memory, grid, palette, error);
    else if (format == PICTURE_TEXT)
        text_write(memory, grid);
    else
        ansi_write(memory, grid, palette);
    const bool bad = fflush(memory) || ferror(memory);
    if ((fclose(memory) || bad) && !status)
        status = error_set(error, STATUS_INTERNAL, "out of memory");
    if (!status)
        status = file_write(path, replace, bytes, size, error);
    free(bytes);
    return status;
}

void ansi_write(FILE *file, const struct grid *grid, const struct palette *palette) {
    struct ansi_writer writer = {.file = file, .palette = palette};
    for (int y = 0; y < grid->rows; y++) {
        ansi_put_row(&writer, grid, y);
        ansi_end_style(&writer);
        fputc('\n', file);
    }
}

void text_write(FILE *file, const struct grid *grid) {
    for (int y = 0; y < grid->rows; y++) {
        const struct cell *row = &grid->cells[y * grid->cols];
        int end = grid->cols;
        while (end > 0 && (row[end - 1].glyph == 0 || row[end - 1].glyph == ' '))
            end--;
        for (int x = 0; x < end; x++) {
            char utf8[5];
            grid_encode(row[x].glyph, utf8);
            fputs(utf8, file);
        }
        fputc('\n', file);
    }
}
