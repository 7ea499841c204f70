#include <stdio.h>

#include "ui/app/app.h"
#include "ui/app/keymap.h"
#include "ui/draw/draw.h"
#include "ui/panels/overlay.h"
#include "ui/panels/panel.h"

enum { LABEL_COLS = 8 };

static int shown_rows(void) {
    int rows = 0;
    for (const struct binding *binding = keymap; binding->label; binding++)
        rows += binding->help != NULL;
    return rows;
}

static int widest_row(void) {
    int widest = 0;
    for (const struct binding *binding = keymap; binding->label; binding++)
        if (binding->help && grid_text_width(binding->help) > widest)
            widest = grid_text_width(binding->help);
    return widest + LABEL_COLS + 3;
}

/* Rows from `top` on, in as many columns as fit beside one another. */
static void draw_rows(struct grid *grid, struct rect area, int top) {
    const int width = widest_row();
    int row = -top;
    struct rect column = rect_left(area, width);
    for (const struct binding *binding = keymap; binding->label; binding++) {
        if (!binding->help)
            continue;
        if (row >= area.rows) {
            row = 0;
            column.x += width + 2;
            if (column.x + width > area.x + area.cols)
                return;
        }
        if (row >= 0) {
            const int y = area.y + row;
            draw_text_right(grid, column, column.x + LABEL_COLS, y, INK_KEY, CELL_BOLD,
                            binding->label);
            draw_shortened(grid, column, column.x + LABEL_COLS + 2, y, column.cols - LABEL_COLS - 2,
                           INK_TEXT, 0, binding->help);
        }
        row++;
    }
}

static void help_draw(struct grid *grid, struct rect area, const struct screen *screen) {
    const int rows = shown_rows(), width = widest_row();
    const bool two = area.rows < rows + 2 && area.cols >= 2 * width + 6;
    const struct rect box =
        rect_centered(area, two ? 2 * width + 6 : width + 4, (two ? (rows + 1) / 2 : rows) + 2);
    const int top = screen->state->overlay_top, room = (two ? 2 : 1) * (box.rows - 2);
    const char *foot = rows - top > room ? "any key goes back, ↓ shows more" : "any key goes back";
    grid_fill(grid, box, INK_OVERLAY);
    const struct rect inner = draw_frame(grid, box, &(struct frame){.title = "Keys", .foot = foot});
    draw_rows(grid, rect_inset(inner, 1, 0), top);
}

static bool help_key(struct app *app, int key) {
    if (key == KEYMAP_DOWN && app->state.overlay_top < shown_rows() - 4)
        app->state.overlay_top++;
    else if (key == KEYMAP_UP && app->state.overlay_top > 0)
        app->state.overlay_top--;
    else if (key != KEYMAP_UP && key != KEYMAP_DOWN)
        app->state.overlay = NULL;
    return key != 'q';
}

const struct overlay help_overlay = {help_draw, help_key};
