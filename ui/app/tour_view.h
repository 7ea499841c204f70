/* A guided lesson on the screen: its text under the panels, its scenes one after another. */
#ifndef JACOBI_UI_APP_TOUR_VIEW_H
#define JACOBI_UI_APP_TOUR_VIEW_H

#include "ui/app/app.h"

struct tour;
struct lesson;

/* Begins the lesson that the configuration asks for, if it does; nothing runs differently until
 * the first scene is shown, here. */
enum status lesson_open(struct app *app, struct error *error);

/* Begins it from within the screen; says so where that fails. */
void action_tour(struct app *app, int key);

/* The same with the lesson of that name, whether or not another is being shown. */
void lesson_begin(struct app *app, const char *name);

/* Ends it, and gives the screen its first source back. Without a lesson nothing happens. */
void lesson_close(struct app *app);

/* Rows that the text needs on a screen of that size. */
int lesson_rows(const struct lesson *lesson, int cols, int rows);

void lesson_draw(struct grid *grid, struct rect area, const struct lesson *lesson);

/* "5 of 12  Structured mapping". */
void lesson_name_scene(const struct lesson *lesson, char *text, size_t size);

bool in_lesson(const struct screen *screen);
bool out_of_lesson(const struct screen *screen);
void action_lesson_on(struct app *app, int key);   /* reveals, or shows the next scene */
void action_lesson_back(struct app *app, int key); /* the scene before */

#endif
