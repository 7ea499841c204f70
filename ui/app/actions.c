#include "ui/app/actions.h"

#include <stdio.h>

#include "metrics/words.h"
#include "ui/app/app.h"
#include "ui/app/keymap.h"
#include "ui/panels/overlay.h"
#include "ui/panels/panel.h"

void action_quit(struct ui *ui, int key) {
    (void)key;
    ui->quit = true;
}

/* ---- time */

static bool is_paused(const struct sample *sample) {
    return sample->state == SESSION_PAUSED || sample->playback.paused;
}

void action_pause(struct ui *ui, int key) {
    (void)key;
    ui->plan.paused = !is_paused(ui->sample);
    ui_send(ui, COMMAND_PAUSE, ui->plan.paused);
}

void describe_pause(const struct screen *screen, char *text, size_t size) {
    snprintf(text, size, "%s", is_paused(screen->sample) ? "go on" : "pause");
}

void action_step(struct ui *ui, int key) {
    (void)key;
    ui->plan.paused = true;
    ui_send(ui, COMMAND_STEP, 1);
}

/* Iterations a second; the last is flat out. */
static const int speeds[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 0};
enum { SPEEDS = sizeof speeds / sizeof *speeds };

static int speed_index(int speed) {
    for (int s = 0; s < SPEEDS - 1; s++)
        if (speed > 0 && speed <= speeds[s])
            return s;
    return SPEEDS - 1;
}

static void change_speed(struct ui *ui, int by) {
    const int index = speed_index(ui->plan.speed) + by;
    ui->plan.speed = speeds[index < 0 ? 0 : index >= SPEEDS ? SPEEDS - 1 : index];
    ui_send(ui, COMMAND_SPEED, ui->plan.speed);
    if (ui->plan.speed)
        ui_hint(ui, "at most %d iterations a second", ui->plan.speed);
    else
        ui_hint(ui, "flat out: as fast as it can");
}

void action_faster(struct ui *ui, int key) {
    (void)key;
    change_speed(ui, +1);
}

void action_slower(struct ui *ui, int key) {
    (void)key;
    change_speed(ui, -1);
}

void describe_speed(const struct screen *screen, char *text, size_t size) {
    snprintf(text, size, screen->sample->speed ? "%d it/s" : "slower", screen->sample->speed);
}

void action_restart(struct ui *ui, int key) {
    (void)key;
    ui_send(ui, COMMAND_RESTART, 0);
}

/* ---- mapping */

bool mapping_matters(const struct screen *screen) {
    return !*screen->sample->playback.label && screen->sample->lane_count == 1 &&
           backend_maps(screen->sample->lanes[0].backend);
}

static enum mapping other_mapping(enum mapping mapping) {
    return mapping == MAPPING_STRUCTURED ? MAPPING_UNSTRUCTURED : MAPPING_STRUCTURED;
}

void action_mapping(struct ui *ui, int key) {
    (void)key;
    struct plan wanted = ui->plan;
    wanted.lanes[0].engine.mapping = other_mapping(ui->sample->lanes[0].mapping);
    ui_try_plan(ui, &wanted);
}

void describe_mapping(const struct screen *screen, char *text, size_t size) {
    snprintf(text, size, "▸ %s", mapping_name(other_mapping(screen->sample->lanes[0].mapping)));
}

/* ---- looking */

void action_panel(struct ui *ui, int key) {
    const struct panel *panel = panel_of_key(key);
    if (panel)
        ui->state.full = ui->state.full == panel ? NULL : panel;
}

bool is_full(const struct screen *screen) {
    return screen->state->full != NULL;
}

bool has_message(const struct screen *screen) {
    return screen->state->message[0] != 0;
}

void action_back(struct ui *ui, int key) {
    (void)key;
    if (ui->state.message[0])
        ui->state.message[0] = 0;
    else
        ui->state.full = NULL;
}

void action_scale(struct ui *ui, int key) {
    (void)key;
    ui->state.scale = ui->state.scale == SCALE_LOG ? SCALE_LINEAR : SCALE_LOG;
}

void describe_scale(const struct screen *screen, char *text, size_t size) {
    snprintf(text, size, "%s", screen->state->scale == SCALE_LOG ? "linear scale" : "log scale");
}

void action_colormap(struct ui *ui, int key) {
    (void)key;
    ui->state.colormap = (enum colormap)((ui->state.colormap + 1) % COLORMAP_COUNT);
}

bool is_zoomed(const struct screen *screen) {
    const struct view *view = &screen->state->view;
    return view->x1 - view->x0 < 1 || view->y1 - view->y0 < 1;
}

static void look_at(struct ui *ui, double x0, double y0, double width, double height) {
    struct view *view = &ui->state.view;
    *view = (struct view){.x0 = x0, .x1 = x0 + width, .y0 = y0, .y1 = y0 + height};
}

/* The lower left corner at 1, 1/8, 1/64 of each side: the rim is where `blog` changes. */
void action_zoom(struct ui *ui, int key) {
    (void)key;
    const double width = ui->state.view.x1 - ui->state.view.x0;
    const double next = width > 0.5 ? 1.0 / 8 : width > 1.0 / 16 ? 1.0 / 64 : 1;
    look_at(ui, 0, 0, next, next);
}

static double pushed(double from, double width, int direction) {
    const double to = from + direction * width / 4;
    return to < 0 ? 0 : to + width > 1 ? 1 - width : to;
}

void action_pan(struct ui *ui, int key) {
    const struct view view = ui->state.view;
    const double width = view.x1 - view.x0, height = view.y1 - view.y0;
    const int right = (key == KEYMAP_RIGHT) - (key == KEYMAP_LEFT);
    const int up = (key == KEYMAP_UP) - (key == KEYMAP_DOWN);
    look_at(ui, pushed(view.x0, width, right), pushed(view.y0, height, up), width, height);
}

void action_redraw(struct ui *ui, int key) {
    (void)key;
    ui->redraw = true;
}

void action_help(struct ui *ui, int key) {
    (void)key;
    ui->state.overlay = &help_overlay;
    ui->state.overlay_row = ui->state.overlay_top = 0;
}
