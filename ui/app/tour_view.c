#include "ui/app/tour_view.h"

#include <stdio.h>
#include <stdlib.h>

#include "record/replay.h"
#include "tour/tour.h"
#include "ui/app/actions.h"
#include "ui/app/app.h"

struct tour_view {
    struct tour *tour;
    int scene;
    struct scene_text text; /* what is shown of the scene; while it asks, nothing runs yet */
    struct source *live;    /* the app's own */
    struct source *own;     /* of this scene alone: a replay; NULL: it runs in `live` */
};

/* ---- what a scene runs ---------------------------------------------------------------------- */

static void end_own_source(struct app *app) {
    struct tour_view *view = app->tour;
    if (!view->own)
        return;
    app_set_source(app, view->live);
    view->own->ops->close(view->own);
    view->own = NULL;
}

/* The scene's configuration; what is recorded, and which tour this is, stays. */
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
    struct tour_view *view = app->tour;
    view->live->ops->command(view->live, &pause);
    view->own = source;
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
    struct tour_view *view = app->tour;
    const struct scene *scene = &view->tour->scenes[view->scene];
    char *way = view->text.way;
    struct error why = {0};
    end_own_source(app);
    view->text.asking = false;
    app_state_dismiss(&app->state);
    switch (scene_way(scene, &why)) {
    case SCENE_LIVE:
        snprintf(way, sizeof view->text.way, "live");
        run_here(app, scene);
        break;
    case SCENE_RECORDED:
        snprintf(way, sizeof view->text.way, "recorded: not here (%.150s)", why.message);
        if (run_recording(app, scene, &why))
            app_say(app, true, "%s", why.message);
        break;
    case SCENE_OTHERWISE:
        snprintf(way, sizeof view->text.way, "live, on another back end (%.150s)", why.message);
        run_here(app, scene);
        break;
    case SCENE_NEITHER:
        snprintf(way, sizeof view->text.way, "not here (%.180s)", why.message);
        app_say(app, true, "this scene can't be shown here: %s", why.message);
        break;
    }
}

/* ---- beginning, moving, ending -------------------------------------------------------------- */

/* A scene with a question waits with what it asks about. */
static void enter_scene(struct app *app, int index) {
    struct tour_view *view = app->tour;
    struct scene_text *text = &view->text;
    const struct scene *scene = &view->tour->scenes[index];
    view->scene = index;
    snprintf(text->title, sizeof text->title, "%d of %d  %s", index + 1, view->tour->count,
             scene->title);
    text->text = scene->text;
    text->ask = scene->ask;
    text->reveal = scene->reveal;
    text->asking = *scene->ask;
    if (!text->asking)
        run_scene(app);
}

enum status tour_view_open(struct app *app, struct error *error) {
    if (!app->config.tour)
        return STATUS_OK;
    struct tour *tour = NULL;
    if (tour_load(app->config.tour_name, &app->config, &tour, error))
        return error->status;
    app->tour = calloc(1, sizeof *app->tour);
    if (!app->tour) {
        free(tour);
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    app->tour->tour = tour;
    app->tour->live = app->source;
    enter_scene(app, 0);
    return STATUS_OK;
}

/* Ends it from within the app, which goes on: further grids are the tour's, not the screen's. */
static void leave_tour(struct app *app) {
    tour_view_close(app);
    if (app->plan.study_count == 0)
        return;
    app->plan.study_count = 0;
    app_command(app, &(struct command){.kind = COMMAND_PLAN, .plan = &app->plan});
}

void tour_view_begin(struct app *app, const char *name) {
    struct error error = {0};
    leave_tour(app);
    if (name != app->config.tour_name)
        snprintf(app->config.tour_name, sizeof app->config.tour_name, "%s", name);
    app->config.tour = true;
    if (tour_view_open(app, &error))
        app_say(app, true, "%s", error.message);
}

void tour_view_close(struct app *app) {
    struct tour_view *view = app->tour;
    if (!view)
        return;
    end_own_source(app);
    app->tour = NULL;
    app_state_show_all(&app->state);
    free(view->tour);
    free(view);
}

const struct scene_text *tour_view_text(const struct tour_view *view) {
    return view ? &view->text : NULL;
}

/* ---- keys ----------------------------------------------------------------------------------- */

void action_tour(struct app *app, int key) {
    (void)key;
    if (app->tour)
        leave_tour(app);
    else
        tour_view_begin(app, app->config.tour_name);
}

bool in_tour(const struct screen *screen) {
    return screen->scene != NULL;
}

bool out_of_tour(const struct screen *screen) {
    return screen->scene == NULL;
}

void action_scene_next(struct app *app, int key) {
    struct tour_view *view = app->tour;
    (void)key;
    if (view->text.asking)
        run_scene(app);
    else if (view->scene + 1 < view->tour->count)
        enter_scene(app, view->scene + 1);
    else
        app_say(app, false, "this was the last scene: L ends the tour");
}

void action_scene_back(struct app *app, int key) {
    (void)key;
    if (app->tour->scene > 0)
        enter_scene(app, app->tour->scene - 1);
}
