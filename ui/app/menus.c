#include <stdio.h>
#include <string.h>

#include "config/preset.h"
#include "core/text.h"
#include "kernels/backends.h"
#include "record/settle.h"
#include "tour/tour.h"
#include "ui/app/actions.h"
#include "ui/app/app.h"
#include "ui/app/menu.h"
#include "ui/app/tour_view.h"

/* A change that is made to every lane that is computed: they all solve the same thing. */
static void set_mesh(struct plan *plan, struct mesh mesh) {
    for (int l = 0; l < plan->lane_count; l++)
        if (!*plan->recordings[l].path)
            plan->lanes[l].engine.mesh = mesh;
}

static uint64_t bytes_of(const struct plan *plan) {
    return 4 * sizeof(double) * mesh_unknowns(&plan->lanes[0].engine.mesh);
}

void action_menu_grid(struct app *app, int key) {
    (void)key;
    static const int sides[] = {64,   128,  256,   512,   1024,  2048,
                                4096, 8192, 12288, 16384, 32768, 65536};
    menu_begin(app, "Grid: interior unknowns");
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
        struct plan plan = app->plan;
        char label[32], count[24], bytes[24];
        const struct mesh mesh = mesh_make(sides[s], sides[s]);
        const struct mesh *now = &app->plan.lanes[0].engine.mesh;
        set_mesh(&plan, mesh);
        struct menu_item *item = menu_add(app, text_grid(label, sizeof label, mesh.Nx, mesh.Ny),
                                          &plan, now->Nx == mesh.Nx && now->Ny == mesh.Ny);
        snprintf(item->note, sizeof item->note, "%s unknowns, four arrays take %s",
                 text_count(count, sizeof count, (double)mesh_unknowns(&mesh)),
                 text_bytes(bytes, sizeof bytes, (double)bytes_of(&plan)));
    }
    menu_open(app);
}

static bool runs_now(const struct app *app, const char *backend) {
    return app->sample->lane_count > 0 && strcmp(app->sample->lanes[0].backend, backend) == 0;
}

void action_menu_backend(struct app *app, int key) {
    (void)key;
    menu_begin(app, "Back end: what computes");
    for (const struct backend *const *backend = backends; *backend; backend++) {
        struct plan plan = app->plan;
        plan.lane_count = 1;
        plan_compute_all(&plan);
        plan.lanes[0].choices[0] = *backend;
        plan.lanes[0].choice_count = 1;
        plan.lanes[0].any_backend = false;
        char label[64];
        snprintf(label, sizeof label, "%s: %s", (*backend)->name, (*backend)->title);
        struct menu_item *item = menu_add(app, label, &plan, runs_now(app, (*backend)->name));
        snprintf(item->note, sizeof item->note, "needs %s", (*backend)->needs);
    }
    menu_open(app);
}

void action_menu_schedule(struct app *app, int key) {
    (void)key;
    static const char *const notes[SCHEDULE_COUNT] = {
        [SCHEDULE_CLASSIC] = "the blog's four kernels: Laplacian, BoundaryConditions, Update, Norm",
        [SCHEDULE_FUSED] = "one pass an iteration: AU and RES never reach memory",
        [SCHEDULE_BLOCKED] = "one pass for several iterations: U is read once for all of them",
    };
    menu_begin(app, "Schedule: how an iteration is divided into passes");
    for (int kind = 0; kind < SCHEDULE_COUNT; kind++) {
        struct plan plan = app->plan;
        for (int l = 0; l < plan.lane_count; l++)
            if (!*plan.recordings[l].path)
                plan.lanes[l].engine.schedule = (struct schedule){.kind = (enum schedule_kind)kind};
        const bool now = app->plan.lanes[0].engine.schedule.kind == (enum schedule_kind)kind;
        struct menu_item *item =
            menu_add(app, schedule_kind_name((enum schedule_kind)kind), &plan, now);
        snprintf(item->note, sizeof item->note, "%s", notes[kind]);
    }
    menu_open(app);
}

void action_menu_mapping(struct app *app, int key) {
    (void)key;
    static const char *const notes[MAPPING_COUNT] = {
        [MAPPING_STRUCTURED] = "each kernel maps its own arrays around itself: copies every time",
        [MAPPING_UNSTRUCTURED] = "arrays stay on the device for the whole run",
        [MAPPING_UNIFIED] = "one memory for host and device: nothing is mapped",
    };
    menu_begin(app, "Mapping: how arrays reach the device");
    for (int mapping = 0; mapping < MAPPING_COUNT; mapping++) {
        struct plan plan = app->plan;
        plan.lanes[0].engine.mapping = (enum mapping)mapping;
        const bool now = app->plan.lanes[0].engine.mapping == (enum mapping)mapping;
        struct menu_item *item = menu_add(app, mapping_name((enum mapping)mapping), &plan, now);
        snprintf(item->note, sizeof item->note, "%s", notes[mapping]);
    }
    menu_open(app);
}

void action_menu_problem(struct app *app, int key) {
    (void)key;
    menu_begin(app, "Problem: what is solved");
    for (const struct problem *problem = problems; problem->name; problem++) {
        struct plan plan = app->plan;
        for (int l = 0; l < plan.lane_count; l++)
            if (!*plan.recordings[l].path)
                plan.lanes[l].engine.problem = problem;
        struct menu_item *item =
            menu_add(app, problem->title, &plan, app->plan.lanes[0].engine.problem == problem);
        snprintf(item->note, sizeof item->note, "%s", problem->teaches);
    }
    menu_open(app);
}

/* ---- presets */

/* The preset on top of the defaults; how the terminal is used stays as it is. */
static enum status read_preset(const struct app *app, const char *name, struct config *config,
                               struct error *error) {
    config_init(config);
    enum status status = preset_load(name, config, error);
    if (!status)
        status = config_make_lanes(config, error);
    if (!status)
        status = settle_lanes(config, error);
    config->view.colors = app->config.view.colors;
    config->view.theme = app->config.view.theme;
    config->view.ascii = app->config.view.ascii;
    config->view.mouse = app->config.view.mouse;
    return status;
}

static void take_preset(struct app *app, int index) {
    struct config config;
    struct error error = {0};
    if (read_preset(app, app->menu.items[index].label, &config, &error)) {
        app_say(app, true, "%s", error.message);
        return;
    }
    app_configure(app, &config);
    app_try_plan(app, &config.plan);
}

static void add_preset(struct app *app, const struct preset *preset) {
    struct config config;
    struct error error = preset->error;
    if (!error.status)
        read_preset(app, preset->name, &config, &error);
    struct menu_item *item = menu_add(app, preset->name, error.status ? &app->plan : &config.plan,
                                      strcmp(preset->name, app->plan.preset) == 0);
    if (!item)
        return;
    snprintf(item->note, sizeof item->note, "%s", preset->teaches);
    if (error.status) {
        item->state = MENU_IMPOSSIBLE;
        snprintf(item->reason, sizeof item->reason, "%s", error.message);
    }
}

/* ---- lessons: at the foot of the presets */

static const char lesson_mark[] = "lesson: ";

static void take_lesson(struct app *app, int index) {
    lesson_begin(app, app->menu.items[index].label + strlen(lesson_mark));
}

static void add_lesson(struct app *app, const struct tour_entry *lesson) {
    char label[80];
    snprintf(label, sizeof label, "%s%.63s", lesson_mark, lesson->name);
    struct menu_item *item = menu_add(app, label, NULL, false);
    if (!item)
        return;
    item->chosen = take_lesson;
    snprintf(item->note, sizeof item->note, "%s, in %d scenes", lesson->title, lesson->scenes);
    if (lesson->error.status) {
        item->state = MENU_IMPOSSIBLE;
        snprintf(item->reason, sizeof item->reason, "%s", lesson->error.message);
    }
}

void action_menu_preset(struct app *app, int key) {
    (void)key;
    static struct preset presets[PRESETS_MAX];
    static struct tour_entry lessons[TOURS_MAX];
    const int count = preset_list(presets), lesson_count = tour_entries(&app->config, lessons);
    menu_begin(app, "Presets: prepared runs, and what they teach; and lessons");
    for (int p = 0; p < count && p < CHECKS_MAX - lesson_count; p++)
        add_preset(app, &presets[p]);
    for (int l = 0; l < lesson_count; l++)
        add_lesson(app, &lessons[l]);
    app->menu.chosen = take_preset;
    menu_open(app);
}
