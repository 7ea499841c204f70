#include "ui/draw.h"
#include "ui/panel.h"

void field_panel_draw(struct grid *grid, struct rect area, const struct screen *screen) {
    (void)screen;
    const struct panel *panel = panel_find("field");
    draw_frame(grid, area, &(struct frame){.title = panel->title, .key = panel->key});
}
