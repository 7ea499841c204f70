/* The field panel: U as a heatmap, with a legend of its levels. */
#include <math.h>
#include <stdio.h>

#include "metrics/words.h"
#include "ui/draw/draw.h"
#include "ui/panels/panel.h"

/* Rows of the legend under the heatmap. */
static int legend_rows(struct rect inner) {
    return inner.rows >= 4 ? 1 : 0;
}

static struct rect heatmap_area(struct rect inner) {
    return rect_top(inner, inner.rows - legend_rows(inner));
}

struct view field_heatmap_view(struct rect inner, const struct app_state *state) {
    const struct rect heatmap = heatmap_area(inner);
    struct view view = state->view;
    view.cols = heatmap.cols;
    view.rows = 2 * heatmap.rows;
    return view;
}

struct view field_panel_view(struct rect area, const struct app_state *state) {
    const bool framed = area.cols >= 4 && area.rows >= 3;
    return field_heatmap_view(framed ? rect_inset(area, 1, 1) : area, state);
}

/* Two pixels over one another, each of a level of the colour map. */
static void put_pixels(struct grid *grid, struct rect area, int x, int y, int upper, int lower,
                       const struct screen *screen) {
    static const uint32_t blocks[] = {0, 0x2591, 0x2592, 0x2593, 0x2588};
    static const char letters[] = " .:-=+*#%@";
    const int mean = (upper + lower) / 2;
    if (screen->no_color)
        grid_put(grid, area, x, y,
                 screen->ascii ? (uint32_t)letters[mean * 10 / INK_LEVELS]
                               : blocks[mean * 5 / INK_LEVELS],
                 INK_TEXT, INK_DEFAULT, 0);
    else if (screen->ascii)
        grid_put(grid, area, x, y, 0, INK_TEXT, (enum ink)(INK_LEVEL0 + mean), 0);
    else
        grid_put(grid, area, x, y, 0x2580, (enum ink)(INK_LEVEL0 + upper),
                 (enum ink)(INK_LEVEL0 + lower), 0);
}

/* Draws the heatmap; returns the range of its colours. */
static struct heatmap_range draw_heatmap(struct grid *grid, struct rect area,
                                         const struct screen *screen,
                                         const struct lane_sample *lane) {
    const struct field *field = &lane->field;
    const struct downsample *cells = &field->downsample;
    const struct field limits = heatmap_shared_limits(screen->sample, screen->lane);
    const enum field_scale scale = screen->state->scale;
    /* The levels as last shown, or fresh ones. */
    const struct heatmap *shown = screen->heatmaps ? &screen->heatmaps[screen->lane] : NULL;
    if (shown && (!shown->levels || shown->scale != scale ||
                  shown->downsample.cols != cells->cols || shown->downsample.rows != cells->rows))
        shown = NULL;
    const struct heatmap_range range =
        shown ? shown->range : heatmap_range_of(&limits, scale, NULL);
    for (int y = 0; y < area.rows; y++)
        for (int x = 0; x < area.cols; x++) {
            int levels[2]; /* the nearest cell's, if there are fewer cells than pixels */
            for (int half = 0; half < 2; half++) {
                const long col = (long)x * cells->cols / area.cols;
                const long row = (long)(2 * area.rows - 1 - 2 * y - half) * cells->rows;
                const long cell = col + row / (2L * area.rows) * cells->cols;
                levels[half] =
                    shown ? shown->levels[cell] : heatmap_level(&range, field->cells[cell]);
            }
            put_pixels(grid, area, area.x + x, area.y + y, levels[0], levels[1], screen);
        }
    return range;
}

/* "1e-9 ▒▒▒▒▒ 1  log · viridis" */
static void draw_color_legend(struct grid *grid, struct rect area,
                              const struct heatmap_range *range, const struct screen *screen) {
    char low[32], high[32], words[64];
    words_number(low, sizeof low, range->is_signed ? -range->high : range->low);
    words_number(high, sizeof high, range->high);
    snprintf(words, sizeof words, " %s · %s", range->logarithmic ? "log" : "linear",
             screen->no_color ? "shades" : colormap_name(screen->state->colormap));
    const int taken = grid_text_width(low) + grid_text_width(high) + 4;
    const bool with_words = area.cols >= taken + 14 + grid_text_width(words);
    int cols = area.cols - taken - (with_words ? grid_text_width(words) + 1 : 0);
    cols = cols > 0 ? cols : 0;
    int x = area.x + 1;
    x += grid_text(grid, area, x, area.y, INK_TEXT, 0, "%s", low) + 1;
    const struct rect bar = {x, area.y, cols, 1};
    for (int k = 0; k < cols; k++) {
        const int level = cols > 1 ? k * (INK_LEVELS - 1) / (cols - 1) : 0;
        put_pixels(grid, bar, x + k, area.y, level, level, screen);
    }
    if (range->is_signed && cols > 8)
        grid_put(grid, area, x + cols / 2, area.y, '0', INK_TEXT, INK_DEFAULT, CELL_REVERSE);
    x += cols + 1;
    x += grid_text(grid, area, x, area.y, INK_TEXT, 0, "%s", high);
    if (with_words)
        grid_text(grid, area, x + 1, area.y, INK_DIM, 0, "%s", words);
}

static bool has_field(const struct lane_sample *lane) {
    return lane && lane->field.downsample.cols > 0 && lane->field.downsample.rows > 0;
}

void field_heatmap_draw(struct grid *grid, struct rect inner, const struct screen *screen) {
    const struct lane_sample *lane = screen_lane(screen);
    if (!has_field(lane)) {
        draw_text_centered(grid, inner, inner.y + inner.rows / 2, INK_DIM, 0, "no field yet");
        return;
    }
    const struct heatmap_range range = draw_heatmap(grid, heatmap_area(inner), screen, lane);
    if (legend_rows(inner))
        draw_color_legend(grid, rect_below(inner, inner.rows - 1), &range, screen);
}

void field_panel_draw(struct grid *grid, struct rect area, const struct screen *screen) {
    const struct panel *panel = panel_find("field");
    const struct sample *sample = screen->sample;
    const struct lane_sample *lane = screen_lane(screen);
    char iteration[32], count[32], foot[96];
    struct frame frame = {.title = panel->title, .key = panel->key};
    if (has_field(lane)) {
        const struct downsample *r = &lane->field.downsample;
        const bool whole = r->i1 - r->i0 == sample->nx && r->j1 - r->j0 == sample->ny;
        int used = 0;
        snprintf(iteration, sizeof iteration, "iteration %s",
                 words_count(count, sizeof count, lane->field.iteration));
        if (!whole)
            used = snprintf(foot, sizeof foot, "zoom: %d×%d of ", r->i1 - r->i0, r->j1 - r->j0);
        snprintf(foot + used, sizeof foot - (size_t)used, "%d×%d → %d×%d, mean", sample->nx,
                 sample->ny, r->cols, r->rows);
        frame.value = iteration;
        frame.foot = foot;
    }
    field_heatmap_draw(grid, draw_frame(grid, area, &frame), screen);
}
