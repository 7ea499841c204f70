#include "ui/panels/view.h"

#include "ui/app/tour_view.h"
#include "ui/draw/draw.h"
#include "ui/panels/overlay.h"

struct layout screen_layout(const struct screen *screen, int cols, int rows) {
    const struct app_state *state = screen->state;
    const struct layout_wish wish = {
        .name = state->layout,
        .full = state->full,
        .lane_count = screen->sample->lane_count > 0 ? screen->sample->lane_count : 1,
        .note_rows = state->note_rows,
        .message = state->message[0] != 0,
    };
    return layout_make(&wish, cols, rows);
}

static void draw_message(struct grid *grid, struct rect area, const struct app_state *state) {
    if (area.rows < 1)
        return;
    const enum ink ink = state->message_is_bad ? INK_BAD : INK_WARN;
    grid_fill(grid, area, INK_BAR);
    const char *mark = state->message_is_bad ? " ERROR " : " NOTE ";
    const int used =
        grid_text(grid, area, area.x, area.y, ink, CELL_BOLD | CELL_REVERSE, "%s", mark);
    draw_shortened(grid, area, area.x + used + 1, area.y, area.cols - used - 1, ink, CELL_BOLD,
                   state->message);
}

void screen_draw(struct grid *grid, const struct screen *screen) {
    grid_clear(grid);
    const struct layout layout = screen_layout(screen, grid->cols, grid->rows);
    for (int s = 0; s < layout.count; s++) {
        struct screen of_slot = *screen;
        of_slot.lane = layout.slots[s].lane;
        layout.slots[s].panel->draw(grid, layout.slots[s].area, &of_slot);
    }
    header_draw(grid, layout.header, screen);
    draw_message(grid, layout.message, screen->state);
    if (screen->lesson)
        lesson_draw(grid, layout.note, screen->lesson);
    footer_draw(grid, layout.footer, screen);
    if (screen->state->overlay)
        screen->state->overlay->draw(grid, layout.body, screen);
}
