/* Pictures and screencasts without a terminal: --screenshot, --cast (ui/app/app.h). */
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/process.h"
#include "record/replay.h"
#include "remote/client.h"
#include "report/report.h"
#include "ui/app/app.h"
#include "ui/export/picture.h"

struct offscreen {
    struct app app;
    struct config *config;
    struct source *source;
    FILE *out;
    struct report report;
    bool reports;   /* --format was given */
    bool is_silent; /* the sample's warning was printed */
};

enum { HOURS_MAX = 24, CAST_FPS = 15, LAST_WAITS = 50 };

/* The clock of replays, which are drawn without waiting. */
static int64_t cast_ns;

static int64_t cast_clock(void) {
    return cast_ns;
}

static enum status open_offscreen(struct offscreen *offscreen, const char *kernels,
                                  struct error *error) {
    const struct view view = {.cols = 64, .rows = 32, .x1 = 1, .y1 = 1};
    enum picture_format format = PICTURE_SVG;
    struct config *config = offscreen->config;
    const struct client_settings settings = {.command = *config->on ? config->on : NULL,
                                             .kernels = kernels,
                                             .check = true,
                                             .echo = stderr};
    struct app *app = &offscreen->app;
    config->plan.paused = false;
    if (!*config->cast && !*config->record)
        config->plan.iterations_per_second = 0; /* no limit: no viewer */
    if (*config->screenshot && (picture_format_of(config->screenshot, &format, error) ||
                                file_check(config->screenshot, config->overwrite, error)))
        return error->status;
    /* By default a picture shows the end of a replay, and a cast all of it. */
    if (config_is_replay(config) && !*config->cast && !isfinite(config->at_seconds) &&
        !isfinite(config->at_percent))
        config->at_percent = 100;
    if (config_is_replay(config)
            ? replay_open(config, cast_clock, &offscreen->source, error)
            : client_start(&settings, &config->plan, &view, &offscreen->source, error))
        return error->status;
    if (!app_init(app, config, offscreen->source) ||
        !grid_init(&app->grid, config->screenshot_cols, config->screenshot_rows))
        return error_set(error, STATUS_INTERNAL, "out of memory");
    /* Plain text shows the field's levels in shades. */
    app->screen.no_color |= *config->screenshot && !*config->cast && format == PICTURE_TEXT;
    return app_recording_open(app, error);
}

static void wait_for_sample(struct offscreen *offscreen) {
    const struct source *source = offscreen->source;
    struct pollfd ready[] = {{.fd = source->ops->descriptor(source), .events = POLLIN},
                             {.fd = offscreen->app.wake, .events = POLLIN}};
    poll(ready, 2, 200);
    if (ready[1].revents)
        app_take_results(&offscreen->app);
    app_take_sample(&offscreen->app);
    const struct sample *sample = offscreen->report.sample = offscreen->app.sample;
    const bool was_silent = offscreen->is_silent;
    offscreen->is_silent = *sample->warning && !*sample->playback.label;
    if (offscreen->is_silent && !was_silent)
        fprintf(stderr, "jacobi-tui: %s\n", sample->warning);
}

/* Whether the sample shows the requested view. A live run answers each request with a field; a
 * recording has only its own fields. */
static bool has_view(const struct app *app) {
    const struct sample *sample = app->sample;
    const struct mesh mesh = mesh_make(sample->nx, sample->ny);
    const struct downsample wanted = view_downsample(&app->state.view, &mesh);
    if (*sample->playback.label || sample->state == SESSION_FAILED)
        return true;
    for (int l = 0; l < sample->lane_count; l++)
        if (!*sample->lanes[l].recorded &&
            memcmp(&wanted, &sample->lanes[l].field.downsample, sizeof wanted) != 0)
            return false;
    return true;
}

static bool has_forecasts(const struct app *app) {
    bool pending = false;
    for (int l = 0; l < app->sample->lane_count; l++)
        pending |= app->forecasts[l].theory == THEORY_PENDING;
    for (int k = 0; k < app->sample->study_count; k++)
        pending |= app->forecasts[LANES_MAX + k].theory == THEORY_PENDING;
    return !pending;
}

/* Adds the drawn grid to the screencast, if there is one. */
static enum status add_frame(struct app *app, struct error *error) {
    const struct playback *playback = &app->sample->playback;
    app_recording_frame(app, *playback->label ? playback->position_s / playback->rate
                                              : 1e-9 * (double)app->sample->time_ns);
    return error_keep_first(STATUS_OK, &app->unfinished, error);
}

/* Requests the view before the first sample and after it, so that the end is drawn once. */
static enum status draw_run(struct offscreen *offscreen, struct error *error) {
    const char *screenshot = offscreen->config->screenshot;
    struct app *app = &offscreen->app;
    const struct palette palette = {PALETTE_DIRECT, app->config.view.terminal.theme, true,
                                    app->state.colormap};
    app_lay_out(app);
    wait_for_sample(offscreen);
    const double hours = app->sample->playback.length_s / app->sample->playback.rate / 3600;
    if (app->screencast.cast && *app->sample->playback.label && hours > HOURS_MAX)
        return error_set(error, STATUS_BAD_INPUT,
                         "--cast: the replay takes %.0f hours: expected %d at most (--speed X)",
                         hours, HOURS_MAX);
    while (!atomic_load(interrupt_flag())) {
        const struct playback *playback = &app->sample->playback;
        const enum session_state state = app->sample->state;
        if (*playback->label ? !app->screencast.cast || playback->position_s >= playback->length_s
                             : state == SESSION_FINISHED || state == SESSION_FAILED)
            break;
        if (*playback->label && playback->length_s > 0)
            progress_update(PROGRESS_STEP, "filming the replay: %.0f %%",
                            100 * playback->position_s / playback->length_s);
        else
            progress_update(PROGRESS_STEP, "%s: iteration %ld of %ld",
                            app->screencast.cast ? "filming" : "running",
                            app->sample->lanes[0].iterations, app->sample->iteration_limit);
        app_lay_out(app);
        if (app->screencast.cast) {
            app_move(app, 1.0 / CAST_FPS);
            screen_draw(&app->grid, &app->screen, &app->layout);
            TRY(add_frame(app, error));
        }
        cast_ns += 1000000000 / CAST_FPS;
        wait_for_sample(offscreen);
        if (offscreen->reports && offscreen->config->format == FORMAT_JSONL &&
            report_jsonl_progress(offscreen->out, &offscreen->report, error))
            return error->status;
    }
    for (int waits = 0; (app_lay_out(app) || !has_view(app) || !has_forecasts(app)) &&
                        waits < LAST_WAITS && !atomic_load(interrupt_flag());
         waits++)
        wait_for_sample(offscreen);
    app_move(app, 0);
    if (!app->screencast.cast)
        app->motion.at = 0.4 * app->motion.seconds;
    screen_draw(&app->grid, &app->screen, &app->layout);
    if (add_frame(app, error) ||
        (*screenshot &&
         picture_write(screenshot, offscreen->config->overwrite, &app->grid, &palette, error)))
        return error->status;
    if (app->sample->state == SESSION_FAILED)
        *error = app->sample->error;
    return app->sample->state == SESSION_FAILED ? error->status : STATUS_OK;
}

/* Writes the report for --format: on the end of a run, or on the drawn moment of a replay. */
static enum status write_report(struct offscreen *offscreen, struct error *error) {
    static const struct command finish = {.kind = COMMAND_FINISH};
    struct source *source = offscreen->source;
    struct report *report = &offscreen->report;
    if (!offscreen->reports)
        return STATUS_OK;
    if (!*report->sample->playback.label)
        source->ops->command(source, &finish);
    while (!report->sample->is_last && !*report->sample->playback.label &&
           !(atomic_load(interrupt_flag()) && *report->sample->warning)) /* a silent peer */
        wait_for_sample(offscreen);
    return report_write(offscreen->out, report, error);
}

enum status offscreen_run(struct config *config, const char *kernels, FILE *out,
                          struct error *error) {
    struct offscreen *offscreen = calloc(1, sizeof *offscreen); /* too large for a small stack */
    if (!offscreen)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    offscreen->config = config;
    offscreen->out = out;
    offscreen->report = (struct report){.config = config};
    offscreen->reports = config_is_set(config, "format");
    enum status status = open_offscreen(offscreen, kernels, error);
    if (!status)
        status = draw_run(offscreen, error);
    struct error unfinished = {0};
    const bool ran =
        !status || (offscreen->app.sample && offscreen->app.sample->state == SESSION_FAILED);
    if (ran)
        write_report(offscreen, &unfinished);
    status = error_keep_first(status, &unfinished, error);
    app_recording_close(&offscreen->app, &unfinished);
    status = error_keep_first(status, &unfinished, error);
    app_finish(&offscreen->app);
    if (offscreen->source)
        offscreen->source->ops->close(offscreen->source);
    free(offscreen);
    return status;
}
