#include "ui/app/app.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/system.h"
#include "ui/app/keymap.h"
#include "ui/app/recording_actions.h"
#include "ui/app/tour_view.h"
#include "ui/panels/field.h"
#include "ui/panels/lane.h"
#include "ui/panels/overlay.h"
#include "ui/panels/timeline.h"
#include "ui/panels/view.h"

static const int64_t hint_ns = 4000000000;

static struct ui_state first_state(const struct config *config) {
    struct ui_state state = {
        .layout = config->view.layout,
        .scale = config->view.scale,
        .view = {.x0 = config->view.x0,
                 .x1 = config->view.x1,
                 .y0 = config->view.y0,
                 .y1 = config->view.y1},
        .timeline = {.zoom = 1, .selected = -1},
    };
    if (!colormap_parse(config->view.colormap, &state.colormap))
        state.colormap = COLORMAP_VIRIDIS;
    if (!(state.view.x1 > state.view.x0 && state.view.y1 > state.view.y0))
        state.view = (struct view){.x1 = 1, .y1 = 1};
    return state;
}

bool ui_init(struct ui *ui, const struct config *config, struct source *source) {
    *ui = (struct ui){.config = *config, .plan = config->plan, .source = source};
    ui->state = first_state(&ui->config);
    ui->ascii = config->view.ascii;
    ui->nothing = sample_create();
    ui->checker = checker_create();
    bool there = ui->nothing && ui->checker;
    for (int l = 0; l < LANES_MAX; l++)
        there = heatmap_init(&ui->heatmaps[l]) && there;
    if (!there) {
        ui_finish(ui);
        return false;
    }
    ui->nothing->state = SESSION_OPENING;
    ui->sample = ui->nothing;
    if (*config->notice)
        ui_say(ui, true, "%s", config->notice);
    return true;
}

void ui_finish(struct ui *ui) {
    keep_close(ui);
    film_close(&ui->film);
    lesson_close(ui);
    checker_destroy(ui->checker);
    ui->checker = NULL;
    sample_destroy(ui->nothing);
    ui->nothing = NULL;
    for (int l = 0; l < LANES_MAX; l++)
        heatmap_finish(&ui->heatmaps[l]);
    grid_finish(&ui->grid);
}

struct screen ui_screen(const struct ui *ui) {
    return (struct screen){
        .sample = ui->sample,
        .config = &ui->config,
        .lesson = ui->lesson,
        .plan = &ui->plan,
        .state = &ui->state,
        .menu = &ui->menu,
        .heatmaps = ui->heatmaps,
        .no_color = ui->no_color,
        .ascii = ui->ascii,
    };
}

void ui_key(struct ui *ui, int key) {
    if (ui->state.overlay && ui->state.overlay->key(ui, key))
        return;
    const struct screen screen = ui_screen(ui);
    const struct binding *binding = keymap_find(key, &screen);
    if (binding)
        binding->act(ui, key);
}

static bool holds(struct rect area, int x, int y) {
    return x >= area.x && x < area.x + area.cols && y >= area.y && y < area.y + area.rows;
}

void ui_click(struct ui *ui, int x, int y) {
    const struct screen screen = ui_screen(ui);
    const struct layout layout = screen_layout(&screen, ui->grid.cols, ui->grid.rows);
    const int key = holds(layout.footer, x, y) ? footer_key_at(layout.footer, &screen, x) : 0;
    if (key) {
        ui_key(ui, key);
        return;
    }
    for (int s = 0; s < layout.count && !ui->state.overlay; s++) {
        const struct slot *slot = &layout.slots[s];
        if (!holds(slot->area, x, y))
            continue;
        if (slot->area.y == y && slot->panel->key)
            ui_key(ui, slot->panel->key);
        else if (slot->panel == panel_find("timeline"))
            ui->state.timeline.selected = timeline_panel_hit(slot->area, &screen, x, y);
    }
}

void ui_say(struct ui *ui, bool bad, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(ui->state.message, sizeof ui->state.message, format, arguments);
    va_end(arguments);
    ui->state.message_is_bad = bad;
    ui->state.message_ends_ns = 0;
}

void ui_hint(struct ui *ui, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(ui->state.message, sizeof ui->state.message, format, arguments);
    va_end(arguments);
    ui->state.message_is_bad = false;
    ui->state.message_ends_ns = clock_now_ns() + hint_ns;
}

bool ui_forget(struct ui *ui, int64_t now_ns) {
    if (!ui->state.message_ends_ns || now_ns < ui->state.message_ends_ns)
        return false;
    ui->state.message[0] = 0;
    ui->state.message_ends_ns = 0;
    return true;
}

/* What runs otherwise than it was asked for; a replay was not asked for anything. */
static void announce_changes(struct ui *ui, int l) {
    const struct lane_sample *lane = &ui->sample->lanes[l];
    char note[96] = "";
    if (!*ui->sample->playback.label && l < ui->plan.lane_count)
        schedule_note(note, sizeof note, lane->backend, ui->plan.lanes[l].engine.schedule,
                      lane->schedule);
    if (*lane->fallback_from)
        ui_say(ui, false, "%s%s%s runs instead of %s (%s)", note, *note ? "; " : "", lane->backend,
               lane->fallback_from, lane->fallback_reason);
    else if (*note)
        ui_say(ui, false, "%s", note);
}

/* What happened in the session that must not be overlooked. */
static void announce(struct ui *ui, enum session_state before) {
    const struct sample *sample = ui->sample;
    if (sample->state == SESSION_FAILED && before != SESSION_FAILED)
        ui_say(ui, true, "%s", sample->error.message);
    if (before == SESSION_OPENING)
        for (int l = 0; l < sample->lane_count; l++)
            announce_changes(ui, l);
}

void ui_take_sample(struct ui *ui) {
    const enum session_state before = ui->sample->state;
    /* From here on the sample before is no longer ours. */
    const struct sample *sample = ui->source->ops->latest(ui->source);
    if (!sample)
        return;
    ui->sample = sample;
    keep_sample(ui);
    if (sample->state == SESSION_OPENING && before != SESSION_OPENING)
        ui_say(ui, false, "%s", "");
    if (sample->state != before)
        announce(ui, before);
    for (int l = 0; l < sample->lane_count; l++) {
        const struct field field = heatmap_shared_limits(sample, l);
        if (field.downsample.cols > 0)
            heatmap_update(&ui->heatmaps[l], &field, ui->state.scale);
    }
}

static void ask_for_view(struct ui *ui, const struct screen *screen) {
    const struct layout layout = screen_layout(screen, ui->grid.cols, ui->grid.rows);
    const struct slot *slot = layout_find(&layout, "field", 0);
    const struct slot *lane = layout_find(&layout, "lane", 0);
    if (!slot && !lane)
        return;
    const struct view view =
        slot ? field_panel_view(slot->area, &ui->state) : lane_panel_view(lane->area, screen);
    if (view.cols < 1 || view.rows < 1 || memcmp(&view, &ui->state.view, sizeof view) == 0)
        return;
    ui->state.view = view;
    ui_command(ui, &(struct command){.kind = COMMAND_VIEW, .view = view});
}

/* The only panel that has to be measured for: once whenever it comes up, or others run below it. */
static void ask_for_roofs(struct ui *ui, const struct screen *screen) {
    const struct layout layout = screen_layout(screen, ui->grid.cols, ui->grid.rows);
    const bool shown = layout_find(&layout, "roofline", 0);
    if (shown && !ui->roofs_asked)
        ui_send(ui, COMMAND_PROBE, 0);
    ui->roofs_asked = shown;
}

void ui_draw(struct ui *ui) {
    ui->state.note_rows = lesson_rows(ui->lesson, ui->grid.cols, ui->grid.rows);
    const struct screen screen = ui_screen(ui);
    screen_draw(&ui->grid, &screen);
    ask_for_view(ui, &screen);
    ask_for_roofs(ui, &screen);
}

void ui_command(struct ui *ui, const struct command *command) {
    if (command->kind == COMMAND_PLAN || command->kind == COMMAND_RESTART)
        ui->roofs_asked = false;
    ui->source->ops->command(ui->source, command);
}

void ui_send(struct ui *ui, enum command_kind kind, long value) {
    ui_command(ui, &(struct command){.kind = kind, .value = value});
}

void ui_configure(struct ui *ui, const struct config *config) {
    ui->config = *config;
    ui->state = first_state(&ui->config);
}

void ui_try_plan(struct ui *ui, const struct plan *wanted) {
    if (*ui->sample->playback.label) {
        ui_say(ui, true, "this is a replay: what has happened can't be changed");
        return;
    }
    ui->wanted_plan = *wanted;
    ui->wanted = true;
    checker_ask(ui->checker, wanted, 1);
}

static void start_plan(struct ui *ui) {
    ui->plan = ui->wanted_plan;
    ui->state.message[0] = 0;
    ui_command(ui, &(struct command){.kind = COMMAND_PLAN, .plan = &ui->plan});
}

void ui_take_answers(struct ui *ui) {
    enum status status;
    struct error error;
    checker_seen(ui->checker);
    if (!ui->wanted) {
        menu_take_answers(ui);
        return;
    }
    if (!checker_answer(ui->checker, 0, &status, &error))
        return;
    ui->wanted = false;
    if (status)
        ui_say(ui, true, "%s", error.message);
    else
        start_plan(ui);
}
