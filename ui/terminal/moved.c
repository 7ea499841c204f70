#include "ui/terminal/moved.h"

enum { ROWS_COMPARED = 512 };

static uint64_t row_hash(const struct grid *grid, int y) {
    uint64_t hash = 14695981039346656037u;
    for (int x = 0; x < grid->cols; x++) {
        const struct cell *cell = &grid->cells[x + y * grid->cols];
        const uint64_t key = (uint64_t)cell->glyph << 24 | (uint64_t)cell->ink << 16 |
                             (uint64_t)cell->paper << 8 | cell->attributes;
        hash = (hash ^ key) * 1099511628211u;
    }
    return hash;
}

void moved_rows(const struct grid *shown, const struct grid *next, void (*moved)(int row)) {
    uint64_t before[ROWS_COMPARED], after[ROWS_COMPARED];
    const int rows = next->rows < ROWS_COMPARED ? next->rows : ROWS_COMPARED;
    for (int y = 0; y < rows; y++) {
        before[y] = row_hash(shown, y);
        after[y] = row_hash(next, y);
    }
    for (int from = 0; from < rows; from++)
        for (int to = 0; to < rows && before[from] != after[from]; to++)
            if (after[to] != before[to] && after[to] == before[from]) {
                moved(from);
                break;
            }
}
