#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metrics/timing.h"
#include "metrics/words.h"
#include "ui/draw/draw.h"
#include "ui/panels/panel.h"

/* Columns at the right of the bars, in the order in which they are given up. */
struct columns {
    int name, bar, ms, percent, gbs, bytes, reference; /* widths; 0 where not shown */
};

static struct columns columns_make(int cols, bool has_reference) {
    struct columns columns = {.name = cols >= 40 ? 13 : 6, .ms = 9, .percent = 7};
    int left = cols - columns.name - columns.ms - columns.percent;
    const int least_bar = 10;
    if (left >= least_bar + 11)
        left -= columns.gbs = 11;
    if (left >= least_bar + 9)
        left -= columns.bytes = 9;
    if (has_reference && left >= least_bar + 13)
        left -= columns.reference = 13;
    columns.bar = left > 0 ? left : 0;
    return columns;
}

/* ---- the strip: one whole iteration, from end to end */

struct part {
    double percent;
    uint32_t glyph;
    enum ink ink;
};

/* Whole columns, rounded: what took next to nothing gets none. */
static void draw_strip(struct grid *grid, struct rect area, const struct part *parts, int count) {
    double sum = 0;
    int x = 0;
    for (int p = 0; p < count && parts[p].percent >= 0; p++) {
        sum += parts[p].percent;
        for (; x < (int)lround(sum / 100 * area.cols); x++)
            grid_put(grid, area, area.x + x, area.y, parts[p].glyph, parts[p].ink, INK_DEFAULT, 0);
    }
}

static int draw_share(struct grid *grid, struct rect row, bool at_right, enum ink ink,
                      const char *what, double percent) {
    char share[24], text[64];
    words_percent(share, sizeof share, percent);
    snprintf(text, sizeof text, "%s %s", at_right ? share : what, at_right ? what : share);
    if (at_right)
        draw_text_right(grid, row, row.x + row.cols, row.y, ink, CELL_BOLD, text);
    else
        grid_text(grid, row, row.x, row.y, ink, CELL_BOLD, "%s", text);
    return grid_text_width(text) + 1;
}

/* "moving data 96 % ██████████▓▓▓▓▒ 4 % computing" */
static void draw_summary(struct grid *grid, struct rect row, const struct timing *timing) {
    const struct part parts[] = {
        {timing->rows[0].percent, 0x2588, INK_TO_DEVICE},
        {timing->rows[1].percent, 0x2593, INK_FROM_DEVICE},
        {timing->rows[2].percent, 0x2591, INK_ALLOC},
        {timing_percent(timing, timing->kernels_ms), 0x2588, INK_KERNEL},
        {timing_percent(timing, timing->rest_ms), 0x2500, INK_DIM},
    };
    const double moving = timing_percent(timing, timing->moving_ms);
    const double computing = timing_percent(timing, timing->kernels_ms);
    int left = 0, right = 0;
    if (row.cols >= 40) {
        left = draw_share(grid, row, false, INK_TO_DEVICE,
                          row.cols >= 56 ? "moving data" : "moving", moving);
        right = draw_share(grid, row, true, INK_KERNEL, "computing", computing);
    }
    draw_strip(grid, (struct rect){row.x + left, row.y, row.cols - left - right, 1}, parts, 5);
}

/* ---- the bars */

static double most_ms(const struct timing *timing) {
    double most = timing->rest_ms > 0 ? timing->rest_ms : 0;
    for (int r = 0; r < timing->count; r++)
        most = fmax(most, timing->rows[r].ms);
    double with_references = most;
    for (int r = 0; r < timing->count; r++)
        if (timing->rows[r].reference_ms < 4 * most)
            with_references = fmax(with_references, timing->rows[r].reference_ms);
    return with_references > 0 ? with_references : 1;
}

static void draw_cell(struct grid *grid, struct rect row, int *x, int width, enum ink ink,
                      const char *text) {
    if (width > 0)
        draw_text_right(grid, row, *x + width, row.y, ink, 0, text);
    *x += width;
}

static const char *short_name(const char *name, int cols) {
    return strcmp(name, "BoundaryConditions") == 0 ? cols >= 13 ? "BoundaryCond." : "BC" : name;
}

static void draw_figures(struct grid *grid, struct rect row, int x, const struct columns *columns,
                         const struct timing_row *timed) {
    char text[32];
    if (timed->count == 0) {
        draw_cell(grid, row, &x, columns->ms, INK_DIM, "none");
        return;
    }
    draw_cell(grid, row, &x, columns->ms, INK_TEXT, words_ms(text, sizeof text, timed->ms));
    draw_cell(grid, row, &x, columns->percent, INK_TEXT,
              words_percent(text, sizeof text, timed->percent));
    draw_cell(grid, row, &x, columns->bytes, INK_TEXT,
              timed->kind == EVENT_KERNEL ? "" : words_bytes(text, sizeof text, timed->bytes));
    draw_cell(grid, row, &x, columns->gbs, INK_DIM,
              timed->kind == EVENT_ALLOC ? "" : words_gbs(text, sizeof text, timed->gbs));
    if (columns->reference && !isnan(timed->reference_ms)) {
        char reference[32];
        snprintf(reference, sizeof reference, "ref %s",
                 words_ms(text, sizeof text, timed->reference_ms));
        draw_cell(grid, row, &x, columns->reference, INK_REFERENCE, reference);
    }
}

static void draw_row(struct grid *grid, struct rect row, const struct columns *columns,
                     const struct timing_row *timed, double most) {
    if (row.rows < 1)
        return;
    draw_shortened(grid, row, row.x, row.y, columns->name, timed->ink, 0,
                   short_name(timed->name, columns->name));
    const int bar_x = row.x + columns->name + 1, bar_cols = columns->bar - 2;
    draw_bar(grid, row, bar_x, row.y, bar_cols, timed->ms / most, timed->ink);
    if (!isnan(timed->reference_ms))
        draw_tick(grid, row, bar_x, row.y, bar_cols, timed->reference_ms / most, INK_REFERENCE);
    draw_figures(grid, row, row.x + columns->name + columns->bar, columns, timed);
}

static void draw_rest(struct grid *grid, struct rect row, const struct columns *columns,
                      const struct timing *timing, double most) {
    const struct timing_row rest = {.name = "rest of loop",
                                    .ink = INK_DIM,
                                    .kind = EVENT_ALLOC,
                                    .count = 1,
                                    .ms = timing->rest_ms,
                                    .percent = timing_percent(timing, timing->rest_ms),
                                    .bytes = NAN,
                                    .reference_ms = NAN};
    struct columns without_bytes = *columns;
    without_bytes.bytes = without_bytes.gbs = 0;
    draw_row(grid, row, &without_bytes, &rest, most);
}

static bool has_reference(const struct timing *timing) {
    for (int r = 0; r < timing->count; r++)
        if (!isnan(timing->rows[r].reference_ms))
            return true;
    return false;
}

static void draw_setup(struct grid *grid, struct rect row, const struct timing *timing) {
    char bytes[24], ms[24];
    if (timing->setup_bytes > 0)
        grid_text(grid, row, row.x, row.y, INK_DIM, 0, "before the loop, once: %s in %s",
                  words_bytes(bytes, sizeof bytes, timing->setup_bytes),
                  words_ms(ms, sizeof ms, timing->setup_ms));
}

static bool is_idle(const struct timing_row *row) {
    return row->kind != EVENT_KERNEL && row->count == 0;
}

/* "to device, allocation: none" in one row; none where nothing is idle. */
static int draw_idle(struct grid *grid, struct rect row, const struct timing *timing) {
    int x = row.x;
    for (int r = 0; r < timing->count; r++)
        if (is_idle(&timing->rows[r]))
            x += grid_text(grid, row, x, row.y, INK_DIM, 0, "%s%s", x > row.x ? ", " : "",
                           timing->rows[r].name);
    if (x > row.x)
        grid_text(grid, row, x, row.y, INK_DIM, 0, ": none");
    return x > row.x;
}

/* Which rows get a place: where rows are scarce, not those that are idle, then not those that take
 * the least. */
static void choose_rows(const struct timing *timing, int room, bool shown[TIMING_ROWS_MAX]) {
    const bool scarce = room <= timing->count;
    int count = 0;
    for (int r = 0; r < timing->count; r++)
        count += shown[r] = !scarce || !is_idle(&timing->rows[r]);
    for (; scarce && count > room; count--) {
        int least = -1;
        for (int r = 0; r < timing->count; r++)
            if (shown[r] && (least < 0 || !(timing->rows[r].ms >= timing->rows[least].ms)))
                least = r;
        if (least < 0)
            return;
        shown[least] = false;
    }
}

static int count_shown(const bool shown[TIMING_ROWS_MAX], int count) {
    int found = 0;
    for (int r = 0; r < count; r++)
        found += shown[r];
    return found;
}

/* Idle rows share one where each of their own would cost one that tells something. */
static void draw_bars(struct grid *grid, struct rect area, const struct timing *timing) {
    const struct columns columns = columns_make(area.cols, has_reference(timing));
    const double most = most_ms(timing);
    const bool airy = area.rows >= timing->count + 3;
    bool shown[TIMING_ROWS_MAX];
    choose_rows(timing, area.rows, shown);
    const int count = count_shown(shown, timing->count);
    if (count < timing->count && count < area.rows)
        area = rect_below(area, draw_idle(grid, rect_top(area, 1), timing));
    for (int r = 0; r < timing->count; r++) {
        if (!shown[r])
            continue;
        draw_row(grid, rect_top(area, 1), &columns, &timing->rows[r], most);
        area = rect_below(area, r == 2 && airy ? 2 : 1);
    }
    draw_rest(grid, rect_top(area, 1), &columns, timing, most);
    draw_setup(grid, rect_top(rect_below(area, airy ? 2 : 1), 1), timing);
}

/* ---- big digits, for the last row of the room */

enum { BIG_BLOCK_ROWS = BIG_ROWS + 2 };

/* "1 204" in big digits, "ms an iteration" beside their foot, and who takes it. */
static void draw_big_time(struct grid *grid, struct rect area, const struct timing *timing) {
    char text[32], moving[24], computing[24];
    words_ms(text, sizeof text, timing->total_ms);
    char *unit = strrchr(text, ' ');
    if (!unit)
        return;
    *unit++ = 0;
    const int x = area.x + draw_big(grid, area, area.x, area.y + 1, INK_VALUE, text) + 2;
    words_percent(moving, sizeof moving, timing_percent(timing, timing->moving_ms));
    words_percent(computing, sizeof computing, timing_percent(timing, timing->kernels_ms));
    grid_text(grid, area, x, area.y + 1, INK_TO_DEVICE, CELL_BOLD, "%s moving data", moving);
    grid_text(grid, area, x, area.y + 3, INK_KERNEL, CELL_BOLD, "%s computing", computing);
    grid_text(grid, area, x, area.y + BIG_ROWS, INK_VALUE, CELL_BOLD, "%s an iteration", unit);
}

static void draw_content(struct grid *grid, struct rect inner, const struct timing *timing,
                         bool wants_big) {
    inner = rect_inset(inner, inner.cols >= 44, 0);
    if (isnan(timing->total_ms)) {
        draw_text_centered(grid, inner, inner.y + inner.rows / 2, INK_DIM, 0,
                           "no iteration measured yet");
        return;
    }
    if (wants_big && inner.rows > BIG_BLOCK_ROWS && inner.cols >= 60) {
        draw_big_time(grid, inner, timing);
        inner = rect_below(inner, BIG_BLOCK_ROWS);
    }
    draw_summary(grid, rect_top(inner, 1), timing);
    if (!wants_big || inner.rows >= timing->count)
        draw_bars(grid, rect_below(inner, inner.rows >= timing->count + 4 ? 2 : 1), timing);
}

/* Where the panel has room to spare, or is to be read from afar. */
static bool wants_big_digits(const struct screen *screen, struct rect area) {
    return screen->config->view.theme == THEME_PROJECTOR || area.rows >= 24;
}

static void name_clocks(char *text, size_t size, const struct timing *timing) {
    if (timing->copy_clock && timing->copy_clock != timing->kernel_clock)
        snprintf(text, size, "clock: %s, copies %s", words_clock(timing->kernel_clock),
                 words_clock(timing->copy_clock));
    else
        snprintf(text, size, "clock: %s", words_clock(timing->kernel_clock));
}

/* What the program itself takes of the solver's time: "showing it costs 1 %, measuring 0.1 %". */
static void name_overhead(char *text, size_t size, const struct timing *timing) {
    char percent[24];
    const int used = snprintf(text, size, "showing it costs %s",
                              words_percent(percent, sizeof percent, timing->downsample_percent));
    if (timing->measuring_percent >= 0)
        snprintf(text + used, size - (size_t)used, ", measuring %s",
                 words_percent(percent, sizeof percent, timing->measuring_percent));
}

void timing_panel_draw(struct grid *grid, struct rect area, const struct screen *screen) {
    const struct panel *panel = panel_find("timing");
    const struct lane_sample *lane = screen_lane(screen);
    struct frame frame = {.title = panel->title, .key = panel->key};
    if (!lane) {
        draw_frame(grid, area, &frame);
        return;
    }
    char value[32], clocks[96], looking[96];
    const struct timing timing = timing_make(lane, &screen->config->reference);
    frame.value = words_ms(value, sizeof value, timing.total_ms);
    name_clocks(clocks, sizeof clocks, &timing);
    name_overhead(looking, sizeof looking, &timing);
    frame.foot_left = clocks;
    frame.foot = looking;
    draw_content(grid, draw_frame(grid, area, &frame), &timing, wants_big_digits(screen, area));
}
