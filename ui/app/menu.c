#include "ui/app/menu.h"

#include <stdio.h>
#include <string.h>

#include "config/preset.h"
#include "config/values.h"
#include "core/format.h"
#include "kernels/backends.h"
#include "record/resolve.h"
#include "tour/tour.h"
#include "ui/app/actions.h"
#include "ui/app/app.h"
#include "ui/app/tour_view.h"
#include "ui/terminal/terminal.h"

void menu_begin(struct app *app, const char *title, void (*chosen)(struct app *app, int index)) {
    app->menu.shown.title = title;
    app->menu.shown.count = 0;
    app->menu.shown.has_head = app->menu.shown.is_read = false;
    app->menu.chosen = chosen;
    app->menu.back = NULL;
    app->menu.typed_into = NULL;
    app->menu.typed[0] = '\0';
    app->state.overlay_row = 0;
}

struct menu_item *menu_add(struct app *app, const char *label, const struct plan *plan,
                           bool is_current) {
    struct menu *menu = &app->menu.shown;
    if (menu->count == MENU_ROWS_MAX)
        return NULL;
    if (is_current)
        app->state.overlay_row = menu->count;
    app->menu.plans[menu->count] = plan ? *plan : app->plan;
    struct menu_item *item = &menu->items[menu->count++];
    *item =
        (struct menu_item){.is_current = is_current, .state = plan ? MENU_CHECKING : MENU_POSSIBLE};
    snprintf(item->label, sizeof item->label, "%s", label);
    return item;
}

void menu_open(struct app *app) {
    const struct menu *menu = &app->menu.shown;
    const int row = app->state.overlay_row;
    app_open_overlay(app, OVERLAY_MENU);
    app->state.overlay_row = row;
    app->wanted = app->welcomes = false;
    for (int i = 0; i < menu->count; i++)
        if (menu->items[i].state == MENU_CHECKING) {
            checker_ask(app->checker, app->menu.plans, menu->count);
            return;
        }
}

/* Looks for recordings of what the chosen row can't run here. */
static void find_recordings(struct app *app) {
    const int row = app->state.overlay_row;
    struct menu_item *item = &app->menu.shown.items[row];
    const struct plan *plan = &app->menu.plans[row];
    char device[96] = "", names[LANES_MAX][PATH_SIZE], list[sizeof item->instead] = "";
    if (row >= app->menu.shown.count || !item->is_unavailable || item->is_looked_up)
        return;
    item->is_looked_up = true;
    /* All on one device, that of the last lane: a GPU's stands there beside others. */
    for (int l = plan->lane_count - 1; l >= 0; l--) {
        struct lane_spec wanted = plan->lanes[l];
        wanted.engine.mesh.Nx = 0; /* on any grid */
        if (!find_match(&wanted, device, names[l], device))
            return;
    }
    for (int l = 0; l < plan->lane_count; l++)
        format_list(list, sizeof list, names[l]);
    snprintf(item->instead, sizeof item->instead, "%s", list);
}

void menu_take_answers(struct app *app) {
    for (int i = 0; i < app->menu.shown.count; i++) {
        struct menu_item *item = &app->menu.shown.items[i];
        enum status status;
        struct error error;
        if (item->state != MENU_CHECKING || !checker_answer(app->checker, i, &status, &error))
            continue;
        item->state = status ? MENU_IMPOSSIBLE : MENU_POSSIBLE;
        item->is_unavailable = status == STATUS_UNAVAILABLE;
        if (status)
            snprintf(item->reason, sizeof item->reason, "%s", error.message);
    }
    if (app->state.overlay == OVERLAY_MENU)
        find_recordings(app);
}

/* Adds a digit or an x to what is typed, or takes the last one off; false if it is another key. */
static bool menu_type(struct app_menu *menu, int key) {
    const size_t length = strlen(menu->typed);
    const bool erases = key == TERMINAL_BACKSPACE;
    if (!menu->typed_into || (!erases && key != 'x' && (key < '0' || key > '9')))
        return false;
    if (erases && length > 0)
        menu->typed[length - 1] = '\0';
    else if (!erases && length + 1 < sizeof menu->typed)
        memcpy(menu->typed + length, (char[]){(char)key, '\0'}, 2);
    return true;
}

bool menu_key(struct app *app, int key) {
    struct app_menu *menu = &app->menu;
    const int last = menu->shown.count - 1, row = app->state.overlay_row;
    if (menu_type(menu, key)) {
        menu->typed_into(app);
        app->state.overlay_row = 0;
    } else if (key == TERMINAL_UP || key == TERMINAL_PAGE_UP) {
        app->state.overlay_row = row > 0 ? row - 1 : 0;
    } else if (key == TERMINAL_DOWN || key == TERMINAL_PAGE_DOWN) {
        app->state.overlay_row = row < last ? row + 1 : row;
    } else if (key == TERMINAL_HOME) {
        app->state.overlay_row = 0;
    } else if (key == TERMINAL_END) {
        app->state.overlay_row = last > 0 ? last : 0;
    } else if (key != TERMINAL_ENTER) {
        app_open_overlay(app, OVERLAY_NONE);
        if (menu->back && key == TERMINAL_ESCAPE)
            menu->back(app, key);
    } else if (last >= 0 && *menu->shown.items[row].instead) {
        app_open_overlay(app, OVERLAY_NONE);
        recording_show(app, menu->shown.items[row].instead);
    } else if (last >= 0 && menu->shown.items[row].state != MENU_IMPOSSIBLE) {
        app_open_overlay(app, OVERLAY_NONE);
        if (menu->chosen)
            menu->chosen(app, row);
        else
            app_try_plan(app, &menu->plans[row]);
    }
    if (app->state.overlay == OVERLAY_MENU)
        find_recordings(app);
    return key != '?' && key != TERMINAL_F1;
}

/* ---- what runs */

/* Makes a row that of a grid: its plan, its words. */
static void set_grid_row(struct app *app, int row, int nx, int ny) {
    struct plan *plan = &app->menu.plans[row];
    struct menu_item *item = &app->menu.shown.items[row];
    char count[24], bytes[24];
    const struct mesh mesh = mesh_make(nx, ny);
    const double unknowns = (double)mesh_unknowns(&mesh);
    for (int l = 0; l < plan->lane_count; l++)
        if (!*plan->recordings[l].path)
            plan->lanes[l].engine.mesh = mesh;
    format_grid(item->label, sizeof item->label, nx, ny);
    snprintf(item->note, sizeof item->note, "%s unknowns, four arrays take %s",
             format_si(count, sizeof count, unknowns),
             format_bytes(bytes, sizeof bytes, 4 * sizeof(double) * unknowns));
}

static void set_typed_grid(struct app *app) {
    struct menu_item *item = &app->menu.shown.items[0];
    int nx, ny;
    const bool valid = value_pair(app->menu.typed, 1, MESH_MAX_SIDE, true, &nx, &ny);
    *item = (struct menu_item){.state = valid ? MENU_POSSIBLE : MENU_IMPOSSIBLE};
    if (valid)
        set_grid_row(app, 0, nx, ny);
    snprintf(item->label, sizeof item->label, "%s_", app->menu.typed);
    snprintf(item->reason, sizeof item->reason, "%s",
             valid ? "" : "type N or NxM, each 1 to 65536");
}

void action_menu_grid(struct app *app, int key) {
    static const int sides[] = {64,   128,  256,   512,   1024,  2048,
                                4096, 8192, 12288, 16384, 32768, 65536};
    const struct mesh *now = &app->plan.lanes[0].engine.mesh;
    menu_begin(app, "Grid: interior unknowns: choose, or type N or NxM", NULL);
    app->menu.shown.has_head = true;
    app->menu.typed_into = set_typed_grid;
    menu_add(app, "", NULL, false);
    set_grid_row(app, 0, now->Nx, now->Ny);
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
        menu_add(app, "", &app->plan, now->Nx == sides[s] && now->Ny == sides[s]);
        set_grid_row(app, app->menu.shown.count - 1, sides[s], sides[s]);
    }
    snprintf(app->menu.shown.items[0].label, sizeof app->menu.shown.items[0].label, "N×M: _");
    menu_open(app);
}

void action_menu_backend(struct app *app, int key) {
    const struct sample *sample = app->sample;
    menu_begin(app, "Back end: what computes", NULL);
    for (const struct backend *const *backend = backends; *backend; backend++) {
        struct plan plan = app->plan;
        plan.lane_count = 1;
        plan_compute_all(&plan);
        plan.lanes[0].choices[0] = *backend;
        plan.lanes[0].choice_count = 1;
        plan.lanes[0].any_backend = false;
        char label[64];
        snprintf(label, sizeof label, "%s: %s", (*backend)->name, (*backend)->title);
        const bool runs =
            sample->lane_count > 0 && backend_find(sample->lanes[0].run.backend) == *backend;
        struct menu_item *item = menu_add(app, label, &plan, runs);
        snprintf(item->note, sizeof item->note, "needs %s", (*backend)->needs);
    }
    menu_open(app);
}

void action_menu_schedule(struct app *app, int key) {
    static const char *const notes[SCHEDULE_COUNT] = {
        [SCHEDULE_CLASSIC] = "the blog's four kernels, tuned for the device",
        [SCHEDULE_FUSED] = "one pass per iteration: AU and RES never reach memory",
        [SCHEDULE_BLOCKED] = "one pass for several iterations: U is read once for all of them",
        [SCHEDULE_PLAIN] = "the blog's four kernels as it prints them, untuned (hip, omp)",
    };
    menu_begin(app, "Schedule: how an iteration is divided into passes", NULL);
    for (int k = 0; k < SCHEDULE_COUNT; k++) {
        const enum schedule_kind kind = (enum schedule_kind)k;
        struct plan plan = app->plan;
        for (int l = 0; l < plan.lane_count; l++)
            if (!*plan.recordings[l].path)
                plan.lanes[l].engine.run.schedule = (struct schedule){.kind = kind};
        struct menu_item *item = menu_add(app, schedule_kind_name(kind), &plan,
                                          app->plan.lanes[0].engine.run.schedule.kind == kind);
        snprintf(item->note, sizeof item->note, "%s", notes[kind]);
    }
    menu_open(app);
}

void action_menu_method(struct app *app, int key) {
    static const char *const notes[METHOD_COUNT] = {
        [METHOD_JACOBI] = "every unknown by itself: N² iterations on a grid of N×N",
        [METHOD_CHEBYSHEV] = "further in the direction of the last step: N iterations",
        [METHOD_SOR] = "red, then black, each as far as is best: N iterations, in place",
        [METHOD_MULTIGRID] = "V-cycles over coarser and coarser grids: a number without N",
    };
    menu_begin(app, "Method: what an iteration does to U", NULL);
    for (int m = 0; m < METHOD_COUNT; m++) {
        const enum method method = (enum method)m;
        struct plan plan = app->plan;
        for (int l = 0; l < plan.lane_count; l++) {
            struct engine_spec *engine = &plan.lanes[l].engine;
            if (*plan.recordings[l].path)
                continue;
            engine->run.method = method;
            engine->run.omega = OMEGA_OWN;
            if (method_check(method, engine->run.schedule, OMEGA_OWN, NULL))
                engine->run.schedule = (struct schedule){.kind = SCHEDULE_CLASSIC};
        }
        struct menu_item *item = menu_add(app, method_title(method), &plan,
                                          app->plan.lanes[0].engine.run.method == method);
        snprintf(item->note, sizeof item->note, "%s", notes[m]);
    }
    menu_open(app);
}

void action_menu_mapping(struct app *app, int key) {
    static const char *const notes[MAPPING_COUNT] = {
        [MAPPING_STRUCTURED] = "each kernel maps its own arrays around itself: copies every time",
        [MAPPING_UNSTRUCTURED] = "arrays stay on the device for the whole run",
        [MAPPING_UNIFIED] = "one memory for host and device: nothing is mapped",
    };
    menu_begin(app, "Mapping: how arrays reach the device", NULL);
    for (int m = 0; m < MAPPING_COUNT; m++) {
        const enum mapping mapping = (enum mapping)m;
        struct plan plan = app->plan;
        plan.lanes[0].engine.run.mapping = mapping;
        struct menu_item *item = menu_add(app, mapping_name(mapping), &plan,
                                          app->plan.lanes[0].engine.run.mapping == mapping);
        snprintf(item->note, sizeof item->note, "%s", notes[mapping]);
    }
    menu_open(app);
}

void action_menu_problem(struct app *app, int key) {
    menu_begin(app, "Problem: what is solved", NULL);
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

/* ---- presets, and at their foot the tours */

static const char tour_prefix[] = "tour: ";

/* The preset on top of the defaults; how the terminal is used stays as it is. */
static enum status read_preset(const struct app *app, const char *name, struct config *config,
                               struct error *error) {
    config_init(config);
    enum status status = preset_load(name, config, error);
    if (!status)
        status = config_make_lanes(config, error);
    if (!status)
        status = resolve_recordings(config, error);
    config_keep_terminal(config, &app->config);
    return status;
}

static void take_preset(struct app *app, int index) {
    const char *label = app->menu.shown.items[index].label;
    struct config config;
    struct error error = {0};
    if (strncmp(label, tour_prefix, strlen(tour_prefix)) == 0) {
        tour_view_begin(app, label + strlen(tour_prefix));
    } else if (read_preset(app, label, &config, &error)) {
        app_show_message(app, true, "%s", error.message);
    } else {
        app->config = config;
        app_reset_state(app);
        app_try_plan(app, &config.plan);
    }
}

/* A row of what was read from a file; one that is broken says so. */
static void add_file(struct app *app, const char *label, const struct plan *plan, bool is_current,
                     const char *note, const struct error *error) {
    struct menu_item *item = menu_add(app, label, plan, is_current);
    if (!item)
        return;
    snprintf(item->note, sizeof item->note, "%s", note);
    if (error->status) {
        item->state = MENU_IMPOSSIBLE;
        snprintf(item->reason, sizeof item->reason, "%s", error->message);
    }
}

void action_menu_preset(struct app *app, int key) {
    static struct preset presets[PRESETS_MAX];
    static struct tour_entry tours[TOURS_MAX];
    const int count = preset_list(presets), tour_count = tour_entries(&app->config, tours);
    menu_begin(app, "Presets: prepared runs, and what they teach; and tours", take_preset);
    for (int p = 0; p < count && p < MENU_ROWS_MAX - tour_count; p++) {
        struct config config;
        struct error error = presets[p].error;
        if (!error.status)
            read_preset(app, presets[p].name, &config, &error);
        add_file(app, presets[p].name, error.status ? &app->plan : &config.plan,
                 strcmp(presets[p].name, app->plan.preset) == 0, presets[p].teaches, &error);
    }
    for (int l = 0; l < tour_count; l++) {
        char label[80], note[TEACHES_SIZE];
        snprintf(label, sizeof label, "%s%.63s", tour_prefix, tours[l].name);
        snprintf(note, sizeof note, "%s, in %d scenes", tours[l].title, tours[l].scenes);
        add_file(app, label, NULL, false, note, &tours[l].error);
    }
    menu_open(app);
}
