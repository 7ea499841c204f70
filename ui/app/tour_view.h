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

/* Writes the worksheet that the configuration asks for, of the lesson that is shown or was shown
 * last; nothing without either. */
enum status tour_view_write_worksheet(const struct app *app, struct error *error);

/* What the screen shows of its scene; NULL without a tour. */
const struct scene_view *tour_view_scene(const struct tour_view *view);

/* Takes a character of an answer that is being typed; false if it is none. */
bool tour_view_type(struct app *app, int key);

/* Takes the app's newest sample: what the scene measures. */
void tour_view_sample(struct app *app);

#endif
