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

/* Only on papers of their own, or not to be read at all. */
static bool is_no_text(enum ink ink) {
    return ink == INK_SELECT || ink == INK_OVERLAY || ink == INK_GRID;
}

static void check(enum theme theme, enum ink paper, double least) {
    const struct rgb page = theme_rgb(theme, COLORMAP_VIRIDIS, paper, true);
    for (int ink = INK_DEFAULT; ink < INK_ROLES; ink++) {
        const double found =
            contrast(theme_rgb(theme, COLORMAP_VIRIDIS, (enum ink)ink, false), page);
        if (!is_no_text((enum ink)ink) && !(found >= least))
            fail_msg("theme %d, ink %d on paper %d: contrast %.2f, should be %.1f at least", theme,
                     ink, paper, found, least);
    }
}

static void test_everything_is_legible(void **state) {
    (void)state;
    check(THEME_DARK, INK_DEFAULT, 4.5);
    check(THEME_LIGHT, INK_DEFAULT, 4.5);
    check(THEME_PROJECTOR, INK_DEFAULT, 7);
    check(THEME_DARK, INK_BAR, 4);
    check(THEME_LIGHT, INK_BAR, 4);
    check(THEME_PROJECTOR, INK_BAR, 4.5);
}

static void test_light_is_on_white(void **state) {
    (void)state;
    const struct rgb page = theme_rgb(THEME_LIGHT, COLORMAP_VIRIDIS, INK_DEFAULT, true);
    assert_true(page.r == 255 && page.g == 255 && page.b == 255);
}

/* A map that is read by lightness alone still tells more from less. */
static void test_lightness_rises(void **state) {
    (void)state;
    for (int map = 0; map < COLORMAP_COUNT; map++)
        for (int level = 1; level < INK_LEVELS; level++)
            assert_true(luminance(colormap_rgb((enum colormap)map, level)) >
                        luminance(colormap_rgb((enum colormap)map, level - 1)));
}

/* Zero is the lightest, and it gets darker to both ends at about the same pace. */
static void test_signed_map_is_even(void **state) {
    (void)state;
    const struct rgb below = colormap_signed_rgb(INK_LEVELS / 2 - 1),
                     above = colormap_signed_rgb(INK_LEVELS / 2);
    assert_memory_equal(&below, &above, sizeof above);
    for (int k = 1; k < INK_LEVELS / 2; k++) {
        const double low = luminance(colormap_signed_rgb(INK_LEVELS / 2 - 1 - k)),
                     high = luminance(colormap_signed_rgb(INK_LEVELS / 2 + k));
        assert_true(low < luminance(colormap_signed_rgb(INK_LEVELS / 2 - k)));
        assert_true(high < luminance(colormap_signed_rgb(INK_LEVELS / 2 + k - 1)));
        assert_true(fabs(low - high) < 0.1);
    }
    for (int level = 0; level < INK_LEVELS; level++)
        assert_int_equal(theme_signed_level(THEME_PROJECTOR, level) +
                             theme_signed_level(THEME_PROJECTOR, INK_LEVELS - 1 - level),
                         INK_LEVELS - 1);
}

/* Whatever the palette, zero's two levels are one colour without dots. */
static void test_zero_is_flat(void **state) {
    (void)state;
    for (int depth = PALETTE_8; depth <= PALETTE_DIRECT; depth++)
        for (int at = 0; at < 32; at++) {
            const struct palette palette = {.depth = (enum palette_depth)depth};
            const enum ink ink = (enum ink)(INK_SIGNED0 + INK_LEVELS / 2 - at / 16);
            assert_int_equal(palette_color(&palette, ink, at & 1, at / 2 % 4, at / 8 % 2),
                             palette_color(&palette, INK_SIGNED0 + INK_LEVELS / 2, false, 0, 0));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything_is_legible), cmocka_unit_test(test_light_is_on_white),
        cmocka_unit_test(test_lightness_rises),       cmocka_unit_test(test_signed_map_is_even),
        cmocka_unit_test(test_zero_is_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
