#include "ui/app/app.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/file.h"
#include "core/format.h"
#include "core/process.h"
#include "record/recorder.h"
#include "record/replay.h"
#include "record/resolve.h"
#include "tour/lesson.h"
#include "ui/export/picture.h"

/* ---- screencasts ---------------------------------------------------------------------------- */

/* Whether a chapter begins with the app's newest sample; its title is then screencast->chapter. */
static bool next_chapter(struct screencast *screencast, const struct app *app) {
    const struct playback *playback = &app->sample->playback;
    const struct scene_view *scene = app->screen.scene;
    char title[sizeof screencast->chapter] = "";
    bool begins;
    if (!*playback->label) {
        begins = app->sample->lane_count > 0 &&
                 chapter_take(&screencast->chapter_last, app->sample, title);
    } else {
        begins = playback->chapter != screencast->number && *playback->chapter_title;
        screencast->number = playback->chapter;
        snprintf(title, sizeof title, "%s", playback->chapter_title);
    }
    if (scene) {
        snprintf(title, sizeof title, "%s", scene->title);
        begins = strcmp(title, screencast->chapter) != 0;
    }
    if (begins)
        snprintf(screencast->chapter, sizeof screencast->chapter, "%s", title);
    return begins;
}

/* ---- recording ------------------------------------------------------------------------------ */

static enum status start_recording(struct app *app, const char *path, bool replace,
                                   struct error *error) {
    struct recording_header about;
    if (plan_recorded_count(&app->plan) > 0)
        return error_set(error, STATUS_BAD_INPUT,
                         "a run here is a recording already: only live runs are recorded");
    header_from_config(&about, &app->config);
    about.view.scale = app->state.scale;
    const enum status status = recorder_open(path, replace, &about, &app->recorder, error);
    if (!status && path != app->config.record)
        snprintf(app->config.record, sizeof app->config.record, "%s", path);
    app->state.recording = !status;
    return status;
}

enum status app_recording_open(struct app *app, struct error *error) {
    const struct config *config = &app->config;
    app->screencast = (struct screencast){.number = -1};
    if (*config->worksheet &&
        file_writer_open(config->worksheet, config->overwrite, &app->worksheet, error))
        return error->status;
    if (*config->cast &&
        cast_open(config->cast, config->overwrite, config->command, &app->screencast.cast, error))
        return error->status;
    return *config->record ? start_recording(app, config->record, config->overwrite, error)
                           : STATUS_OK;
}

static enum status end_recording(struct app *app, struct error *error) {
    struct recorder *recorder = app->recorder;
    app->recorder = NULL;
    app->state.recording = false;
    return recorder_close(recorder, error);
}

/* Shows the failure on the screen, and records it for the report at the program's end. */
static void report_failure(struct app *app, const struct error *error) {
    const struct error before = app->unfinished;
    app_show_message(app, true, "%s", error->message);
    error_set(&app->unfinished, error->status, "%.250s%s%.250s", before.message,
              before.status ? "; " : "", error->message);
}

static enum status end_screencast(struct app *app, struct error *error) {
    struct cast *cast = app->screencast.cast;
    app->screencast.cast = NULL;
    return cast_close(cast, error);
}

/* Ends the tour, too. */
static enum status end_worksheet(struct app *app, struct error *error) {
    struct file_writer *writer = app->worksheet;
    size_t size = 0;
    tour_view_close(app);
    char *text = writer && app->lesson ? worksheet_make(app->lesson, &size) : NULL;
    enum status status = text ? file_writer_append(writer, text, size, error)
                         : writer && app->lesson
                             ? error_set(error, STATUS_INTERNAL, "out of memory")
                             : STATUS_OK;
    const enum status closed = file_writer_close(writer, text && !status, error);
    free(text);
    app->worksheet = NULL;
    return status ? status : closed;
}

void app_recording_frame(struct app *app, double seconds) {
    struct screencast *screencast = &app->screencast;
    const struct palette palette = {PALETTE_DIRECT, app->config.view.terminal.theme, true,
                                    app->state.colormap};
    struct error error = {0};
    if (!screencast->cast || app->grid.cols < 1 || app->grid.rows < 1)
        return;
    if (!cast_frame(screencast->cast, &app->grid, &palette, seconds, &error) &&
        (!next_chapter(screencast, app) ||
         !cast_marker(screencast->cast, screencast->chapter, seconds, &error)))
        return;
    end_screencast(app, NULL);
    report_failure(app, &error);
}

void app_recording_sample(struct app *app) {
    struct error error = {0};
    if (!app->recorder || app->suspended.source ||
        recorder_add(app->recorder, app->sample, &error) == STATUS_OK)
        return;
    end_recording(app, NULL);
    report_failure(app, &error);
}

enum status app_recording_close(struct app *app, struct error *error) {
    struct error unfinished;
    if (end_recording(app, &unfinished))
        report_failure(app, &unfinished);
    if (end_screencast(app, &unfinished))
        report_failure(app, &unfinished);
    if (end_worksheet(app, &unfinished))
        report_failure(app, &unfinished);
    *error = app->unfinished;
    return error->status;
}

/* "jacobi-20261121-230500.rec", in the current folder; a later second if that is taken. */
static char *unused_name(char *name, size_t size, const char *ending) {
    time_t now = time(NULL);
    do {
        struct tm local;
        localtime_r(&now, &local);
        strftime(name, size, "jacobi-%Y%m%d-%H%M%S", &local);
        format_append(name, size, "%s", ending);
        now++;
    } while (file_exists(name));
    return name;
}

void action_record(struct app *app, int key) {
    struct error error = {0};
    if (app->recorder) {
        const char *size = AS(format_bytes, (double)recorder_size(app->recorder));
        if (end_recording(app, &error))
            report_failure(app, &error);
        else
            app_show_message(app, false, "the recording has ended: %s, %s", app->config.record,
                             size);
        return;
    }
    const char *name = AS(unused_name, ".rec");
    if (start_recording(app, name, false, &error))
        app_show_message(app, true, "%s", error.message);
    else
        app_show_message(app, false, "recording to %s until R is pressed again", name);
    app_recording_sample(app);
}

/* ---- pictures ------------------------------------------------------------------------------- */

/* Saves the screen without the menu. Plain text shows the field's levels in shades. */
static void take_picture(struct app *app, int index) {
    const struct palette palette = {PALETTE_DIRECT, app->config.view.terminal.theme, true,
                                    app->state.colormap};
    const bool no_color = app->screen.no_color;
    const char *name = AS(unused_name, picture_kinds[index].ending);
    struct error error = {0};
    app->picture = index;
    app->screen.no_color |= index == PICTURE_TEXT;
    app_lay_out(app);
    screen_draw(&app->grid, &app->screen, &app->layout);
    app->screen.no_color = no_color;
    if (picture_write(name, false, &app->grid, &palette, &error))
        app_show_message(app, true, "%s", error.message);
    else
        app_show_toast(app, "the screen is saved as %s", name);
}

void action_picture(struct app *app, int key) {
    menu_begin(app, "Save the screen as", take_picture);
    for (int p = 0; p < PICTURE_FORMATS; p++) {
        struct menu_item *item = menu_add(app, picture_kinds[p].label, NULL, p == app->picture,
                                          "%s", picture_kinds[p].note);
        if (p == PICTURE_PNG && !png_available())
            error_set(&item->error, STATUS_BAD_INPUT, "this program was built without PNG");
    }
    menu_open(app);
}

/* ---- a recording in place of a run --------------------------------------------------------- */

void recording_show(struct app *app, const char *list) {
    struct suspended_run *suspended = &app->suspended;
    struct config config = app->config;
    struct source *source;
    struct error error = {0};
    memset(config.given, 0, sizeof config.given); /* the given options belong to the run */
    config.record[0] = '\0';
    config.follow = false;
    config.at_seconds = config.at_percent = NAN;
    interrupt_by_key();
    const bool has_failed =
        resolve_list(list, &config, &error) || replay_open(&config, NULL, &source, &error);
    app->quit |= interrupt_by_key_end();
    if (has_failed) {
        app_show_message(app, true, "%s", error.message);
        return;
    }
    if (suspended->source) {
        app->source->ops->close(app->source);
    } else {
        const bool paused = sample_is_paused(app->sample);
        *suspended = (struct suspended_run){app->source, app->config, app->plan, paused};
        app_send(app, COMMAND_PAUSE, 1);
    }
    app->config = config;
    app->plan = config.plan;
    app_set_source(app, source);
    app->state.run_waits = true;
    app_take_sample(app); /* from now on a replay's keys apply */
    app_show_toast(app, "recorded: %s%s", list,
                   app_is(app, LEAVES_RECORDING) ? "; Esc goes back" : "");
}

void recording_leave(struct app *app) {
    struct suspended_run *suspended = &app->suspended;
    struct source *shown = app->source;
    if (!suspended->source)
        return;
    app_set_source(app, suspended->source);
    shown->ops->close(shown);
    app->config = suspended->config;
    app->plan = suspended->plan;
    app_send(app, COMMAND_PAUSE, suspended->paused);
    suspended->source = NULL;
    app->state.run_waits = false;
    app_dismiss_message(app);
}

/* ---- moving within a replay ---------------------------------------------------------------- */

void action_rate(struct app *app, int key) {
    /* Thousandths of the recorded speed. */
    static const int rates[] = {50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000};
    const int next =
        next_value(rates, sizeof rates / sizeof *rates,
                   (int)(1000 * app->sample->playback.rate + 0.5), key == '+' || key == '=');
    app_send(app, COMMAND_RATE, next);
    app_show_toast(app, "%g times the recorded speed", next / 1000.0);
}

void action_frame(struct app *app, int key) {
    app_send(app, COMMAND_STEP, key == ',' ? -1 : 1);
}

void action_scrub(struct app *app, int key) {
    const struct playback *playback = &app->sample->playback;
    const double share = playback->length_s > 0 ? playback->position_s / playback->length_s : 0;
    app_send(app, COMMAND_SEEK, (long)(1000 * share) + (key == '<' ? -50 : 50));
}

void action_chapter(struct app *app, int key) {
    app_send(app, COMMAND_CHAPTER, key == '[' ? -1 : 1);
}
