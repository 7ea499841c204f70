#include <string.h>

#include "ui/export/picture.h"
#include "ui/export/shape.h"

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

/* ---- backgrounds: one rectangle for each run of one colour ----------------------------------- */

static void put_papers(FILE *file, const struct grid *grid, const struct look *look, int y,
                       struct rgb page) {
    for (int x = 0, end; x < grid->cols; x = end) {
        const struct rgb rgb = cell_paper_rgb(cell_at(grid, x, y), look);
        for (end = x + 1; end < grid->cols; end++)
            if (!same_rgb(rgb, cell_paper_rgb(cell_at(grid, end, y), look)))
                break;
        if (!same_rgb(rgb, page))
            put_rect(file, x * CELL_COLS, y * CELL_ROWS, (end - x) * CELL_COLS, CELL_ROWS, rgb, 1);
    }
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* How many cells from x on are the same shape in the same colour and full width, as lines and bars
 * are. */
static int shape_run(const struct grid *grid, const struct look *look, int x, int y,
                     const struct shape *shape) {
    const struct cell *first = cell_at(grid, x, y);
    int end = x + 1;
    if (shape->count != 1 || shape->rects[0].x0 > 0 || shape->rects[0].x1 < 1)
        return 1;
    while (end < grid->cols && cell_at(grid, end, y)->glyph == first->glyph &&
           same_rgb(cell_rgb(cell_at(grid, end, y), look), cell_rgb(first, look)))
        end++;
    return end - x;
}

static void put_shapes(FILE *file, const struct grid *grid, const struct look *look, int y) {
    for (int x = 0, run; x < grid->cols; x += run) {
        const struct cell *cell = cell_at(grid, x, y);
        const struct shape shape = shape_of(cell->glyph, (double)CELL_ROWS / CELL_COLS);
        run = shape_run(grid, look, x, y, &shape);
        for (int k = 0; k < shape.count; k++) {
            const struct shape_rect *rect = &shape.rects[k];
            put_rect(file, (x + rect->x0) * CELL_COLS, (y + rect->y0) * CELL_ROWS,
                     (rect->x1 - rect->x0 + run - 1) * CELL_COLS, (rect->y1 - rect->y0) * CELL_ROWS,
                     cell_rgb(cell, look), shape.alpha);
        }
    }
}

/* ---- text: one element for each run of one colour and weight --------------------------------- */

static bool is_text(const struct cell *cell) {
    return cell->glyph > ' ' && shape_of(cell->glyph, 1).count == 0;
}

static bool is_blank(const struct cell *cell) {
    return cell->glyph == 0 || cell->glyph == ' ';
}

static bool same_style(const struct cell *a, const struct cell *b, const struct look *look) {
    return a->attributes == b->attributes && same_rgb(cell_rgb(a, look), cell_rgb(b, look));
}

/* Text and the single blanks within it. */
static int text_run(const struct grid *grid, const struct look *look, int x, int y) {
    const struct cell *first = cell_at(grid, x, y);
    int end = x + 1;
    for (; end < grid->cols; end++) {
        const struct cell *cell = cell_at(grid, end, y);
        const struct cell *next = end + 1 < grid->cols ? cell + 1 : NULL;
        const bool joins = is_text(cell) && same_style(cell, first, look);
        const bool bridges =
            is_blank(cell) && next && is_text(next) && same_style(next, first, look);
        if (!joins && !bridges)
            break;
    }
    return end - x;
}

static void put_glyph(FILE *file, uint32_t glyph) {
    char utf8[5];
    grid_encode(glyph ? glyph : ' ', utf8);
    if (glyph == '&')
        fputs("&amp;", file);
    else if (glyph == '<')
        fputs("&lt;", file);
    else if (glyph == '>')
        fputs("&gt;", file);
    else
        fputs(utf8, file);
}

static void put_text(FILE *file, const struct grid *grid, const struct look *look, int x, int y,
                     int run) {
    const struct cell *cell = cell_at(grid, x, y);
    fprintf(file, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%06x\"%s%s>", x * CELL_COLS,
            y * CELL_ROWS + BASELINE, run * CELL_COLS, packed(cell_rgb(cell, look)),
            cell->attributes & CELL_BOLD ? " font-weight=\"bold\"" : "",
            cell->attributes & CELL_UNDERLINE ? " text-decoration=\"underline\"" : "");
    for (int k = 0; k < run; k++)
        put_glyph(file, cell[k].glyph);
    fputs("</text>\n", file);
}

static void put_texts(FILE *file, const struct grid *grid, const struct look *look, int y) {
    for (int x = 0, run; x < grid->cols; x += run) {
        run = 1;
        if (!is_text(cell_at(grid, x, y)))
            continue;
        run = text_run(grid, look, x, y);
        put_text(file, grid, look, x, y, run);
    }
}

void svg_write(FILE *file, const struct grid *grid, const struct look *look) {
    const struct rgb page = theme_rgb(look->theme, look->colormap, INK_DEFAULT, true);
    const int width = grid->cols * CELL_COLS, height = grid->rows * CELL_ROWS;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" "
            "font-size=\"%d\" xml:space=\"preserve\" shape-rendering=\"crispEdges\">\n",
            width, height, width, height, FONT_SIZE);
    put_rect(file, 0, 0, width, height, page, 1);
    for (int y = 0; y < grid->rows; y++) {
        put_papers(file, grid, look, y, page);
        put_shapes(file, grid, look, y);
        put_texts(file, grid, look, y);
    }
    fputs("</svg>\n", file);
}
