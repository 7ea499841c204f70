/* What the roles and levels of ui/draw/grid.h look like: the one place that knows RGB. */
#ifndef JACOBI_UI_DRAW_THEME_H
#define JACOBI_UI_DRAW_THEME_H

#include <stdbool.h>

#include "config/config.h"
#include "ui/draw/grid.h"

struct rgb {
    uint8_t r, g, b;
};

enum colormap { COLORMAP_VIRIDIS, COLORMAP_MAGMA, COLORMAP_CIVIDIS, COLORMAP_COUNT };

const char *colormap_name(enum colormap map);
bool colormap_parse(const char *name, enum colormap *map);

/* The level's colour; 0 ≤ level < INK_LEVELS. Lightness rises with the level. */
struct rgb colormap_rgb(enum colormap map, int level);

/* The level that is shown for a level: on a projector eight strong ones are told apart, thirty-two
 * are not. */
int theme_level(enum theme theme, int level);

/* The colour of an ink; of a paper (background) where `paper` is true. INK_DEFAULT is the theme's
 * own text or background. THEME_AUTO looks like THEME_DARK. */
struct rgb theme_rgb(enum theme theme, enum colormap map, enum ink ink, bool paper);

#endif
