/* Big digits and some letters, five rows high or a multiple of five (ui/draw/draw.h). */
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
    {U'×', {"      ", "██  ██", "  ██  ", "██  ██", "      "}},
    {'%', {"██  ██", "   ██ ", "  ██  ", " ██   ", "██  ██"}},
    {' ', {"   ", "   ", "   ", "   ", "   "}},
    {'m', {"       ", "       ", "█▀▀█▀▀█", "█  █  █", "█  █  █"}},
    {U'µ', {"     ", "     ", "█   █", "█   █", "█▀▀▀ "}},
    {'n', {"     ", "     ", "█▀▀▀█", "█   █", "█   █"}},
    {'s', {"     ", "     ", "█▀▀▀▀", "▀▀▀▀█", "▄▄▄▄█"}},
    {'A', {"██████", "██  ██", "██████", "██  ██", "██  ██"}},
    {'B', {"█████ ", "██  ██", "█████ ", "██  ██", "█████ "}},
    {'C', {"██████", "██    ", "██    ", "██    ", "██████"}},
    {'D', {"█████ ", "██  ██", "██  ██", "██  ██", "█████ "}},
    {'E', {"██████", "██    ", "█████ ", "██    ", "██████"}},
    {'G', {"██████", "██    ", "██ ███", "██  ██", "██████"}},
    {'I', {"██", "██", "██", "██", "██"}},
    {'J', {"    ██", "    ██", "    ██", "██  ██", "██████"}},
    {'N', {"██  ██", "███ ██", "██████", "██ ███", "██  ██"}},
    {'O', {"██████", "██  ██", "██  ██", "██  ██", "██████"}},
    {'R', {"██████", "██  ██", "█████ ", "██ ██ ", "██  ██"}},
    {'V', {"██  ██", "██  ██", "██  ██", " ████ ", "  ██  "}},
};

/* A row of a glyph in half its columns. */
static void draw_narrow(struct area area, enum role role, const char *bits) {
    for (uint32_t left; (left = grid_next_glyph(&bits)); area = area_right_of(area, 1)) {
        const uint32_t right = *bits ? grid_next_glyph(&bits) : ' ';
        const uint32_t half = left == ' ' ? U'▐' : right == ' ' ? U'▌' : U'█';
        if (left != ' ' || right != ' ')
            grid_put(area, area.x, area.y, half, role);
    }
}

int draw_big(struct area area, int times, enum role role, const char *text) {
    int cols = 0;
    for (uint32_t glyph; (glyph = grid_next_glyph(&text));) {
        const struct big_glyph *big = big_glyphs;
        const struct big_glyph *const end = big + sizeof big_glyphs / sizeof *big_glyphs;
        while (big < end && big->glyph != glyph)
            big++;
        if (big == end)
            continue;
        const int width = grid_text_width(big->rows[0]);
        for (int row = 0; row < BIG_ROWS && times == 0; row++)
            draw_narrow(area_right_of(area_row(area, row), cols), role, big->rows[row]);
        for (int row = 0; row < BIG_ROWS * times; row++) {
            const char *bits = big->rows[row / times];
            /* The half block that fills this row of an enlarged cell. */
            const uint32_t half = 2 * (row % times) < times ? U'▀' : U'▄';
            int at = area.x + cols;
            /* Blank cells are not drawn: a field stays visible between big digits. */
            for (uint32_t bit; (bit = grid_next_glyph(&bits)); at += times)
                for (int part = 0; part < times && bit != ' '; part++)
                    if (times == 1 || bit == U'█' || bit == half)
                        grid_put(area, at + part, area.y + row, times == 1 ? bit : U'█', role);
        }
        cols += times ? (width + 1) * times : (width + 1) / 2 + 1;
    }
    return cols > 0 ? cols - max_int(times, 1) : 0;
}

int draw_big_width(const char *text) {
    return draw_big((struct area){0}, 1, ROLE_TEXT, text);
}
