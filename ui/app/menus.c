#include <stdio.h>
#include <string.h>

#include "config/preset.h"
#include "core/text.h"
#include "kernels/backends.h"
#include "record/resolve.h"
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

void action_menu_grid(struct ui *ui, int key) {
    (void)key;
    static const int sides[] = {64,   128,  256,   512,   1024,  2048,
                                4096, 8192, 12288, 16384, 32768, 65536};
    menu_begin(ui, "Grid: interior unknowns");
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
        struct plan plan = ui->plan;
        char label[32], count[24], bytes[24];
        const struct mesh mesh = mesh_make(sides[s], sides[s]);
        const struct mesh *now = &ui->plan.lanes[0].engine.mesh;
        set_mesh(&plan, mesh);
        struct menu_item *item = menu_add(ui, text_grid(label, sizeof label, mesh.Nx, mesh.Ny),
                                          &plan, now->Nx == mesh.Nx && now->Ny == mesh.Ny);
        snprintf(item->note, sizeof item->note, "%s unknowns, four arrays take %s",
                 text_count(count, sizeof count, (double)mesh_unknowns(&mesh)),
                 text_bytes(bytes, sizeof bytes, (double)bytes_of(&plan)));
    }
    menu_open(ui);
}

static bool runs_now(const struct ui *ui, const char *backend) {
    return ui->sample->lane_count > 0 && strcmp(ui->sample->lanes[0].backend, backend) == 0;
}

void action_menu_backend(struct ui *ui, int key) {
    (void)key;
    menu_begin(ui, "Back end: what computes");
    for (const struct backend *const *backend = backends; *backend; backend++) {
        struct plan plan = ui->plan;
        plan.lane_count = 1;
        plan_compute_all(&plan);
        plan.lanes[0].choices[0] = *backend;
        plan.lanes[0].choice_count = 1;
        plan.lanes[0].any_backend = false;
        char label[64];
        snprintf(label, sizeof label, "%s: %s", (*backend)->name, (*backend)->title);
        struct menu_item *item = menu_add(ui, label, &plan, runs_now(ui, (*backend)->name));
        snprintf(item->note, sizeof item->note, "needs %s", (*backend)->needs);
    }
    menu_open(ui);
}

void action_menu_schedule(struct ui *ui, int key) {
    (void)key;
    static const char *const notes[SCHEDULE_COUNT] = {
        [SCHEDULE_CLASSIC] = "the blog's four kernels: Laplacian, BoundaryConditions, Update, Norm",
        [SCHEDULE_FUSED] = "one pass an iteration: AU and RES never reach memory",
        [SCHEDULE_BLOCKED] = "one pass for several iterations: U is read once for all of them",
    };
    menu_begin(ui, "Schedule: how an iteration is divided into passes");
    for (int kind = 0; kind < SCHEDULE_COUNT; kind++) {
        struct plan plan = ui->plan;
        for (int l = 0; l < plan.lane_count; l++)
            if (!*plan.recordings[l].path)
                plan.lanes[l].engine.schedule = (struct schedule){.kind = (enum schedule_kind)kind};
        const bool now = ui->plan.lanes[0].engine.schedule.kind == (enum schedule_kind)kind;
        struct menu_item *item =
            menu_add(ui, schedule_kind_name((enum schedule_kind)kind), &plan, now);
        snprintf(item->note, sizeof item->note, "%s", notes[kind]);
    }
    menu_open(ui);
}

void action_menu_mapping(struct ui *ui, int key) {
    (void)key;
    static const char *const notes[MAPPING_COUNT] = {
        [MAPPING_STRUCTURED] = "each kernel maps its own arrays around itself: copies every time",
        [MAPPING_UNSTRUCTURED] = "arrays stay on the device for the whole run",
        [MAPPING_UNIFIED] = "one memory for host and device: nothing is mapped",
    };
    menu_begin(ui, "Mapping: how arrays reach the device");
    for (int mapping = 0; mapping < MAPPING_COUNT; mapping++) {
        struct plan plan = ui->plan;
        plan.lanes[0].engine.mapping = (enum mapping)mapping;
        const bool now = ui->plan.lanes[0].engine.mapping == (enum mapping)mapping;
        struct menu_item *item = menu_add(ui, mapping_name((enum mapping)mapping), &plan, now);
        snprintf(item->note, sizeof item->note, "%s", notes[mapping]);
    }
    menu_open(ui);
}

void action_menu_problem(struct ui *ui, int key) {
    (void)key;
    menu_begin(ui, "Problem: what is solved");
    for (const struct problem *problem = problems; problem->name; problem++) {
        struct plan plan = ui->plan;
        for (int l = 0; l < plan.lane_count; l++)
            if (!*plan.recordings[l].path)
                plan.lanes[l].engine.problem = problem;
        struct menu_item *item =
            menu_add(ui, problem->title, &plan, ui->plan.lanes[0].engine.problem == problem);
        snprintf(item->note, sizeof item->note, "%s", problem->teaches);
    }
    menu_open(ui);
}

/* ---- presets */

/* The preset on top of the defaults; how the terminal is used stays as it is. */
static enum status read_preset(const struct ui *ui, const char *name, struct config *config,
                               struct error *error) {
    config_init(config);
    enum status status = preset_load(name, config, error);
    if (!status)
        status = config_make_lanes(config, error);
    if (!status)
        status = resolve_recordings(config, error);
    config->view.colors = ui->config.view.colors;
    config->view.theme = ui->config.view.theme;
    config->view.ascii = ui->config.view.ascii;
    config->view.mouse = ui->config.view.mouse;
    return status;
}

static void take_preset(struct ui *ui, int index) {
    struct config config;
    struct error error = {0};
    if (read_preset(ui, ui->menu.items[index].label, &config, &error)) {
        ui_say(ui, true, "%s", error.message);
        return;
    }
    ui_configure(ui, &config);
    ui_try_plan(ui, &config.plan);
}

static void add_preset(struct ui *ui, const struct preset *preset) {
    struct config config;
    struct error error = preset->error;
    if (!error.status)
        read_preset(ui, preset->name, &config, &error);
    struct menu_item *item = menu_add(ui, preset->name, error.status ? &ui->plan : &config.plan,
                                      strcmp(preset->name, ui->plan.preset) == 0);
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

static void take_lesson(struct ui *ui, int index) {
    lesson_begin(ui, ui->menu.items[index].label + strlen(lesson_mark));
}

static void add_lesson(struct ui *ui, const struct tour_entry *lesson) {
    char label[80];
    snprintf(label, sizeof label, "%s%.63s", lesson_mark, lesson->name);
    struct menu_item *item = menu_add(ui, label, NULL, false);
    if (!item)
        return;
    item->chosen = take_lesson;
    snprintf(item->note, sizeof item->note, "%s, in %d scenes", lesson->title, lesson->scenes);
    if (lesson->error.status) {
        item->state = MENU_IMPOSSIBLE;
        snprintf(item->reason, sizeof item->reason, "%s", lesson->error.message);
    }
}

void action_menu_preset(struct ui *ui, int key) {
    (void)key;
    static struct preset presets[PRESETS_MAX];
    static struct tour_entry lessons[TOURS_MAX];
    const int count = preset_list(presets), lesson_count = tour_entries(&ui->config, lessons);
    menu_begin(ui, "Presets: prepared runs, and what they teach; and lessons");
    for (int p = 0; p < count && p < CHECKS_MAX - lesson_count; p++)
        add_preset(ui, &presets[p]);
    for (int l = 0; l < lesson_count; l++)
        add_lesson(ui, &lessons[l]);
    ui->menu.chosen = take_preset;
    menu_open(ui);
}
