#include "ui/panels/lane.h"

#include <math.h>
#include <stdio.h>

#include "core/text.h"
#include "metrics/verdict.h"
#include "metrics/words.h"
#include "ui/draw/draw.h"
#include "ui/panels/panel.h"

enum { BARS = 3, NAME_COLS = 10, SHORT_NAME_COLS = 6, VALUE_COLS = 9, WIDE_COLS = 38 };

/* What an iteration of a lane spends: on copies either way, on kernels. */
struct spending {
    const char *name, *short_name;
    enum ink ink;
    double ms[LANES_MAX]; /* an iteration, the mean so far; 0 where there was none */
    double bytes[LANES_MAX];
};

static double ms_of(const struct lane_sample *lane, enum event_kind kind) {
    const struct tally tally = event_totals_loop(&lane->totals, kind);
    return tally.timed > 0 && lane->iterations > 0
               ? 1e-6 * tally_total_ns(&tally) / (double)lane->iterations
               : 0;
}

static void read_spending(struct spending rows[BARS], const struct sample *sample) {
    static const enum event_kind kinds[BARS] = {EVENT_TO_DEVICE, EVENT_KERNEL, EVENT_FROM_DEVICE};
    rows[0] = (struct spending){.name = "to device", .short_name = "to", .ink = INK_TO_DEVICE};
    rows[1] = (struct spending){.name = "kernels", .short_name = "kern.", .ink = INK_KERNEL};
    rows[2] = (struct spending){.name = "from dev.", .short_name = "from", .ink = INK_FROM_DEVICE};
    for (int l = 0; l < sample->lane_count; l++)
        for (int row = 0; row < BARS; row++) {
            const struct lane_sample *lane = &sample->lanes[l];
            const struct tally tally = event_totals_loop(&lane->totals, kinds[row]);
            rows[row].ms[l] = ms_of(lane, kinds[row]);
            rows[row].bytes[l] =
                lane->iterations ? (double)tally.bytes / (double)lane->iterations : NAN;
        }
}

/* All lanes' bars are of one scale. */
static double longest(const struct spending rows[BARS], int lane_count) {
    double most = 0;
    for (int row = 0; row < BARS; row++)
        for (int l = 0; l < lane_count; l++)
            most = fmax(most, rows[row].ms[l]);
    return most;
}

static int bar_rows(struct rect inner) {
    return inner.rows >= 7 ? BARS : 0;
}

/* Where any lane was recorded, each says above its picture whether it was. */
static int mark_rows(const struct sample *sample) {
    return sample_recorded_count(sample) > 0;
}

static struct rect picture_of(struct rect inner, const struct sample *sample) {
    const struct rect below = rect_below(inner, mark_rows(sample));
    return rect_top(below, below.rows - bar_rows(inner));
}

static struct rect inner_of(struct rect area) {
    return area.cols < 4 || area.rows < 3 ? area : rect_inset(area, 1, 1);
}

struct view lane_panel_view(struct rect area, const struct screen *screen) {
    return field_picture_view(picture_of(inner_of(area), screen->sample), screen->state);
}

/* The longest that fits: with the device, with the day alone, one word. */
static void draw_mark(struct grid *grid, struct rect area, const struct lane_sample *lane) {
    const bool recorded = *lane->recorded;
    char texts[3][LABEL_REPLAY_SIZE];
    int chosen = 0;
    if (recorded)
        lane_replay_label(texts[0], sizeof texts[0], lane);
    else
        snprintf(texts[0], sizeof texts[0], "live: %s", lane->device);
    snprintf(texts[1], sizeof texts[1], recorded ? "replay: %s" : "live", lane->recorded);
    snprintf(texts[2], sizeof texts[2], recorded ? "replay" : "live");
    while (chosen < 2 && grid_text_width(texts[chosen]) > area.cols)
        chosen++;
    draw_text_centered(grid, area, area.y, recorded ? INK_WARN : INK_GOOD,
                       recorded ? CELL_BOLD | CELL_REVERSE : CELL_BOLD, texts[chosen]);
}

static void draw_bars(struct grid *grid, struct rect area, const struct screen *screen) {
    struct spending rows[BARS];
    read_spending(rows, screen->sample);
    const double most = longest(rows, screen->sample->lane_count);
    const bool wide = area.cols >= WIDE_COLS;
    const int name = wide ? NAME_COLS : SHORT_NAME_COLS;
    const int cols = area.cols - name - VALUE_COLS - 1;
    for (int row = 0; row < area.rows; row++) {
        const int y = area.y + row;
        const double ms = rows[row].ms[screen->lane];
        char value[32];
        grid_text(grid, area, area.x, y, INK_TEXT, 0, "%s",
                  wide ? rows[row].name : rows[row].short_name);
        draw_bar(grid, area, area.x + name, y, cols, ms / most, rows[row].ink);
        draw_text_right(grid, area, area.x + area.cols, y, INK_TEXT, 0,
                        row == 1 ? words_ms(value, sizeof value, ms)
                                 : words_bytes(value, sizeof value, rows[row].bytes[screen->lane]));
    }
}

/* What stands in a lane's frame. */
struct caption {
    char title[LABEL_SIZE + 8], speed[48], iteration[64];
};

static struct caption caption_of(const struct screen *screen, const struct lane_sample *lane) {
    struct caption caption;
    char label[LABEL_SIZE], ms[32], count[32];
    const double mean =
        lane->iterations ? 1e3 * lane->seconds / (double)lane->iterations : (double)NAN;
    snprintf(caption.title, sizeof caption.title, "%c  %s", lane_letter(screen->lane),
             lane_label(label, sizeof label, screen->sample, screen->lane));
    snprintf(caption.speed, sizeof caption.speed, "%s/it", words_ms(ms, sizeof ms, mean));
    snprintf(caption.iteration, sizeof caption.iteration, "iteration %s",
             words_count(count, sizeof count, lane->field.iteration));
    return caption;
}

/* In a narrow frame the speed moves to the lower edge, so that the name stays whole. */
static struct rect draw_lane_frame(struct grid *grid, struct rect area, const struct screen *screen,
                                   const struct lane_sample *lane) {
    const struct caption caption = caption_of(screen, lane);
    const int both = grid_text_width(caption.title) + grid_text_width(caption.speed) + 10;
    const bool narrow = both > area.cols;
    const struct frame frame = {
        .title = caption.title,
        .value = narrow ? NULL : caption.speed,
        .foot = narrow ? caption.speed : caption.iteration,
        .foot_left = narrow ? caption.iteration + sizeof "iteration" : NULL,
        .title_ink = (enum ink)(INK_LANE_A + screen->lane),
    };
    return draw_frame(grid, area, &frame);
}

void lane_panel_draw(struct grid *grid, struct rect area, const struct screen *screen) {
    const struct lane_sample *lane = screen_lane(screen);
    if (!lane) {
        draw_frame(grid, area, &(struct frame){.title = "–"});
        return;
    }
    const struct rect inner = draw_lane_frame(grid, area, screen, lane);
    const int bars = bar_rows(inner), marks = mark_rows(screen->sample);
    if (marks)
        draw_mark(grid, rect_top(inner, marks), lane);
    field_picture_draw(grid, picture_of(inner, screen->sample), screen);
    draw_bars(grid, rect_below(inner, inner.rows - bars), screen);
}
