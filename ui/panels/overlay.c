/* What lies over the panels: the help screen and the menus. */
#include <string.h>

#include "ui/draw/draw.h"
#include "ui/panels/view.h"

/* ---- help: every key that has a line of help */

enum { LABEL_COLS = 8 };

void help_draw(struct grid *grid, struct rect area, const struct screen *screen) {
    int rows = 0, widest = 0;
    for (int h = 0; h < screen->hint_count; h++)
        if (screen->hints[h].help) {
            const int cols = grid_text_width(screen->hints[h].help);
            widest = cols > widest ? cols : widest;
            rows++;
        }
    const int width = widest + LABEL_COLS + 3, top = screen->state->overlay_top;
    const bool two = area.rows < rows + 2 && area.cols >= 2 * width + 6;
    const struct rect box =
        rect_centered(area, two ? 2 * width + 6 : width + 4, (two ? (rows + 1) / 2 : rows) + 2);
    const bool more = rows - top > (two ? 2 : 1) * (box.rows - 2);
    const struct frame frame = {
        .title = "Keys", .foot = more ? "any key goes back, ↓ shows more" : "any key goes back"};
    grid_fill(grid, box, INK_OVERLAY);
    /* Rows from `top` on, in as many columns as fit beside one another. */
    const struct rect inner = rect_inset(draw_frame(grid, box, &frame), 1, 0);
    struct rect column = rect_left(inner, width);
    int row = -top;
    for (int h = 0; h < screen->hint_count; h++) {
        const struct key_hint *hint = &screen->hints[h];
        if (!hint->help)
            continue;
        if (row >= inner.rows) {
            row = 0;
            column.x += width + 2;
            if (column.x + width > inner.x + inner.cols)
                return;
        }
        const int x = column.x + LABEL_COLS, y = inner.y + row;
        if (row >= 0) {
            draw_text_right(grid, column, x, y, INK_KEY, CELL_BOLD, hint->label);
            draw_shortened(grid, column, x + 2, y, column.cols - LABEL_COLS - 2, INK_TEXT, 0,
                           hint->help);
        }
        row++;
    }
}

/* ---- menus */

enum { BOX_COLS = 76, REASON_ROWS = 3, ITEM_COLS = 26 };

static void draw_item(struct grid *grid, struct rect row, const struct menu_item *item,
                      bool is_chosen) {
    const bool possible = item->state != MENU_IMPOSSIBLE;
    const int attributes = is_chosen ? CELL_BOLD : 0;
    if (is_chosen)
        grid_fill(grid, row, INK_SELECT);
    const enum ink ink = is_chosen ? INK_SELECT : possible ? INK_TEXT : INK_DIM;
    const char *mark = item->is_current ? "●" : possible ? " " : "×";
    const char *words = !possible                                      ? item->reason
                        : item->state == MENU_CHECKING && !*item->note ? "checking…"
                                                                       : item->note;
    const int label_cols = row.cols > 2 * ITEM_COLS ? ITEM_COLS : row.cols / 2;
    grid_text(grid, row, row.x + 1, row.y, ink, attributes, "%s", mark);
    draw_shortened(grid, row, row.x + 3, row.y, label_cols - 4, ink, attributes, item->label);
    draw_shortened(grid, row, row.x + label_cols, row.y, row.cols - label_cols - 1,
                   is_chosen ? INK_SELECT : INK_DIM, 0, words);
}

void menu_draw(struct grid *grid, struct rect area, const struct screen *screen) {
    const struct menu *menu = screen->menu;
    const int chosen = screen->state->overlay_row;
    const struct rect box = rect_centered(area, BOX_COLS, menu->count + 2 + 1 + REASON_ROWS);
    grid_fill(grid, box, INK_OVERLAY);
    const struct frame frame = {.title = menu->title, .foot = "↑ ↓ choose  Enter take  Esc back"};
    const struct rect inner = draw_frame(grid, box, &frame);
    const int explained = inner.rows >= REASON_ROWS + 4 ? REASON_ROWS + 1 : 0;
    const int rows = inner.rows - explained, last = menu->count - rows;
    const int wanted = chosen - rows / 2;
    const int top = wanted < 0 || last < 0 ? 0 : wanted > last ? last : wanted;
    for (int r = 0; r < rows && top + r < menu->count; r++)
        draw_item(grid, rect_top(rect_below(inner, r), 1), &menu->items[top + r],
                  top + r == chosen);
    if (!explained || chosen >= menu->count)
        return;
    /* The whole of what the chosen row had to cut off. */
    const struct menu_item *item = &menu->items[chosen];
    const struct rect text = rect_inset(rect_below(inner, rows + 1), 1, 0);
    if (item->state == MENU_IMPOSSIBLE) {
        grid_text(grid, text, text.x, text.y, INK_WARN, CELL_BOLD, "can't run here: ");
        draw_paragraph(grid, rect_below(text, 1), INK_TEXT, 0, item->reason);
    } else {
        draw_paragraph(grid, text, INK_TEXT, 0, item->note);
    }
}
