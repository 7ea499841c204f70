#include "ui/app/tour_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/replay.h"
#include "session/sizes.h"
#include "tour/tour.h"
#include "ui/draw/draw.h"
#include "ui/panels/panel.h"

struct lesson {
    struct tour *tour;
    int scene;
    bool asking;         /* the question is shown, and what it asks about does not run yet */
    char way[200];       /* how the scene is shown: "live: …", "recorded: …" */
    struct source *live; /* the screen's own */
    struct source *own;  /* of this scene alone: a replay, several sizes; NULL: it runs in `live` */
};

static const struct scene *scene_of(const struct lesson *lesson) {
    return &lesson->tour->scenes[lesson->scene];
}

/* ---- what a scene runs ---------------------------------------------------------------------- */

static void show_source(struct app *app, struct source *source) {
    app->source = source;
    app->sample = app->nothing;
    app->state.view.cols = 0; /* the picture's size has to be asked for anew */
    app->roofs_asked = false;
}

static void end_own(struct app *app) {
    struct lesson *lesson = app->lesson;
    if (!lesson->own)
        return;
    show_source(app, lesson->live);
    lesson->own->ops->close(lesson->own);
    lesson->own = NULL;
}

static void look_like(struct app *app, const struct config *config, const struct scene *scene) {
    char record[PATH_SIZE], name[PATH_SIZE];
    snprintf(record, sizeof record, "%s", app->config.record);
    snprintf(name, sizeof name, "%s", app->config.tour_name);
    app->config = *config;
    snprintf(app->config.record, sizeof app->config.record, "%s", record);
    snprintf(app->config.tour_name, sizeof app->config.tour_name, "%s", name);
    app->plan = config->plan;
    app->state.scale = config->view.scale;
    app->state.view.x0 = config->view.x0;
    app->state.view.x1 = config->view.x1;
    app->state.view.y0 = config->view.y0;
    app->state.view.y1 = config->view.y1;
    app->state.layout = app->config.view.layout;
    app->state.full = panel_find(scene->panel);
}

/* From now on the scene's own source is shown; the screen's waits. */
static void show_own(struct app *app, struct source *source) {
    const struct command pause = {.kind = COMMAND_PAUSE, .value = 1};
    struct lesson *lesson = app->lesson;
    lesson->live->ops->command(lesson->live, &pause);
    lesson->own = source;
    show_source(app, source);
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
        look_like(app, config, scene);
        show_own(app, source);
    }
    free(config);
    return status;
}

static void run_live(struct app *app, const struct scene *scene) {
    look_like(app, &scene->config, scene);
    app->state.view.cols = 0;
    app_command(app, &(struct command){.kind = COMMAND_PLAN, .plan = &app->plan});
}

static void run_sizes(struct app *app, const struct scene *scene) {
    const struct view view = {.cols = 64, .rows = 32, .x1 = 1, .y1 = 1};
    struct source *source;
    struct error error = {0};
    look_like(app, &scene->config, scene);
    if (sizes_start(&app->plan, scene->sizes, scene->size_count - 1, &view, &source, &error))
        app_say(app, true, "%s", error.message);
    else
        show_own(app, source);
}

static void run_here(struct app *app, const struct scene *scene) {
    if (scene->size_count)
        run_sizes(app, scene);
    else
        run_live(app, scene);
}

static void run_scene(struct app *app) {
    struct lesson *lesson = app->lesson;
    const struct scene *scene = scene_of(lesson);
    struct error why = {0};
    end_own(app);
    lesson->asking = false;
    app->state.message[0] = '\0';
    switch (scene_way(scene, &why)) {
    case SCENE_LIVE:
        snprintf(lesson->way, sizeof lesson->way, "live");
        run_here(app, scene);
        break;
    case SCENE_RECORDED:
        snprintf(lesson->way, sizeof lesson->way, "recorded: not here (%.150s)", why.message);
        if (run_recording(app, scene, &why))
            app_say(app, true, "%s", why.message);
        break;
    case SCENE_OTHERWISE:
        snprintf(lesson->way, sizeof lesson->way, "live, on another back end (%.150s)",
                 why.message);
        run_here(app, scene);
        break;
    case SCENE_NEITHER:
        snprintf(lesson->way, sizeof lesson->way, "not here (%.180s)", why.message);
        app_say(app, true, "this scene can't be shown here: %s", why.message);
        break;
    }
}

/* ---- beginning, moving, ending -------------------------------------------------------------- */

/* A scene with a question waits with what it asks about. */
static void enter(struct app *app, int index) {
    struct lesson *lesson = app->lesson;
    lesson->scene = index;
    lesson->asking = *scene_of(lesson)->ask;
    if (!lesson->asking)
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
    enter(app, 0);
    return STATUS_OK;
}

static void begin(struct app *app) {
    struct error error = {0};
    app->config.tour = true;
    if (lesson_open(app, &error))
        app_say(app, true, "%s", error.message);
}

void action_tour(struct app *app, int key) {
    (void)key;
    if (app->lesson)
        lesson_close(app);
    else
        begin(app);
}

void lesson_begin(struct app *app, const char *name) {
    lesson_close(app);
    snprintf(app->config.tour_name, sizeof app->config.tour_name, "%s", name);
    begin(app);
}

void lesson_close(struct app *app) {
    struct lesson *lesson = app->lesson;
    if (!lesson)
        return;
    end_own(app);
    app->lesson = NULL;
    app->state.full = NULL;
    free(lesson->tour);
    free(lesson);
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
    if (lesson->asking)
        run_scene(app);
    else if (lesson->scene + 1 < lesson->tour->count)
        enter(app, lesson->scene + 1);
    else
        app_say(app, false, "this was the last scene: L ends the lesson");
}

void action_lesson_back(struct app *app, int key) {
    struct lesson *lesson = app->lesson;
    (void)key;
    if (lesson->scene > 0)
        enter(app, lesson->scene - 1);
}

/* ---- drawing -------------------------------------------------------------------------------- */

/* Text, and the question or its answer, one under the other. */
static int draw_texts(struct grid *grid, struct rect area, const struct lesson *lesson) {
    const struct scene *scene = scene_of(lesson);
    int used = draw_paragraph(grid, area, INK_TEXT, 0, scene->text);
    if (!*scene->ask)
        return used;
    used += draw_paragraph(grid, rect_below(area, used), INK_WARN, CELL_BOLD, scene->ask);
    if (!lesson->asking)
        used += draw_paragraph(grid, rect_below(area, used), INK_GOOD, CELL_BOLD, scene->reveal);
    return used;
}

int lesson_rows(const struct lesson *lesson, int cols, int rows) {
    const int most = rows / 3;
    struct grid paper;
    if (!lesson || most < 3 || !grid_init(&paper, cols, 24))
        return 0;
    const int used = draw_texts(&paper, (struct rect){0, 0, cols - 4, 24}, lesson) + 2;
    grid_finish(&paper);
    return used < most ? used : most;
}

void lesson_name_scene(const struct lesson *lesson, char *text, size_t size) {
    snprintf(text, size, "%d of %d  %s", lesson->scene + 1, lesson->tour->count,
             scene_of(lesson)->title);
}

void lesson_draw(struct grid *grid, struct rect area, const struct lesson *lesson) {
    char title[128], value[240];
    if (area.rows < 1)
        return;
    lesson_name_scene(lesson, title, sizeof title);
    snprintf(value, sizeof value, "%s", lesson->asking ? "space reveals" : lesson->way);
    const struct rect inside = draw_frame(
        grid, area, &(struct frame){.title = title, .value = value, .title_ink = INK_GOOD});
    draw_texts(grid, rect_inset(inside, 1, 0), lesson);
}
