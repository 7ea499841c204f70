/* A guided lesson in the app: its text under the panels, its scenes one after another. */
#ifndef JACOBI_UI_APP_TOUR_VIEW_H
#define JACOBI_UI_APP_TOUR_VIEW_H

#include "core/status.h"
#include "ui/panels/screen.h"

struct app;
struct lesson;

/* Begins the lesson that the app's configuration asks for, if it does; nothing runs differently
 * until the first scene is shown, here. */
enum status lesson_open(struct app *app, struct error *error);

/* Begins the lesson of that name from within the app, whether or not another is being shown; a
 * failure is told. */
void lesson_begin(struct app *app, const char *name);

/* Ends it, and gives the app its first source back. Without a lesson nothing happens. */
void lesson_close(struct app *app);

/* What the screen shows of its scene; NULL without a lesson. */
const struct lesson_text *lesson_text(const struct lesson *lesson);

#endif
