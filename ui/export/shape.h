/* Glyphs that are drawings: blocks, shades, braille, lines. A picture draws them as rectangles, so
 * that they are exact and meet at the edges whatever font there is. */
#ifndef JACOBI_UI_EXPORT_SHAPE_H
#define JACOBI_UI_EXPORT_SHAPE_H

#include <stdint.h>

enum { SHAPE_RECTS = 8 };

/* In fractions of the cell, from its upper left corner. */
struct shape_rect {
    double x0, y0, x1, y1;
};

struct shape {
    int count; /* of rectangles */
    double alpha;
    struct shape_rect rects[SHAPE_RECTS];
};

/* count is 0 for a glyph that is text. `aspect` is a cell's height over its width. */
struct shape shape_of(uint32_t glyph, double aspect);

#endif
