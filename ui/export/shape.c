/* Glyphs that are drawings, as rectangles (ui/export/picture.h). */
#include "ui/export/picture.h"

static void add_rect(struct shape *shape, double x0, double y0, double x1, double y1) {
    shape->rects[shape->count++] = (struct shape_rect){x0, y0, x1, y1};
}

/* U+2500 … U+257F: lines from the centre to the edges. */
struct arms {
    uint16_t glyph;
    uint8_t left, right, up, down; /* 0 none, 1 light, 2 heavy */
};

static const struct arms all_arms[] = {
    {0x2500, 1, 1, 0, 0}, {0x2502, 0, 0, 1, 1}, {0x2503, 0, 0, 2, 2}, {0x250c, 0, 1, 0, 1},
    {0x2510, 1, 0, 0, 1}, {0x2514, 0, 1, 1, 0}, {0x2518, 1, 0, 1, 0}, {0x251c, 0, 1, 1, 1},
    {0x2524, 1, 0, 1, 1}, {0x252c, 1, 1, 0, 1}, {0x2534, 1, 1, 1, 0}, {0x253c, 1, 1, 1, 1},
    {0x256d, 0, 1, 0, 1}, {0x256e, 1, 0, 0, 1}, {0x256f, 1, 0, 1, 0}, {0x2570, 0, 1, 1, 0},
    {0x2575, 0, 0, 1, 0},
};

static void add_lines(struct shape *shape, uint32_t glyph, double aspect) {
    const double light = 0.06;
    for (size_t k = 0; k < sizeof all_arms / sizeof *all_arms; k++) {
        const struct arms *arms = &all_arms[k];
        if (arms->glyph != glyph)
            continue;
        const double left = light * arms->left, right = light * arms->right;
        const double up = light * arms->up, down = light * arms->down;
        if (arms->left)
            add_rect(shape, 0, 0.5 - left / aspect, 0.5 + light, 0.5 + left / aspect);
        if (arms->right)
            add_rect(shape, 0.5 - light, 0.5 - right / aspect, 1, 0.5 + right / aspect);
        if (arms->up)
            add_rect(shape, 0.5 - up, 0, 0.5 + up, 0.5 + light / aspect);
        if (arms->down)
            add_rect(shape, 0.5 - down, 0.5 - light / aspect, 0.5 + down, 1);
    }
}

struct shape shape_of(uint32_t glyph, double aspect) {
    struct shape shape = {.alpha = 1};
    if (glyph >= 0x2591 && glyph <= 0x2593) {
        shape.alpha = (glyph - 0x2590) / 4.0;
        add_rect(&shape, 0, 0, 1, 1);
    } else if (glyph > 0x2595 && glyph <= 0x259f) {
        /* Quadrants: 1 upper left, 2 upper right, 4 lower left, 8 lower right. */
        static const uint8_t sets[] = {4, 8, 1, 13, 9, 7, 11, 2, 6, 14};
        for (int q = 0; q < 4; q++) {
            const int col = q % 2, row = q / 2;
            if (sets[glyph - 0x2596] & 1u << q)
                add_rect(&shape, 0.5 * col, 0.5 * row, 0.5 * col + 0.5, 0.5 * row + 0.5);
        }
    } else if (glyph >= 0x2580 && glyph <= 0x2595) {
        /* Halves and eighths, from below and from the left; some from above and from the right. */
        const double x0 = glyph == 0x2590 ? 0.5 : glyph == 0x2595 ? 0.875 : 0;
        const double x1 = glyph > 0x2588 && glyph <= 0x258f ? (0x2590 - glyph) / 8.0 : 1;
        const double y0 = glyph > 0x2580 && glyph <= 0x2588 ? 1 - (glyph - 0x2580) / 8.0 : 0;
        const double y1 = glyph == 0x2580 ? 0.5 : glyph == 0x2594 ? 0.125 : 1;
        add_rect(&shape, x0, y0, x1, y1);
    } else if (glyph >= 0x2800 && glyph <= 0x28ff) {
        static const uint8_t rows[8] = {0, 1, 2, 0, 1, 2, 3, 3};
        static const uint8_t cols[8] = {0, 0, 0, 1, 1, 1, 0, 1};
        const double half = 0.15;
        for (int dot = 0; dot < 8; dot++) {
            const double x = (cols[dot] + 0.5) / 2, y = (rows[dot] + 0.5) / 4;
            if (glyph & 1u << dot)
                add_rect(&shape, x - half, y - half / aspect, x + half, y + half / aspect);
        }
    } else if (glyph >= 0x2500 && glyph <= 0x257f) {
        add_lines(&shape, glyph, aspect);
    }
    return shape;
}
