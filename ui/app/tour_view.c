#include "ui/app/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format.h"
#include "core/process.h"
#include "core/system.h"
#include "core/text.h"
#include "record/replay.h"
#include "record/resolve.h"
#include "tour/lesson.h"
#include "ui/panels/view.h"
#include "ui/terminal/terminal.h"

struct tour_view {
    struct lesson *lesson;
    struct scene_view shown; /* the current scene */
    struct source *live;     /* the app's own */
    struct source *own;      /* for this scene alone: a replay; NULL: it runs in `live` */
    struct sample *last;     /* its last one: answers are of the whole recording; NULL: no replay */
    int64_t began_ns;        /* when the tour was opened (clock_now_ns) */
};

/* ---- running a scene ------------------------------------------------------------------------ */

static void end_own_source(struct app *app) {
    struct tour_view *view = app->tour;
    if (!view->own)
        return;
    app_set_source(app, view->live);
    view->own->ops->close(view->own);
    view->own = NULL;
    sample_destroy(view->last);
    view->last = NULL;
}

/* Until the answer a picture of what is asked replaces the hidden panel, or the verdict. A scene
 * that names hidden panels shows the others. */
static const struct panel *scene_panel(const struct lesson *lesson) {
    const struct scene *scene = lesson_scene(lesson);
    const char *name = *scene->panel ? scene->panel : verdict_panel.name;
    const bool is_hidden = lesson_hides(lesson, name);
    return panel_find(!is_hidden ? scene->panel : *scene->hide ? "" : name);
}

static void take_scene(struct app *app, const struct config *config) {
    app_take_config(app, config);
    app->plan = config->plan;
    app_follow_config(app, scene_panel(app->tour->lesson));
}

static enum status run_live(struct app *app, struct config *config, struct error *error) {
    TRY(resolve_recordings(config, error));
    take_scene(app, config);
    app_run_plan(app);
    return STATUS_OK;
}

/* Shows the scene's recording; the app's own source pauses. */
static enum status run_recording(struct app *app, const struct scene *scene, struct config *config,
                                 struct error *error) {
    const struct command pause = {.kind = COMMAND_PAUSE, .value = 1};
    struct tour_view *view = app->tour;
    struct source *source;
    if (config_is_replay(config) ? resolve_recordings(config, error)
                                 : resolve_list(scene->recording, config, error))
        return error->status;
    interrupt_by_key();
    const enum status status = replay_open(config, NULL, &source, error);
    app->quit |= interrupt_by_key_end();
    if (status)
        return status;
    take_scene(app, config);
    view->live->ops->command(view->live, &pause);
    view->own = source;
    view->last = sample_create();
    if (view->last)
        replay_read_last(source, view->last);
    app_set_source(app, source);
    return STATUS_OK;
}

static void run_scene(struct app *app) {
    struct tour_view *view = app->tour;
    const struct scene *scene = lesson_scene(view->lesson);
    static const char *const ways[] = {[SCENE_LIVE] = "live",
                                       [SCENE_RECORDED] = "recorded",
                                       [SCENE_OTHERWISE] = "live, on another back end: ",
                                       [SCENE_NEITHER] = "not here: "};
    struct error why = {0}, error = {0};
    end_own_source(app);
    lesson_await(view->lesson, app->sample);
    app_dismiss_message(app);
    const enum scene_way how = scene_way(scene, view->live, &why);
    /* The reason is short enough for a frame. */
    const char *clause = how == SCENE_LIVE ? "" : AS(text_clause, why.message);
    format_text(view->shown.way, sizeof view->shown.way, "%s%s%s", ways[how],
                how == SCENE_RECORDED && *clause ? ": here " : "", clause);
    struct config config = scene->config;
    config.plan.paused = lesson_holds(view->lesson);
    if (how == SCENE_NEITHER)
        error_set(&error, STATUS_BAD_INPUT, "this scene can't be shown here: %.400s", why.message);
    else if (how == SCENE_RECORDED)
        run_recording(app, scene, &config, &error);
    else
        run_live(app, &config, &error);
    /* Recorded figures are shown beside the answer if they can be read. */
    struct error unread = {0};
    scene_read_bars(&view->lesson->tour->scenes[view->lesson->scene], &unread);
    if (error_keep_first(error.status, &unread, &error))
        app_show_message(app, true, "%s", error.message);
}

/* ---- beginning, moving, ending -------------------------------------------------------------- */

/* "5 of 12  Structured mapping, 21 min": the scene, and the time since the tour began. */
static void write_title(struct tour_view *view) {
    const struct lesson *lesson = view->lesson;
    const int index = lesson->scene, count = lesson->tour->count;
    const int core = lesson->tour->core ? min_int((int)lesson->tour->core, count) : count;
    const bool is_core = index < core;
    const int minutes = (int)((clock_now_ns() - view->began_ns) / 60000000000);
    format_text(view->shown.title, sizeof view->shown.title, "%s%d of %d  %s",
                is_core ? "" : "more: ", is_core ? index + 1 : index + 1 - core,
                is_core ? core : count - core, lesson_scene(lesson)->title);
    if (minutes > 0)
        format_append(view->shown.title, sizeof view->shown.title, ", %d min", minutes);
}

static void enter_scene(struct app *app, int index) {
    struct tour_view *view = app->tour;
    recording_leave(app);
    lesson_enter(view->lesson, index);
    write_title(view);
    run_scene(app);
    if (!view->lesson->asking)
        lesson_show(view->lesson);
}

/* Shows the answer, and what was hidden until then. */
static void show_answer(struct app *app) {
    struct lesson *lesson = app->tour->lesson;
    if (lesson_holds(lesson)) {
        app->plan.paused = app->config.plan.paused = false;
        app_send(app, COMMAND_PAUSE, 0);
    }
    lesson_show(lesson);
    app->state.full = scene_panel(lesson);
    tour_view_sample(app);
}

enum status tour_view_open(struct app *app, struct error *error) {
    if (!app->config.tour)
        return STATUS_OK;
    struct tour *tour = NULL;
    TRY(tour_load(app->config.tour_name, &app->config, false, &tour, error));
    recording_leave(app);
    struct lesson **begun = &app->lesson;
    while (*begun && !lesson_resume(*begun, tour))
        begun = &(*begun)->earlier;
    struct lesson *lesson = *begun ? *begun : lesson_begin(tour);
    app->tour = lesson ? calloc(1, sizeof *app->tour) : NULL;
    if (!app->tour) {
        if (!*begun)
            lesson_end(lesson);
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    if (*begun)
        *begun = lesson->earlier;
    lesson->earlier = app->lesson;
    app->lesson = NULL;
    app->tour->lesson = lesson;
    app->tour->shown.lesson = lesson;
    app->tour->live = app->source;
    app->tour->began_ns = clock_now_ns();
    app->screen.scene = &app->tour->shown;
    enter_scene(app, lesson->scene);
    return STATUS_OK;
}

/* Ends the tour, and its grid study. */
static void leave_tour(struct app *app) {
    tour_view_close(app);
    if (app->plan.study_count == 0)
        return;
    app->plan.study_count = 0;
    app_run_plan(app);
}

void tour_view_begin(struct app *app, const char *name) {
    struct error error = {0};
    leave_tour(app);
    if (name != app->config.tour_name)
        snprintf(app->config.tour_name, sizeof app->config.tour_name, "%s", name);
    app->config.tour = true;
    if (tour_view_open(app, &error))
        app_show_message(app, true, "%s", error.message);
}

void tour_view_close(struct app *app) {
    struct tour_view *view = app->tour;
    if (!view)
        return;
    recording_leave(app);
    end_own_source(app);
    app->tour = NULL;
    app->screen.scene = NULL;
    app->state.full = NULL;
    app->lesson = view->lesson;
    free(view);
}

void tour_view_sample(struct app *app) {
    if (!app->tour)
        return;
    lesson_update(app->tour->lesson, app->tour->last ? app->tour->last : app->sample);
    write_title(app->tour);
}

void tour_view_fit(struct app *app) {
    if (app->tour)
        app->tour->shown.goes_on = scene_goes_on(app->layout.scene, &app->screen);
}

/* ---- keys ----------------------------------------------------------------------------------- */

void action_tour(struct app *app, int key) {
    if (app->tour)
        leave_tour(app);
    else
        tour_view_begin(app, app->config.tour_name);
}

bool tour_view_type(struct app *app, int key) {
    return app->tour && key > 0 && lesson_type(app->tour->lesson, (uint32_t)key);
}

void action_answer(struct app *app, int key) {
    if (lesson_answer(app->tour->lesson))
        show_answer(app);
    else
        app_show_toast(app, *app->tour->lesson->typed
                                ? "a share is at most 100 %%: Backspace erases"
                                : "type a number first, or press space to see it without a guess");
}

void action_answer_erase(struct app *app, int key) {
    lesson_erase(app->tour->lesson, key == TERMINAL_ESCAPE);
}

void action_scene_next(struct app *app, int key) {
    struct lesson *lesson = app->tour->lesson;
    if (lesson->asking)
        show_answer(app);
    else if (app->tour->shown.goes_on)
        lesson->reads_on = true;
    else if (lesson->scene + 1 < lesson->tour->count)
        enter_scene(app, lesson->scene + 1);
    else
        app_show_message(app, false, "this was the last scene: L ends the tour");
}

void action_scene_back(struct app *app, int key) {
    if (app->tour->lesson->scene > 0)
        enter_scene(app, app->tour->lesson->scene - 1);
}
