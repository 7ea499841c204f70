#include "ui/terminal/term_caps.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum palette_depth term_caps_depth(enum color_mode colors) {
    static const enum palette_depth depths[] = {
        [COLORS_AUTO] = PALETTE_DIRECT, [COLORS_DIRECT] = PALETTE_DIRECT,
        [COLORS_256] = PALETTE_256,     [COLORS_16] = PALETTE_16,
        [COLORS_8] = PALETTE_8,         [COLORS_MONO] = PALETTE_MONO};
    const char *no_color = getenv("NO_COLOR");
    return colors == COLORS_AUTO && no_color && *no_color ? PALETTE_MONO : depths[colors];
}

bool term_caps_direct(enum color_mode colors, const char *term, int count) {
    const char *can = getenv("COLORTERM");
    const bool announced = can && (!strcmp(can, "truecolor") || !strcmp(can, "24bit"));
    const bool believed = count >= 8 && (strncmp(term, "screen", 6) != 0 || getenv("TMUX"));
    return colors == COLORS_DIRECT ||
           (term_caps_depth(colors) == PALETTE_DIRECT && ((announced && believed) || count > 256));
}

const char term_caps_ask_direct[] = "\x1bP+q524742\x1b\\";

bool term_caps_replies_direct(const char *reply) {
    static const char has[] = "P1+r524742";
    return strncmp(reply, has, sizeof has - 1) == 0;
}

bool term_caps_multiplexer(const char *term) {
    return getenv("TMUX") || getenv("STY") || strncmp(term, "screen", 6) == 0 ||
           strncmp(term, "tmux", 4) == 0;
}

bool term_caps_replies(const char *term, int count) {
    return count >= 256 ||
           (count >= 8 && (strncmp(term, "xterm", 5) == 0 || strncmp(term, "mlterm", 6) == 0));
}

enum glyph_set term_caps_glyphs(const char *term, const char *codeset, bool ascii) {
    if (ascii || strcmp(codeset, "UTF-8") != 0 || strncmp(term, "vt", 2) == 0)
        return GLYPHS_ASCII;
    return strcmp(term, "linux") == 0 ? GLYPHS_CONSOLE : GLYPHS_UNICODE;
}

enum theme term_caps_background(const char *reply) {
    static const char begins[] = "]11;rgb:";
    const char *rest = reply + sizeof begins - 1;
    double share[3]; /* of the largest number with as many digits */
    if (strncmp(reply, begins, sizeof begins - 1) != 0)
        return THEME_AUTO;
    for (int c = 0; c < 3; c++) {
        unsigned value = 0, most = 0;
        if (c > 0 && *rest++ != '/')
            return THEME_AUTO;
        for (; isxdigit((unsigned char)*rest) && most < 0xffff; rest++) {
            value = 16 * value + (unsigned)(*rest <= '9' ? *rest - '0' : (*rest | 0x20) - 'a' + 10);
            most = 16 * most + 15;
        }
        if (!most)
            return THEME_AUTO;
        share[c] = (double)value / most;
    }
    const double lightness = 0.2126 * share[0] + 0.7152 * share[1] + 0.0722 * share[2];
    return lightness > 0.5 ? THEME_LIGHT : THEME_DARK;
}

enum theme term_caps_theme(void) {
    const char *value = getenv("COLORFGBG");
    const char *background = value ? strrchr(value, ';') : NULL;
    /* "foreground;background" in the sixteen colours; 7 and 9 … 15 are light. */
    const int color = background ? atoi(background + 1) : 0;
    return !background ? THEME_AUTO : color == 7 || color > 8 ? THEME_LIGHT : THEME_DARK;
}
