/* Substitute glyphs for terminals that can't show ours (ui/draw/grid.h). */
#include "ui/draw/grid.h"

/* Each glyph is followed by its substitute. The console's font has all glyphs that are not in its
 * list. */
static const uint32_t for_ascii[] =
    U"°o±~²^µu·-×xπpρrωw–-—-‖|‘'’'“\"”\"•*…~←<↑^→>↓v↔-∂d∇V≈~≤<≥>⋯.─-━=│|┃|┄-┈.╌-╭+╮+╯+╰+▀\"▄_█#"
    U"▌|▐|░.▒o▓O▕|■#▲^▶>▸>▼v◀<◆*○o●*✓*";
static const uint32_t for_console[] =
    U"×xρrωw–-—-‖|‘'’'“\"”\"•*…~←<↑^→>↓v↔-∂d∇V≈~≤<≥>⋯.━─┃│┄─┈─╌─╭┌╮┐╯┘╰└▕│▲^▶>▸>▼v◀<○o●*✓√"
    U"▘▀▝▀▖▄▗▄▞▌▚▌▛█▜█▙█▟█";

/* A braille cell's dots as half blocks, or as ASCII. */
static uint32_t halves(uint32_t dots, bool ascii) {
    const bool top = dots & 0x1b, bottom = dots & 0xe4;
    if (!top && !bottom)
        return ' ';
    if (ascii)
        return top && bottom ? ':' : top ? '\'' : '.';
    return top && bottom ? U'█' : top ? U'▀' : U'▄';
}

static uint32_t substitute(enum glyph_set set, uint32_t glyph) {
    const bool ascii = set >= GLYPHS_ASCII;
    if (set == GLYPHS_SCREEN_READER && glyph >= 0x2500 && glyph < 0x2580)
        return ' ';
    for (const uint32_t *pair = ascii ? for_ascii : for_console; *pair; pair += 2)
        if (*pair == glyph)
            return pair[1];
    if (glyph > 0x2580 && glyph < 0x2590) {
        /* A partly filled block: half or more counts, as does a thin bar alone. */
        const bool upright = glyph < 0x2588;
        const unsigned eighths = upright ? glyph - 0x2580 : 0x2590 - glyph;
        if (ascii)
            return eighths >= 6 ? '#' : eighths >= 3 ? '=' : upright ? '_' : '|';
        return eighths >= 6 ? U'█' : upright ? U'▄' : U'▌';
    }
    if (glyph >= 0x2500 && glyph < 0x2580)
        return ascii ? '+' : glyph;
    return ascii ? '?' : glyph;
}

uint32_t glyph_in_set(enum glyph_set set, uint32_t glyph) {
    if (set == GLYPHS_UNICODE || glyph < 0x80)
        return glyph;
    if (glyph >= 0x2800 && glyph < 0x2900) /* braille */
        return halves(glyph & 0xff, set >= GLYPHS_ASCII);
    return substitute(set, glyph);
}

void glyphs_reduce(struct grid *grid, enum glyph_set set) {
    for (int c = 0; c < grid->cols * grid->rows; c++)
        grid->cells[c].glyph = glyph_in_set(set, grid->cells[c].glyph);
}
