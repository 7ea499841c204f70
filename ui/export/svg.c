/* A grid as SVG: text as text, other glyphs as shapes (ui/export/picture.h). */

#include "ui/export/picture.h"

/* A cell in SVG units. Half and quarter cells are whole numbers. */
enum { CELL_COLS = 10, CELL_ROWS = 20, BASELINE = 15, FONT_SIZE = 16 };

static const struct cell *cell_at(const struct grid *grid, int x, int y) {
    return &grid->cells[x + y * grid->cols];
}

static bool same_rgb(struct rgb a, struct rgb b) {
    return a.r == b.r && a.g == b.g && a.b == b.b;
}

static unsigned packed(struct rgb rgb) {
    return (unsigned)rgb.r << 16 | (unsigned)rgb.g << 8 | rgb.b;
}

static void put_rect(FILE *file, double x, double y, double width, double height, struct rgb rgb,
                     double alpha) {
    fprintf(file, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#%06x\"", x, y, width,
            height, packed(rgb));
    if (alpha < 1)
        fprintf(file, " fill-opacity=\"%g\"", alpha);
    fputs("/>\n", file);
}

static void put_shapes(FILE *file, const struct grid *grid, const struct palette *palette, int y) {
    for (int x = 0, run; x < grid->cols; x += run) {
        const struct cell *cell = cell_at(grid, x, y);
        const struct rgb rgb = cell_rgb(cell, false, palette);
        const struct shape shape = shape_of(cell->glyph, (double)CELL_ROWS / CELL_COLS);
        /* Consecutive cells with the same full-width shape and colour, as in lines and bars, form
         * one rectangle. */
        const bool wide = shape.count == 1 && shape.rects[0].x0 <= 0 && shape.rects[0].x1 >= 1;
        for (run = 1; wide && x + run < grid->cols; run++)
            if (cell[run].glyph != cell->glyph ||
                !same_rgb(cell_rgb(&cell[run], false, palette), rgb))
                break;
        for (int k = 0; k < shape.count; k++) {
            const struct shape_rect *rect = &shape.rects[k];
            put_rect(file, (x + rect->x0) * CELL_COLS, (y + rect->y0) * CELL_ROWS,
                     (rect->x1 - rect->x0 + run - 1) * CELL_COLS, (rect->y1 - rect->y0) * CELL_ROWS,
                     rgb, shape.alpha);
        }
    }
}

static bool is_text(const struct cell *cell) {
    return cell->glyph > ' ' && shape_of(cell->glyph, 1).count == 0;
}

static bool is_text_like(const struct cell *cell, const struct cell *first,
                         const struct palette *palette) {
    return is_text(cell) && cell->attributes == first->attributes &&
           same_rgb(cell_rgb(cell, false, palette), cell_rgb(first, false, palette));
}

/* One element per run of one colour and weight. */
static void put_texts(FILE *file, const struct grid *grid, const struct palette *palette, int y) {
    for (int x = 0, run; x < grid->cols; x += run) {
        const struct cell *cell = cell_at(grid, x, y);
        run = 1;
        if (!is_text(cell))
            continue;
        /* Text of one style, and the single blanks within it. */
        for (; x + run < grid->cols; run++) {
            const struct cell *next = &cell[run];
            const bool bridges = (next->glyph == 0 || next->glyph == ' ') &&
                                 x + run + 1 < grid->cols && is_text_like(next + 1, cell, palette);
            if (!bridges && !is_text_like(next, cell, palette))
                break;
        }
        fprintf(file, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%06x\"%s%s>",
                x * CELL_COLS, y * CELL_ROWS + BASELINE, run * CELL_COLS,
                packed(cell_rgb(cell, false, palette)),
                cell->attributes & BOLD ? " font-weight=\"bold\"" : "",
                cell->attributes & UNDERLINE ? " text-decoration=\"underline\"" : "");
        for (int k = 0; k < run; k++) {
            const uint32_t glyph = cell[k].glyph;
            char utf8[5];
            grid_encode(glyph, utf8);
            fputs(glyph == '&'   ? "&amp;"
                  : glyph == '<' ? "&lt;"
                  : glyph == '>' ? "&gt;"
                                 : utf8,
                  file);
        }
        fputs("</text>\n", file);
    }
}

void svg_write(FILE *file, const struct grid *grid, const struct palette *palette) {
    const struct rgb page = theme_rgb(palette->theme, palette->map, ROLE_DEFAULT, true);
    const int width = grid->cols * CELL_COLS, height = grid->rows * CELL_ROWS;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" "
            "font-size=\"%d\" xml:space=\"preserve\" shape-rendering=\"crispEdges\">\n",
            width, height, width, height, FONT_SIZE);
    put_rect(file, 0, 0, width, height, page, 1);
    for (int y = 0; y < grid->rows; y++) {
        /* Backgrounds: one rectangle per run of one colour. */
        for (int x = 0, end; x < grid->cols; x = end) {
            const struct rgb rgb = cell_rgb(cell_at(grid, x, y), true, palette);
            for (end = x + 1; end < grid->cols; end++)
                if (!same_rgb(rgb, cell_rgb(cell_at(grid, end, y), true, palette)))
                    break;
            if (!same_rgb(rgb, page))
                put_rect(file, x * CELL_COLS, y * CELL_ROWS, (end - x) * CELL_COLS, CELL_ROWS, rgb,
                         1);
        }
        put_shapes(file, grid, palette, y);
        put_texts(file, grid, palette, y);
    }
    fputs("</svg>\n", file);
}
