
#include <math.h>
#include <stdio.h>

#include "metrics/words.h"
#include "ui/draw/draw.h"
#include "ui/panels/panel.h"

static const uint32_t upper_half = 0x2580;

/* Rows of the legend under the picture. */
static int legend_rows(struct rect inner) {
    return inner.rows >= 4 ? 1 : 0;
}

static struct rect inner_of(struct rect area) {
    return area.cols < 4 || area.rows < 3 ? area : rect_inset(area, 1, 1);
}

static struct rect picture_of(struct rect inner) {
    return rect_top(inner, inner.rows - legend_rows(inner));
}

struct view field_picture_view(struct rect inner, const struct app_state *state) {
    const struct rect picture = picture_of(inner);
    struct view view = state->view;
    view.cols = picture.cols;
    view.rows = 2 * picture.rows;
    return view;
}

struct view field_panel_view(struct rect area, const struct app_state *state) {
    return field_picture_view(inner_of(area), state);
}

/* ---- the picture */

/* What the pixels are looked up in: the levels as last shown, or fresh ones. */
struct picture {
    const struct field *field;
    const struct heatmap *heatmap;
    struct heatmap_range range;
    int cols, rows; /* pixels */
};

static bool matches(const struct heatmap *heatmap, const struct field *field,
                    enum field_scale scale) {
    return heatmap->levels && heatmap->scale == scale &&
           heatmap->downsample.cols == field->downsample.cols &&
           heatmap->downsample.rows == field->downsample.rows;
}

static struct picture make_picture(const struct screen *screen, const struct lane_sample *lane,
                                   struct rect area) {
    struct picture picture = {.field = &lane->field, .cols = area.cols, .rows = 2 * area.rows};
    if (screen->heatmaps &&
        matches(&screen->heatmaps[screen->lane], &lane->field, screen->state->scale))
        picture.heatmap = &screen->heatmaps[screen->lane];
    const struct field limits = heatmap_shared_limits(screen->sample, screen->lane);
    picture.range = picture.heatmap ? picture.heatmap->range
                                    : heatmap_range_of(&limits, screen->state->scale, NULL);
    return picture;
}

/* The level of pixel (x, y), y = 0 on top; the nearest cell's where there are fewer cells. */
static int level_at(const struct picture *picture, int x, int y) {
    const struct downsample *cells = &picture->field->downsample;
    const long col = (long)x * cells->cols / picture->cols;
    const long row = (long)(picture->rows - 1 - y) * cells->rows / picture->rows;
    const long cell = col + row * cells->cols;
    return picture->heatmap ? picture->heatmap->levels[cell]
                            : heatmap_level(&picture->range, picture->field->cells[cell]);
}

static uint32_t shade(int level, bool ascii) {
    static const uint32_t blocks[] = {0, 0x2591, 0x2592, 0x2593, 0x2588};
    static const char letters[] = " .:-=+*#%@";
    return ascii ? (uint32_t)letters[level * 10 / INK_LEVELS] : blocks[level * 5 / INK_LEVELS];
}

static void put_pixels(struct grid *grid, struct rect area, int x, int y, int upper, int lower,
                       const struct screen *screen) {
    const int mean = (upper + lower) / 2;
    if (screen->no_color)
        grid_put(grid, area, x, y, shade(mean, screen->ascii), INK_TEXT, INK_DEFAULT, 0);
    else if (screen->ascii)
        grid_put(grid, area, x, y, 0, INK_TEXT, (enum ink)(INK_LEVEL0 + mean), 0);
    else
        grid_put(grid, area, x, y, upper_half, (enum ink)(INK_LEVEL0 + upper),
                 (enum ink)(INK_LEVEL0 + lower), 0);
}

static void draw_picture(struct grid *grid, struct rect area, const struct picture *picture,
                         const struct screen *screen) {
    for (int y = 0; y < area.rows; y++)
        for (int x = 0; x < area.cols; x++)
            put_pixels(grid, area, area.x + x, area.y + y, level_at(picture, x, 2 * y),
                       level_at(picture, x, 2 * y + 1), screen);
}

/* ---- the legend: "1e-9 ▒▒▒▒▒ 1  log · viridis" */

static void draw_color_bar(struct grid *grid, struct rect area, const struct screen *screen) {
    for (int x = 0; x < area.cols; x++) {
        const int level = area.cols > 1 ? x * (INK_LEVELS - 1) / (area.cols - 1) : 0;
        put_pixels(grid, area, area.x + x, area.y, level, level, screen);
    }
}

static void draw_legend_row(struct grid *grid, struct rect area, const struct heatmap_range *range,
                            const struct screen *screen) {
    char low[32], high[32], words[64];
    words_number(low, sizeof low, range->is_signed ? -range->high : range->low);
    words_number(high, sizeof high, range->high);
    snprintf(words, sizeof words, " %s · %s", range->logarithmic ? "log" : "linear",
             screen->no_color ? "shades" : colormap_name(screen->state->colormap));
    const int taken = grid_text_width(low) + grid_text_width(high) + 4;
    const bool with_words = area.cols >= taken + 14 + grid_text_width(words);
    const int bar = area.cols - taken - (with_words ? grid_text_width(words) + 1 : 0);
    int x = area.x + 1;
    x += grid_text(grid, area, x, area.y, INK_TEXT, 0, "%s", low) + 1;
    draw_color_bar(grid, (struct rect){x, area.y, bar > 0 ? bar : 0, 1}, screen);
    if (range->is_signed && bar > 8)
        grid_put(grid, area, x + bar / 2, area.y, '0', INK_TEXT, INK_DEFAULT, CELL_REVERSE);
    x += (bar > 0 ? bar : 0) + 1;
    x += grid_text(grid, area, x, area.y, INK_TEXT, 0, "%s", high);
    if (with_words)
        grid_text(grid, area, x + 1, area.y, INK_DIM, 0, "%s", words);
}

/* ---- the frame */

static void describe_reduction(char *text, size_t size, const struct sample *sample,
                               const struct downsample *r) {
    const bool whole = r->i1 - r->i0 == sample->nx && r->j1 - r->j0 == sample->ny;
    int used = 0;
    if (!whole)
        used = snprintf(text, size, "zoom: %d×%d of ", r->i1 - r->i0, r->j1 - r->j0);
    snprintf(text + used, size - (size_t)used, "%d×%d → %d×%d, mean", sample->nx, sample->ny,
             r->cols, r->rows);
}

static void draw_lane(struct grid *grid, struct rect inner, const struct screen *screen,
                      const struct lane_sample *lane) {
    const struct rect area = picture_of(inner);
    const struct picture picture = make_picture(screen, lane, area);
    draw_picture(grid, area, &picture, screen);
    if (legend_rows(inner))
        draw_legend_row(grid, rect_below(inner, inner.rows - 1), &picture.range, screen);
}

static bool has_picture(const struct lane_sample *lane) {
    return lane && lane->field.downsample.cols > 0 && lane->field.downsample.rows > 0;
}

void field_picture_draw(struct grid *grid, struct rect inner, const struct screen *screen) {
    const struct lane_sample *lane = screen_lane(screen);
    if (has_picture(lane))
        draw_lane(grid, inner, screen, lane);
    else
        draw_text_centered(grid, inner, inner.y + inner.rows / 2, INK_DIM, 0, "no picture yet");
}

void field_panel_draw(struct grid *grid, struct rect area, const struct screen *screen) {
    const struct panel *panel = panel_find("field");
    const struct lane_sample *lane = screen_lane(screen);
    const bool there = has_picture(lane);
    char iteration[32], count[32], foot[96];
    struct frame frame = {.title = panel->title, .key = panel->key};
    if (there) {
        snprintf(iteration, sizeof iteration, "iteration %s",
                 words_count(count, sizeof count, lane->field.iteration));
        describe_reduction(foot, sizeof foot, screen->sample, &lane->field.downsample);
        frame.value = iteration;
        frame.foot = foot;
    }
    field_picture_draw(grid, draw_frame(grid, area, &frame), screen);
}
