#include <string.h>

#include "ui/draw/draw.h"

struct big_glyph {
    uint32_t glyph;
    const char *rows[BIG_ROWS];
};

static const struct big_glyph big_glyphs[] = {
    {'0', {"██████", "██  ██", "██  ██", "██  ██", "██████"}},
    {'1', {" ███  ", "  ██  ", "  ██  ", "  ██  ", "██████"}},
    {'2', {"██████", "    ██", "██████", "██    ", "██████"}},
    {'3', {"██████", "    ██", " █████", "    ██", "██████"}},
    {'4', {"██  ██", "██  ██", "██████", "    ██", "    ██"}},
    {'5', {"██████", "██    ", "██████", "    ██", "██████"}},
    {'6', {"██████", "██    ", "██████", "██  ██", "██████"}},
    {'7', {"██████", "    ██", "   ██ ", "  ██  ", "  ██  "}},
    {'8', {"██████", "██  ██", "██████", "██  ██", "██████"}},
    {'9', {"██████", "██  ██", "██████", "    ██", "██████"}},
    {'.', {"  ", "  ", "  ", "  ", "██"}},
    {',', {"  ", "  ", "  ", "██", "█ "}},
    {'-', {"    ", "    ", "████", "    ", "    "}},
    {'x', {"      ", "██  ██", "  ██  ", "██  ██", "      "}},
    {0xd7, {"      ", "██  ██", "  ██  ", "██  ██", "      "}},
    {'%', {"██  ██", "   ██ ", "  ██  ", " ██   ", "██  ██"}},
    {' ', {"   ", "   ", "   ", "   ", "   "}},
};

static const struct big_glyph *find(uint32_t glyph) {
    for (size_t g = 0; g < sizeof big_glyphs / sizeof *big_glyphs; g++)
        if (big_glyphs[g].glyph == glyph)
            return &big_glyphs[g];
    return NULL;
}

/* Blanks leave what is there, so that big digits can lie over a picture. */
static void draw_row(struct grid *grid, struct rect clip, int x, int y, enum ink ink,
                     const char *row) {
    for (uint32_t glyph; (glyph = grid_next_glyph(&row)); x++)
        if (glyph != ' ')
            grid_put(grid, clip, x, y, glyph, ink, INK_DEFAULT, 0);
}

int draw_big(struct grid *grid, struct rect clip, int x, int y, enum ink ink, const char *text) {
    int cols = 0;
    for (uint32_t glyph; (glyph = grid_next_glyph(&text));) {
        const struct big_glyph *big = find(glyph);
        if (!big)
            continue;
        for (int row = 0; row < BIG_ROWS; row++)
            draw_row(grid, clip, x + cols, y + row, ink, big->rows[row]);
        cols += grid_text_width(big->rows[0]) + 1;
    }
    return cols > 0 ? cols - 1 : 0;
}

int draw_big_width(const char *text) {
    struct grid nothing = {0};
    return draw_big(&nothing, (struct rect){0}, 0, 0, INK_TEXT, text);
}
