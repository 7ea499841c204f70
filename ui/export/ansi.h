/* A grid as text with the control sequences of ECMA-48: for terminals, screencasts and .ans files.
 */
#ifndef JACOBI_UI_EXPORT_ANSI_H
#define JACOBI_UI_EXPORT_ANSI_H

#include <stdio.h>

#include "ui/draw/theme.h"

/* What a cell looks like. Colours are as palette_color has them, attributes as in struct cell. */
struct ansi_style {
    int text, background;
    int attributes;
};

/* Writes cells, and knows what the terminal then has. Set file, palette and glyphs, and
 * x to -1 unless the first call is ansi_clear. */
struct ansi_writer {
    FILE *file;
    const struct palette *palette;
    enum glyph_set glyphs;
    bool has_style; /* `style` is in force */
    struct ansi_style style;
    int x, y; /* the cursor; x < 0: not known */
};

/* Clears the screen to the grid's blanks, and sets `shown` to what is there then. `has_bce`: the
 * terminal clears in the background that is in force (terminfo's bce). */
void ansi_clear(struct ansi_writer *writer, struct grid *shown, bool has_bce);

/* Writes the cells that differ from `shown`, a grid of the same size, and copies them there. */
void ansi_put_changes(struct ansi_writer *writer, struct grid *shown, const struct grid *grid);

/* Makes cells of `shown` differ from any, if they look different on the other palette. */
void ansi_change_palette(struct grid *shown, const struct palette *from, const struct palette *to);

/* Makes all of them differ. */
void ansi_damage(struct grid *shown);

/* Writes row y where the cursor is. */
void ansi_put_row(struct ansi_writer *writer, const struct grid *grid, int y);

/* Ends the style that is in force. */
void ansi_end_style(struct ansi_writer *writer);

#endif
