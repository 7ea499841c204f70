/* A guided tour in the app: its text under the panels, its scenes one after another. */
#ifndef JACOBI_UI_APP_TOUR_VIEW_H
#define JACOBI_UI_APP_TOUR_VIEW_H

#include "core/status.h"
#include "ui/panels/screen.h"

struct app;
struct tour_view;

/* Begins the tour that the app's configuration asks for, if it does, and shows its
 * first scene. */
enum status tour_view_open(struct app *app, struct error *error);

/* Begins the tour of that name from within the app, whether or not another is being shown; a
 * failure is told. */
void tour_view_begin(struct app *app, const char *name);

/* Ends it, and gives the app its first source back. Without a tour nothing happens. */
void tour_view_close(struct app *app);

/* What the screen shows of its scene; NULL without a tour. */
const struct scene_text *tour_view_text(const struct tour_view *view);

#endif
