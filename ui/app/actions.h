/* What the keys do: the functions that the keymap's rows point to. */
#ifndef JACOBI_UI_APP_ACTIONS_H
#define JACOBI_UI_APP_ACTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/panels/screen.h"

struct app;

void action_quit(struct app *app, int key);
void action_pause(struct app *app, int key);
void action_step(struct app *app, int key);
void action_faster(struct app *app, int key);
void action_slower(struct app *app, int key);
void action_restart(struct app *app, int key);
void action_mapping(struct app *app, int key);
void action_panel(struct app *app, int key);
void action_scale(struct app *app, int key);
void action_colormap(struct app *app, int key);
void action_zoom(struct app *app, int key);
void action_pan(struct app *app, int key);
void action_back(struct app *app, int key);
void action_save(struct app *app, int key);
void action_redraw(struct app *app, int key);
void action_help(struct app *app, int key);
void action_menu_grid(struct app *app, int key);
void action_menu_backend(struct app *app, int key);
void action_menu_schedule(struct app *app, int key);
void action_menu_mapping(struct app *app, int key);
void action_menu_problem(struct app *app, int key);
void action_menu_preset(struct app *app, int key);

/* When they apply. */
bool mapping_matters(const struct screen *screen);
bool is_zoomed(const struct screen *screen);
bool is_full(const struct screen *screen);
bool has_message(const struct screen *screen);

/* What the footer says of them. */
void describe_pause(const struct screen *screen, char *text, size_t size);
void describe_speed(const struct screen *screen, char *text, size_t size);
void describe_mapping(const struct screen *screen, char *text, size_t size);
void describe_scale(const struct screen *screen, char *text, size_t size);

#endif
