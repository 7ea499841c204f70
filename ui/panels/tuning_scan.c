/* The panel of block sizes: the time of an iteration with each, measured in turn during the run,
 * and autotuning's earlier choices. */
#include <math.h>
#include <stdio.h>

#include "metrics/labels.h"
#include "ui/panels/panel.h"

enum { AXIS_COLS = 7, FIGURES_COLS = 26 };

/* The reason why there is no scan, or its result. */
static char *format_scan(char *buffer, size_t size, const struct lane_sample *lane) {
    if (!lane || !lane->tuning_scan.count)
        return format_text(buffer, size, "%s", format_no_scan(lane));
    const struct tuning_scan *scan = &lane->tuning_scan;
    const int used = lane->run.tuning.of[scan->field];
    int least = 0, now = -1;
    for (int k = 0; k < scan->count; k++) {
        least = scan->ms[k] < scan->ms[least] ? k : least;
        now = scan->value[k] == used ? k : now;
    }
    format_text(buffer, size, "%s %d is the fastest of these", tuning_names[scan->field],
                scan->value[least]);
    if (now >= 0 && now != least)
        format_append(buffer, size, "; %d, which is used, takes %.3g times as long", used,
                      scan->ms[now] / scan->ms[least]);
    else if (now == least)
        format_append(buffer, size, ", and is used");
    return buffer;
}

static void draw_points(struct area area, const struct tuning_scan *scan, int used) {
    double most = 0;
    for (int k = 0; k < scan->count; k++)
        most = fmax(most, scan->ms[k]);
    struct plot plot = plot_make(area_left(area, area.cols - 1), AXIS_COLS, true);
    plot.x = (struct scale){scan->value[0] / 1.4, scan->value[scan->count - 1] * 1.4, true};
    plot.y = (struct scale){0, 1.15 * most, false};
    if (plot.area.cols < 16 || plot.area.rows < 3 || !(most > 0))
        return;
    plot_axes(&plot);
    draw_text(area_row(area, area.rows - 2), ROLE_DIM, "ms/it.");
    for (int k = 1; k < scan->count; k++)
        plot_stroke(&plot, scan->value[k - 1], scan->ms[k - 1], scan->value[k], scan->ms[k], 2,
                    ROLE_KERNEL);
    for (int k = 0; k < scan->count; k++) {
        const struct area cell = plot_cell(&plot, scan->value[k], scan->ms[k]);
        grid_text(plot.area, cell.x, cell.y > plot.area.y ? cell.y - 1 : cell.y + 1,
                  scan->value[k] == used ? ROLE_VALUE | BOLD : ROLE_TEXT, "%d", scan->value[k]);
    }
}

static void tuning_scan_draw(struct area area, const struct screen *screen) {
    const struct lane_sample *lane = screen_lane(screen);
    struct frame frame = panel_frame(&tuning_scan_panel);
    frame.value = "ms per iteration";
    frame.foot_left = "host's clock, in turn";
    struct area inside = draw_frame(area, &frame);
    if (!lane || !lane->tuning_scan.count) {
        draw_paragraph(inside, ROLE_TEXT | BOLD, AS(format_scan, lane));
        return;
    }
    const int lines = inside.rows >= 6 ? 2 : 1;
    const char *tried = inside.rows >= 12 ? AS(format_tried, lane) : "";
    if (*tried)
        draw_paragraph(area_take_bottom(&inside, 2), ROLE_DIM,
                       PRINT("chosen by autotuning: %s", tried));
    draw_paragraph(area_take_bottom(&inside, lines), ROLE_TEXT | BOLD, AS(format_scan, lane));
    const struct tuning_scan *scan = &lane->tuning_scan;
    const int used = lane->run.tuning.of[scan->field];
    const int figures = inside.cols >= 3 * FIGURES_COLS ? FIGURES_COLS : 0;
    draw_points(area_left(inside, inside.cols - figures), scan, used);
    const struct area list = area_inset(area_right_of(inside, inside.cols - figures), 1, 0);
    for (int k = 0; k < scan->count && figures; k++) {
        const bool is_used = scan->value[k] == used;
        draw_text(area_row(list, k), is_used ? ROLE_VALUE | BOLD : ROLE_TEXT, "%6d  %s%s",
                  scan->value[k], AS(format_ms, scan->ms[k]), is_used ? "  used" : "");
    }
}

const struct panel tuning_scan_panel = {PANEL("sweep", "Block sizes", 'B', tuning_scan_draw)};
