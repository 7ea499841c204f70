/* Menus: each row is a plan that could run, or something else that can be done; those that can't be
 * had say why. */
#ifndef JACOBI_UI_APP_MENU_H
#define JACOBI_UI_APP_MENU_H

#include "config/config.h"
#include "ui/app/checker.h"
#include "ui/panels/overlay.h"

struct app;

enum menu_state { MENU_CHECKING, MENU_POSSIBLE, MENU_IMPOSSIBLE };

struct menu_item {
    char label[80];
    char note[TEACHES_SIZE];         /* what it is */
    char reason[ERROR_MESSAGE_SIZE]; /* why it can't run here; "" where it can */
    bool is_current;
    enum menu_state state;
    void (*chosen)(struct app *app, int index); /* NULL: the menu's */
};

struct menu {
    const char *title;
    int count;
    struct menu_item items[CHECKS_MAX];
    struct plan plans[CHECKS_MAX];
    void (*chosen)(struct app *app, int index); /* NULL: the plan is started */
};

extern const struct overlay menu_overlay;

/* Empties the menu. */
void menu_begin(struct app *app, const char *title);

/* Adds a row; returns it, or NULL where there is no more room. `plan` NULL: a row that starts no
 * plan and needs no check. */
struct menu_item *menu_add(struct app *app, const char *label, const struct plan *plan,
                           bool is_current);

/* Opens it and has its plans checked. */
void menu_open(struct app *app);

/* Takes the answers that have come. */
void menu_take_answers(struct app *app);

#endif
