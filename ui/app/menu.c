#include "ui/app/app.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/format.h"
#include "record/resolve.h"
#include "ui/terminal/input.h"

void menu_begin(struct app *app, const char *title, action *chosen) {
    app->menu.shown.title = title;
    app->menu.shown.count = 0;
    app->menu.shown.has_head = app->menu.shown.is_read = app->menu.shown.is_searched = false;
    app->menu.chosen = chosen;
    app->menu.back = NULL;
    app->menu.typed_into = NULL;
    app->menu.typed[0] = '\0';
    app->state.overlay_row = 0;
}

struct menu_item *menu_add(struct app *app, const char *label, const struct plan *plan,
                           bool is_current, const char *note, ...) {
    struct menu *menu = &app->menu.shown;
    va_list arguments;
    if (menu->count == MENU_ROWS_MAX)
        return NULL;
    if (is_current)
        app->state.overlay_row = menu->count;
    app->menu.plans[menu->count] = plan ? *plan : app->plan;
    struct menu_item *item = &menu->items[menu->count++];
    *item = (struct menu_item){.is_current = is_current, .is_checking = plan};
    snprintf(item->label, sizeof item->label, "%s", label);
    va_start(arguments, note);
    vsnprintf(item->note, sizeof item->note, note, arguments);
    va_end(arguments);
    return item;
}

void menu_open(struct app *app) {
    const struct menu *menu = &app->menu.shown;
    const int row = app->state.overlay_row;
    app_open_overlay(app, OVERLAY_MENU);
    app->state.overlay_row = row;
    app->wanted = app->welcomes = false;
    for (int i = 0; i < menu->count; i++)
        if (menu->items[i].is_checking) {
            plan_validator_ask(app->validator, app->menu.plans, menu->count);
            return;
        }
}

/* Looks for recordings of a row's plan, which can't run here. */
static void find_recordings(struct menu_item *item, const struct plan *plan) {
    char device[96] = "", names[LANES_MAX][PATH_SIZE];
    /* All on the device of the last lane, which is a GPU if any lane uses one. */
    for (int l = plan->lane_count - 1; l >= 0; l--) {
        struct lane_spec wanted = plan->lanes[l];
        wanted.engine.mesh.Nx = 0; /* on any grid */
        if (!find_match(&wanted, device, names[l], device))
            return;
    }
    for (int l = 0; l < plan->lane_count; l++)
        format_list(item->instead, sizeof item->instead, names[l]);
}

void menu_take_answers(struct app *app) {
    for (int i = 0; i < app->menu.shown.count; i++) {
        struct menu_item *item = &app->menu.shown.items[i];
        if (!item->is_checking)
            continue;
        item->is_checking = !plan_validator_answer(app->validator, i, &item->error);
        if (item->error.status == STATUS_UNAVAILABLE)
            find_recordings(item, &app->menu.plans[i]);
    }
}

/* Appends a digit or an x, in the palette any character but '?', to the typed text, or erases one;
 * returns false for another key. */
static bool menu_type(struct app_menu *menu, int key) {
    const size_t length = strlen(menu->typed);
    const bool erases = key == TERMINAL_BACKSPACE;
    const bool types = menu->shown.is_searched ? key >= ' ' && key <= '~' && key != '?'
                                               : key == 'x' || (key >= '0' && key <= '9');
    if (!menu->typed_into || (!erases && !types))
        return false;
    if (erases && length > 0)
        menu->typed[length - 1] = '\0';
    else if (!erases && length + 1 < sizeof menu->typed)
        memcpy(menu->typed + length, (char[]){(char)key, '\0'}, 2);
    return true;
}

bool menu_key(struct app *app, int key) {
    struct app_menu *menu = &app->menu;
    const int last = menu->shown.count - 1, row = app->state.overlay_row;
    if (menu_type(menu, key)) {
        menu->typed_into(app);
        app->state.overlay_row = 0;
    } else if (key == TERMINAL_UP || key == TERMINAL_PAGE_UP) {
        app->state.overlay_row = row > 0 ? row - 1 : 0;
    } else if (key == TERMINAL_DOWN || key == TERMINAL_PAGE_DOWN) {
        app->state.overlay_row = row < last ? row + 1 : row;
    } else if (key == TERMINAL_HOME) {
        app->state.overlay_row = 0;
    } else if (key == TERMINAL_END) {
        app->state.overlay_row = last > 0 ? last : 0;
    } else if (key != TERMINAL_ENTER) {
        app_open_overlay(app, OVERLAY_NONE);
        if (menu->back && key == TERMINAL_ESCAPE)
            menu->back(app);
    } else if (last >= 0 && *menu->shown.items[row].instead) {
        app_open_overlay(app, OVERLAY_NONE);
        recording_show(app, menu->shown.items[row].instead);
    } else if (last >= 0 && !menu->shown.items[row].error.status) {
        app_open_overlay(app, OVERLAY_NONE);
        if (menu->chosen)
            menu->chosen(app, row);
        else if (!menu->shown.is_read)
            app_try_plan(app, &menu->plans[row]);
    }
    return key != '?' && key != TERMINAL_F1;
}
