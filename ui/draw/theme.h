/* The appearance of the roles and levels of ui/draw/grid.h, in RGB and on a terminal's palette.
 * Only this module handles colours. Pure. */
#pragma once

#include <stdbool.h>

#include "config/config.h"
#include "ui/draw/grid.h"

struct rgb {
    uint8_t r, g, b;
};

/* The level's colour; 0 ≤ level < ROLE_LEVELS. Lightness rises with the level. */
struct rgb colormap_rgb(enum colormap map, int level);

/* The map for signed values: neutral in the middle, darker blue below, darker red above. */
struct rgb colormap_signed_rgb(int level);

/* The level shown in place of a signed one: a projector has only five strong levels on either
 * side. */
int theme_signed_level(enum theme theme, int level);

/* A role's colour as foreground or background. ROLE_DEFAULT is the theme's own text or background.
 * THEME_AUTO looks like THEME_DARK. */
struct rgb theme_rgb(enum theme theme, enum colormap map, enum role role, bool background);

/* ---- from roles to the colours that a terminal can show */

/* From no colours to RGB, in ascending order. */
enum palette_depth {
    PALETTE_MONO,   /* attributes only; fields are drawn in shades */
    PALETTE_8,      /* the eight names */
    PALETTE_16,     /* and their bright versions */
    PALETTE_256,    /* the 240 fixed colours */
    PALETTE_DIRECT, /* exact RGB */
};

struct palette {
    enum palette_depth depth;
    enum theme theme;    /* THEME_AUTO: the terminal's own background, assumed to be dark */
    bool own_background; /* whether the terminal's own background shows through ROLE_DEFAULT */
    enum colormap map;
};

enum { PALETTE_TERMINAL_OWN = -1 };

/* A role's colour: a colour number, 0xRRGGBB on a direct palette, or PALETTE_TERMINAL_OWN. On a
 * small palette a level between two colours gets the nearer one. */
int palette_color(const struct palette *palette, enum role role, bool background);
