/* From inks to the colours that a terminal can show. Pure. */
#ifndef JACOBI_UI_DRAW_PALETTE_H
#define JACOBI_UI_DRAW_PALETTE_H

#include "ui/draw/theme.h"

/* The colour ladder. */
enum palette_depth {
    PALETTE_MONO,   /* attributes only; fields are drawn in shades */
    PALETTE_8,      /* the eight names */
    PALETTE_16,     /* and their bright versions */
    PALETTE_256,    /* the 240 fixed colours */
    PALETTE_DIRECT, /* RGB as it is */
};

struct palette {
    enum palette_depth depth;
    enum theme theme;    /* THEME_AUTO: the terminal's own background, taken to be dark */
    bool own_background; /* whether the terminal's own background shows through INK_DEFAULT */
    enum colormap map;
};

enum { PALETTE_TERMINAL_OWN = -1 };

/* The colour of an ink or of a paper: a colour number, 0xRRGGBB on a direct palette, or
 * PALETTE_TERMINAL_OWN. */
int palette_color(const struct palette *palette, enum ink ink, bool paper);

/* The fixed colour, 16 … 255, nearest to an RGB. */
int palette_nearest_256(struct rgb rgb);

#endif
