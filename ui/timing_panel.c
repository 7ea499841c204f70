#include "ui/draw.h"
#include "ui/panel.h"

void timing_panel_draw(struct grid *grid, struct rect area, const struct screen *screen) {
    (void)screen;
    const struct panel *panel = panel_find("timing");
    draw_frame(grid, area, &(struct frame){.title = panel->title, .key = panel->key});
}
