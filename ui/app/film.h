/* What a screencast of our screen is made of: frames, and markers where chapters begin. */
#ifndef JACOBI_UI_APP_FILM_H
#define JACOBI_UI_APP_FILM_H

#include "record/chapter.h"
#include "ui/export/cast.h"

struct app;

struct film {
    struct cast *cast;               /* NULL: there is none */
    struct chapter_mark mark;        /* of a live run */
    char chapter[CHAPTER_SIZE + 32]; /* the one that is on */
    int number;                      /* of a recording's; -1 before the first */
};

/* Begins the screencast that the configuration asks for, if it does. */
enum status film_open(struct film *film, const struct config *config, struct error *error);

/* Adds the grid as it stands, `seconds` after the beginning, and a marker where a chapter begins: a
 * recording's, a lesson's scene, another run. Without a screencast nothing happens. */
enum status film_frame(struct film *film, const struct app *app, double seconds,
                       struct error *error);

/* Ends it. */
void film_close(struct film *film);

#endif
