#include "ui/draw/theme.h"

enum { MAP_SAMPLES = 32 };

/* Samples of matplotlib's tables (CC0), equally spaced. */
static const uint32_t maps[COLORMAP_COUNT][MAP_SAMPLES] = {
    [COLORMAP_VIRIDIS] =
        {
            0x440154, 0x470d60, 0x48196b, 0x482474, 0x472e7c, 0x453882, 0x414286, 0x3e4b89,
            0x3a548c, 0x365d8d, 0x32658e, 0x2e6d8e, 0x2b758e, 0x287d8e, 0x25858e, 0x228c8d,
            0x20948c, 0x1e9c89, 0x20a386, 0x25ab82, 0x2db27d, 0x39ba76, 0x48c16e, 0x58c765,
            0x6acd5b, 0x7ed34f, 0x92d742, 0xa8db34, 0xbedf26, 0xd4e21b, 0xe9e41a, 0xfde725,
        },
    [COLORMAP_MAGMA] =
        {
            0x000004, 0x040312, 0x0b0823, 0x140e35, 0x1e1149, 0x2a115d, 0x38106d, 0x461077,
            0x54137d, 0x601880, 0x6d1e81, 0x7a2382, 0x872781, 0x942c80, 0xa2307e, 0xaf347b,
            0xbd3977, 0xca3e72, 0xd6456c, 0xe24d66, 0xec5860, 0xf3655c, 0xf8745c, 0xfb8360,
            0xfd9366, 0xfea26f, 0xfeb27a, 0xfec185, 0xfed093, 0xfddfa1, 0xfceeb0, 0xfcfdbf,
        },
    [COLORMAP_CIVIDIS] =
        {
            0x00224e, 0x00285c, 0x002e6b, 0x073370, 0x1c396f, 0x293f6e, 0x33446c, 0x3d4a6c,
            0x45506c, 0x4d556c, 0x555b6d, 0x5c616e, 0x636770, 0x6b6d72, 0x727274, 0x797877,
            0x807e78, 0x888578, 0x908b78, 0x989177, 0xa09775, 0xa89e73, 0xb0a471, 0xb9ab6d,
            0xc1b26a, 0xcab965, 0xd3c060, 0xdcc859, 0xe5cf52, 0xeed748, 0xf8df3c, 0xfee838,
        },
};

/* A role's colour by theme (dark, light, projector), and its number among the eight names. Copies
 * to the device are warm, computing is cool: they differ in lightness and in hue for every kind of
 * colour vision. Every panel labels them as well. Lanes have no hue, as each hue has a meaning:
 * their letters and lightness distinguish them. */
static const struct {
    uint32_t rgb[3];
    int8_t name;
} roles[ROLE_COUNT] = {
    [ROLE_DEFAULT] = {{0xd0d0d0, 0x202020, 0xffffff}, -1},
    [ROLE_TEXT] = {{0xd8d8d8, 0x1c1c1c, 0xffffff}, -1},
    [ROLE_DIM] = {{0x8a8a8a, 0x6c6c6c, 0xb2b2b2}, -1},
    [ROLE_TITLE] = {{0xffffff, 0x000000, 0xffffff}, -1},
    [ROLE_VALUE] = {{0xffd75f, 0x8a4b00, 0xffff5f}, 3},
    [ROLE_GOOD] = {{0x87d787, 0x006b2d, 0x5fff87}, 2},
    [ROLE_BAD] = {{0xff8787, 0xb00020, 0xff8787}, 1},
    [ROLE_WARN] = {{0xffaf5f, 0x9c4a00, 0xffd75f}, 3},
    [ROLE_KERNEL] = {{0x5fafd7, 0x005f9e, 0x5fd7ff}, 6},
    [ROLE_TO_DEVICE] = {{0xff8700, 0xb34700, 0xffaf00}, 3},
    [ROLE_FROM_DEVICE] = {{0xffd7ff, 0x8700d7, 0xff87d7}, 5},
    [ROLE_ALLOC] = {{0xbcbcbc, 0x5f5f5f, 0xdadada}, -1},
    [ROLE_CURVE] = {{0x5fd7ff, 0x005f87, 0x5fffff}, 6},
    [ROLE_PREDICTED] = {{0xd7af5f, 0x875f00, 0xffd75f}, 3},
    [ROLE_REFERENCE] = {{0xffffff, 0x000000, 0xffffff}, -1},
    [ROLE_LANE_A] = {{0xffffff, 0x000000, 0xffffff}, -1},
    [ROLE_LANE_B] = {{0xb0b0b0, 0x474747, 0xb9b9b9}, -1},
    [ROLE_LANE_C] = {{0xd6d6d6, 0x262626, 0xdadada}, -1},
    [ROLE_LANE_D] = {{0x8c8c8c, 0x6a6a6a, 0x989898}, -1},
    [ROLE_BAR] = {{0xd0d0d0, 0x1c1c1c, 0xffffff}, -1},
    [ROLE_KEY] = {{0xffd75f, 0x8a4b00, 0xffff5f}, 3},
    [ROLE_SELECT] = {{0xffffff, 0xffffff, 0x000000}, -1},
    [ROLE_OVERLAY] = {{0xd8d8d8, 0x1c1c1c, 0xffffff}, -1},
    [ROLE_BODY] = {{0xd8d8d8, 0x1c1c1c, 0xffffff}, -1},
    [ROLE_GRID] = {{0x4e4e4e, 0xbcbcbc, 0x626262}, -1},
};

/* Backgrounds by theme. */
static const uint32_t backgrounds[ROLE_COUNT][3] = {
    [ROLE_DEFAULT] = {0x101010, 0xffffff, 0x000000},
    [ROLE_BAR] = {0x262626, 0xe4e4e4, 0x303030},
    [ROLE_SELECT] = {0x005f87, 0x005f87, 0xffff5f},
    [ROLE_OVERLAY] = {0x1c1c1c, 0xf0f0f0, 0x121212},
    [ROLE_BODY] = {0x142f39, 0xe4f3f8, 0x00303c},
};

static struct rgb unpack(uint32_t rgb) {
    return (struct rgb){(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb};
}

/* The colour at fraction `part`/`whole` of the way from a to b. */
static struct rgb blend(struct rgb a, struct rgb b, int part, int whole) {
    const int rest = whole - part, half = whole / 2;
    return (struct rgb){(uint8_t)((a.r * rest + b.r * part + half) / whole),
                        (uint8_t)((a.g * rest + b.g * part + half) / whole),
                        (uint8_t)((a.b * rest + b.b * part + half) / whole)};
}

struct rgb colormap_rgb(enum colormap map, int level) {
    level = level < 0 ? 0 : level >= ROLE_LEVELS ? ROLE_LEVELS - 1 : level;
    const int place = level * (MAP_SAMPLES - 1), below = place / (ROLE_LEVELS - 1);
    const struct rgb a = unpack(maps[map][below]);
    const struct rgb b = unpack(maps[map][below + (below < MAP_SAMPLES - 1)]);
    return blend(a, b, place % (ROLE_LEVELS - 1), ROLE_LEVELS - 1);
}

/* Distance of a level from the middle two, 0 … SIGNED_COUNT. */
enum { SIGNED_COUNT = ROLE_LEVELS / 2 - 1 };

static int signed_distance(int level) {
    const int distance = level > SIGNED_COUNT ? level - SIGNED_COUNT - 1 : SIGNED_COUNT - level;
    return distance < SIGNED_COUNT ? distance : SIGNED_COUNT;
}

struct rgb colormap_signed_rgb(int level) {
    static const uint32_t below[] = {0xeeeeee, 0x9cc3e6, 0x4a8fca, 0x1c5a9c, 0x0b2a5c};
    static const uint32_t above[] = {0xeeeeee, 0xf3b795, 0xdd7048, 0xa8301f, 0x5c0b12};
    const uint32_t *side = level > SIGNED_COUNT ? above : below;
    const int place = signed_distance(level) * 4, first = place / SIGNED_COUNT;
    return blend(unpack(side[first]), unpack(side[first + (first < 4)]), place % SIGNED_COUNT,
                 SIGNED_COUNT);
}

int theme_signed_level(enum theme theme, int level) {
    const int distance = signed_distance(level) * 5 / (SIGNED_COUNT + 1) * SIGNED_COUNT / 4;
    if (theme != THEME_PROJECTOR)
        return level;
    return level > SIGNED_COUNT ? SIGNED_COUNT + 1 + distance : SIGNED_COUNT - distance;
}

/* The same for the colour map, which then has eight strong ones. */
static int shown_level(enum theme theme, int level) {
    return theme == THEME_PROJECTOR ? level * 8 / ROLE_LEVELS * (ROLE_LEVELS - 1) / 7 : level;
}

struct rgb theme_rgb(enum theme theme, enum colormap map, enum role role, bool background) {
    const int column = theme == THEME_LIGHT ? 1 : theme == THEME_PROJECTOR ? 2 : 0;
    if (role >= ROLE_SIGNED0)
        return colormap_signed_rgb(theme_signed_level(theme, (int)role - ROLE_SIGNED0));
    if (role >= ROLE_LEVEL0)
        return colormap_rgb(map, shown_level(theme, (int)role - ROLE_LEVEL0));
    if (!background || (role != ROLE_DEFAULT && role < ROLE_BAR))
        return unpack(roles[role < ROLE_COUNT ? role : ROLE_TEXT].rgb[column]);
    const bool has_own = role < ROLE_COUNT && backgrounds[role][0];
    return unpack(backgrounds[has_own ? role : ROLE_DEFAULT][column]);
}

/* ---- palettes */

/* Colours of rising lightness along each colour map, with the lightness (0 … 124) of their
 * positions in it. Matching each level by itself would not keep the order. */
struct ramp {
    int count;
    uint8_t colors[14], lightness[14];
};

/* The map for signed values, from its middle downwards and upwards; "lightness" is a distance
 * here. */
enum { RAMP_BELOW = COLORMAP_COUNT, RAMP_ABOVE, RAMPS };

static const struct ramp ramps[PALETTE_DIRECT][RAMPS] = {
    [PALETTE_256][COLORMAP_VIRIDIS] = {11,
                                       {53, 54, 24, 30, 36, 42, 77, 113, 148, 184, 220},
                                       {4, 14, 38, 58, 74, 86, 93, 100, 110, 118, 124}},
    [PALETTE_256][COLORMAP_MAGMA] = {14,
                                     {16, 232, 233, 17, 54, 89, 125, 168, 203, 209, 216, 222, 229,
                                      230},
                                     {0, 5, 10, 24, 32, 55, 65, 69, 83, 93, 103, 113, 120, 124}},
    [PALETTE_256][COLORMAP_CIVIDIS] = {12,
                                       {17, 237, 239, 241, 243, 245, 247, 144, 180, 186, 221, 227},
                                       {0, 30, 44, 51, 59, 64, 67, 84, 88, 100, 112, 124}},
    [PALETTE_256][RAMP_BELOW] = {7, {255, 153, 110, 67, 25, 24, 17}, {0, 25, 48, 68, 86, 104, 124}},
    [PALETTE_256][RAMP_ABOVE] = {7,
                                 {255, 223, 216, 173, 167, 124, 52},
                                 {0, 20, 38, 56, 72, 98, 124}},
    [PALETTE_16][COLORMAP_VIRIDIS] = {5, {0, 4, 6, 10, 11}, {0, 25, 60, 95, 120}},
    [PALETTE_16][COLORMAP_MAGMA] = {6, {0, 4, 5, 9, 7, 15}, {0, 25, 50, 75, 100, 124}},
    [PALETTE_16][COLORMAP_CIVIDIS] = {4, {4, 8, 3, 11}, {0, 40, 80, 124}},
    [PALETTE_16][RAMP_BELOW] = {3, {7, 12, 4}, {0, 62, 124}},
    [PALETTE_16][RAMP_ABOVE] = {3, {7, 9, 1}, {0, 62, 124}},
    [PALETTE_8][COLORMAP_VIRIDIS] = {4, {0, 4, 6, 7}, {0, 30, 70, 115}},
    [PALETTE_8][COLORMAP_MAGMA] = {4, {0, 4, 1, 7}, {0, 40, 80, 124}},
    [PALETTE_8][COLORMAP_CIVIDIS] = {3, {4, 3, 7}, {0, 62, 124}},
    [PALETTE_8][RAMP_BELOW] = {3, {7, 6, 4}, {0, 62, 124}},
    [PALETTE_8][RAMP_ABOVE] = {3, {7, 3, 1}, {0, 62, 124}},
};

static int distance(struct rgb a, int r, int g, int b) {
    return (a.r - r) * (a.r - r) + (a.g - g) * (a.g - g) + (a.b - b) * (a.b - b);
}

static int nearest_step(int value) {
    return value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40;
}

/* The fixed colour, 16 … 255, nearest to an RGB. */
static int palette_nearest_256(struct rgb rgb) {
    static const int steps[6] = {0, 95, 135, 175, 215, 255};
    const int r = nearest_step(rgb.r), g = nearest_step(rgb.g), b = nearest_step(rgb.b);
    const int mean = (rgb.r + rgb.g + rgb.b) / 3;
    const int grey = mean < 8 ? 0 : mean > 238 ? 23 : (mean - 3) / 10;
    const int level = 8 + 10 * grey;
    return distance(rgb, level, level, level) < distance(rgb, steps[r], steps[g], steps[b])
               ? 232 + grey
               : 16 + 36 * r + 6 * g + b;
}

/* The colour on the ramp nearest to `wanted` (0 … 124): a field has bands, like a map, and no
 * dither. */
static int ramp_color(const struct ramp *ramp, double wanted) {
    int below = 0;
    while (below + 1 < ramp->count && ramp->lightness[below + 1] <= wanted)
        below++;
    if (below + 1 == ramp->count)
        return ramp->colors[below];
    const double way =
        (wanted - ramp->lightness[below]) / (ramp->lightness[below + 1] - ramp->lightness[below]);
    return ramp->colors[below + (way > 0.5)];
}

static int level_color(const struct palette *palette, enum role role) {
    const struct ramp *of_depth = ramps[palette->depth];
    if (role < ROLE_SIGNED0) {
        const int level = shown_level(palette->theme, (int)role - ROLE_LEVEL0);
        return ramp_color(&of_depth[palette->map], level * 124.0 / (ROLE_LEVELS - 1));
    }
    const int level = theme_signed_level(palette->theme, (int)role - ROLE_SIGNED0);
    return ramp_color(&of_depth[level > SIGNED_COUNT ? RAMP_ABOVE : RAMP_BELOW],
                      signed_distance(level) * 124.0 / SIGNED_COUNT);
}

int palette_color(const struct palette *palette, enum role role, bool background) {
    const bool own = role == ROLE_DEFAULT && palette->own_background;
    if (palette->depth == PALETTE_MONO || own || (role >= ROLE_COUNT && role < ROLE_LEVEL0))
        return PALETTE_TERMINAL_OWN;
    const struct rgb rgb = theme_rgb(palette->theme, palette->map, role, background);
    if (palette->depth == PALETTE_DIRECT)
        return rgb.r << 16 | rgb.g << 8 | rgb.b;
    if (role >= ROLE_LEVEL0)
        return level_color(palette, role);
    if (palette->depth < PALETTE_256)
        return background ? PALETTE_TERMINAL_OWN : roles[role].name;
    return palette_nearest_256(rgb);
}
