#include "ui/app/film.h"

#include <stdio.h>
#include <string.h>

#include "ui/app/app.h"
#include "ui/app/tour_view.h"

enum status film_open(struct film *film, const struct config *config, struct error *error) {
    *film = (struct film){.number = -1};
    return *config->cast ? cast_open(config->cast, config->command, &film->cast, error) : STATUS_OK;
}

/* True where a chapter begins with the newest sample: a recording's, or a live run. */
static bool chapter_begins(struct film *film, const struct sample *sample, char *title) {
    const struct playback *playback = &sample->playback;
    if (!*playback->label)
        return sample->lane_count > 0 && chapter_take(&film->mark, sample, title);
    const bool begins = playback->chapter != film->number && *playback->chapter_title;
    film->number = playback->chapter;
    snprintf(title, CHAPTER_SIZE, "%s", playback->chapter_title);
    return begins;
}

/* In a lesson its scenes are the chapters. */
static bool next_chapter(struct film *film, const struct app *app) {
    char title[sizeof film->chapter] = "";
    bool begins = chapter_begins(film, app->sample, title);
    if (app->lesson) {
        lesson_name_scene(app->lesson, title, sizeof title);
        begins = strcmp(title, film->chapter) != 0;
    }
    if (begins)
        snprintf(film->chapter, sizeof film->chapter, "%s", title);
    return begins;
}

enum status film_frame(struct film *film, const struct app *app, double seconds,
                       struct error *error) {
    const struct look look = {app->config.view.theme, app->state.colormap};
    if (!film->cast || app->grid.cols < 1 || app->grid.rows < 1)
        return STATUS_OK;
    enum status status = cast_frame(film->cast, &app->grid, &look, seconds, error);
    if (!status && next_chapter(film, app))
        status = cast_marker(film->cast, film->chapter, seconds, error);
    return status;
}

void film_close(struct film *film) {
    cast_close(film->cast);
    film->cast = NULL;
}
