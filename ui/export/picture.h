/* Pictures of a cell grid: SVG, PNG, text with ANSI colours, plain text. */
#ifndef JACOBI_UI_EXPORT_PICTURE_H
#define JACOBI_UI_EXPORT_PICTURE_H

#include <stdio.h>

#include "core/status.h"
#include "ui/draw/theme.h"

enum picture_format { PICTURE_SVG, PICTURE_PNG, PICTURE_TEXT, PICTURE_ANSI };

struct look {
    enum theme theme;
    enum colormap colormap;
};

/* By the ending of the name: .svg .png .txt .ans. STATUS_BAD_INPUT for any other, and for .png
 * where this program was built without it. */
enum status picture_format_of(const char *path, enum picture_format *format, struct error *error);

/* Writes a picture; a file of that name is replaced, at once and only when all went well.
 * STATUS_BAD_INPUT, STATUS_INTERNAL (can't be written). */
enum status picture_write(const char *path, const struct grid *grid, const struct look *look,
                          struct error *error);

/* The formats one by one. They write what they can: the caller asks ferror. */
void svg_write(FILE *file, const struct grid *grid, const struct look *look);
void text_write(FILE *file, const struct grid *grid);
void ansi_write(FILE *file, const struct grid *grid, const struct look *look);

/* STATUS_INTERNAL where there is no memory or no font. */
enum status png_write(FILE *file, const struct grid *grid, const struct look *look,
                      struct error *error);

/* Whether .png can be written. */
bool png_available(void);

/* The colours that a cell has in the end, CELL_REVERSE worked in. */
struct rgb cell_rgb(const struct cell *cell, const struct look *look);
struct rgb cell_paper_rgb(const struct cell *cell, const struct look *look);

#endif
