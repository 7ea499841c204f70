/* The panel of one lane of a comparison: its field, and the cost of its iterations. */
#include <math.h>
#include <stdio.h>

#include "metrics/costs.h"
#include "metrics/labels.h"
#include "ui/panels/panel.h"

enum { BARS = 3, NAME_COLS = 10, SHORT_NAME_COLS = 6, MS_COLS = 9, BYTES_COLS = 9 };

/* The least columns for full names, and for bytes beside the times. */
enum { NAMES_COLS = 38, WITH_BYTES_COLS = 30 };

static int bar_rows(struct area inner) {
    return inner.rows >= 7 ? BARS : 0;
}

/* If any lane was recorded, each has a label above its field: live or recorded. */
static int label_rows(const struct sample *sample) {
    return sample_recorded_count(sample) > 0;
}

static struct area lane_heatmap(struct area area, const struct screen *screen) {
    const struct area inner = frame_inside(area);
    const struct area below = area_below(inner, label_rows(screen->sample));
    return area_top(below, below.rows - bar_rows(inner));
}

void draw_lane_mark(struct area area, const struct lane_sample *lane) {
    const bool recorded = *lane->recorded;
    const char *const texts[] = {
        recorded ? AS(lane_replay_label, lane) : PRINT("live: %s", lane->device),
        recorded ? PRINT("replay: %s", lane->recorded) : "live", recorded ? "replay" : "live"};
    int chosen = 0;
    while (chosen < 2 && grid_text_width(texts[chosen]) > area.cols)
        chosen++;
    draw_centered(area, recorded ? ROLE_WARN | BOLD | REVERSE : ROLE_GOOD | BOLD, texts[chosen]);
}

/* The times of an iteration's copies in either direction and of its kernels, and the bytes copied.
 * The bars of all lanes have one time scale. On several devices the kernels of a slab may
 * overlap. */
static void draw_spending(struct area area, const struct screen *screen) {
    static const struct {
        enum event_kind kind;
        const char *name, *short_name;
    } bars[BARS] = {{EVENT_TO_DEVICE, "to device", "to"},
                    {EVENT_KERNEL, "kernels", "kern."},
                    {EVENT_FROM_DEVICE, "from dev.", "from"}};
    struct costs costs[LANES_MAX] = {0};
    double most = 0;
    for (int l = 0; l < screen->sample->lane_count; l++) {
        costs[l] = costs_of_run(screen->sample, l);
        for (int b = 0; b < BARS; b++)
            most = fmax(most, costs[l].work[bars[b].kind].ms_per_iteration);
    }
    const bool wide = area.cols >= NAMES_COLS, with_bytes = area.cols >= WITH_BYTES_COLS;
    const int name_cols = wide ? NAME_COLS : SHORT_NAME_COLS;
    const int bar_cols = area.cols - name_cols - MS_COLS - (with_bytes ? BYTES_COLS : 0);
    for (int b = 0; b < area.rows; b++) {
        const enum event_kind kind = bars[b].kind;
        const struct cost *cost =
            costs[screen->lane].is_observed ? &costs[screen->lane].work[kind] : &cost_unknown;
        const double ms = cost->ms_per_iteration;
        struct area row = area_row(area, b);
        draw_text(row, ROLE_TEXT, "%s", wide ? bars[b].name : bars[b].short_name);
        row = area_right_of(row, name_cols);
        if (screen->is_covered) {
            draw_text(row, ROLE_VALUE | BOLD, "?");
            continue;
        }
        draw_bar(area_left(row, bar_cols), ms / most, event_styles[kind].role);
        row = area_right_of(row, bar_cols);
        draw_cell(&row, MS_COLS, ROLE_TEXT, ms == 0 ? "none" : AS(format_ms, ms));
        const bool overlaps = kind == EVENT_KERNEL && screen_lane(screen)->device_stats.count > 1 &&
                              ms > costs[screen->lane].ms_per_iteration;
        if (with_bytes && (overlaps || (ms > 0 && kind != EVENT_KERNEL)))
            draw_cell(&row, BYTES_COLS, ROLE_DIM,
                      overlaps ? "overlap" : AS(format_bytes, cost->bytes_per_iteration));
    }
}

static void lane_draw(struct area area, const struct screen *screen) {
    const struct lane_sample *lane = screen_lane(screen);
    if (!lane) {
        draw_frame(area, &(struct frame){.title = "–"});
        return;
    }
    const struct costs costs = costs_of_run(screen->sample, screen->lane);
    const char *title =
        PRINT("%c  %s", lane_letter(screen->lane), AS(lane_label, screen->sample, screen->lane));
    const char *speed = screen->is_covered ? "?/it" : AS(format_iteration, &costs, "/it");
    const int shown = field_lane(screen->sample, screen->lane);
    const char *iteration = AS(format_count, screen->sample->lanes[shown].field.iteration);
    if (shown != screen->lane)
        iteration = PRINT("%s of %c", iteration, lane_letter(shown));
    const char *quantity =
        lane->field.kind == FIELD_U
            ? NULL
            : PRINT("%s  %s", field_kind_titles[lane->field.kind], AS(field_figures, &lane->field));
    /* In a narrow frame the speed moves to the lower edge, so that the name stays whole. */
    const bool narrow = grid_text_width(title) + grid_text_width(speed) + 10 > area.cols;
    const struct frame frame = {
        .title = title,
        .value = narrow ? NULL : speed,
        .foot = narrow     ? speed
                : quantity ? iteration
                           : PRINT("iteration %s", iteration),
        .foot_left = quantity || !narrow ? quantity : iteration,
        .title_role = lane_role(screen->lane),
    };
    const struct area inner = draw_frame(area, &frame);
    const int bars = bar_rows(inner), labels = label_rows(screen->sample);
    if (labels)
        draw_lane_mark(area_top(inner, labels), lane);
    struct screen with_field = *screen;
    with_field.lane = shown;
    field_heatmap_draw(lane_heatmap(area, screen), &with_field);
    draw_spending(area_below(inner, inner.rows - bars), screen);
}

const struct panel lane_panel = {PANEL("lane", "Lane", 0, lane_draw), .covers = true,
                                 .heatmap = lane_heatmap};
