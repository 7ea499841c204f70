#include <stdio.h>
#include <string.h>

#include "kernels/backends.h"
#include "metrics/words.h"
#include "ui/app/app.h"
#include "ui/app/compare_actions.h"
#include "ui/app/menu.h"

/* A lane as --compare takes it. */
struct choice {
    const char *backend;
    enum mapping mapping;
    enum schedule_kind schedule;
};

/* Comparisons that are worth a lesson; the menu begins with them. */
static const struct lesson {
    const char *label, *note;
    int count;
    struct choice lanes[LANES_MAX];
} lessons[] = {
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
    {"classic | fused | blocked",
     "64, 24 and 24/depth bytes a lattice update (hip)",
     3,
     {{"hip", MAPPING_UNSTRUCTURED, SCHEDULE_CLASSIC},
      {"hip", MAPPING_UNSTRUCTURED, SCHEDULE_FUSED},
      {"hip", MAPPING_UNSTRUCTURED, SCHEDULE_BLOCKED}}},
    {"classic | fused | blocked",
     "64, 24 and 24/depth bytes a lattice update (threads)",
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

enum { LESSONS = sizeof lessons / sizeof *lessons };

/* ---- lanes -------------------------------------------------------------------------------- */

static struct lane_spec lane_of(const struct ui *ui, const struct choice *choice) {
    struct lane_spec lane = ui->plan.lanes[0];
    lane.choices[0] = backend_find(choice->backend);
    lane.choice_count = 1;
    lane.any_backend = false;
    lane.engine.mapping = choice->mapping;
    lane.engine.schedule = (struct schedule){.kind = choice->schedule};
    return lane;
}

static void print_choice(char *buffer, size_t size, const struct choice *choice) {
    const bool maps = backend_maps(choice->backend);
    snprintf(buffer, size, "%s%s%s/%s", choice->backend, maps ? "/" : "",
             maps ? mapping_name(choice->mapping) : "", schedule_kind_name(choice->schedule));
}

static bool same_lane(const struct lane_spec *lane, const struct choice *choice) {
    return lane->choices[0] && strcmp(lane->choices[0]->name, choice->backend) == 0 &&
           lane->engine.schedule.kind == choice->schedule &&
           (!backend_maps(choice->backend) || lane->engine.mapping == choice->mapping);
}

/* ---- picking: the rows of the menu are lanes; each pick opens it again ---------------------- */

static struct choice choice_of(const struct lane_spec *lane) {
    return (struct choice){lane->choices[0]->name, lane->engine.mapping,
                           lane->engine.schedule.kind};
}

static int place_of(const struct plan *picked, const struct choice *choice) {
    for (int l = 0; l < picked->lane_count; l++)
        if (same_lane(&picked->lanes[l], choice))
            return l;
    return -1;
}

/* In if it was out, out if it was in; a fifth takes the place of the fourth. */
static void toggle(struct ui *ui, const struct lane_spec *lane) {
    struct plan *picked = &ui->picked;
    const struct choice choice = choice_of(lane);
    const int at = place_of(picked, &choice);
    if (at < 0) {
        const int last = picked->lane_count < LANES_MAX ? picked->lane_count++ : LANES_MAX - 1;
        picked->lanes[last] = *lane;
        return;
    }
    picked->lane_count--;
    for (int l = at; l < picked->lane_count; l++)
        picked->lanes[l] = picked->lanes[l + 1];
}

static void describe_picked(const struct ui *ui, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int l = 0; l < ui->picked.lane_count && used < size; l++) {
        char name[64];
        const struct choice choice = choice_of(&ui->picked.lanes[l]);
        print_choice(name, sizeof name, &choice);
        used += (size_t)snprintf(text + used, size - used, "%s%c %s", l ? ", " : "", lane_letter(l),
                                 name);
    }
}

static void open_picking(struct ui *ui);

static void picked_row(struct ui *ui, int index) {
    if (index == 0 && ui->picked.lane_count > 1) {
        ui_try_plan(ui, &ui->picked);
        return;
    }
    toggle(ui, &ui->menu.plans[index].lanes[0]);
    open_picking(ui);
}

static void add_lane_row(struct ui *ui, const struct choice *choice) {
    char label[64];
    struct plan plan = ui->plan;
    plan.lane_count = 1;
    plan_compute_all(&plan);
    plan.lanes[0] = lane_of(ui, choice);
    print_choice(label, sizeof label, choice);
    const int at = place_of(&ui->picked, choice);
    struct menu_item *item = menu_add(ui, label, &plan, at >= 0);
    if (item && at >= 0)
        snprintf(item->note, sizeof item->note, "lane %c: Enter takes it out", lane_letter(at));
    else if (item)
        snprintf(item->note, sizeof item->note, "Enter adds it");
}

/* The cursor stands on the start as soon as there is something to compare: Enter goes. */
static void open_picking(struct ui *ui) {
    menu_begin(ui, "Compare: pick two to four runs");
    if (ui->picked.lane_count > 1) {
        struct menu_item *item = menu_add(ui, "▶ start", &ui->picked, false);
        if (item)
            describe_picked(ui, item->note, sizeof item->note);
    }
    for (const struct backend *const *backend = backends; *backend; backend++)
        for (int mapping = 0; mapping < MAPPING_COUNT; mapping++)
            for (int kind = 0; kind < SCHEDULE_COUNT; kind++) {
                const struct choice choice = {(*backend)->name, (enum mapping)mapping,
                                              (enum schedule_kind)kind};
                const bool maps = backend_maps(choice.backend);
                if (maps ? mapping == MAPPING_UNIFIED && kind != SCHEDULE_CLASSIC
                         : mapping != MAPPING_UNSTRUCTURED)
                    continue;
                add_lane_row(ui, &choice);
            }
    ui->menu.chosen = picked_row;
    menu_open(ui);
    if (ui->picked.lane_count > 1)
        ui->state.overlay_row = 0;
}

/* ---- the first menu ----------------------------------------------------------------------- */

static void add_lesson(struct ui *ui, const struct lesson *lesson) {
    struct plan plan = ui->plan;
    plan.lane_count = lesson->count;
    plan_compute_all(&plan);
    for (int l = 0; l < lesson->count; l++)
        plan.lanes[l] = lane_of(ui, &lesson->lanes[l]);
    struct menu_item *item = menu_add(ui, lesson->label, &plan, false);
    if (item)
        snprintf(item->note, sizeof item->note, "%s", lesson->note);
}

static void chosen_row(struct ui *ui, int index) {
    if (index != LESSONS) {
        ui_try_plan(ui, &ui->menu.plans[index]);
        return;
    }
    ui->picked = ui->plan;
    plan_compute_all(&ui->picked);
    for (int l = 0; l < ui->picked.lane_count; l++) {
        const char *runs = l < ui->sample->lane_count ? ui->sample->lanes[l].backend : "";
        if (backend_find(runs))
            ui->picked.lanes[l].choices[0] = backend_find(runs);
        ui->picked.lanes[l].choice_count = 1;
        ui->picked.lanes[l].any_backend = false;
    }
    open_picking(ui);
}

void action_menu_compare(struct ui *ui, int key) {
    (void)key;
    menu_begin(ui, "Compare: the same problem, lane by lane");
    for (int l = 0; l < LESSONS; l++)
        add_lesson(ui, &lessons[l]);
    struct plan alone = ui->plan;
    alone.lane_count = 1;
    plan_compute_all(&alone);
    struct menu_item *item = menu_add(ui, "pick runs…", &alone, false);
    if (item)
        snprintf(item->note, sizeof item->note,
                 "any two to four of back end, mapping and schedule that can run here");
    item = ui->plan.lane_count > 1 ? menu_add(ui, "one run alone", &alone, false) : NULL;
    if (item)
        snprintf(item->note, sizeof item->note, "end the comparison and go on with lane A");
    ui->menu.chosen = chosen_row;
    menu_open(ui);
}
