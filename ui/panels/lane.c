/* The panel of one lane of a comparison: its field, and the cost of its iterations. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metrics/costs.h"
#include "metrics/labels.h"
#include "ui/panels/panel.h"

enum { BARS = 5, NAME_COLS = 10, SHORT_NAME_COLS = 6, MS_COLS = 9, BYTES_COLS = 9 };

/* The least columns for full names, and for bytes beside the times. */
enum { NAMES_COLS = 38, WITH_BYTES_COLS = 30 };

/* The bars of an iteration. The last one is what the others leave: allocations, the loop itself; of
 * several devices mostly halo copies, whose bytes it has, and waits for neighbours. */
static const struct {
    enum event_kind kind;
    const char *name, *of_several, *short_name; /* bytes are the sum over all devices */
} bars[BARS] = {{EVENT_TO_DEVICE, "to device", "to all", "to"},
                {EVENT_KERNEL, "kernels", "kernels", "kern."},
                {EVENT_FROM_DEVICE, "from dev.", "from all", "from"},
                {EVENT_WAIT, "launch", "launch", "launch"},
                {EVENT_KIND_COUNT, "other", "halo, wait", "other"}};

enum { TO_DEVICE = 0, FROM_DEVICE = 2 }; /* in `bars` */

/* Copies have a bar if any lane makes them, or may: it was not observed. Launches if any lane's are
 * known. */
static bool has_bar(const struct sample *sample, enum event_kind kind) {
    bool any = kind == EVENT_KERNEL || kind == EVENT_KIND_COUNT;
    for (int l = 0; l < sample->lane_count && !any; l++) {
        const struct event_totals *totals = &sample->lanes[l].totals;
        if (kind == EVENT_WAIT)
            any = costs_of_run(sample, l).launching.ms > 0;
        else
            any = event_totals_loop(totals, EVENT_KERNEL).timed == 0 ||
                  event_totals_loop(totals, kind).count > 0;
    }
    return any;
}

/* If any lane was recorded, each has a label above its field: live or recorded. A label that all
 * have in common, as the lanes of one recording do, is in the header. */
static int label_rows(const struct sample *sample) {
    bool differs = !*sample->playback.label;
    for (int l = 1; l < sample->lane_count && sample->playback.races; l++)
        differs |= strcmp(AS(lane_replay_label, &sample->lanes[l]),
                          AS(lane_replay_label, &sample->lanes[0])) != 0;
    return sample_recorded_count(sample) > 0 && differs;
}

int lane_rows(const struct sample *sample) {
    int count = label_rows(sample);
    for (int b = 0; b < BARS; b++)
        count += has_bar(sample, bars[b].kind);
    return count;
}

/* Without copies they add little to the time in the frame: a field of 36 pixels comes first. */
static int bar_rows(struct area inner, const struct sample *sample) {
    const int labels = label_rows(sample), count = lane_rows(sample) - labels;
    const int pixels = 2 * (inner.rows - labels - count - 1);
    if (inner.rows < 7 || (count == 2 && pixels < min_int(inner.cols, 36)))
        return 0;
    return min_int(count, inner.rows - 4);
}

static struct area lane_heatmap(struct area area, const struct screen *screen) {
    const struct area inner = frame_inside(area);
    const struct area below = area_below(inner, label_rows(screen->sample));
    return area_top(below, below.rows - bar_rows(inner, screen->sample));
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

/* Sets the time of each bar; NaN if unknown. Parts that exceed the iteration are scaled to it: a
 * faster run's bars are not longer. */
static void measure_bars(const struct costs *costs, double ms[BARS]) {
    const double scale = costs->ms_per_iteration / costs->whole_ms;
    ms[BARS - 1] = costs->is_observed ? costs->ms_per_iteration : NAN;
    for (int b = 0; b < BARS - 1; b++) {
        ms[b] = scale * (!costs->is_observed          ? NAN
                         : bars[b].kind == EVENT_WAIT ? costs->launching.ms
                                                      : costs->work[bars[b].kind].ms_per_iteration);
        ms[BARS - 1] -= ms[b] > 0 ? ms[b] : 0;
    }
}

/* Chooses the bars that fit into `rows`: makes one of the copies' two, then omits empty ones, then
 * the shortest, whose time the last bar then includes; covered ones by their place, which reveals
 * nothing. A single row has the longest bar. */
static void choose_bars(const struct sample *sample, int rows, bool is_covered, double ms[BARS],
                        bool shown[BARS]) {
    int over = -rows;
    for (int b = 0; b < BARS; b++)
        over += shown[b] = has_bar(sample, bars[b].kind);
    const int droppable = rows == 1 ? BARS : BARS - 1;
    if (over > 0 && shown[TO_DEVICE] && shown[FROM_DEVICE]) {
        shown[FROM_DEVICE] = false;
        ms[TO_DEVICE] += ms[FROM_DEVICE];
        over--;
    }
    for (; over > 0; over--) {
        int least = -1;
        double least_ms = INFINITY;
        for (int b = 0; b < droppable; b++) {
            const double own = isnan(ms[b]) ? 1e-300 : ms[b]; /* unknown: after the empty ones */
            if (!shown[b] || (least >= 0 && !is_covered && own >= least_ms))
                continue;
            least = b;
            least_ms = own;
        }
        if (least < 0)
            return;
        shown[least] = false;
        ms[BARS - 1] += rows > 1 && ms[least] > 0 ? ms[least] : 0;
    }
}

/* The times of an iteration's copies in either direction, of its kernels, and of the rest, with the
 * bytes copied. If the parts are scaled, the last row shows their sum. The bars of all lanes have
 * one time scale. */
static void draw_spending(struct area area, const struct screen *screen) {
    struct costs costs = {0};
    double ms[LANES_MAX][BARS], most = 0;
    bool shown[LANES_MAX][BARS] = {0};
    for (int l = screen->sample->lane_count - 1; l >= 0; l--) {
        const struct costs of_lane = costs_of_run(screen->sample, l);
        costs = l == screen->lane ? of_lane : costs;
        measure_bars(&of_lane, ms[l]);
        choose_bars(screen->sample, area.rows, screen->is_covered, ms[l], shown[l]);
        for (int b = 0; b < BARS; b++)
            most = fmax(most, ms[l][b]);
    }
    const double *own = ms[screen->lane];
    const bool wide = area.cols >= NAMES_COLS, with_bytes = area.cols >= WITH_BYTES_COLS;
    const int name_cols = wide ? NAME_COLS : SHORT_NAME_COLS;
    const int bar_cols = area.cols - name_cols - MS_COLS - (with_bytes ? BYTES_COLS : 0);
    for (int b = 0; b < BARS && area.rows > 0; b++) {
        const enum event_kind kind = bars[b].kind;
        if (!shown[screen->lane][b])
            continue;
        struct area row = area_take_top(&area, 1);
        const bool is_rest = b == BARS - 1;
        if (is_rest && !screen->is_covered && costs.whole_ms > costs.ms_per_iteration) {
            draw_text(row, ROLE_DIM, wide ? "scaled from" : "from");
            row = area_right_of(row, name_cols + bar_cols);
            draw_cell(&row, MS_COLS, ROLE_DIM, AS(format_ms, costs.whole_ms));
            break;
        }
        const struct lane_sample *lane = screen_lane(screen);
        const bool several = lane->device_stats.count > 1;
        const bool is_both = b == TO_DEVICE && !shown[screen->lane][FROM_DEVICE] &&
                             has_bar(screen->sample, EVENT_FROM_DEVICE);
        draw_text(row, ROLE_TEXT, "%s",
                  is_both   ? (wide ? "copies" : "copy")
                  : !wide   ? (several && is_rest ? "exch." : bars[b].short_name)
                  : several ? bars[b].of_several
                            : bars[b].name);
        row = area_right_of(row, name_cols);
        if (screen->is_covered) {
            draw_text(row, ROLE_VALUE | BOLD, "?");
            continue;
        }
        draw_bar(area_left(row, bar_cols), own[b] / most,
                 is_rest ? ROLE_DIM : event_styles[kind].role);
        row = area_right_of(row, bar_cols);
        draw_cell(&row, MS_COLS, ROLE_TEXT, own[b] == 0 ? "none" : AS(format_ms, own[b]));
        const double bytes = is_both ? costs.copied_bytes
                             : kind == EVENT_TO_DEVICE || kind == EVENT_FROM_DEVICE
                                 ? costs.work[kind].bytes_per_iteration
                             : several && is_rest ? costs.halo_bytes / (double)lane->iterations
                                                  : 0;
        if (with_bytes && bytes > 0) /* also those of copies that nothing timed */
            draw_cell(&row, BYTES_COLS, ROLE_DIM, AS(format_bytes, bytes));
    }
}

/* Without the field the bars fill the frame. */
static void draw_contents(struct area area, const struct screen *screen, bool with_field) {
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
    const char *counted = PRINT("iteration %s", iteration);
    const bool fits =
        !quantity || grid_text_width(quantity) + grid_text_width(counted) + 8 <= area.cols;
    /* If any frame is too narrow, the speed of each moves to the lower edge: names stay whole. */
    bool narrow = false;
    for (int l = 0; l < screen->sample->lane_count; l++) {
        const struct costs of_lane = costs_of_run(screen->sample, l);
        narrow |= grid_text_width(AS(lane_label, screen->sample, l)) +
                      grid_text_width(AS(format_iteration, &of_lane, "/it")) + 13 >
                  area.cols;
    }
    struct frame frame = {
        .title = title,
        .value = narrow ? NULL : speed,
        .foot = narrow ? speed
                : fits ? counted
                       : iteration,
        .foot_left = quantity || !narrow ? quantity : iteration,
        .title_role = lane_role(screen->lane),
    };
    int labels = label_rows(screen->sample);
    if (!with_field) {
        /* In too few rows the mark is in the frame. */
        const bool low = labels && area.rows - 2 < lane_rows(screen->sample);
        labels -= low;
        frame.foot = narrow ? speed : NULL;
        frame.foot_left = !low ? NULL : *lane->recorded ? AS(lane_replay_label, lane) : "live";
    }
    const struct area inner = draw_frame(area, &frame);
    const int rows = with_field ? bar_rows(inner, screen->sample) : inner.rows - labels;
    if (labels)
        draw_lane_mark(area_top(inner, labels), lane);
    struct screen of_field = *screen;
    of_field.lane = shown;
    if (with_field)
        field_heatmap_draw(lane_heatmap(area, screen), &of_field);
    draw_spending(area_below(inner, inner.rows - rows), screen);
}

static void lane_draw(struct area area, const struct screen *screen) {
    draw_contents(area, screen, true);
}

static void lane_bars_draw(struct area area, const struct screen *screen) {
    draw_contents(area, screen, false);
}

const struct panel lane_panel = {PANEL("lane", "Lane", 0, lane_draw), .covers = true,
                                 .heatmap = lane_heatmap};

/* The same without its field, which the lanes share. */
const struct panel lane_bars_panel = {PANEL("lane", "Lane", 0, lane_bars_draw), .covers = true};
