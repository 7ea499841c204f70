/* The menu of comparisons, and the menu that composes a comparison lane by lane. */
#include <stdio.h>
#include <string.h>

#include "kernels/backends.h"
#include "metrics/labels.h"
#include "ui/app/app.h"

/* Ready-made comparisons, in the syntax of --compare; the first rows of the menu. */
static const struct {
    const char *label, *note, *lanes;
} comparisons[] = {
    {"omp: structured | unstructured", "what mapping at each kernel costs",
     "omp/structured/classic,omp/unstructured/classic"},
    {"hip: structured | unstructured", "the same with explicit copies",
     "hip/structured/classic,hip/unstructured/classic"},
    {"omp | hip", "directives against launches",
     "omp/unstructured/classic,hip/unstructured/classic"},
    {"hip: plain | classic", "what optimised kernels gain",
     "hip/unstructured/plain,hip/unstructured/classic"},
    {"omp: plain | classic", "the same with directives",
     "omp/unstructured/plain,omp/unstructured/classic"},
    {"hip: classic | fused | blocked", "64, 24, 24/depth bytes per update",
     "hip/unstructured/classic,hip/unstructured/fused,hip/unstructured/blocked"},
    {"threads: classic | fused | blocked", "64, 24, 24/depth bytes per update",
     "threads/unstructured/classic,threads/unstructured/fused,threads/unstructured/blocked"},
    {"serial: double | single | mixed", "half the bytes, and their price",
     "serial//fused,serial//fused+single,serial//fused+mixed"},
    {"serial | threads", "one core against all of them",
     "serial/unstructured/classic,threads/unstructured/classic"},
};

enum { COMPARISONS = sizeof comparisons / sizeof *comparisons };

/* ---- lanes -------------------------------------------------------------------------------- */

static struct lane_spec make_lane(const struct app *app, const struct backend *backend,
                                  enum mapping mapping, enum schedule_kind kind) {
    struct lane_spec lane = app->plan.lanes[0];
    lane_spec_set_backend(&lane, backend->name);
    lane.engine.run.mapping = mapping;
    lane.engine.run.schedule = (struct schedule){.kind = kind};
    return lane;
}

static char *format_lane(char *buffer, size_t size, const struct lane_spec *lane) {
    const char *name = lane->choices[0]->name;
    const bool maps = backend_maps(name);
    return format_text(buffer, size, "%s%s%s/%s", name, maps ? "/" : "",
                       maps ? mapping_names[lane->engine.run.mapping] : "",
                       schedule_names[lane->engine.run.schedule.kind]);
}

/* The index of that lane in the comparison being built; -1: none. */
static int find_picked(const struct plan *picked, const struct lane_spec *lane) {
    for (int l = 0; l < picked->lane_count; l++) {
        const struct lane_spec *at = &picked->lanes[l];
        if (at->choices[0] == lane->choices[0] &&
            at->engine.run.schedule.kind == lane->engine.run.schedule.kind &&
            (!backend_maps(lane->choices[0]->name) ||
             at->engine.run.mapping == lane->engine.run.mapping))
            return l;
    }
    return -1;
}

/* ---- picking: the rows of the menu are lanes; each pick opens it again ---------------------- */

static void open_picking(struct app *app);

/* Starts the comparison, or adds or removes the chosen lane. A fifth lane replaces the fourth. */
static void choose_picked(struct app *app, int index) {
    struct plan *picked = &app->picked;
    if (index == 0) {
        if (picked->lane_count > 1)
            app_try_plan(app, picked);
        else
            open_picking(app);
        return;
    }
    const struct lane_spec *lane = &app->menu.plans[index].lanes[0];
    const int at = find_picked(picked, lane);
    if (at < 0) {
        const int last = picked->lane_count < LANES_MAX ? picked->lane_count++ : LANES_MAX - 1;
        picked->lanes[last] = *lane;
    } else {
        picked->lane_count--;
        for (int l = at; l < picked->lane_count; l++)
            picked->lanes[l] = picked->lanes[l + 1];
    }
    open_picking(app);
}

static void add_lane(struct app *app, const struct lane_spec *lane) {
    struct plan plan = app->plan;
    const int at = find_picked(&app->picked, lane);
    plan.lane_count = 1;
    plan_compute_all(&plan);
    plan.lanes[0] = *lane;
    menu_add(app, AS(format_lane, lane), &plan, at >= 0, "%s",
             at < 0 ? "Enter adds it" : PRINT("run %c: Enter removes it", lane_letter(at)));
}

/* The first row starts the comparison and lists its lanes. It is selected as soon as there are
 * two. */
static void open_picking(struct app *app) {
    const bool is_enough = app->picked.lane_count > 1;
    menu_begin(app, "Compare: pick two to four runs", choose_picked);
    app->menu.shown.has_head = true;
    app->menu.back = open_comparisons;
    struct menu_item *start = menu_add(app, is_enough ? "▶ start" : "pick another",
                                       is_enough ? &app->picked : NULL, false, "%s", "");
    for (int l = 0; l < app->picked.lane_count; l++)
        format_append(start->note, sizeof start->note, "%s%c %s", l ? ", " : "", lane_letter(l),
                      AS(format_lane, &app->picked.lanes[l]));
    for (const struct backend *const *backend = backends; *backend; backend++)
        for (int mapping = 0; mapping < MAPPING_COUNT; mapping++)
            for (int kind = 0; kind < SCHEDULE_COUNT; kind++) {
                const bool maps = backend_maps((*backend)->name);
                if (maps ? mapping == MAPPING_UNIFIED && kind != SCHEDULE_CLASSIC
                         : mapping != MAPPING_UNSTRUCTURED || kind == SCHEDULE_PLAIN)
                    continue;
                const struct lane_spec lane =
                    make_lane(app, *backend, (enum mapping)mapping, (enum schedule_kind)kind);
                add_lane(app, &lane);
            }
    menu_open(app);
    if (is_enough)
        app->state.overlay_row = 0;
}

/* ---- the first menu ----------------------------------------------------------------------- */

static void choose_comparison(struct app *app, int index) {
    if (index != COMPARISONS) {
        app_try_plan(app, &app->menu.plans[index]);
        return;
    }
    app->picked = app->plan;
    plan_compute_all(&app->picked);
    for (int l = 0; l < app->picked.lane_count; l++) {
        struct lane_spec *lane = &app->picked.lanes[l];
        const char *runs = l < app->sample->lane_count ? app->sample->lanes[l].run.backend : "";
        if (!lane_spec_set_backend(lane, runs))
            lane_spec_set_backend(lane, lane->choices[0]->name);
    }
    open_picking(app);
}

void open_comparisons(struct app *app) {
    struct plan alone = app->plan;
    struct config config = app->config;
    menu_begin(app, "Compare: the same problem, side by side", choose_comparison);
    alone.lane_count = 1;
    plan_compute_all(&alone);
    for (int c = 0; c < COMPARISONS; c++) {
        config.plan = alone;
        snprintf(config.compare, sizeof config.compare, "%s", comparisons[c].lanes);
        config_make_lanes(&config, NULL);
        menu_add(app, comparisons[c].label, &config.plan, false, "%s", comparisons[c].note);
    }
    menu_add(app, "pick runs…", &alone, false, "two to four of all that run here");
    if (app->plan.lane_count > 1)
        menu_add(app, "one run alone", &alone, false, "end the comparison, keep run A");
    menu_open(app);
}
