#include "ui/draw/grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

bool grid_init(struct grid *grid, int cols, int rows) {
    *grid = (struct grid){0};
    if (cols < 1 || rows < 1)
        return true;
    grid->cells = calloc((size_t)cols * (size_t)rows, sizeof *grid->cells);
    if (!grid->cells)
        return false;
    grid->cols = cols;
    grid->rows = rows;
    return true;
}

void grid_finish(struct grid *grid) {
    free(grid->cells);
    *grid = (struct grid){0};
}

void grid_clear(struct grid *grid) {
    if (grid->cells)
        memset(grid->cells, 0, (size_t)grid->cols * (size_t)grid->rows * sizeof *grid->cells);
}

void grid_drop_colors(struct grid *grid) {
    for (int c = 0; c < grid->cols * grid->rows; c++) {
        struct cell *cell = &grid->cells[c];
        if (cell->background == ROLE_BAR || cell->background == ROLE_SELECT)
            cell->attributes ^= REVERSE;
        cell->foreground = cell->background = ROLE_DEFAULT;
    }
}

static struct cell *grid_cell(const struct grid *grid, int x, int y) {
    const bool inside = grid && x >= 0 && x < grid->cols && y >= 0 && y < grid->rows;
    return inside ? &grid->cells[x + y * grid->cols] : NULL;
}

const struct cell *grid_at(const struct grid *grid, int x, int y) {
    return grid_cell(grid, x, y);
}

void grid_put(struct area area, int x, int y, uint32_t glyph, int style) {
    struct cell *cell = area_holds(area, x, y) ? grid_cell(area.grid, x, y) : NULL;
    if (!cell)
        return;
    cell->glyph = glyph;
    cell->foreground = style & 0xff;
    cell->attributes = style & ATTRIBUTES;
    if (style >> 16 != ROLE_DEFAULT)
        cell->background = (uint8_t)(style >> 16);
}

void grid_fill(struct area area, enum role background) {
    for (int y = area.y; y < area.y + area.rows; y++)
        for (int x = area.x; x < area.x + area.cols; x++) {
            struct cell *cell = grid_cell(area.grid, x, y);
            if (cell)
                *cell = (struct cell){.background = (uint8_t)background};
        }
}

void grid_fill_glyph(struct area area, uint32_t glyph, int style) {
    for (int y = area.y; y < area.y + area.rows; y++)
        for (int x = area.x; x < area.x + area.cols; x++)
            grid_put(area, x, y, glyph, style);
}

uint32_t grid_next_glyph(const char **text) {
    uint32_t glyph = 0;
    if (!**text)
        return 0;
    const int length = text_decode(*text, &glyph);
    *text += length ? length : 1; /* skips only the first byte of a malformed sequence */
    /* Latin, Greek, Cyrillic, symbols, box drawing, blocks and braille take exactly one column in
     * every terminal; controls, combining marks, bidi marks and wide scripts don't. */
    const bool narrow =
        (glyph >= 0x20 && glyph < 0x7f) || (glyph >= 0xa0 && glyph < 0x300 && glyph != 0xad) ||
        (glyph >= 0x370 && glyph < 0x483) || (glyph >= 0x48a && glyph < 0x530) ||
        (glyph >= 0x2010 && glyph < 0x2028) || (glyph >= 0x2030 && glyph < 0x205f) ||
        (glyph >= 0x2070 && glyph < 0x20d0) || (glyph >= 0x2100 && glyph < 0x231a) ||
        (glyph >= 0x2500 && glyph < 0x2600) || (glyph >= 0x2800 && glyph < 0x2900) ||
        glyph == 0x2713; /* ✓ */
    return narrow ? glyph : '?';
}

int grid_encode(uint32_t glyph, char utf8[5]) {
    glyph = glyph ? glyph : ' ';
    int length = 0;
    if (glyph < 0x80) {
        utf8[length++] = (char)glyph;
    } else if (glyph < 0x800) {
        utf8[length++] = (char)(0xc0 | glyph >> 6);
    } else if (glyph < 0x10000) {
        utf8[length++] = (char)(0xe0 | glyph >> 12);
        utf8[length++] = (char)(0x80 | (glyph >> 6 & 0x3f));
    } else {
        utf8[length++] = (char)(0xf0 | glyph >> 18);
        utf8[length++] = (char)(0x80 | (glyph >> 12 & 0x3f));
        utf8[length++] = (char)(0x80 | (glyph >> 6 & 0x3f));
    }
    if (glyph >= 0x80)
        utf8[length++] = (char)(0x80 | (glyph & 0x3f));
    utf8[length] = 0;
    return length;
}

int grid_vtext(struct area area, int x, int y, int style, const char *format, va_list arguments) {
    char text[1024];
    const char *at = text;
    int cols = 0;
    vsnprintf(text, sizeof text, format, arguments);
    for (uint32_t glyph; (glyph = grid_next_glyph(&at)); cols++)
        grid_put(area, x + cols, y, glyph == ' ' ? 0 : glyph, style);
    return cols;
}

int grid_text(struct area area, int x, int y, int style, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int cols = grid_vtext(area, x, y, style, format, arguments);
    va_end(arguments);
    return cols;
}

int grid_text_width(const char *text) {
    int cols = 0;
    while (grid_next_glyph(&text))
        cols++;
    return cols;
}
