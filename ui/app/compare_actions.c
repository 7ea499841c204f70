#include "ui/app/compare_actions.h"

#include <stdio.h>

#include "ui/app/app.h"
#include "ui/app/keymap.h"
#include "ui/panels/panel.h"
#include "ui/panels/timeline.h"

/* ---- panels ------------------------------------------------------------------------------- */

static void open_panel(struct ui *ui, const char *name) {
    const struct panel *panel = panel_find(name);
    if (panel)
        ui->state.full = ui->state.full == panel ? NULL : panel;
}

void action_timeline(struct ui *ui, int key) {
    (void)key;
    open_panel(ui, "timeline");
}

void action_roofline(struct ui *ui, int key) {
    (void)key;
    open_panel(ui, "roofline");
}

void action_explain(struct ui *ui, int key) {
    (void)key;
    open_panel(ui, "explain");
}

void action_verdict(struct ui *ui, int key) {
    (void)key;
    open_panel(ui, "verdict");
}

/* ---- the race ----------------------------------------------------------------------------- */

bool is_comparison(const struct screen *screen) {
    return screen->sample->lane_count > 1;
}

bool can_race(const struct screen *screen) {
    const struct playback *playback = &screen->sample->playback;
    return is_comparison(screen) && (!*playback->label || playback->races);
}

static const char *race_explained(const struct sample *sample, enum race race) {
    const bool by_time = race == RACE_SAME_TIME;
    if (*sample->playback.label)
        return by_time ? "same time, by the loop's recorded time: who gets how far?"
                       : "same iterations, by recorded iteration: who needs how long?";
    return by_time ? "same time: lanes get equal time in turns; who gets how far?"
                   : "same iterations: lanes go in lockstep; who needs how long?";
}

void action_race(struct ui *ui, int key) {
    (void)key;
    ui->plan.race = ui->sample->race == RACE_SAME_TIME ? RACE_SAME_ITERATIONS : RACE_SAME_TIME;
    ui_send(ui, COMMAND_RACE, ui->plan.race);
    ui_say(ui, false, "%s", race_explained(ui->sample, ui->plan.race));
}

void describe_race(const struct screen *screen, char *text, size_t size) {
    snprintf(text, size, "%s",
             screen->sample->race == RACE_SAME_TIME ? "same iterations" : "same time");
}

/* ---- the timeline ------------------------------------------------------------------------- */

bool is_timeline_full(const struct screen *screen) {
    return screen->state->full && screen->state->full == panel_find("timeline");
}

static int count_segments(const struct ui *ui) {
    struct timeline timeline;
    int count = 0;
    for (int l = 0; l < ui->sample->lane_count; l++) {
        timeline_make(&ui->sample->lanes[l], timeline_iterations(ui->state.timeline.zoom),
                      &timeline);
        count += timeline.count;
    }
    return count;
}

/* Which segment of all lanes, and the longest lane: positions are fractions of that. */
static bool find_segment(const struct ui *ui, int index, double *middle, double *whole) {
    struct timeline timeline;
    bool found = false;
    *whole = 0;
    for (int l = 0; l < ui->sample->lane_count; l++) {
        timeline_make(&ui->sample->lanes[l], timeline_iterations(ui->state.timeline.zoom),
                      &timeline);
        *whole = timeline.seconds > *whole ? timeline.seconds : *whole;
        if (!found && index < timeline.count) {
            *middle = 0.5 * (timeline.segments[index].start + timeline.segments[index].end);
            found = true;
        }
        index -= timeline.count;
    }
    return found && *whole > 0;
}

/* Moves the window so that what is selected lies in it. */
static void scroll_to_selected(struct ui *ui) {
    struct timeline_view *view = &ui->state.timeline;
    double middle, whole;
    if (view->selected < 0 || view->zoom <= 1 || !find_segment(ui, view->selected, &middle, &whole))
        return;
    const double at = middle / whole, length = 1 / view->zoom;
    if (at < view->position || at > view->position + length)
        view->position = at - length / 2;
    view->position = view->position < 0            ? 0
                     : view->position + length > 1 ? 1 - length
                                                   : view->position;
}

void action_timeline_select(struct ui *ui, int key) {
    struct timeline_view *view = &ui->state.timeline;
    const int count = count_segments(ui);
    view->selected += key == KEYMAP_RIGHT ? 1 : -1;
    if (view->selected >= count)
        view->selected = -1;
    if (view->selected < -1)
        view->selected = count - 1;
    scroll_to_selected(ui);
}

void action_timeline_zoom(struct ui *ui, int key) {
    static const double least = 1.0 / 8, most = 1024;
    struct timeline_view *view = &ui->state.timeline;
    const double zoom = view->zoom * (key == KEYMAP_UP ? 2 : 0.5);
    if (zoom < least || zoom > most)
        return;
    const double middle = view->position + 0.5 / (view->zoom > 1 ? view->zoom : 1);
    view->zoom = zoom;
    view->position = zoom > 1 ? middle - 0.5 / zoom : 0;
    if (zoom < 1)
        view->selected = -1;
    scroll_to_selected(ui);
}
