#include "ui/app/offscreen.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "record/accompanied.h"
#include "record/replay.h"
#include "session/snapshot.h"
#include "ui/app/app.h"
#include "ui/app/film.h"

struct still {
    struct app app;
    struct config *config;
    struct source *source;
    struct film film;
    const atomic_bool *stop;
};

/* The time of a replay that is drawn as fast as it can be. */
static int64_t film_ns;

static int64_t film_clock(void) {
    return film_ns;
}

enum { FILM_FPS = 15, LAST_TRIES = 50 };

/* ---- opening -------------------------------------------------------------------------------- */

static enum status open_source(struct still *still, struct error *error) {
    struct config *config = still->config;
    const struct view view = {.cols = 64, .rows = 32, .x1 = 1, .y1 = 1};
    if (!replay_is_asked(config))
        return accompanied_start(&config->plan, &view, &still->source, error);
    /* Without a place asked for, a picture shows the end and a cast everything. */
    if (!*config->cast && !isfinite(config->at_seconds) && !isfinite(config->at_percent))
        config->at_percent = 100;
    return replay_open(config, film_clock, &still->source, error);
}

static enum status open_all(struct still *still, struct error *error) {
    enum picture_format format = PICTURE_SVG;
    struct config *config = still->config;
    if (*config->screenshot && picture_format_of(config->screenshot, &format, error))
        return error->status;
    enum status status = open_source(still, error);
    if (!status)
        status = film_open(&still->film, config, error);
    if (!status && (!app_init(&still->app, config, still->source) ||
                    !grid_init(&still->app.grid, config->screenshot_cols, config->screenshot_rows)))
        status = error_set(error, STATUS_INTERNAL, "out of memory");
    /* Plain text tells the levels of the field by shades. */
    still->app.no_color = *config->screenshot && !*config->cast && format == PICTURE_TEXT;
    return status;
}

static void close_all(struct still *still) {
    film_close(&still->film);
    app_finish(&still->app);
    if (still->source)
        still->source->ops->close(still->source);
}

/* ---- frames --------------------------------------------------------------------------------- */

/* True where drawing has asked for another picture of the field. */
static bool draw(struct still *still) {
    const struct view before = still->app.state.view;
    app_draw(&still->app);
    return memcmp(&before, &still->app.state.view, sizeof before) != 0;
}

static double seconds_of(const struct sample *sample) {
    return *sample->playback.label ? sample->playback.position_s / sample->playback.rate
                                   : 1e-9 * (double)sample->time_ns;
}

static enum status film(struct still *still, struct error *error) {
    return film_frame(&still->film, &still->app, seconds_of(still->app.sample), error);
}

static void wait_for_sample(struct still *still) {
    struct pollfd ready = {.fd = still->source->ops->descriptor(still->source), .events = POLLIN};
    poll(&ready, 1, 200);
    app_take_sample(&still->app);
}

static bool has_ended(const struct still *still) {
    const struct sample *sample = still->app.sample;
    const struct playback *playback = &sample->playback;
    if (*playback->label)
        return !still->film.cast || playback->position_s >= playback->length_s;
    return sample->state == SESSION_FINISHED || sample->state == SESSION_FAILED;
}

/* A session answers every view with a picture; that of the last one may still be on its way. */
static bool is_current(const struct still *still) {
    const struct sample *sample = still->app.sample;
    const struct mesh mesh = mesh_make(sample->nx, sample->ny);
    const struct downsample wanted = view_downsample(&still->app.state.view, &mesh);
    if (*sample->playback.label || sample->state == SESSION_FAILED)
        return true;
    for (int l = 0; l < sample->lane_count; l++)
        if (!*sample->lanes[l].recorded &&
            memcmp(&wanted, &sample->lanes[l].field.downsample, sizeof wanted) != 0)
            return false;
    return true;
}

static void draw_the_end(struct still *still) {
    bool again = draw(still);
    for (int tries = 0; tries < LAST_TRIES && !atomic_load(still->stop); tries++) {
        if (!again && is_current(still))
            return;
        wait_for_sample(still);
        again = draw(still);
    }
}

static enum status run(struct still *still, struct error *error) {
    const struct look look = {still->config->view.theme, still->app.state.colormap};
    draw(still);
    wait_for_sample(still);
    while (!has_ended(still) && !atomic_load(still->stop)) {
        draw(still);
        if (film(still, error))
            return error->status;
        film_ns += 1000000000 / FILM_FPS;
        wait_for_sample(still);
    }
    draw_the_end(still);
    if (film(still, error))
        return error->status;
    if (*still->config->screenshot &&
        picture_write(still->config->screenshot, &still->app.grid, &look, error))
        return error->status;
    if (still->app.sample->state == SESSION_FAILED)
        *error = still->app.sample->error;
    return still->app.sample->state == SESSION_FAILED ? error->status : STATUS_OK;
}

enum status still_run(struct config *config, const atomic_bool *stop, struct error *error) {
    struct still *still = &(struct still){.config = config, .stop = stop};
    enum status status = open_all(still, error);
    if (!status)
        status = run(still, error);
    close_all(still);
    return status;
}
