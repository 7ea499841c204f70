#include "ui/palette.h"

/* Ramps of rising lightness through each colour map, in the terminal's fixed colours: nearest
 * matches would not keep the order. */
struct ramp {
    int count;
    uint8_t colors[13];
};

static const struct ramp ramps_256[COLORMAP_COUNT] = {
    [COLORMAP_VIRIDIS] = {10, {53, 25, 60, 30, 36, 42, 113, 148, 184, 220}},
    [COLORMAP_MAGMA] = {13, {16, 232, 233, 17, 54, 89, 125, 168, 203, 209, 216, 222, 229}},
    [COLORMAP_CIVIDIS] = {8, {17, 237, 60, 243, 246, 144, 185, 221}},
};

static const struct ramp ramps_16[COLORMAP_COUNT] = {
    [COLORMAP_VIRIDIS] = {4, {5, 6, 3, 11}},
    [COLORMAP_MAGMA] = {6, {0, 4, 5, 9, 7, 15}},
    [COLORMAP_CIVIDIS] = {4, {4, 8, 3, 11}},
};

static const struct ramp ramps_8[COLORMAP_COUNT] = {
    [COLORMAP_VIRIDIS] = {3, {5, 6, 3}},
    [COLORMAP_MAGMA] = {4, {0, 4, 1, 7}},
    [COLORMAP_CIVIDIS] = {3, {4, 3, 7}},
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

/* Bayer's 4 × 4 matrix: spreads what lies between two colours of a short ramp. */
static const uint8_t bayer[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};

static int dithered(const struct ramp *ramp, int level, int x, int y) {
    const int sixteenths = level * (ramp->count - 1) * 16 / (INK_LEVELS - 1);
    const int step = sixteenths / 16 + (sixteenths % 16 > bayer[y & 3][x & 3]);
    return ramp->colors[step < ramp->count ? step : ramp->count - 1];
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

static int level_color(const struct palette *palette, int level, int x, int y) {
    switch (palette->depth) {
    case PALETTE_256:
        return dithered(&ramps_256[palette->map], level, x, y);
    case PALETTE_16:
        return dithered(&ramps_16[palette->map], level, x, y);
    default:
        return dithered(&ramps_8[palette->map], level, x, y);
    }
}

static int role_color(const struct palette *palette, enum ink ink, bool paper) {
    if (ink == INK_DEFAULT && palette->own_background)
        return PALETTE_TERMINAL_OWN;
    if (palette->depth < PALETTE_256)
        return paper ? PALETTE_TERMINAL_OWN : names[ink];
    return palette_nearest_256(theme_rgb(palette->theme, palette->map, ink, paper));
}

int palette_color(const struct palette *palette, enum ink ink, bool paper, int x, int y) {
    if (palette->depth == PALETTE_MONO || (ink >= INK_ROLES && ink < INK_LEVEL0))
        return PALETTE_TERMINAL_OWN;
    if (palette->depth == PALETTE_DIRECT && !(ink == INK_DEFAULT && palette->own_background)) {
        const struct rgb rgb = theme_rgb(palette->theme, palette->map, ink, paper);
        return rgb.r << 16 | rgb.g << 8 | rgb.b;
    }
    return ink >= INK_LEVEL0 ? level_color(palette, (int)ink - INK_LEVEL0, x, y)
                             : role_color(palette, ink, paper);
}
