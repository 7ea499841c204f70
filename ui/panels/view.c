#include "ui/panels/view.h"

#include <stdio.h>

#include "ui/draw/draw.h"
#include "ui/panels/lane.h"

/* The scene's text, and the question or its answer, one under the other; returns the rows used. */
static int draw_scene_text(struct grid *grid, struct rect area, const struct scene_text *scene) {
    int used = draw_paragraph(grid, area, INK_TEXT, 0, scene->text);
    if (!*scene->ask)
        return used;
    used += draw_paragraph(grid, rect_below(area, used), INK_WARN, CELL_BOLD, scene->ask);
    if (!scene->asking)
        used += draw_paragraph(grid, rect_below(area, used), INK_GOOD, CELL_BOLD, scene->reveal);
    return used;
}

struct layout screen_layout(const struct screen *screen, int cols, int rows) {
    const struct app_state *state = screen->state;
    struct layout_wish wish = {
        .name = state->layout,
        .full = state->full,
        .lane_count = screen->sample->lane_count > 0 ? screen->sample->lane_count : 1,
        .message = state->message[0] != 0,
    };
    if (screen->scene && rows / 3 >= 3) {
        struct grid nowhere = {0}; /* measures without drawing */
        const struct rect area = {0, 0, cols - 4, 24};
        const int wanted = draw_scene_text(&nowhere, area, screen->scene) + 2;
        wish.scene_rows = wanted < rows / 3 ? wanted : rows / 3;
    }
    struct layout layout = layout_make(&wish, cols, rows);
    const struct slot *field = layout_find(&layout, "field", 0);
    const struct slot *lane = layout_find(&layout, "lane", 0);
    if (field)
        layout.view = field_panel_view(field->area, state);
    else if (lane)
        layout.view = lane_panel_view(lane->area, screen);
    layout.wants_roof = layout_find(&layout, "roofline", 0) != NULL;
    return layout;
}

void screen_draw(struct grid *grid, const struct screen *screen, const struct layout *layout) {
    grid_clear(grid);
    for (int s = 0; s < layout->count; s++) {
        struct screen of_slot = *screen;
        of_slot.lane = layout->slots[s].lane;
        layout->slots[s].panel->draw(grid, layout->slots[s].area, &of_slot);
    }
    header_draw(grid, layout->header, screen);
    const struct rect line = layout->message;
    if (line.rows > 0) {
        const bool bad = screen->state->message_is_bad;
        const enum ink ink = bad ? INK_BAD : INK_WARN;
        grid_fill(grid, line, INK_BAR);
        const int used = 1 + grid_text(grid, line, line.x, line.y, ink, CELL_BOLD | CELL_REVERSE,
                                       "%s", bad ? " ERROR " : " NOTE ");
        draw_shortened(grid, line, line.x + used, line.y, line.cols - used, ink, CELL_BOLD,
                       screen->state->message);
    }
    const struct scene_text *scene = screen->scene;
    if (scene && layout->scene.rows > 0) {
        const struct frame frame = {.title = scene->title,
                                    .value = scene->asking ? "space reveals" : scene->way,
                                    .title_ink = INK_GOOD};
        const struct rect inner = draw_frame(grid, layout->scene, &frame);
        draw_scene_text(grid, rect_inset(inner, 1, 0), scene);
    }
    footer_draw(grid, layout->footer, screen);
    if (screen->state->overlay == OVERLAY_HELP)
        help_draw(grid, layout->body, screen);
    else if (screen->state->overlay == OVERLAY_MENU)
        menu_draw(grid, layout->body, screen);
}
