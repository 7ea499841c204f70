#include "ui/terminal/term_caps.h"

#include <stdlib.h>
#include <string.h>

enum palette_depth choice_of_depth(enum color_mode colors) {
    static const enum palette_depth depths[] = {
        [COLORS_AUTO] = PALETTE_DIRECT, [COLORS_DIRECT] = PALETTE_DIRECT,
        [COLORS_256] = PALETTE_256,     [COLORS_16] = PALETTE_16,
        [COLORS_8] = PALETTE_8,         [COLORS_MONO] = PALETTE_MONO};
    const char *no_color = getenv("NO_COLOR");
    return colors == COLORS_AUTO && no_color && *no_color ? PALETTE_MONO : depths[colors];
}

bool choice_of_direct(enum color_mode colors) {
    const char *can = getenv("COLORTERM");
    const bool announced = can && (!strcmp(can, "truecolor") || !strcmp(can, "24bit"));
    return colors == COLORS_DIRECT || (colors == COLORS_AUTO && announced);
}

bool choice_of_mouse(const char *term, bool wanted) {
    return wanted && strcmp(term, "linux") != 0;
}

enum glyph_set choice_of_glyphs(const char *term, const char *codeset, bool ascii) {
    if (ascii || strcmp(codeset, "UTF-8") != 0 || strncmp(term, "vt", 2) == 0)
        return GLYPHS_ASCII;
    return strcmp(term, "linux") == 0 ? GLYPHS_CONSOLE : GLYPHS_UNICODE;
}
