#include "ui/app/app_state.h"

#include <stdio.h>

struct app_state app_state_first(const struct config *config) {
    struct app_state state = {.timeline = {.zoom = 1, .selected = -1}};
    app_state_follow(&state, config, NULL);
    if (!colormap_parse(config->view.colormap, &state.colormap))
        state.colormap = COLORMAP_VIRIDIS;
    if (!(state.view.x1 > state.view.x0 && state.view.y1 > state.view.y0))
        app_state_zoom_to(&state, 0, 0, 1, 1);
    return state;
}

void app_state_follow(struct app_state *state, const struct config *config,
                      const struct panel *full) {
    const struct view_settings *view = &config->view;
    state->layout = view->layout;
    state->full = full;
    state->scale = view->scale;
    state->quantity = view->quantity;
    state->measure = config->plan.lanes[0].measure;
    state->view.x0 = view->x0;
    state->view.x1 = view->x1;
    state->view.y0 = view->y0;
    state->view.y1 = view->y1;
}

void app_state_say(struct app_state *state, bool bad, int64_t ends_ns, const char *format,
                   va_list arguments) {
    vsnprintf(state->message, sizeof state->message, format, arguments);
    state->message_is_bad = bad;
    state->message_ends_ns = ends_ns;
}

void app_state_dismiss(struct app_state *state) {
    state->message[0] = '\0';
    state->message_ends_ns = 0;
}

void app_state_keep_message(struct app_state *state, int64_t ends_ns) {
    state->message_ends_ns = ends_ns;
}

void app_state_toggle_panel(struct app_state *state, const struct panel *panel) {
    if (panel)
        state->full = state->full == panel ? NULL : panel;
}

void app_state_show_all(struct app_state *state) {
    state->full = NULL;
}

void app_state_switch_costs(struct app_state *state) {
    state->other_view = !state->other_view;
    state->full = NULL;
}

void app_state_open(struct app_state *state, enum overlay overlay) {
    state->overlay = overlay;
    state->overlay_row = state->overlay_top = 0;
}

void app_state_choose_row(struct app_state *state, int row) {
    state->overlay_row = row;
}

void app_state_scroll_help(struct app_state *state, int top) {
    state->overlay_top = top;
}

void app_state_switch_scale(struct app_state *state) {
    state->scale = state->scale == SCALE_LOG ? SCALE_LINEAR : SCALE_LOG;
}

void app_state_show_quantity(struct app_state *state, enum quantity quantity) {
    state->quantity = quantity;
}

void app_state_next_axis(struct app_state *state) {
    state->axis = (enum residual_axis)((state->axis + 1) % AXIS_COUNT);
}

void app_state_next_measure(struct app_state *state) {
    state->measure = (enum measure)((state->measure + 1) % MEASURE_COUNT);
}

void app_state_next_colormap(struct app_state *state) {
    state->colormap = (enum colormap)((state->colormap + 1) % COLORMAP_COUNT);
}

void app_state_switch_contours(struct app_state *state) {
    state->contours = !state->contours;
}

void app_state_zoom_to(struct app_state *state, double x0, double y0, double width, double height) {
    state->view = (struct view){.x0 = x0, .x1 = x0 + width, .y0 = y0, .y1 = y0 + height};
}

void app_state_set_timeline(struct app_state *state, struct timeline_view timeline) {
    state->timeline = timeline;
}

void app_state_set_cell_aspect(struct app_state *state, double aspect) {
    state->cell_aspect = aspect;
}

void app_state_choose_lane(struct app_state *state, int lane) {
    state->chosen_lane = lane;
}

void app_state_set_recording(struct app_state *state, bool recording) {
    state->recording = recording;
}

void app_state_set_comparing(struct app_state *state, bool compares) {
    state->compares = compares;
}

void app_state_set_aside(struct app_state *state, bool run_waits) {
    state->run_waits = run_waits;
}

void app_state_set_view(struct app_state *state, const struct view *view) {
    state->view = *view;
}

void app_state_forget_view(struct app_state *state) {
    state->view.cols = 0;
}
