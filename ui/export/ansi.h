/* A grid as text with ECMA-48's control sequences: for terminals, screencasts and .ans files. */
#pragma once

#include <stdio.h>

#include "ui/draw/theme.h"

/* The appearance of a cell. Colours as returned by palette_color, attributes as in struct cell. */
struct ansi_style {
    int text, background;
    int attributes;
};

/* Writes cells, and keeps track of the terminal's state. Set file, palette and glyphs, and x to -1
 * unless the first call is ansi_clear. */
struct ansi_writer {
    FILE *file;
    const struct palette *palette;
    enum glyph_set glyphs;
    bool has_style; /* `style` is current */
    struct ansi_style style;
    int x, y; /* the cursor; x < 0: unknown */
};

/* Clears the screen to the grid's blanks, and sets `shown` to the result. `has_bce`: the terminal
 * clears in the current background (terminfo's bce). */
void ansi_clear(struct ansi_writer *writer, struct grid *shown, bool has_bce);

/* Writes the cells that differ from `shown`, a grid of the same size, and copies them there. */
void ansi_put_changes(struct ansi_writer *writer, struct grid *shown, const struct grid *grid);

/* Marks cells of `shown` as different if they look different on the other palette. */
void ansi_change_palette(struct grid *shown, const struct palette *from, const struct palette *to);

/* Marks all of them as different. */
void ansi_damage(struct grid *shown);

/* Writes row y at the cursor. */
void ansi_put_row(struct ansi_writer *writer, const struct grid *grid, int y);

/* Ends the current style. */
void ansi_end_style(struct ansi_writer *writer);
