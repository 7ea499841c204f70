/* What the user keeps of a session: a recording, pictures. And moving about in a replay. */
#ifndef JACOBI_UI_APP_RECORDING_ACTIONS_H
#define JACOBI_UI_APP_RECORDING_ACTIONS_H

#include "ui/app/app.h"

/* Begins the recording and the screencast that the configuration asks for, if it does. */
enum status keep_open(struct app *app, struct error *error);

/* Records the newest sample, if a recording is on; says so where that fails. */
void keep_sample(struct app *app);

/* Adds the grid, as it has just been drawn, to the screencast; says so where that fails. */
void keep_frame(struct app *app);

/* Ends the recording. */
void keep_close(struct app *app);

void action_record(struct app *app, int key);  /* begins or ends a recording */
void action_picture(struct app *app, int key); /* asks how to save the screen as it stands */

/* In a replay. */
bool is_replay(const struct screen *screen);
bool is_live(const struct screen *screen);
void action_rate(struct app *app, int key);    /* + and - */
void action_frame(struct app *app, int key);   /* . and , : one sample on, one back */
void action_scrub(struct app *app, int key);   /* > and < : a twentieth of the recording */
void action_chapter(struct app *app, int key); /* ] and [ */
void describe_rate(const struct screen *screen, char *text, size_t size);
void describe_record(const struct screen *screen, char *text, size_t size);

#endif
