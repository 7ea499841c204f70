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

static struct app_state first_state(const struct config *config) {
    struct app_state state = {
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

bool app_init(struct app *app, const struct config *config, struct source *source) {
    *app = (struct app){.config = *config, .plan = config->plan, .source = source};
    app->state = first_state(&app->config);
    app->ascii = config->view.ascii;
    app->nothing = sample_create();
    app->checker = checker_create();
    bool there = app->nothing && app->checker;
    for (int l = 0; l < LANES_MAX; l++)
        there = heatmap_init(&app->heatmaps[l]) && there;
    if (!there) {
        app_finish(app);
        return false;
    }
    app->nothing->state = SESSION_OPENING;
    app->sample = app->nothing;
    if (*config->notice)
        app_say(app, true, "%s", config->notice);
    return true;
}

void app_finish(struct app *app) {
    keep_close(app);
    film_close(&app->film);
    lesson_close(app);
    checker_destroy(app->checker);
    app->checker = NULL;
    sample_destroy(app->nothing);
    app->nothing = NULL;
    for (int l = 0; l < LANES_MAX; l++)
        heatmap_finish(&app->heatmaps[l]);
    grid_finish(&app->grid);
}

struct screen app_screen(const struct app *app) {
    return (struct screen){
        .sample = app->sample,
        .config = &app->config,
        .lesson = app->lesson,
        .plan = &app->plan,
        .state = &app->state,
        .menu = &app->menu,
        .heatmaps = app->heatmaps,
        .no_color = app->no_color,
        .ascii = app->ascii,
    };
}

void app_key(struct app *app, int key) {
    if (app->state.overlay && app->state.overlay->key(app, key))
        return;
    const struct screen screen = app_screen(app);
    const struct binding *binding = keymap_find(key, &screen);
    if (binding)
        binding->act(app, key);
}

static bool holds(struct rect area, int x, int y) {
    return x >= area.x && x < area.x + area.cols && y >= area.y && y < area.y + area.rows;
}

void app_click(struct app *app, int x, int y) {
    const struct screen screen = app_screen(app);
    const struct layout layout = screen_layout(&screen, app->grid.cols, app->grid.rows);
    const int key = holds(layout.footer, x, y) ? footer_key_at(layout.footer, &screen, x) : 0;
    if (key) {
        app_key(app, key);
        return;
    }
    for (int s = 0; s < layout.count && !app->state.overlay; s++) {
        const struct slot *slot = &layout.slots[s];
        if (!holds(slot->area, x, y))
            continue;
        if (slot->area.y == y && slot->panel->key)
            app_key(app, slot->panel->key);
        else if (slot->panel == panel_find("timeline"))
            app->state.timeline.selected = timeline_panel_hit(slot->area, &screen, x, y);
    }
}

void app_say(struct app *app, bool bad, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(app->state.message, sizeof app->state.message, format, arguments);
    va_end(arguments);
    app->state.message_is_bad = bad;
    app->state.message_ends_ns = 0;
}

void app_hint(struct app *app, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(app->state.message, sizeof app->state.message, format, arguments);
    va_end(arguments);
    app->state.message_is_bad = false;
    app->state.message_ends_ns = clock_now_ns() + hint_ns;
}

bool app_forget(struct app *app, int64_t now_ns) {
    if (!app->state.message_ends_ns || now_ns < app->state.message_ends_ns)
        return false;
    app->state.message[0] = 0;
    app->state.message_ends_ns = 0;
    return true;
}

/* What runs otherwise than it was asked for; a replay was not asked for anything. */
static void announce_changes(struct app *app, int l) {
    const struct lane_sample *lane = &app->sample->lanes[l];
    char note[96] = "";
    if (!*app->sample->playback.label && l < app->plan.lane_count)
        schedule_note(note, sizeof note, lane->backend, app->plan.lanes[l].engine.schedule,
                      lane->schedule);
    if (*lane->fallback_from)
        app_say(app, false, "%s%s%s runs instead of %s (%s)", note, *note ? "; " : "",
                lane->backend, lane->fallback_from, lane->fallback_reason);
    else if (*note)
        app_say(app, false, "%s", note);
}

/* What happened in the session that must not be overlooked. */
static void announce(struct app *app, enum session_state before) {
    const struct sample *sample = app->sample;
    if (sample->state == SESSION_FAILED && before != SESSION_FAILED)
        app_say(app, true, "%s", sample->error.message);
    if (before == SESSION_OPENING)
        for (int l = 0; l < sample->lane_count; l++)
            announce_changes(app, l);
}

void app_take_sample(struct app *app) {
    const enum session_state before = app->sample->state;
    /* From here on the sample before is no longer ours. */
    const struct sample *sample = app->source->ops->latest(app->source);
    if (!sample)
        return;
    app->sample = sample;
    keep_sample(app);
    if (sample->state == SESSION_OPENING && before != SESSION_OPENING)
        app_say(app, false, "%s", "");
    if (sample->state != before)
        announce(app, before);
    for (int l = 0; l < sample->lane_count; l++) {
        const struct field field = heatmap_shared_limits(sample, l);
        if (field.downsample.cols > 0)
            heatmap_update(&app->heatmaps[l], &field, app->state.scale);
    }
}

static void ask_for_view(struct app *app, const struct screen *screen) {
    const struct layout layout = screen_layout(screen, app->grid.cols, app->grid.rows);
    const struct slot *slot = layout_find(&layout, "field", 0);
    const struct slot *lane = layout_find(&layout, "lane", 0);
    if (!slot && !lane)
        return;
    const struct view view =
        slot ? field_panel_view(slot->area, &app->state) : lane_panel_view(lane->area, screen);
    if (view.cols < 1 || view.rows < 1 || memcmp(&view, &app->state.view, sizeof view) == 0)
        return;
    app->state.view = view;
    app_command(app, &(struct command){.kind = COMMAND_VIEW, .view = view});
}

/* The only panel that has to be measured for: once whenever it comes up, or others run below it. */
static void ask_for_roofs(struct app *app, const struct screen *screen) {
    const struct layout layout = screen_layout(screen, app->grid.cols, app->grid.rows);
    const bool shown = layout_find(&layout, "roofline", 0);
    if (shown && !app->roofs_asked)
        app_send(app, COMMAND_PROBE, 0);
    app->roofs_asked = shown;
}

void app_draw(struct app *app) {
    app->state.note_rows = lesson_rows(app->lesson, app->grid.cols, app->grid.rows);
    const struct screen screen = app_screen(app);
    screen_draw(&app->grid, &screen);
    ask_for_view(app, &screen);
    ask_for_roofs(app, &screen);
}

void app_command(struct app *app, const struct command *command) {
    if (command->kind == COMMAND_PLAN || command->kind == COMMAND_RESTART)
        app->roofs_asked = false;
    app->source->ops->command(app->source, command);
}

void app_send(struct app *app, enum command_kind kind, long value) {
    app_command(app, &(struct command){.kind = kind, .value = value});
}

void app_configure(struct app *app, const struct config *config) {
    app->config = *config;
    app->state = first_state(&app->config);
}

void app_try_plan(struct app *app, const struct plan *wanted) {
    if (*app->sample->playback.label) {
        app_say(app, true, "this is a replay: what has happened can't be changed");
        return;
    }
    app->wanted_plan = *wanted;
    app->wanted = true;
    checker_ask(app->checker, wanted, 1);
}

static void start_plan(struct app *app) {
    app->plan = app->wanted_plan;
    app->state.message[0] = 0;
    app_command(app, &(struct command){.kind = COMMAND_PLAN, .plan = &app->plan});
}

void app_take_answers(struct app *app) {
    enum status status;
    struct error error;
    checker_seen(app->checker);
    if (!app->wanted) {
        menu_take_answers(app);
        return;
    }
    if (!checker_answer(app->checker, 0, &status, &error))
        return;
    app->wanted = false;
    if (status)
        app_say(app, true, "%s", error.message);
    else
        start_plan(app);
}
