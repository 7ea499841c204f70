#include "ui/app/menu.h"

#include <stdio.h>
#include <string.h>

#include "ui/app/app.h"
#include "ui/app/keymap.h"
#include "ui/draw/draw.h"

enum { BOX_COLS = 76, REASON_ROWS = 3, LABEL_COLS = 26 };

void menu_begin(struct app *app, const char *title) {
    app->menu.title = title;
    app->menu.count = 0;
    app->menu.chosen = NULL;
    app->state.overlay_row = app->state.overlay_top = 0;
}

struct menu_item *menu_add(struct app *app, const char *label, const struct plan *plan,
                           bool is_current) {
    struct menu *menu = &app->menu;
    if (menu->count == CHECKS_MAX)
        return NULL;
    if (is_current)
        app->state.overlay_row = menu->count;
    menu->plans[menu->count] = plan ? *plan : app->plan;
    struct menu_item *item = &menu->items[menu->count++];
    *item =
        (struct menu_item){.is_current = is_current, .state = plan ? MENU_CHECKING : MENU_POSSIBLE};
    snprintf(item->label, sizeof item->label, "%s", label);
    return item;
}

void menu_open(struct app *app) {
    app->state.overlay = &menu_overlay;
    app->wanted = false;
    for (int i = 0; i < app->menu.count; i++)
        if (app->menu.items[i].state == MENU_CHECKING) {
            checker_ask(app->checker, app->menu.plans, app->menu.count);
            return;
        }
}

void menu_take_answers(struct app *app) {
    for (int i = 0; i < app->menu.count; i++) {
        struct menu_item *item = &app->menu.items[i];
        enum status status;
        struct error error;
        if (item->state != MENU_CHECKING || !checker_answer(app->checker, i, &status, &error))
            continue;
        item->state = status ? MENU_IMPOSSIBLE : MENU_POSSIBLE;
        if (status)
            snprintf(item->reason, sizeof item->reason, "%s", error.message);
    }
}

/* ---- drawing */

static const char *words_beside(const struct menu_item *item) {
    return item->state == MENU_IMPOSSIBLE                 ? item->reason
           : item->state == MENU_CHECKING && !*item->note ? "looking…"
                                                          : item->note;
}

static void draw_item(struct grid *grid, struct rect row, const struct menu_item *item,
                      bool is_chosen) {
    const bool possible = item->state != MENU_IMPOSSIBLE;
    const int attributes = is_chosen ? CELL_BOLD : 0;
    if (is_chosen)
        grid_fill(grid, row, INK_SELECT);
    const enum ink ink = is_chosen ? INK_SELECT : possible ? INK_TEXT : INK_DIM;
    const char *mark = item->is_current ? "●" : possible ? " " : "×";
    const int label_cols = row.cols > 2 * LABEL_COLS ? LABEL_COLS : row.cols / 2;
    grid_text(grid, row, row.x + 1, row.y, ink, attributes, "%s", mark);
    draw_shortened(grid, row, row.x + 3, row.y, label_cols - 4, ink, attributes, item->label);
    draw_shortened(grid, row, row.x + label_cols, row.y, row.cols - label_cols - 1,
                   is_chosen ? INK_SELECT : INK_DIM, 0, words_beside(item));
}

/* The whole of what the row had to cut off. */
static void draw_explanation(struct grid *grid, struct rect area, const struct menu_item *item) {
    if (item->state == MENU_IMPOSSIBLE)
        grid_text(grid, area, area.x, area.y, INK_WARN, CELL_BOLD, "can't run here: ");
    const struct rect text = item->state == MENU_IMPOSSIBLE ? rect_below(area, 1) : area;
    draw_paragraph(grid, text, INK_TEXT, 0,
                   item->state == MENU_IMPOSSIBLE ? item->reason : item->note);
}

static int first_row(int chosen, int rows, int count) {
    const int top = chosen - rows / 2;
    const int last = count - rows;
    return top < 0 || last < 0 ? 0 : top > last ? last : top;
}

static void menu_draw(struct grid *grid, struct rect area, const struct screen *screen) {
    const struct menu *menu = screen->menu;
    const int chosen = screen->state->overlay_row;
    const struct rect box = rect_centered(area, BOX_COLS, menu->count + 2 + 1 + REASON_ROWS);
    grid_fill(grid, box, INK_OVERLAY);
    const struct frame frame = {.title = menu->title, .foot = "↑ ↓ choose  Enter take  Esc back"};
    const struct rect inner = draw_frame(grid, box, &frame);
    const int explained = inner.rows >= REASON_ROWS + 4 ? REASON_ROWS + 1 : 0;
    const int rows = inner.rows - explained;
    const int top = first_row(chosen, rows, menu->count);
    for (int r = 0; r < rows && top + r < menu->count; r++)
        draw_item(grid, rect_top(rect_below(inner, r), 1), &menu->items[top + r],
                  top + r == chosen);
    if (explained && chosen < menu->count)
        draw_explanation(grid, rect_inset(rect_below(inner, rows + 1), 1, 0), &menu->items[chosen]);
}

/* ---- keys */

static void take(struct app *app, int index) {
    const struct menu_item *item = &app->menu.items[index];
    if (item->state == MENU_IMPOSSIBLE)
        return; /* the row says why */
    void (*const chosen)(struct app * app, int index) =
        item->chosen ? item->chosen : app->menu.chosen;
    app->state.overlay = NULL;
    if (chosen)
        chosen(app, index);
    else
        app_try_plan(app, &app->menu.plans[index]);
}

static bool menu_key(struct app *app, int key) {
    int *row = &app->state.overlay_row;
    const int last = app->menu.count - 1;
    if (key == KEYMAP_UP || key == KEYMAP_PAGE_UP)
        *row = *row > 0 ? *row - 1 : 0;
    else if (key == KEYMAP_DOWN || key == KEYMAP_PAGE_DOWN)
        *row = *row < last ? *row + 1 : last;
    else if (key == KEYMAP_HOME)
        *row = 0;
    else if (key == KEYMAP_END)
        *row = last;
    else if (key == KEYMAP_ENTER && last >= 0)
        take(app, *row);
    else if (key != KEYMAP_ENTER)
        app->state.overlay = NULL;
    return key != '?' && key != KEYMAP_F1;
}

const struct overlay menu_overlay = {menu_draw, menu_key};
