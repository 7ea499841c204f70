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
static bool next_chapter(struct film *film, const struct ui *ui) {
    char title[sizeof film->chapter] = "";
    bool begins = chapter_begins(film, ui->sample, title);
    if (ui->lesson) {
        lesson_name_scene(ui->lesson, title, sizeof title);
        begins = strcmp(title, film->chapter) != 0;
    }
    if (begins)
        snprintf(film->chapter, sizeof film->chapter, "%s", title);
    return begins;
}

enum status film_frame(struct film *film, const struct ui *ui, double seconds,
                       struct error *error) {
    const struct look look = {ui->config.view.theme, ui->state.colormap};
    if (!film->cast || ui->grid.cols < 1 || ui->grid.rows < 1)
        return STATUS_OK;
    enum status status = cast_frame(film->cast, &ui->grid, &look, seconds, error);
    if (!status && next_chapter(film, ui))
        status = cast_marker(film->cast, film->chapter, seconds, error);
    return status;
}

void film_close(struct film *film) {
    cast_close(film->cast);
    film->cast = NULL;
}
