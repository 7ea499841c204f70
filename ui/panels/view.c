#include "ui/panels/view.h"

#include <string.h>

#include "metrics/labels.h"

bool screen_shows_costs(const struct screen *screen) {
    const struct app_state *state = screen->state;
    const bool far = screen->config->view.terminal.theme == THEME_PROJECTOR &&
                     screen->sample->lane_count > 1 && strcmp(state->layout, "standard") == 0;
    return (far || strcmp(state->layout, "costs") == 0) != state->other_view;
}

static const char *message_tag(const struct app_state *state) {
    return state->message_is_bad ? " ERROR " : " NOTE ";
}

/* One row, truncated; a screen reader gets the full text. */
static int message_rows(const struct screen *screen, int cols) {
    const struct app_state *state = screen->state;
    if (shows_finale(screen))
        return FINALE_ROWS;
    const struct area beside_tag = {0, 0, cols - grid_text_width(message_tag(state)) - 1, 99, NULL};
    const int rows =
        for_screen_reader(screen) ? draw_paragraph(beside_tag, ROLE_TEXT, state->message) : 0;
    return rows > 1 ? rows : state->message[0] != 0;
}

static enum subject subject_of(const struct screen *screen) {
    const struct sample *sample = screen->sample;
    const bool hidden = screen->scene && lesson_hides(screen->scene->lesson, residual_panel.name);
    return lanes_have_curves(sample) && !hidden ? SUBJECT_CURVES
           : sample_lanes_differ(sample)        ? SUBJECT_FIELDS
                                                : SUBJECT_FIELD;
}

static bool is_blank(const struct cell *cell) {
    return cell->glyph == 0 || cell->glyph == ' ';
}

/* The screen as the slot's panel draws it. */
static struct screen screen_of_slot(const struct screen *screen, const struct slot *slot) {
    struct screen of_slot = *screen;
    of_slot.lane = slot->lane;
    of_slot.is_covered = screen->scene && lesson_hides(screen->scene->lesson, slot->panel->name);
    return of_slot;
}

/* Draws the slot's panel in `rows` rows. Returns the number of rows from its first to the last one
 * inside its frame that is not blank; 0 if there is no memory. */
static int draw_alone(struct grid *grid, const struct screen *screen, const struct slot *slot,
                      int rows) {
    const struct screen of_slot = screen_of_slot(screen, slot);
    if (!grid_init(grid, slot->area.cols, rows))
        return 0;
    slot->panel->draw(grid_area(grid), &of_slot);
    for (int c = grid->cols * (rows - 1) - 1; c > 0; c--)
        if (!is_blank(&grid->cells[c]) && c % grid->cols > 0 && c % grid->cols < grid->cols - 1)
            return c / grid->cols + 1;
    return 0;
}

/* The least rows in which the slot's panel shows the same as in all of its rows. */
static int rows_needed(const struct screen *screen, const struct slot *slot) {
    enum { FRAME_ROWS = 1, TRIES = 3 };
    struct grid whole, part;
    int used = draw_alone(&whole, screen, slot, slot->area.rows), needed = slot->area.rows;
    for (int rows = used + FRAME_ROWS;
         used > 0 && rows < slot->area.rows && rows < used + FRAME_ROWS + TRIES; rows++) {
        const bool same =
            draw_alone(&part, screen, slot, rows) == used &&
            memcmp(whole.cells, part.cells, (size_t)(used * whole.cols) * sizeof *whole.cells) == 0;
        grid_finish(&part);
        if (same) {
            needed = rows;
            break;
        }
    }
    grid_finish(&whole);
    return needed;
}

/* A panel that fills the screen but needs few of its rows leaves the others to the standard layout,
 * if that fits. Not while a tour asks: its questions hide panels. */
static int full_rows(const struct screen *screen, const struct layout *layout) {
    enum { LEAST_REST = 13 };
    int most = 0;
    for (int s = 0; s < layout->count; s++) {
        const struct slot *slot = &layout->slots[s];
        most = slot->area.rows < layout->body.rows ? layout->body.rows
                                                   : max_int(most, rows_needed(screen, slot));
    }
    return most + LEAST_REST <= layout->body.rows ? most : 0;
}

struct layout screen_layout(const struct screen *screen, int cols, int rows) {
    const struct app_state *state = screen->state;
    const struct sample *sample = screen->sample;
    const bool race = sample->race == RACE_SAME_TIME && sample->lane_count > 1;
    const struct panel *named = panel_find(state->layout);
    struct layout_wish wish = {
        .full = state->full                  ? state->full
                : screen_shows_costs(screen) ? race ? &race_panel : &costs_panel
                : named == &costs_panel      ? NULL
                                             : named,
        .lane_count = max_int(sample->lane_count, 1),
        .device_count = sample->lane_count == 1 ? sample->lanes[0].device_stats.count : 1,
        .subject = subject_of(screen),
        .lane_rows = lane_rows(sample),
        .race = sample->race == RACE_SAME_TIME,
        .message_rows = message_rows(screen, cols),
        .message_beside = shows_finale(screen),
        .progress = sample->playback.length_s > 0 && !screen->scene && !for_screen_reader(screen),
        .screen_reader = for_screen_reader(screen),
        .no_times = screen->scene && lesson_hides(screen->scene->lesson, timeline_panel.name),
    };
    for (int l = 0; l < sample->lane_count; l++)
        wish.maps |=
            backend_maps(sample->lanes[l].run.backend) &&
            (sample->lane_count == 1 || sample->lanes[l].run.mapping == MAPPING_STRUCTURED);
    if (screen->scene)
        wish.scene_rows = scene_rows(screen, cols, rows);
    else if (screen->exercise)
        wish.scene_rows = exercise_rows(screen, cols, rows - wish.message_rows);
    if (screen->exercise && screen->exercise->code)
        code_size(screen->exercise->code, &wish.code_cols, &wish.code_rows);
    wish.code_is_right = screen->exercise && screen->exercise->news->state == BUILD_RIGHT;
    struct layout layout = layout_make(&wish, cols, rows);
    if (wish.full && !(screen->scene && screen->scene->lesson->asking) && !wish.screen_reader &&
        (wish.full_rows = full_rows(screen, &layout)) > 0)
        layout = layout_make(&wish, cols, rows);
    for (int s = layout.count - 1; s >= 0; s--) {
        const struct slot *slot = &layout.slots[s];
        const struct view own =
            slot->panel->view ? slot->panel->view(slot->area, screen) : (struct view){0};
        if (slot->panel->heatmap)
            layout.view = field_heatmap_view(slot->panel->heatmap(slot->area, screen), screen);
        else if (own.cols > 0)
            layout.view = own;
    }
    return layout;
}

bool screen_picture(const struct screen *screen, const struct slot *slot,
                    struct pixel_picture *picture) {
    struct screen of_slot = screen_of_slot(screen, slot);
    const bool is_hidden = of_slot.is_covered && !slot->panel->covers;
    if (screen_lane(&of_slot))
        of_slot.lane = field_lane(screen->sample, slot->lane);
    return !is_hidden && slot->panel->heatmap &&
           field_heatmap_picture(slot->panel->heatmap(slot->area, screen), &of_slot, picture);
}

/* Two blanks, or two rule cells of a frame: one of them can be dropped. */
static bool is_gap(const struct cell *cells) {
    const uint32_t glyph = cells[0].glyph, rule = U'─';
    return glyph == cells[1].glyph && (is_blank(cells) || glyph == rule) &&
           cells[0].foreground < ROLE_LEVEL0 && cells[0].background < ROLE_LEVEL0;
}

/* Writes "4096²" as "4096^2". The text after it moves one cell to the right, up to the next gap or
 * the blank before a frame. Without either, the new cell replaces a blank. */
static void spell_squares(struct cell *row, int cols) {
    enum { SQUARE = U'²', WALL = U'│' };
    for (int x = 0; x + 1 < cols; x++) {
        if (row[x].glyph != SQUARE)
            continue;
        int gap = x + 1;
        while (gap + 1 < cols && row[gap].glyph != WALL && row[gap].foreground < ROLE_LEVEL0 &&
               !is_gap(row + gap))
            gap++;
        bool found = gap + 1 < cols && is_gap(row + gap);
        if (!found && row[gap].glyph == WALL && is_blank(row + x + 1) && is_blank(row + gap - 1)) {
            gap--;
            found = true;
        }
        if (found)
            memmove(row + x + 2, row + x + 1, (size_t)(gap - x - 1) * sizeof *row);
        if (found || is_blank(row + x + 1)) {
            row[x + 1] = row[x];
            row[x + 1].glyph = '2';
        }
    }
}

static void draw_message(struct area area, const struct app_state *state) {
    const enum role role = state->message_is_bad ? ROLE_BAD : ROLE_WARN;
    if (area.rows < 1)
        return;
    grid_fill(area, ROLE_BAR);
    const int used = 1 + draw_text(area, role | BOLD | REVERSE, "%s", message_tag(state));
    struct area text = area_right_of(area, used);
    draw_sentence(&text, area.rows > 1, role | BOLD, state->message);
}

void screen_draw(struct grid *grid, const struct screen *screen, const struct layout *layout) {
    grid_clear(grid);
    for (int s = 0; s < layout->count; s++) {
        const struct slot *slot = &layout->slots[s];
        const struct screen of_slot = screen_of_slot(screen, slot);
        if (of_slot.is_covered && !slot->panel->covers)
            hidden_draw(area_on(grid, slot->area), screen, slot->panel);
        else
            slot->panel->draw(area_on(grid, slot->area), &of_slot);
    }
    header_draw(area_on(grid, layout->header), screen);
    if (shows_finale(screen))
        finale_draw(area_on(grid, layout->message), screen);
    else
        draw_message(area_on(grid, layout->message), screen->state);
    const struct area body = area_on(grid, layout->body), below = area_on(grid, layout->scene);
    if (screen->scene && below.rows > 0)
        scene_draw(below, screen);
    else if (screen->exercise && below.rows > 0)
        exercise_draw(below, screen);
    progress_draw(area_on(grid, layout->progress), screen);
    footer_draw(area_on(grid, layout->footer), screen, -1);
    if (shows_filling(screen))
        filling_draw(body, screen);
    /* A screen reader would mix a menu with the panels behind it. */
    if (screen->state->overlay != OVERLAY_NONE && for_screen_reader(screen))
        grid_fill(body, ROLE_DEFAULT);
    if (screen->state->overlay == OVERLAY_HELP)
        help_draw(body, screen);
    else if (screen->state->overlay == OVERLAY_MENU)
        menu_draw(body, screen);
    else if (screen->state->overlay == OVERLAY_TITLE)
        title_draw(area_top(grid_area(grid), grid->rows - 1), screen);
    for (int y = 0; y < grid->rows && screen->ascii; y++)
        spell_squares(grid->cells + (size_t)y * (size_t)grid->cols, grid->cols);
    if (screen->ascii)
        glyphs_reduce(grid, for_screen_reader(screen) ? GLYPHS_SCREEN_READER : GLYPHS_ASCII);
    if (screen->config->view.terminal.colors == COLORS_MONO)
        grid_drop_colors(grid);
}
