/* The menu of comparisons, and the one that puts a comparison together lane by lane. */
#include <stdio.h>
#include <string.h>

#include "kernels/backends.h"
#include "metrics/labels.h"
#include "ui/app/actions.h"
#include "ui/app/app.h"

/* A lane as --compare takes it. */
struct candidate {
    const char *backend;
    enum mapping mapping;
    enum schedule_kind schedule;
};

/* Comparisons that teach something; the menu begins with them. */
static const struct comparison {
    const char *label, *note;
    int count;
    struct candidate lanes[LANES_MAX];
} comparisons[] = {
    {"structured | unstructured",
     "the blog's lesson: what it costs to map the arrays around each kernel (omp)",
     2,
     {{"omp", MAPPING_STRUCTURED, SCHEDULE_CLASSIC},
      {"omp", MAPPING_UNSTRUCTURED, SCHEDULE_CLASSIC}}},
    {"structured | unstructured",
     "the same with explicit copies around each launch (hip)",
     2,
     {{"hip", MAPPING_STRUCTURED, SCHEDULE_CLASSIC},
      {"hip", MAPPING_UNSTRUCTURED, SCHEDULE_CLASSIC}}},
    {"omp | hip",
     "directives against launches, arrays resident in both",
     2,
     {{"omp", MAPPING_UNSTRUCTURED, SCHEDULE_CLASSIC},
      {"hip", MAPPING_UNSTRUCTURED, SCHEDULE_CLASSIC}}},
    {"plain | classic",
     "what tuning earned: the blog's four kernels as it prints them, and tuned (hip)",
     2,
     {{"hip", MAPPING_UNSTRUCTURED, SCHEDULE_PLAIN},
      {"hip", MAPPING_UNSTRUCTURED, SCHEDULE_CLASSIC}}},
    {"plain | classic",
     "the same for the blog's directives (omp)",
     2,
     {{"omp", MAPPING_UNSTRUCTURED, SCHEDULE_PLAIN},
      {"omp", MAPPING_UNSTRUCTURED, SCHEDULE_CLASSIC}}},
    {"classic | fused | blocked",
     "64, 24 and 24/depth bytes per lattice update (hip)",
     3,
     {{"hip", MAPPING_UNSTRUCTURED, SCHEDULE_CLASSIC},
      {"hip", MAPPING_UNSTRUCTURED, SCHEDULE_FUSED},
      {"hip", MAPPING_UNSTRUCTURED, SCHEDULE_BLOCKED}}},
    {"classic | fused | blocked",
     "64, 24 and 24/depth bytes per lattice update (threads)",
     3,
     {{"threads", MAPPING_UNSTRUCTURED, SCHEDULE_CLASSIC},
      {"threads", MAPPING_UNSTRUCTURED, SCHEDULE_FUSED},
      {"threads", MAPPING_UNSTRUCTURED, SCHEDULE_BLOCKED}}},
    {"serial | threads",
     "one core against all of them",
     2,
     {{"serial", MAPPING_UNSTRUCTURED, SCHEDULE_CLASSIC},
      {"threads", MAPPING_UNSTRUCTURED, SCHEDULE_CLASSIC}}},
};

enum { COMPARISONS = sizeof comparisons / sizeof *comparisons };

/* ---- lanes -------------------------------------------------------------------------------- */

static struct lane_spec lane_of_candidate(const struct app *app,
                                          const struct candidate *candidate) {
    struct lane_spec lane = app->plan.lanes[0];
    lane.choices[0] = backend_find(candidate->backend);
    lane.choice_count = 1;
    lane.any_backend = false;
    lane.engine.run.mapping = candidate->mapping;
    lane.engine.run.schedule = (struct schedule){.kind = candidate->schedule};
    return lane;
}

static struct candidate candidate_of_lane(const struct lane_spec *lane) {
    return (struct candidate){lane->choices[0]->name, lane->engine.run.mapping,
                              lane->engine.run.schedule.kind};
}

static void print_candidate(char *buffer, size_t size, const struct candidate *candidate) {
    const bool maps = backend_maps(candidate->backend);
    snprintf(buffer, size, "%s%s%s/%s", candidate->backend, maps ? "/" : "",
             maps ? mapping_name(candidate->mapping) : "", schedule_kind_name(candidate->schedule));
}

/* Which lane of the comparison that is put together is that candidate; -1: none. */
static int find_picked(const struct plan *picked, const struct candidate *candidate) {
    for (int l = 0; l < picked->lane_count; l++) {
        const struct lane_spec *lane = &picked->lanes[l];
        if (lane->choices[0] && lane->choices[0] == backend_find(candidate->backend) &&
            lane->engine.run.schedule.kind == candidate->schedule &&
            (!backend_maps(candidate->backend) || lane->engine.run.mapping == candidate->mapping))
            return l;
    }
    return -1;
}

/* ---- picking: the rows of the menu are lanes; each pick opens it again ---------------------- */

static void open_picking(struct app *app);

/* Starts the comparison; or adds the chosen lane, or removes it if it is in. A fifth replaces the
 * fourth. */
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
    const struct candidate candidate = candidate_of_lane(lane);
    const int at = find_picked(picked, &candidate);
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

static void add_candidate(struct app *app, const struct candidate *candidate) {
    char label[64];
    struct plan plan = app->plan;
    plan.lane_count = 1;
    plan_compute_all(&plan);
    plan.lanes[0] = lane_of_candidate(app, candidate);
    print_candidate(label, sizeof label, candidate);
    const int at = find_picked(&app->picked, candidate);
    struct menu_item *item = menu_add(app, label, &plan, at >= 0);
    if (item && at >= 0)
        snprintf(item->note, sizeof item->note, "lane %c: Enter takes it out", lane_letter(at));
    else if (item)
        snprintf(item->note, sizeof item->note, "Enter adds it");
}

/* The first row starts it, and says what is picked. The cursor stands there as soon as there is
 * something to compare: Enter goes. */
static void open_picking(struct app *app) {
    const bool is_enough = app->picked.lane_count > 1;
    menu_begin(app, "Compare: pick two to four runs", choose_picked);
    app->menu.shown.has_head = true;
    app->menu.back = action_menu_compare;
    struct menu_item *start = menu_add(app, is_enough ? "▶ start" : "pick another",
                                       is_enough ? &app->picked : NULL, false);
    size_t used = 0;
    for (int l = 0; l < app->picked.lane_count && used < sizeof start->note; l++) {
        char name[64];
        const struct candidate candidate = candidate_of_lane(&app->picked.lanes[l]);
        print_candidate(name, sizeof name, &candidate);
        used += (size_t)snprintf(start->note + used, sizeof start->note - used, "%s%c %s",
                                 l ? ", " : "", lane_letter(l), name);
    }
    for (const struct backend *const *backend = backends; *backend; backend++)
        for (int mapping = 0; mapping < MAPPING_COUNT; mapping++)
            for (int kind = 0; kind < SCHEDULE_COUNT; kind++) {
                const struct candidate candidate = {(*backend)->name, (enum mapping)mapping,
                                                    (enum schedule_kind)kind};
                const bool maps = backend_maps(candidate.backend);
                if (maps ? mapping == MAPPING_UNIFIED && kind != SCHEDULE_CLASSIC
                         : mapping != MAPPING_UNSTRUCTURED || kind == SCHEDULE_PLAIN)
                    continue;
                add_candidate(app, &candidate);
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
        const char *runs = l < app->sample->lane_count ? app->sample->lanes[l].run.backend : "";
        if (backend_find(runs))
            app->picked.lanes[l].choices[0] = backend_find(runs);
        app->picked.lanes[l].choice_count = 1;
        app->picked.lanes[l].any_backend = false;
    }
    open_picking(app);
}

void action_menu_compare(struct app *app, int key) {
    struct plan plan = app->plan;
    menu_begin(app, "Compare: the same problem, lane by lane", choose_comparison);
    plan_compute_all(&plan);
    for (int c = 0; c < COMPARISONS; c++) {
        plan.lane_count = comparisons[c].count;
        for (int l = 0; l < plan.lane_count; l++)
            plan.lanes[l] = lane_of_candidate(app, &comparisons[c].lanes[l]);
        struct menu_item *item = menu_add(app, comparisons[c].label, &plan, false);
        snprintf(item->note, sizeof item->note, "%s", comparisons[c].note);
    }
    plan.lane_count = 1;
    plan.lanes[0] = app->plan.lanes[0];
    struct menu_item *item = menu_add(app, "pick runs…", &plan, false);
    snprintf(item->note, sizeof item->note,
             "any two to four of back end, mapping and schedule that can run here");
    if (app->plan.lane_count > 1) {
        item = menu_add(app, "one run alone", &plan, false);
        snprintf(item->note, sizeof item->note, "end the comparison and go on with lane A");
    }
    menu_open(app);
}
