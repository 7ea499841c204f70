#include "ui/panels/layout.h"

#include <string.h>

#include "ui/draw/draw.h"

/* Adds a slot, if the area has cells and there is a panel of that name. */
static void layout_add(struct layout *layout, const char *name, int lane, struct area area) {
    const struct panel *panel = panel_find(name);
    if (!panel || area.cols < 1 || area.rows < 1 || layout->count == SLOTS_MAX)
        return;
    layout->slots[layout->count++] = (struct slot){panel, lane, area};
}

const struct slot *layout_find(const struct layout *layout, const char *name, int lane) {
    for (int s = 0; s < layout->count; s++)
        if (layout->slots[s].lane == lane && strcmp(layout->slots[s].panel->name, name) == 0)
            return &layout->slots[s];
    return NULL;
}

/* Below these sizes a panel tells nothing. */
enum {
    FIELD_COLS = 30,
    FIELD_LEGEND_COLS = 9,
    SIDE_COLS = 28,
    RESIDUAL_ROWS = 7,
    TIMING_ROWS = 6,
    TIMING_FULL_ROWS = 12
};

/* The bars of the four kernels, or of every copy as well, with the strip over them, in a frame. */
enum { TIMING_KERNEL_ROWS = 7, TIMING_ALL_ROWS = 10, FIELD_GOOD_ROWS = 9 };

static int limit(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

/* Of several devices each has a bar, instead of each kernel. */
static const char *bars_of(const struct layout_wish *wish) {
    return wish->device_count > 1 ? "devices" : "timing";
}

/* 80×24: field and residual side by side, the bars under both: as many as can be, unless the
 * field over them would become too small. */
static void arrange_stacked(struct layout *layout, const struct layout_wish *wish) {
    const struct area body = layout->body;
    const int wanted = body.rows >= TIMING_ALL_ROWS + FIELD_GOOD_ROWS    ? TIMING_ALL_ROWS
                       : body.rows >= TIMING_KERNEL_ROWS + RESIDUAL_ROWS ? TIMING_KERNEL_ROWS
                                                                         : TIMING_ROWS;
    const int timing = limit(body.rows * 5 / 11, wanted, TIMING_FULL_ROWS);
    const struct area top = area_top(body, body.rows - timing);
    const bool both = body.cols >= FIELD_COLS + SIDE_COLS;
    /* As wide as a square picture with its legend needs, rather than half. */
    const int field =
        both ? limit(2 * top.rows + FIELD_LEGEND_COLS, FIELD_COLS, body.cols * 5 / 9) : body.cols;
    layout_add(layout, "field", 0, area_left(top, field));
    if (both)
        layout_add(layout, "residual", 0, area_right_of(top, field));
    layout_add(layout, bars_of(wish), 0, area_below(body, body.rows - timing));
}

/* Wide: a large field at the left; residual and bars over one another at the right; the last
 * iteration to scale under all, if there is room. */
static void arrange_wide(struct layout *layout, const struct layout_wish *wish) {
    struct area body = layout->body;
    /* Of several devices: a row for the kernels of each, and one for its halos. */
    const int rows = wish->device_count > 1
                         ? limit(4 + 2 * wish->device_count, 8, limit(body.rows / 3, 8, 24))
                         : limit(body.rows / 5, 8, 10);
    const int timeline = panel_find("timeline") && body.rows >= 34 ? rows : 0;
    const struct area top = area_top(body, body.rows - timeline);
    /* What a square picture with its legend does not need is the others'. */
    const int least = limit(body.cols / 2, 46, 84);
    const int square = 2 * top.rows + FIELD_LEGEND_COLS;
    const int side = body.cols - least > square ? body.cols - square : least;
    const struct area right = area_right_of(top, top.cols - side);
    const int timing = limit(right.rows / 2, TIMING_FULL_ROWS, 16);
    layout_add(layout, "field", 0, area_left(top, top.cols - side));
    layout_add(layout, "residual", 0, area_top(right, right.rows - timing));
    layout_add(layout, bars_of(wish), 0, area_below(right, right.rows - timing));
    layout_add(layout, "timeline", 0, area_below(body, body.rows - timeline));
}

enum { LANE_COLS = 18, VERDICT_ROWS = 6, VERDICT_BIG_ROWS = 7, COMPARE_LANE_ROWS = 8 };

/* The lanes side by side, the verdict under them, the iterations to one scale under that; in a race
 * how far each has come. */
static void arrange_compare(struct layout *layout, int lane_count, bool race) {
    const struct area body = layout->body;
    const int shown = limit(lane_count, 1, limit(body.cols / LANE_COLS, 1, LANES_MAX));
    const int verdict = limit(body.rows / 4, 3, body.rows >= 30 ? VERDICT_BIG_ROWS : VERDICT_ROWS);
    int timeline = limit(body.rows - verdict - COMPARE_LANE_ROWS, 0, 4 + lane_count * 5);
    timeline = limit(timeline, 0, body.rows / 3);
    timeline = timeline < 3 + lane_count ? 0 : timeline;
    if (race && timeline > 0) /* two rows for each, or big digits */
        timeline = 2 + (body.rows >= 50 ? 7 : 2) * lane_count;
    const int lanes = body.rows - verdict - timeline;
    for (int l = 0; l < shown; l++) {
        const int from = body.cols * l / shown, to = body.cols * (l + 1) / shown;
        layout_add(layout, "lane", l,
                   (struct area){body.x + from, body.y, to - from, lanes > 0 ? lanes : 0, NULL});
    }
    const struct area below = area_below(body, lanes);
    layout_add(layout, "verdict", 0, area_top(below, verdict));
    layout_add(layout, race ? "race" : "timeline", 0, area_below(below, verdict));
}

/* For screen readers: over the whole width and over one another, what says most in words first. */
static void arrange_linear(struct layout *layout, int lane_count) {
    static const char *const order[] = {"timing", "residual", "field"};
    struct area rest = layout->body;
    const int count = lane_count > 1 ? lane_count + 1 : 3;
    for (int p = 0; p < count; p++) {
        const int least = p == 0 && lane_count == 1 ? limit(rest.rows, 0, TIMING_FULL_ROWS) : 0;
        const int rows = limit(rest.rows / (count - p), least, rest.rows);
        const bool is_verdict = lane_count > 1 && p == 0;
        layout_add(layout,
                   is_verdict       ? "verdict"
                   : lane_count > 1 ? "lane"
                                    : order[p],
                   lane_count > 1 && p > 0 ? p - 1 : 0, area_top(rest, rows));
        rest = area_below(rest, rows);
    }
}

static void arrange_standard(struct layout *layout, const struct layout_wish *wish) {
    const struct area body = layout->body;
    if (wish->linear) {
        arrange_linear(layout, wish->lane_count);
        return;
    }
    if (wish->lane_count > 1) {
        arrange_compare(layout, wish->lane_count, wish->race);
        return;
    }
    if (body.cols >= 100 && body.rows >= 22)
        arrange_wide(layout, wish);
    else if (body.rows >= RESIDUAL_ROWS + TIMING_ROWS)
        arrange_stacked(layout, wish);
    else if (body.cols >= FIELD_COLS + SIDE_COLS && body.rows >= TIMING_ROWS) {
        layout_add(layout, "field", 0, area_left(body, body.cols / 2));
        layout_add(layout, bars_of(wish), 0, area_right_of(body, body.cols / 2));
    } else {
        layout_add(layout, "field", 0, body);
    }
}

/* Takes rows from the lower end of what is left of the body. */
static struct area take_bottom(struct area *body, int rows) {
    rows = limit(rows, 0, body->rows);
    const struct area taken = area_below(*body, body->rows - rows);
    body->rows -= rows;
    return taken;
}

static struct area take_top(struct area *body, int rows) {
    const struct area taken = area_top(*body, rows);
    *body = area_below(*body, rows);
    return taken;
}

struct layout layout_make(const struct layout_wish *wish, int cols, int rows) {
    struct layout layout = {.body = {0, 0, cols, rows, NULL}};
    layout.header = take_top(&layout.body, rows >= 4);
    layout.footer = take_bottom(&layout.body, rows >= 3);
    layout.message = take_top(&layout.body, limit(wish->message_rows, 0, layout.body.rows / 2));
    if (wish->scene_rows > 0 && layout.body.rows >= 2 * wish->scene_rows)
        layout.scene = take_bottom(&layout.body, wish->scene_rows);
    /* The panel that has the screen: by the user's key, or because the layout bears its name. */
    const struct panel *full = wish->full ? wish->full : wish->name ? panel_find(wish->name) : NULL;
    if (full) {
        /* The explanation of a comparison stands there once per lane, if there is room. */
        const struct area body = layout.body;
        const int lanes = wish->lane_count;
        const bool beside = !wish->linear && body.cols >= 80 * lanes;
        const bool each = strcmp(full->name, "explain") == 0 && (beside || body.rows >= 10 * lanes);
        const int count = each ? lanes : 1, whole = beside ? body.cols : body.rows;
        for (int l = 0; l < count; l++) {
            const int from = whole * l / count, length = whole * (l + 1) / count - from;
            layout_add(&layout, full->name, l,
                       beside ? (struct area){body.x + from, body.y, length, body.rows, NULL}
                              : (struct area){body.x, body.y + from, body.cols, length, NULL});
        }
        return layout;
    }
    arrange_standard(&layout, wish);
    return layout;
}
