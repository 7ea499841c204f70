#include "ui/draw/palette.h"

#include <stdlib.h>

/* Colours of rising lightness along each colour map, with the places (0 … 124) where they stand on
 * it: matching each level by itself would not keep the order. */
struct ramp {
    int count;
    uint8_t colors[14], places[14];
};

static const struct ramp ramps_256[COLORMAP_COUNT] = {
    [COLORMAP_VIRIDIS] = {11,
                          {53, 54, 24, 30, 36, 42, 77, 113, 148, 184, 220},
                          {4, 14, 38, 58, 74, 86, 93, 100, 110, 118, 124}},
    [COLORMAP_MAGMA] = {14,
                        {16, 232, 233, 17, 54, 89, 125, 168, 203, 209, 216, 222, 229, 230},
                        {0, 5, 10, 24, 32, 55, 65, 69, 83, 93, 103, 113, 120, 124}},
    [COLORMAP_CIVIDIS] = {12,
                          {17, 237, 239, 241, 243, 245, 247, 144, 180, 186, 221, 227},
                          {0, 30, 44, 51, 59, 64, 67, 84, 88, 100, 112, 124}},
};

static const struct ramp ramps_16[COLORMAP_COUNT] = {
    [COLORMAP_VIRIDIS] = {5, {0, 4, 6, 10, 11}, {0, 25, 60, 95, 120}},
    [COLORMAP_MAGMA] = {6, {0, 4, 5, 9, 7, 15}, {0, 25, 50, 75, 100, 124}},
    [COLORMAP_CIVIDIS] = {4, {4, 8, 3, 11}, {0, 40, 80, 124}},
};

static const struct ramp ramps_8[COLORMAP_COUNT] = {
    [COLORMAP_VIRIDIS] = {4, {0, 4, 6, 7}, {0, 30, 70, 115}},
    [COLORMAP_MAGMA] = {4, {0, 4, 1, 7}, {0, 40, 80, 124}},
    [COLORMAP_CIVIDIS] = {3, {4, 3, 7}, {0, 62, 124}},
};

/* The eight names, by role. */
static const int8_t names[INK_ROLES] = {
    [INK_DEFAULT] = -1, [INK_TEXT] = -1,     [INK_DIM] = -1,        [INK_TITLE] = -1,
    [INK_VALUE] = 3,    [INK_GOOD] = 2,      [INK_BAD] = 1,         [INK_WARN] = 3,
    [INK_KERNEL] = 6,   [INK_TO_DEVICE] = 3, [INK_FROM_DEVICE] = 5, [INK_ALLOC] = -1,
    [INK_CURVE] = 6,    [INK_PREDICTED] = 3, [INK_REFERENCE] = -1,  [INK_LANE_A] = 3,
    [INK_LANE_B] = 6,   [INK_LANE_C] = 2,    [INK_LANE_D] = 5,      [INK_BAR] = -1,
    [INK_KEY] = 3,      [INK_SELECT] = -1,   [INK_OVERLAY] = -1,
};

/* The ramp's colour that stands nearest: calm bands rather than the noise of a dither. */
static int on_ramp(const struct ramp *ramp, int level) {
    const int place = level * 124 / (INK_LEVELS - 1);
    int nearest = 0;
    for (int k = 1; k < ramp->count; k++)
        if (abs(ramp->places[k] - place) < abs(ramp->places[nearest] - place))
            nearest = k;
    return ramp->colors[nearest];
}

static int distance(struct rgb a, int r, int g, int b) {
    return (a.r - r) * (a.r - r) + (a.g - g) * (a.g - g) + (a.b - b) * (a.b - b);
}

static int nearest_step(int value) {
    return value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40;
}

int palette_nearest_256(struct rgb rgb) {
    static const int steps[6] = {0, 95, 135, 175, 215, 255};
    const int r = nearest_step(rgb.r), g = nearest_step(rgb.g), b = nearest_step(rgb.b);
    const int mean = (rgb.r + rgb.g + rgb.b) / 3;
    const int grey = mean < 8 ? 0 : mean > 238 ? 23 : (mean - 3) / 10;
    const int level = 8 + 10 * grey;
    return distance(rgb, level, level, level) < distance(rgb, steps[r], steps[g], steps[b])
               ? 232 + grey
               : 16 + 36 * r + 6 * g + b;
}

static int level_color(const struct palette *palette, int level) {
    switch (palette->depth) {
    case PALETTE_256:
        return on_ramp(&ramps_256[palette->map], level);
    case PALETTE_16:
        return on_ramp(&ramps_16[palette->map], level);
    default:
        return on_ramp(&ramps_8[palette->map], level);
    }
}

static int role_color(const struct palette *palette, enum ink ink, bool paper) {
    if (ink == INK_DEFAULT && palette->own_background)
        return PALETTE_TERMINAL_OWN;
    if (palette->depth < PALETTE_256)
        return paper ? PALETTE_TERMINAL_OWN : names[ink];
    return palette_nearest_256(theme_rgb(palette->theme, palette->map, ink, paper));
}

int palette_color(const struct palette *palette, enum ink ink, bool paper) {
    if (palette->depth == PALETTE_MONO || (ink >= INK_ROLES && ink < INK_LEVEL0))
        return PALETTE_TERMINAL_OWN;
    if (palette->depth == PALETTE_DIRECT && !(ink == INK_DEFAULT && palette->own_background)) {
        const struct rgb rgb = theme_rgb(palette->theme, palette->map, ink, paper);
        return rgb.r << 16 | rgb.g << 8 | rgb.b;
    }
    return ink >= INK_LEVEL0
               ? level_color(palette, theme_level(palette->theme, (int)ink - INK_LEVEL0))
               : role_color(palette, ink, paper);
}
