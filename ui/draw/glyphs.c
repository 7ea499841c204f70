/* Substitute glyphs for terminals that can't show ours (ui/draw/grid.h). */
#include "ui/draw/grid.h"

struct substitute {
    uint32_t glyph, console, ascii;
};

/* 0 in `console`: the console's font has the glyph itself. */
static const struct substitute substitutes[] = {
    {0x00b0, 0, 'o'},      /* ° */
    {0x00b1, 0, '~'},      /* ± */
    {0x00b2, 0, '^'},      /* ² */
    {0x00b5, 0, 'u'},      /* µ */
    {0x00b7, 0, '-'},      /* · */
    {0x00d7, 'x', 'x'},    /* × */
    {0x03c0, 0, 'p'},      /* π */
    {0x03c1, 'r', 'r'},    /* ρ */
    {0x03c9, 'w', 'w'},    /* ω */
    {0x2013, '-', '-'},    /* – */
    {0x2014, '-', '-'},    /* — */
    {0x2016, '|', '|'},    /* ‖ */
    {0x2018, '\'', '\''},  /* ‘ */
    {0x2019, '\'', '\''},  /* ’ */
    {0x201c, '"', '"'},    /* “ */
    {0x201d, '"', '"'},    /* ” */
    {0x2022, '*', '*'},    /* • */
    {0x2026, '~', '~'},    /* … */
    {0x2190, '<', '<'},    /* ← */
    {0x2191, '^', '^'},    /* ↑ */
    {0x2192, '>', '>'},    /* → */
    {0x2193, 'v', 'v'},    /* ↓ */
    {0x2194, '-', '-'},    /* ↔ */
    {0x2202, 'd', 'd'},    /* ∂ */
    {0x2207, 'V', 'V'},    /* ∇ */
    {0x2248, '~', '~'},    /* ≈ */
    {0x2264, '<', '<'},    /* ≤ */
    {0x2265, '>', '>'},    /* ≥ */
    {0x22ef, '.', '.'},    /* ⋯ */
    {0x2500, 0, '-'},      /* ─ */
    {0x2501, 0x2500, '='}, /* ━ */
    {0x2502, 0, '|'},      /* │ */
    {0x2503, 0x2502, '|'}, /* ┃ */
    {0x2504, 0x2500, '-'}, /* ┄ */
    {0x2508, 0x2500, '.'}, /* ┈ */
    {0x254c, 0x2500, '-'}, /* ╌ */
    {0x256d, 0x250c, '+'}, /* ╭ */
    {0x256e, 0x2510, '+'}, /* ╮ */
    {0x256f, 0x2518, '+'}, /* ╯ */
    {0x2570, 0x2514, '+'}, /* ╰ */
    {0x2580, 0, '"'},      /* ▀ */
    {0x2584, 0, '_'},      /* ▄ */
    {0x2588, 0, '#'},      /* █ */
    {0x258c, 0, '|'},      /* ▌ */
    {0x2590, 0, '|'},      /* ▐ */
    {0x2591, 0, '.'},      /* ░ */
    {0x2592, 0, 'o'},      /* ▒ */
    {0x2593, 0, 'O'},      /* ▓ */
    {0x2595, 0x2502, '|'}, /* ▕ */
    {0x25a0, 0, '#'},      /* ■ */
    {0x25b2, '^', '^'},    /* ▲ */
    {0x25b6, '>', '>'},    /* ▶ */
    {0x25b8, '>', '>'},    /* ▸ */
    {0x25bc, 'v', 'v'},    /* ▼ */
    {0x25c0, '<', '<'},    /* ◀ */
    {0x25c6, 0, '*'},      /* ◆ */
    {0x25cb, 'o', 'o'},    /* ○ */
    {0x25cf, '*', '*'},    /* ● */
    {0x2713, 0x221a, '*'}, /* ✓ */
};

/* A braille cell's dots as half blocks, or as ASCII. */
static uint32_t halves(uint32_t dots, bool ascii) {
    const bool top = dots & 0x1b, bottom = dots & 0xe4;
    if (!top && !bottom)
        return ' ';
    if (ascii)
        return top && bottom ? ':' : top ? '\'' : '.';
    return top && bottom ? 0x2588 : top ? 0x2580 : 0x2584;
}

static uint32_t substitute(enum glyph_set set, uint32_t glyph) {
    const bool ascii = set >= GLYPHS_ASCII;
    if (set == GLYPHS_SCREEN_READER && glyph >= 0x2500 && glyph < 0x2580)
        return ' ';
    for (size_t s = 0; s < sizeof substitutes / sizeof *substitutes; s++)
        if (substitutes[s].glyph == glyph) {
            const uint32_t other = ascii ? substitutes[s].ascii : substitutes[s].console;
            return other ? other : glyph;
        }
    if (glyph > 0x2580 && glyph < 0x2590) {
        /* A partly filled block: half or more counts, as does a thin bar alone. */
        const bool upright = glyph < 0x2588;
        const unsigned eighths = upright ? glyph - 0x2580 : 0x2590 - glyph;
        if (ascii)
            return eighths >= 6 ? '#' : eighths >= 3 ? '=' : upright ? '_' : '|';
        return eighths >= 6 ? 0x2588 : upright ? 0x2584 : 0x258c;
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
