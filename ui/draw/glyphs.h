/* Poorer glyphs for terminals that can't show ours. */
#ifndef JACOBI_UI_DRAW_GLYPHS_H
#define JACOBI_UI_DRAW_GLYPHS_H

#include "ui/draw/grid.h"

enum glyph_set {
    GLYPHS_UNICODE, /* everything */
    GLYPHS_BLOCKS,  /* no braille: quadrant blocks instead */
    GLYPHS_CONSOLE, /* the Linux console's font: no rounded corners, quadrants or eighths */
    GLYPHS_ASCII,   /* also for screen readers' and loggers' sake */
};

/* What stands for a glyph in that set: always one glyph, itself where the set has it. */
uint32_t glyph_in_set(enum glyph_set set, uint32_t glyph);

/* Replaces every glyph of the grid. */
void glyphs_reduce(struct grid *grid, enum glyph_set set);

#endif
