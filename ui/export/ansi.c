#include "ui/export/ansi.h"

static void put_color(FILE *file, int selector, struct rgb rgb) {
    fprintf(file, "\033[%d;2;%d;%d;%dm", selector, rgb.r, rgb.g, rgb.b);
}

static void put_style(FILE *file, const struct cell *cell, const struct look *look) {
    const bool reversed = cell->attributes & CELL_REVERSE;
    fprintf(file, "\033[0%s%sm", cell->attributes & CELL_BOLD ? ";1" : "",
            cell->attributes & CELL_UNDERLINE ? ";4" : "");
    if (cell->ink != INK_DEFAULT || reversed)
        put_color(file, 38, cell_rgb(cell, look));
    if (cell->paper != INK_DEFAULT || reversed)
        put_color(file, 48, cell_paper_rgb(cell, look));
}

static bool same_style(const struct cell *a, const struct cell *b) {
    return a->ink == b->ink && a->paper == b->paper && a->attributes == b->attributes;
}

const struct cell *ansi_put_cells(FILE *file, const struct grid *grid, const struct look *look,
                                  int y, int x0, int x1, const struct cell *last) {
    for (int x = x0; x < x1; x++) {
        const struct cell *cell = &grid->cells[x + y * grid->cols];
        char utf8[5];
        if (!last || !same_style(cell, last))
            put_style(file, cell, look);
        grid_encode(cell->glyph ? cell->glyph : ' ', utf8);
        fputs(utf8, file);
        last = cell;
    }
    return last;
}

void ansi_write(FILE *file, const struct grid *grid, const struct look *look) {
    for (int y = 0; y < grid->rows; y++) {
        ansi_put_cells(file, grid, look, y, 0, grid->cols, NULL);
        fputs("\033[0m\n", file);
    }
}

static int last_text(const struct grid *grid, int y) {
    int x = grid->cols;
    while (x > 0 && (grid->cells[x - 1 + y * grid->cols].glyph == 0 ||
                     grid->cells[x - 1 + y * grid->cols].glyph == ' '))
        x--;
    return x;
}

void text_write(FILE *file, const struct grid *grid) {
    for (int y = 0; y < grid->rows; y++) {
        const int end = last_text(grid, y);
        for (int x = 0; x < end; x++) {
            char utf8[5];
            const uint32_t glyph = grid->cells[x + y * grid->cols].glyph;
            grid_encode(glyph ? glyph : ' ', utf8);
            fputs(utf8, file);
        }
        fputc('\n', file);
    }
}
