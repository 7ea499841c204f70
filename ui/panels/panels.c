/* The table of panels, and shared drawing functions (ui/panels/panel.h). */
#include <math.h>
#include <string.h>

#include "ui/panels/panel.h"

const struct panel *const panels[] = {
    &field_panel,  &residual_panel, &timing_panel,      &timeline_panel, &roofline_panel,
    &table_panel,  &mesh_panel,     &levels_panel,      &stencil_panel,  &lane_panel,
    &effort_panel, &devices_panel,  &tuning_scan_panel, &motion_panel,   &explain_panel,
    &costs_panel,  &race_panel,     &verdict_panel,     &rates_panel,    NULL,
};

const struct panel *panel_find(const char *name) {
    for (const struct panel *const *panel = panels; *panel; panel++)
        if (strcmp((*panel)->name, name) == 0)
            return *panel;
    return NULL;
}

const struct panel *panel_of_key(int key) {
    for (const struct panel *const *panel = panels; *panel; panel++)
        if (key && (*panel)->key == key)
            return *panel;
    return NULL;
}

struct frame panel_frame(const struct panel *panel) {
    return (struct frame){.title = panel->title, .key = panel->key};
}

struct area panel_inside(struct area area, const struct frame *frame) {
    return area_inset(draw_frame(area, frame), 1, 0);
}

const struct event_style event_styles[EVENT_KIND_COUNT] = {
    [EVENT_KERNEL] = {ROLE_KERNEL, U'█', U'█', "kernels", "kernel"},
    [EVENT_TO_DEVICE] = {ROLE_TO_DEVICE, U'█', U'▓', "to device", "copy to device"},
    [EVENT_FROM_DEVICE] = {ROLE_FROM_DEVICE, U'█', U'▒', "from device", "copy from device"},
    [EVENT_ALLOC] = {ROLE_ALLOC, U'█', U'░', "allocation", "allocation"},
    [EVENT_WAIT] = {ROLE_DIM, U'░', U'░', "launch, wait", "host wait"},
    [EVENT_HALO] = {ROLE_TO_DEVICE, U'█', U'▓', "halo", "halo"},
};

int draw_bar_parts(struct area area, const struct bar_part *parts, int count, double whole) {
    double sum = 0;
    int from = 0;
    for (const struct bar_part *part = parts; part < parts + count; part++) {
        sum += part->value > 0 ? part->value : 0;
        const int to = (int)lround(fmin(sum / whole, 1) * area.cols);
        const struct area room = area_left(area_right_of(area, from), to - from);
        grid_fill_glyph(room, part->fill, part->role);
        if (room.cols > 1 && part + 1 < parts + count && part[1].role == part->role &&
            part[1].fill == part->fill)
            grid_fill_glyph(area_right_of(room, room.cols - 1), U'▌', part->role);
        if (area.rows > 1 && *part->label && room.cols >= grid_text_width(part->label) + 2)
            draw_centered(area_row(room, (area.rows - 1) / 2), part->role | BOLD | REVERSE,
                          part->label);
        from = to;
    }
    return from;
}
