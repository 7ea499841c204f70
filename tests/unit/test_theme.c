/* Themes and colour maps: contrast, and lightness that rises with the level. */
#include "tests/fixtures/support.h"

#include "ui/draw/theme.h"

/* Relative luminance and contrast as the Web Content Accessibility Guidelines 2 define them: 4.5 is
 * their AA for text, 7 their AAA. */
static double linear(uint8_t channel) {
    const double c = channel / 255.0;
    return c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(struct rgb rgb) {
    return 0.2126 * linear(rgb.r) + 0.7152 * linear(rgb.g) + 0.0722 * linear(rgb.b);
}

static double contrast(struct rgb a, struct rgb b) {
    const double x = luminance(a), y = luminance(b);
    return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

/* Roles that are used only on their own backgrounds, or not for text. */
static bool is_no_text(enum role role) {
    return role == ROLE_SELECT || role == ROLE_OVERLAY || role == ROLE_BODY || role == ROLE_GRID;
}

static void check(enum theme theme, enum role background, double least) {
    const struct rgb page = theme_rgb(theme, COLORMAP_VIRIDIS, background, true);
    for (int role = ROLE_DEFAULT; role < ROLE_COUNT; role++) {
        const double found =
            contrast(theme_rgb(theme, COLORMAP_VIRIDIS, (enum role)role, false), page);
        if (!is_no_text((enum role)role) && !(found >= least))
            fail_msg("theme %d, role %d on background %d: contrast %.2f, should be %.1f at least",
                     theme, role, background, found, least);
    }
}

TEST(everything_is_legible) {
    for (int theme = THEME_DARK; theme <= THEME_PROJECTOR; theme++) {
        const bool is_far = theme == THEME_PROJECTOR;
        check((enum theme)theme, ROLE_DEFAULT, is_far ? 7 : 4.5);
        check((enum theme)theme, ROLE_BAR, is_far ? 4.5 : 4);
        check((enum theme)theme, ROLE_BODY, is_far ? 4.5 : 4);
    }
}

TEST(light_is_on_white) {
    const struct rgb page = theme_rgb(THEME_LIGHT, COLORMAP_VIRIDIS, ROLE_DEFAULT, true);
    assert_true(page.r == 255 && page.g == 255 && page.b == 255);
}

/* Colours seen without the cones for red, green or blue: Machado, Oliveira and Fernandes, "A
 * Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), matrices of full
 * severity, on linear RGB. The first is normal vision. */
enum { VISIONS = 4 };
static const double visions[VISIONS][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779},
     {-0.078411, 0.930809, 0.147602},
     {0.004733, 0.691367, 0.303900}},
};

static double lab_curve(double t) {
    return t > 216.0 / 24389 ? cbrt(t) : t * 841 / 108 + 4.0 / 29;
}

/* Converts to L*, a*, b* of CIE 1976, white D65, for that vision. */
static void see(struct rgb rgb, int vision, double lab[3]) {
    const double all[3] = {linear(rgb.r), linear(rgb.g), linear(rgb.b)};
    double seen[3];
    for (int c = 0; c < 3; c++) {
        const double *row = visions[vision][c];
        seen[c] = fmin(fmax(row[0] * all[0] + row[1] * all[1] + row[2] * all[2], 0), 1);
    }
    const double x = lab_curve((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.95047);
    const double y = lab_curve(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]);
    const double z = lab_curve((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.08883);
    lab[0] = 116 * y - 16;
    lab[1] = 500 * (x - y);
    lab[2] = 200 * (y - z);
}

/* The least noticeable difference is about 2.3 (Mahy, van Eycken and Oosterlinck 1994). Any two
 * bars, and any two lanes, differ by at least five times that for every type of colour vision. */
TEST(every_vision_tells_bars_apart) {
    static const enum role groups[2][4] = {
        {ROLE_KERNEL, ROLE_TO_DEVICE, ROLE_FROM_DEVICE, ROLE_ALLOC},
        {ROLE_LANE_A, ROLE_LANE_B, ROLE_LANE_C, ROLE_LANE_D}};
    for (int place = 0; place < 2 * 4 * 4 * 3 * VISIONS; place++) {
        const enum role *group = groups[place % 2], one = group[place / 2 % 4],
                        other = group[place / 8 % 4];
        const enum theme theme = (enum theme)(THEME_DARK + place / 32 % 3);
        double a[3], b[3];
        see(theme_rgb(theme, COLORMAP_VIRIDIS, one, false), place / 96, a);
        see(theme_rgb(theme, COLORMAP_VIRIDIS, other, false), place / 96, b);
        const double difference = hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
        if (one != other && !(difference >= 5 * 2.3))
            fail_msg("theme %d, vision %d: roles %d and %d differ by %.1f", theme, place / 96, one,
                     other, difference);
    }
}

/* Each hue has a meaning, such as a copy or a kernel. In palettes of 16 and 8 colours, too, lanes
 * have none. */
TEST(lanes_have_no_hue) {
    enum { LANES = 4 };
    for (int place = 0; place < 3 * LANES; place++) {
        const enum role role = (enum role)(ROLE_LANE_A + place % LANES);
        const enum theme theme = (enum theme)(THEME_DARK + place / LANES);
        const struct rgb rgb = theme_rgb(theme, COLORMAP_VIRIDIS, role, false);
        const struct palette palette = {.depth = PALETTE_16, .theme = theme};
        assert_true(rgb.r == rgb.g && rgb.g == rgb.b);
        assert_int_equal(palette_color(&palette, role, false), PALETTE_TERMINAL_OWN);
    }
}

/* Every colour map rises in lightness for every type of colour vision, and from end to end by far
 * more than the least noticeable difference times its levels. */
TEST(every_vision_reads_the_maps) {
    for (int map = 0; map < COLORMAP_COUNT; map++)
        for (int vision = 0; vision < VISIONS; vision++) {
            double first[3], last[3], lab[3];
            see(colormap_rgb((enum colormap)map, 0), vision, first);
            memcpy(last, first, sizeof last);
            for (int level = 1; level < ROLE_LEVELS; level++) {
                see(colormap_rgb((enum colormap)map, level), vision, lab);
                if (!(lab[0] > last[0]))
                    fail_msg("map %d, vision %d: level %d is not lighter than the one before", map,
                             vision, level);
                memcpy(last, lab, sizeof last);
            }
            assert_true(last[0] - first[0] > 70);
        }
    /* A signed field: the two signs are distinguishable from a quarter of the scale on. */
    for (int vision = 0; vision < VISIONS; vision++)
        for (int k = ROLE_LEVELS / 8; k < ROLE_LEVELS / 2; k++) {
            double above[3], below[3];
            see(colormap_signed_rgb(ROLE_LEVELS / 2 + k), vision, above);
            see(colormap_signed_rgb(ROLE_LEVELS / 2 - 1 - k), vision, below);
            const double difference =
                hypot(hypot(above[0] - below[0], above[1] - below[1]), above[2] - below[2]);
            if (!(difference >= 5 * 2.3))
                fail_msg("vision %d: %d levels above and below zero differ by %.1f", vision, k,
                         difference);
        }
}

/* Zero is the lightest level, and lightness falls at about the same rate in both directions. */
TEST(signed_map_is_even) {
    const struct rgb below = colormap_signed_rgb(ROLE_LEVELS / 2 - 1),
                     above = colormap_signed_rgb(ROLE_LEVELS / 2);
    assert_memory_equal(&below, &above, sizeof above);
    for (int k = 1; k < ROLE_LEVELS / 2; k++) {
        const double low = luminance(colormap_signed_rgb(ROLE_LEVELS / 2 - 1 - k)),
                     high = luminance(colormap_signed_rgb(ROLE_LEVELS / 2 + k));
        assert_true(low < luminance(colormap_signed_rgb(ROLE_LEVELS / 2 - k)));
        assert_true(high < luminance(colormap_signed_rgb(ROLE_LEVELS / 2 + k - 1)));
        assert_true(fabs(low - high) < 0.1);
    }
    for (int level = 0; level < ROLE_LEVELS; level++)
        assert_int_equal(theme_signed_level(THEME_PROJECTOR, level) +
                             theme_signed_level(THEME_PROJECTOR, ROLE_LEVELS - 1 - level),
                         ROLE_LEVELS - 1);
}

/* In every palette, zero's two levels are one colour without dots. */
TEST(zero_is_flat) {
    for (int depth = PALETTE_8; depth <= PALETTE_DIRECT; depth++)
        for (int background = 0; background < 2; background++) {
            const struct palette palette = {.depth = (enum palette_depth)depth};
            const enum role zero = ROLE_SIGNED0 + ROLE_LEVELS / 2;
            assert_int_equal(palette_color(&palette, zero - 1, background),
                             palette_color(&palette, zero, false));
        }
}

TEST_MODULE(theme, NULL, NULL)
