#include "ui/app/tour_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/replay.h"
#include "tour/tour.h"
#include "ui/draw/draw.h"
#include "ui/panels/panel.h"

struct lesson {
    struct tour *tour;
    int scene;
    bool asking;         /* the question is shown, and what it asks about does not run yet */
    char way[200];       /* how the scene is shown: "live: …", "recorded: …" */
    struct source *live; /* the screen's own */
    struct source *own;  /* of this scene alone: a replay; NULL: it runs in `live` */
};

static const struct scene *scene_of(const struct lesson *lesson) {
    return &lesson->tour->scenes[lesson->scene];
}

/* ---- what a scene runs ---------------------------------------------------------------------- */

static void show_source(struct ui *ui, struct source *source) {
    ui->source = source;
    ui->sample = ui->nothing;
    ui->state.view.cols = 0; /* the picture's size has to be asked for anew */
    ui->roofs_asked = false;
}

static void end_own(struct ui *ui) {
    struct lesson *lesson = ui->lesson;
    if (!lesson->own)
        return;
    show_source(ui, lesson->live);
    lesson->own->ops->close(lesson->own);
    lesson->own = NULL;
}

static void look_like(struct ui *ui, const struct config *config, const struct scene *scene) {
    char record[PATH_SIZE], name[PATH_SIZE];
    snprintf(record, sizeof record, "%s", ui->config.record);
    snprintf(name, sizeof name, "%s", ui->config.tour_name);
    ui->config = *config;
    snprintf(ui->config.record, sizeof ui->config.record, "%s", record);
    snprintf(ui->config.tour_name, sizeof ui->config.tour_name, "%s", name);
    ui->plan = config->plan;
    ui->state.scale = config->view.scale;
    ui->state.view.x0 = config->view.x0;
    ui->state.view.x1 = config->view.x1;
    ui->state.view.y0 = config->view.y0;
    ui->state.view.y1 = config->view.y1;
    ui->state.layout = ui->config.view.layout;
    ui->state.full = panel_find(scene->panel);
}

/* From now on the scene's own source is shown; the screen's waits. */
static void show_own(struct ui *ui, struct source *source) {
    const struct command pause = {.kind = COMMAND_PAUSE, .value = 1};
    struct lesson *lesson = ui->lesson;
    lesson->live->ops->command(lesson->live, &pause);
    lesson->own = source;
    show_source(ui, source);
}

static enum status run_recording(struct ui *ui, const struct scene *scene, struct error *error) {
    struct config *config = malloc(sizeof *config);
    struct source *source;
    if (!config)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    *config = scene->config;
    snprintf(config->replay, sizeof config->replay, "%s", scene->recording);
    const enum status status = replay_open(config, NULL, &source, error);
    if (!status) {
        look_like(ui, config, scene);
        show_own(ui, source);
    }
    free(config);
    return status;
}

static void run_live(struct ui *ui, const struct scene *scene) {
    look_like(ui, &scene->config, scene);
    ui->state.view.cols = 0;
    ui_command(ui, &(struct command){.kind = COMMAND_PLAN, .plan = &ui->plan});
}

static void run_scene(struct ui *ui) {
    struct lesson *lesson = ui->lesson;
    const struct scene *scene = scene_of(lesson);
    struct error why = {0};
    end_own(ui);
    lesson->asking = false;
    ui->state.message[0] = '\0';
    switch (scene_way(scene, &why)) {
    case SCENE_LIVE:
        snprintf(lesson->way, sizeof lesson->way, "live");
        run_live(ui, scene);
        break;
    case SCENE_RECORDED:
        snprintf(lesson->way, sizeof lesson->way, "recorded: not here (%.150s)", why.message);
        if (run_recording(ui, scene, &why))
            ui_say(ui, true, "%s", why.message);
        break;
    case SCENE_OTHERWISE:
        snprintf(lesson->way, sizeof lesson->way, "live, on another back end (%.150s)",
                 why.message);
        run_live(ui, scene);
        break;
    case SCENE_NEITHER:
        snprintf(lesson->way, sizeof lesson->way, "not here (%.180s)", why.message);
        ui_say(ui, true, "this scene can't be shown here: %s", why.message);
        break;
    }
}

/* ---- beginning, moving, ending -------------------------------------------------------------- */

/* A scene with a question waits with what it asks about. */
static void enter(struct ui *ui, int index) {
    struct lesson *lesson = ui->lesson;
    lesson->scene = index;
    lesson->asking = *scene_of(lesson)->ask;
    if (!lesson->asking)
        run_scene(ui);
}

enum status lesson_open(struct ui *ui, struct error *error) {
    if (!ui->config.tour)
        return STATUS_OK;
    struct tour *tour = NULL;
    if (tour_load(ui->config.tour_name, &ui->config, &tour, error))
        return error->status;
    ui->lesson = calloc(1, sizeof *ui->lesson);
    if (!ui->lesson) {
        free(tour);
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    ui->lesson->tour = tour;
    ui->lesson->live = ui->source;
    enter(ui, 0);
    return STATUS_OK;
}

static void begin(struct ui *ui) {
    struct error error = {0};
    ui->config.tour = true;
    if (lesson_open(ui, &error))
        ui_say(ui, true, "%s", error.message);
}

void action_tour(struct ui *ui, int key) {
    (void)key;
    if (ui->lesson)
        lesson_close(ui);
    else
        begin(ui);
}

void lesson_begin(struct ui *ui, const char *name) {
    lesson_close(ui);
    snprintf(ui->config.tour_name, sizeof ui->config.tour_name, "%s", name);
    begin(ui);
}

void lesson_close(struct ui *ui) {
    struct lesson *lesson = ui->lesson;
    if (!lesson)
        return;
    end_own(ui);
    if (ui->plan.study_count) { /* further grids are the lesson's, not the screen's */
        ui->plan.study_count = 0;
        ui_command(ui, &(struct command){.kind = COMMAND_PLAN, .plan = &ui->plan});
    }
    ui->lesson = NULL;
    ui->state.full = NULL;
    free(lesson->tour);
    free(lesson);
}

bool in_lesson(const struct screen *screen) {
    return screen->lesson != NULL;
}

bool out_of_lesson(const struct screen *screen) {
    return screen->lesson == NULL;
}

void action_lesson_on(struct ui *ui, int key) {
    struct lesson *lesson = ui->lesson;
    (void)key;
    if (lesson->asking)
        run_scene(ui);
    else if (lesson->scene + 1 < lesson->tour->count)
        enter(ui, lesson->scene + 1);
    else
        ui_say(ui, false, "this was the last scene: L ends the lesson");
}

void action_lesson_back(struct ui *ui, int key) {
    struct lesson *lesson = ui->lesson;
    (void)key;
    if (lesson->scene > 0)
        enter(ui, lesson->scene - 1);
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
