#include "ui/app/tour_view.h"

#include <stdio.h>
#include <stdlib.h>

#include "record/replay.h"
#include "tour/tour.h"
#include "ui/app/actions.h"
#include "ui/app/app.h"

struct lesson {
    struct tour *tour;
    int scene;
    struct lesson_text text; /* what is shown of the scene; while it asks, nothing runs yet */
    struct source *live;     /* the app's own */
    struct source *own;      /* of this scene alone: a replay; NULL: it runs in `live` */
};

/* ---- what a scene runs ---------------------------------------------------------------------- */

static void end_own_source(struct app *app) {
    struct lesson *lesson = app->lesson;
    if (!lesson->own)
        return;
    app_set_source(app, lesson->live);
    lesson->own->ops->close(lesson->own);
    lesson->own = NULL;
}

/* The scene's configuration; what is recorded, and which lesson this is, stays. */
static void take_config(struct app *app, const struct config *config, const struct scene *scene) {
    char record[PATH_SIZE], name[PATH_SIZE];
    snprintf(record, sizeof record, "%s", app->config.record);
    snprintf(name, sizeof name, "%s", app->config.tour_name);
    app->config = *config;
    snprintf(app->config.record, sizeof app->config.record, "%s", record);
    snprintf(app->config.tour_name, sizeof app->config.tour_name, "%s", name);
    app->plan = config->plan;
    app_state_follow(&app->state, &app->config, panel_find(scene->panel));
}

/* From now on the scene's own source is shown; the app's waits. */
static void show_own_source(struct app *app, struct source *source) {
    const struct command pause = {.kind = COMMAND_PAUSE, .value = 1};
    struct lesson *lesson = app->lesson;
    lesson->live->ops->command(lesson->live, &pause);
    lesson->own = source;
    app_set_source(app, source);
}

static enum status run_recording(struct app *app, const struct scene *scene, struct error *error) {
    struct config *config = malloc(sizeof *config);
    struct source *source;
    if (!config)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    *config = scene->config;
    snprintf(config->replay, sizeof config->replay, "%s", scene->recording);
    const enum status status = replay_open(config, NULL, &source, error);
    if (!status) {
        take_config(app, config, scene);
        show_own_source(app, source);
    }
    free(config);
    return status;
}

static void run_here(struct app *app, const struct scene *scene) {
    take_config(app, &scene->config, scene);
    app_state_forget_view(&app->state);
    app_command(app, &(struct command){.kind = COMMAND_PLAN, .plan = &app->plan});
}

static void run_scene(struct app *app) {
    struct lesson *lesson = app->lesson;
    const struct scene *scene = &lesson->tour->scenes[lesson->scene];
    char *way = lesson->text.way;
    struct error why = {0};
    end_own_source(app);
    lesson->text.asking = false;
    app_state_dismiss(&app->state);
    switch (scene_way(scene, &why)) {
    case SCENE_LIVE:
        snprintf(way, sizeof lesson->text.way, "live");
        run_here(app, scene);
        break;
    case SCENE_RECORDED:
        snprintf(way, sizeof lesson->text.way, "recorded: not here (%.150s)", why.message);
        if (run_recording(app, scene, &why))
            app_say(app, true, "%s", why.message);
        break;
    case SCENE_OTHERWISE:
        snprintf(way, sizeof lesson->text.way, "live, on another back end (%.150s)", why.message);
        run_here(app, scene);
        break;
    case SCENE_NEITHER:
        snprintf(way, sizeof lesson->text.way, "not here (%.180s)", why.message);
        app_say(app, true, "this scene can't be shown here: %s", why.message);
        break;
    }
}

/* ---- beginning, moving, ending -------------------------------------------------------------- */

/* A scene with a question waits with what it asks about. */
static void enter_scene(struct app *app, int index) {
    struct lesson *lesson = app->lesson;
    struct lesson_text *text = &lesson->text;
    const struct scene *scene = &lesson->tour->scenes[index];
    lesson->scene = index;
    snprintf(text->title, sizeof text->title, "%d of %d  %s", index + 1, lesson->tour->count,
             scene->title);
    text->text = scene->text;
    text->ask = scene->ask;
    text->reveal = scene->reveal;
    text->asking = *scene->ask;
    if (!text->asking)
        run_scene(app);
}

enum status lesson_open(struct app *app, struct error *error) {
    if (!app->config.tour)
        return STATUS_OK;
    struct tour *tour = NULL;
    if (tour_load(app->config.tour_name, &app->config, &tour, error))
        return error->status;
    app->lesson = calloc(1, sizeof *app->lesson);
    if (!app->lesson) {
        free(tour);
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    app->lesson->tour = tour;
    app->lesson->live = app->source;
    enter_scene(app, 0);
    return STATUS_OK;
}

/* Ends it from within the app, which goes on: further grids are the lesson's, not the screen's. */
static void leave_lesson(struct app *app) {
    lesson_close(app);
    if (app->plan.study_count == 0)
        return;
    app->plan.study_count = 0;
    app_command(app, &(struct command){.kind = COMMAND_PLAN, .plan = &app->plan});
}

void lesson_begin(struct app *app, const char *name) {
    struct error error = {0};
    leave_lesson(app);
    if (name != app->config.tour_name)
        snprintf(app->config.tour_name, sizeof app->config.tour_name, "%s", name);
    app->config.tour = true;
    if (lesson_open(app, &error))
        app_say(app, true, "%s", error.message);
}

void lesson_close(struct app *app) {
    struct lesson *lesson = app->lesson;
    if (!lesson)
        return;
    end_own_source(app);
    app->lesson = NULL;
    app_state_show_all(&app->state);
    free(lesson->tour);
    free(lesson);
}

const struct lesson_text *lesson_text(const struct lesson *lesson) {
    return lesson ? &lesson->text : NULL;
}

/* ---- keys ----------------------------------------------------------------------------------- */

void action_tour(struct app *app, int key) {
    (void)key;
    if (app->lesson)
        leave_lesson(app);
    else
        lesson_begin(app, app->config.tour_name);
}

bool in_lesson(const struct screen *screen) {
    return screen->lesson != NULL;
}

bool out_of_lesson(const struct screen *screen) {
    return screen->lesson == NULL;
}

void action_lesson_on(struct app *app, int key) {
    struct lesson *lesson = app->lesson;
    (void)key;
    if (lesson->text.asking)
        run_scene(app);
    else if (lesson->scene + 1 < lesson->tour->count)
        enter_scene(app, lesson->scene + 1);
    else
        app_say(app, false, "this was the last scene: L ends the lesson");
}

void action_lesson_back(struct app *app, int key) {
    (void)key;
    if (app->lesson->scene > 0)
        enter_scene(app, app->lesson->scene - 1);
}
