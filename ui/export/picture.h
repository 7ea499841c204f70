/* Pictures of a cell grid: SVG, PNG, text with ANSI colours, plain text. */
#pragma once

#include <stdio.h>

#include "core/status.h"
#include "ui/draw/theme.h"

enum picture_format { PICTURE_SVG, PICTURE_PNG, PICTURE_ANSI, PICTURE_TEXT, PICTURE_FORMATS };

extern const struct picture_kind {
    const char *ending, *label, *note;
} picture_kinds[PICTURE_FORMATS];

/* The format, by the file name's extension: .svg .png .txt .ans. STATUS_BAD_INPUT for any other,
 * and for .png if this program was built without it. */
enum status picture_format_of(const char *path, enum picture_format *format, struct error *error);

/* Writes a picture, completely or not at all (file_write). STATUS_BAD_INPUT (also if a file of that
 * name exists and `replace` is false), STATUS_INTERNAL (can't be written). */
enum status picture_write(const char *path, bool replace, const struct grid *grid,
                          const struct palette *palette, struct error *error);

/* The individual formats. They don't report write errors: the caller checks ferror. */
void svg_write(FILE *file, const struct grid *grid, const struct palette *palette);
void text_write(FILE *file, const struct grid *grid);
void ansi_write(FILE *file, const struct grid *grid, const struct palette *palette);

/* In builds with PNG. STATUS_INTERNAL if there is no memory or no font. */
enum status png_write(FILE *file, const struct grid *grid, const struct palette *palette,
                      struct error *error);

/* Whether .png can be written. */
bool png_available(void);

/* The final colours of a cell, with REVERSE applied. */
struct rgb cell_rgb(const struct cell *cell, bool background, const struct palette *palette);

/* ---- glyphs that are drawings: blocks, shades, braille, lines
 *
 * A picture draws them as rectangles, so that they are exact and meet at the edges with any
 * font. */

enum { SHAPE_RECTS = 8 };

/* In fractions of the cell, from its upper left corner. */
struct shape_rect {
    double x0, y0, x1, y1;
};

struct shape {
    int count; /* rectangles */
    double alpha;
    struct shape_rect rects[SHAPE_RECTS];
};

/* count is 0 for a glyph that is text. `aspect` is a cell's height over its width. */
struct shape shape_of(uint32_t glyph, double aspect);
