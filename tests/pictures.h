/* A grid with everything in it that a picture must show. */
#ifndef JACOBI_TESTS_PICTURES_H
#define JACOBI_TESTS_PICTURES_H

#include "ui/export/picture.h"

enum { PICTURE_COLS = 40, PICTURE_ROWS = 10 };

static const struct look picture_look = {THEME_DARK, COLORMAP_VIRIDIS};

static inline void picture_grid(struct grid *grid) {
    const struct rect all = {0, 0, PICTURE_COLS, PICTURE_ROWS};
    assert_true(grid_init(grid, PICTURE_COLS, PICTURE_ROWS));
    grid_text(grid, all, 1, 0, INK_TITLE, CELL_BOLD, "Field U & <µs> \"quoted\"");
    grid_text(grid, all, 1, 1, INK_VALUE, 0, "╭─ 1 204 ms ─╮");
    grid_text(grid, all, 1, 2, INK_BAD, CELL_REVERSE, "reversed");
    grid_text(grid, all, 12, 2, INK_GOOD, CELL_UNDERLINE, "underlined");
    for (int k = 0; k < INK_LEVELS; k++)
        grid_put(grid, all, k, 4, 0x2580, (enum ink)(INK_LEVEL0 + k),
                 (enum ink)(INK_LEVEL0 + INK_LEVELS - 1 - k), 0);
    for (int k = 0; k < 8; k++)
        grid_put(grid, all, k, 5, 0x2588 + (uint32_t)k, INK_TO_DEVICE, INK_DEFAULT, 0);
    for (int k = 0; k < 8; k++)
        grid_put(grid, all, k, 6, 0x2800 + (1u << k), INK_CURVE, INK_DEFAULT, 0);
}

/* What a writer writes; to be freed. */
static inline char *picture_text(void (*write)(FILE *, const struct grid *, const struct look *),
                                 const struct grid *grid) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    write(file, grid, &picture_look);
    assert_int_equal(fclose(file), 0);
    return text;
}

#endif
