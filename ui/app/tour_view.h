/* A guided tour in the app: its text under the panels, its scenes one after another. */
#ifndef JACOBI_UI_APP_TOUR_VIEW_H
#define JACOBI_UI_APP_TOUR_VIEW_H

#include "core/status.h"
#include "ui/panels/screen.h"

struct app;
struct tour_view;

/* Begins the configured tour, if there is one, and shows its first scene. */
enum status tour_view_open(struct app *app, struct error *error);

/* Begins the tour of that name, after ending another; shows an error. */
void tour_view_begin(struct app *app, const char *name);

/* Ends the tour, if there is one, and shows the app's own source again. */
void tour_view_close(struct app *app);

/* Writes the configured worksheet of the current or last lesson, if there are both. */
enum status tour_view_write_worksheet(const struct app *app, struct error *error);

/* The scene for the screen; NULL without a tour. */
const struct scene_view *tour_view_scene(const struct tour_view *view);

/* Handles a character of an answer; false if it is none. */
bool tour_view_type(struct app *app, int key);

/* Passes the app's newest sample to the lesson. */
void tour_view_sample(struct app *app);

#endif
