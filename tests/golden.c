#include "tests/support.h"

#include <stdio.h>

#include "tests/golden.h"

static char level_digit(int ink) {
    return "0123456789abcdefghijklmnopqrstuv"[ink - INK_LEVEL0];
}

static void write_cell(FILE *file, const struct cell *cell) {
    char utf8[5];
    if (cell->ink >= INK_LEVEL0)
        fputc(level_digit(cell->ink), file);
    else if (cell->paper >= INK_LEVEL0)
        fputc(level_digit(cell->paper), file);
    else {
        grid_encode(cell->glyph, utf8);
        fputs(utf8, file);
    }
}

/* Lines without the blanks at their end. To be freed. */
static char *grid_as_text(const struct grid *grid) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    for (int y = 0; y < grid->rows; y++) {
        int last = grid->cols - 1;
        while (last >= 0 && !grid_at(grid, last, y)->glyph &&
               grid_at(grid, last, y)->paper < INK_LEVEL0)
            last--;
        for (int x = 0; x <= last; x++)
            write_cell(file, grid_at(grid, x, y));
        fputc('\n', file);
    }
    assert_int_equal(fclose(file), 0);
    return text;
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s is missing: run with JACOBI_GOLDEN=update, and look at it", path);
    char *text = calloc(1, 1 << 18);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 18) - 1, file) > 0);
    fclose(file);
    return text;
}

static void compare_lines(char *expected, char *text, const char *name) {
    char *rest_expected, *rest_text;
    char *a = strtok_r(expected, "\n", &rest_expected), *b = strtok_r(text, "\n", &rest_text);
    for (int line = 1; a || b; line++) {
        if (!a || !b || strcmp(a, b) != 0)
            fail_msg("%s.txt, line %d of what is not empty\n  should be: %s\n         is: %s", name,
                     line, a ? a : "(the end)", b ? b : "(the end)");
        a = strtok_r(NULL, "\n", &rest_expected);
        b = strtok_r(NULL, "\n", &rest_text);
    }
}

void golden_check(const struct grid *grid, const char *name) {
    char path[512];
    snprintf(path, sizeof path, GOLDEN_FOLDER "/%s.txt", name);
    char *text = grid_as_text(grid);
    const char *mode = getenv("JACOBI_GOLDEN");
    if (mode && strcmp(mode, "update") == 0) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(text, file);
        assert_int_equal(fclose(file), 0);
    } else {
        char *expected = read_file(path);
        compare_lines(expected, text, name);
        free(expected);
    }
    free(text);
}
