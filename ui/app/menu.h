/* Menus: their rows, and what choosing a row starts. ui/panels/overlay.c draws them. */
#ifndef JACOBI_UI_APP_MENU_H
#define JACOBI_UI_APP_MENU_H

#include "ui/panels/screen.h"

struct app;

struct app_menu {
    struct menu shown;
    struct plan plans[MENU_ROWS_MAX];           /* each row's */
    void (*chosen)(struct app *app, int index); /* what Enter does; NULL: starts the plan */
    void (*back)(struct app *app);              /* what Esc opens; NULL: nothing */
    void (*typed_into)(struct app *app);        /* makes row 0 of `typed`; NULL: nothing is typed */
    char typed[12];
};

/* Empties the menu. `chosen` as in struct app_menu. */
void menu_begin(struct app *app, const char *title, void (*chosen)(struct app *app, int index));

/* Adds a row; returns it, or NULL if there is no more room. `plan` NULL: a row that starts no plan
 * and needs no check. */
struct menu_item *menu_add(struct app *app, const char *label, const struct plan *plan,
                           bool is_current, const char *note, ...)
    __attribute__((format(printf, 5, 6)));

/* Begins a menu whose rows are lines of a text: there is nothing to choose. */
void menu_begin_text(struct app *app, const char *title);

/* Opens it, with the cursor on the current row, and has its plans checked. */
void menu_open(struct app *app);

/* The menu of comparisons: compare_menu.c. */
void open_comparisons(struct app *app);

/* Handles a key; false if the menu ignores it. */
bool menu_key(struct app *app, int key);

/* Marks the rows that the validator has checked. */
void menu_take_answers(struct app *app);

#endif
