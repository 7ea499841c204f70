/* Recording what is shown, the samples to a recording and the frames to a screencast; and showing a
 * recording in the place of what runs. */
#ifndef JACOBI_UI_APP_RECORDING_ACTIONS_H
#define JACOBI_UI_APP_RECORDING_ACTIONS_H

#include "record/chapter.h"
#include "run/source.h"
#include "ui/export/cast.h"

struct app;

/* A cast with a marker at each chapter: a recording's chapter, a tour's scene, another live run. */
struct screencast {
    struct cast *cast;                /* NULL: there is none */
    struct chapter_last chapter_last; /* of a live run */
    char chapter[CHAPTER_SIZE + 64];  /* the one that is on */
    int number;                       /* of a recording's; -1 before the first */
};

/* Begins the recording and the screencast that the app's configuration asks for, if it does. */
enum status app_recording_open(struct app *app, struct error *error);

/* Records the newest sample, if a recording is on; a failure ends it and is reported, now on the
 * screen and by app_recording_close. */
void app_recording_sample(struct app *app);

/* The run that waits while a recording is shown in its place. */
struct suspended_run {
    struct source *source; /* NULL: nothing does */
    struct config config;
    struct plan plan;
    bool paused; /* it waited already */
};

/* Shows a recording, or several side by side ("a,b"), in place of the app's own source, which
 * waits. If that fails, the reason is shown and nothing changes. */
void recording_show(struct app *app, const char *list);

/* Goes back from it, if one is shown. */
void recording_leave(struct app *app);

/* Adds the grid to the screencast, if there is one, `seconds` after its beginning, and a marker if
 * a chapter begins. A failure ends it and is reported in the same way. */
void app_recording_frame(struct app *app, double seconds);

/* Ends recording and screencast. Returns what failed of either since the beginning. */
enum status app_recording_close(struct app *app, struct error *error);

#endif
