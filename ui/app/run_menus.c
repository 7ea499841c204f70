/* The menus that choose the settings of a run. */
#include <stdio.h>
#include <string.h>

#include "config/settings.h"
#include "core/format.h"
#include "kernels/backends.h"
#include "record/resolve.h"
#include "tour/tour.h"
#include "ui/app/app.h"

/* ---- run settings -------------------------------------------------------------------------- */

/* Turns a row into that of a grid: its plan and its text. */
static void set_grid_row(struct app *app, int row, int nx, int ny) {
    struct plan *plan = &app->menu.plans[row];
    struct menu_item *item = &app->menu.shown.items[row];
    const struct mesh mesh = mesh_make(nx, ny);
    const double unknowns = (double)mesh_unknowns(&mesh);
    for (int l = 0; l < plan->lane_count; l++)
        if (!*plan->recordings[l].path)
            plan->lanes[l].engine.mesh = mesh;
    format_grid(item->label, sizeof item->label, nx, ny);
    const double bytes = 4 * (double)precision_bytes(plan->lanes[0].engine.run.precision);
    format_text(item->note, sizeof item->note, "%s unknowns, four arrays take %s",
                AS(format_si, unknowns), AS(format_bytes, bytes * unknowns));
}

static void set_typed_grid(struct app *app) {
    struct menu_item *item = &app->menu.shown.items[0];
    int nx, ny;
    const bool valid = value_pair(app->menu.typed, 1, MESH_MAX_SIDE, true, &nx, &ny);
    *item = (struct menu_item){0};
    if (valid)
        set_grid_row(app, 0, nx, ny);
    else
        error_set(&item->error, STATUS_BAD_INPUT, "type N or NxNY, each 1 to 65536");
    snprintf(item->label, sizeof item->label, "%s_", app->menu.typed);
}

static void open_grid(struct app *app) {
    static const int sides[] = {64,   128,  256,   512,   1024,  2048,
                                4096, 8192, 12288, 16384, 32768, 65536};
    const struct mesh *now = &app->plan.lanes[0].engine.mesh;
    menu_begin(app, "Grid: interior unknowns: choose, or type N or NxNY", NULL);
    app->menu.shown.has_head = true;
    app->menu.typed_into = set_typed_grid;
    menu_add(app, "", NULL, false, "%s", "");
    set_grid_row(app, 0, now->Nx, now->Ny);
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
        menu_add(app, "", &app->plan, now->Nx == sides[s] && now->Ny == sides[s], "%s", "");
        set_grid_row(app, app->menu.shown.count - 1, sides[s], sides[s]);
    }
    snprintf(app->menu.shown.items[0].label, sizeof app->menu.shown.items[0].label, "N×NY: _");
    menu_open(app);
}

static void open_backend(struct app *app) {
    const struct sample *sample = app->sample;
    menu_begin(app, "Back end: what computes", NULL);
    for (const struct backend *const *backend = backends; *backend; backend++) {
        struct plan plan = app->plan;
        plan.lane_count = 1;
        plan_compute_all(&plan);
        lane_spec_set_backend(&plan.lanes[0], (*backend)->name);
        const bool runs =
            sample->lane_count > 0 && backend_find(sample->lanes[0].run.backend) == *backend;
        menu_add(app, PRINT("%s: %s", (*backend)->name, (*backend)->title), &plan, runs, "needs %s",
                 (*backend)->needs);
    }
    menu_open(app);
}

/* Gives the engine value `value` of a setting, the key of its menu; returns whether it was the
 * previous one. */
static bool set_engine(struct engine_spec *engine, int setting, int value) {
    const struct engine_spec before = *engine;
    struct run_id *run = &engine->run;
    switch (setting) {
    case 'k':
        run->schedule = (struct schedule){.kind = (enum schedule_kind)value};
        return before.run.schedule.kind == run->schedule.kind;
    case 'D':
        run->method = (enum method)value;
        run->omega = OMEGA_OWN;
        if (method_check(run->method, run->schedule, OMEGA_OWN, NULL))
            run->schedule = (struct schedule){.kind = SCHEDULE_CLASSIC};
        return before.run.method == run->method;
    case 'F':
        run->precision = (enum precision)value;
        return before.run.precision == run->precision;
    case 'u':
        run->mapping = (enum mapping)value;
        return before.run.mapping == run->mapping;
    default:
        engine->problem = &problems[value];
        return before.problem == engine->problem;
    }
}

static const struct setting_menu {
    int key; /* of the keyboard, and for set_engine */
    const char *title;
    const char *const *names;
    const char *notes[5]; /* one per value, ended by NULL */
} setting_menus[] = {
    {'k',
     "Schedule: the kernels and sweeps of an iteration",
     schedule_names,
     {[SCHEDULE_CLASSIC] = "the blog's four kernels, optimised for the device",
      [SCHEDULE_FUSED] = "one sweep per iteration: AU and RES never reach memory",
      [SCHEDULE_BLOCKED] = "one sweep for several iterations: U is read once for all of them",
      [SCHEDULE_PLAIN] = "the blog's four kernels as printed (hip, omp)"}},
    {'D',
     "Method: what an iteration does to U",
     method_titles,
     {[METHOD_JACOBI] = "all unknowns at once: O(N²) iterations on an N×N grid",
      [METHOD_CHEBYSHEV] = "adds a momentum term: O(N) iterations",
      [METHOD_SOR] = "red, then black, with the optimal ω: O(N) iterations, in place",
      [METHOD_MULTIGRID] = "V-cycles over coarser grids: cycle count independent of N"}},
    {'F',
     "Precision: the numbers of an iteration",
     precision_names,
     {[PRECISION_DOUBLE] = "8 bytes per number, as in the blog",
      [PRECISION_SINGLE] = "4 bytes: half the time, but round-off may prevent convergence",
      [PRECISION_MIXED] = "U in double, its correction in single: 4 bytes, and double's answer"}},
    {'u',
     "Mapping: how arrays reach the device",
     mapping_names,
     {[MAPPING_STRUCTURED] = "each kernel maps its own arrays around itself: copies every time",
      [MAPPING_UNSTRUCTURED] = "arrays stay on the device for the whole run",
      [MAPPING_UNIFIED] = "one memory for host and device: nothing is mapped"}},
};

/* Adds the row of a setting's value, for all runs but recorded ones. */
static void add_value(struct app *app, int setting, int value, const char *name, const char *note) {
    struct plan plan = app->plan;
    struct engine_spec first = plan.lanes[0].engine;
    for (int l = 0; l < plan.lane_count; l++)
        if (!*plan.recordings[l].path)
            set_engine(&plan.lanes[l].engine, setting, value);
    menu_add(app, name, &plan, set_engine(&first, setting, value), "%s", note);
}

static void open_setting(struct app *app, const struct setting_menu *menu) {
    menu_begin(app, menu->title, NULL);
    for (int value = 0; menu->notes[value]; value++)
        add_value(app, menu->key, value, menu->names[value], menu->notes[value]);
    menu_open(app);
}

static void open_problem(struct app *app) {
    menu_begin(app, "Problem: what is solved", NULL);
    for (int p = 0; problems[p].name; p++)
        add_value(app, 'o', p, problems[p].title, problems[p].teaches);
    menu_open(app);
}

/* ---- presets, followed by the tours -------------------------------------------------------- */

static const char tour_prefix[] = "tour: ";

/* Reads the preset on top of the defaults; keeps the terminal settings. */
static enum status read_preset(const struct app *app, const char *name, struct config *config,
                               struct error *error) {
    config_init(config);
    enum status status = preset_load(name, config, error);
    if (!status)
        status = config_make_lanes(config, error);
    if (!status)
        status = resolve_recordings(config, error);
    config->view.terminal = app->config.view.terminal;
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
        app_take_config(app, &config);
        app_reset_state(app);
        app_try_plan(app, &config.plan);
    }
}

/* Adds a row read from a file; a broken file's row has the error. */
static void add_file(struct app *app, const char *label, const struct plan *plan, bool is_current,
                     const char *note, const struct error *error) {
    struct menu_item *item = menu_add(app, label, plan, is_current, "%s", note);
    if (item && error->status) {
        item->error = *error;
        item->is_checking = false;
    }
}

static void open_preset(struct app *app) {
    static struct preset presets[PRESETS_MAX];
    static struct preset tours[TOURS_MAX];
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
    for (int l = 0; l < tour_count; l++)
        add_file(app, PRINT("%s%s", tour_prefix, tours[l].name), NULL, false, tours[l].teaches,
                 &tours[l].error);
    menu_open(app);
}

/* ---- by key -------------------------------------------------------------------------------- */

void action_menu(struct app *app, int key) {
    static const struct {
        int key;
        void (*open)(struct app *app);
    } menus[] = {
        {'g', open_grid},   {'b', open_backend},     {'o', open_problem},
        {'p', open_preset}, {'c', open_comparisons},
    };
    for (size_t m = 0; m < sizeof setting_menus / sizeof *setting_menus; m++)
        if (setting_menus[m].key == key)
            open_setting(app, &setting_menus[m]);
    for (size_t m = 0; m < sizeof menus / sizeof *menus; m++)
        if (menus[m].key == key)
            menus[m].open(app);
}
