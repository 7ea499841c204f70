/* What the keys of comparison, timeline and roofline do. */
#ifndef JACOBI_UI_APP_COMPARE_ACTIONS_H
#define JACOBI_UI_APP_COMPARE_ACTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/panels/screen.h"

struct app;

void action_timeline(struct app *app, int key);
void action_roofline(struct app *app, int key); /* also has the roof measured, if it isn't known */
void action_explain(struct app *app, int key);
void action_verdict(struct app *app, int key);
void action_menu_compare(struct app *app, int key);
void action_race(struct app *app, int key);

/* In the full-screen timeline: the segment to the left or right, zoom in or out. */
void action_timeline_select(struct app *app, int key);
void action_timeline_zoom(struct app *app, int key);

/* When they apply. */
bool is_comparison(const struct screen *screen);
bool can_race(const struct screen *screen); /* not in the replay of one recorded race */
bool is_timeline_full(const struct screen *screen);

void describe_race(const struct screen *screen, char *text, size_t size);

#endif
