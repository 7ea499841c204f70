/* The effort panel: the blog's conclusion in numbers. Shows the effort in our own source to port
 * the four kernels from plain C to a device, and the activity of the run on the screen. */
#include <math.h>
#include <stdio.h>

#include "explain/explain.h"
#include "metrics/costs.h"
#include "metrics/labels.h"
#include "ui/panels/panel.h"

enum { NAME_COLS_MIN = 12, NAME_COLS_MAX = 26, COUNT_COLS = 13, COUNTS = 8 };

/* "4 launches"; "1 wait per 8 iterations" of work that most iterations don't contain. */
static void add_count(char *text, size_t size, double per_iteration, const char *one,
                      const char *many) {
    if (per_iteration > 0 && per_iteration < 0.7)
        format_append(text, size, "1 %s per %.0f iterations", one, 1 / per_iteration);
    else
        format_append(text, size, "%.3g %s", per_iteration, per_iteration == 1 ? one : many);
}

static void effort_draw(struct area area, const struct screen *screen) {
    static const char *const heads[2][MODEL_COUNT] = {{"serial", "OpenMP", "OpenMP", "HIP"},
                                                      {"", "structured", "unstructured", ""}};
    static const struct {
        const char *name;
        enum role role;
    } rows[COUNTS] = {{"lines of four kernels", ROLE_TEXT},
                      {"  serial doesn't have", ROLE_VALUE},
                      {"lines to launch and map", ROLE_VALUE},
                      {"directives", ROLE_TEXT},
                      {"launch calls", ROLE_TEXT},
                      {"arrays copied in", ROLE_TEXT},
                      {"arrays copied out", ROLE_TEXT},
                      {"optimised kernels' lines", ROLE_DIM}};
    const struct sample *sample = screen->sample;
    const struct frame frame = {.title = effort_panel.title,
                                .key = effort_panel.key,
                                .foot_left = "lines inside functions, counted in our source"};
    struct area left = panel_inside(area, &frame);
    const int spare = left.cols - MODEL_COUNT * COUNT_COLS;
    const int name_cols = clamp_int(spare, NAME_COLS_MIN, NAME_COLS_MAX);
    for (int r = 0; r < COUNTS; r++)
        draw_shortened(area_left(area_row(left, 2 + r), name_cols), rows[r].role, rows[r].name);
    for (int p = 0; p < MODEL_COUNT; p++) {
        const struct effort effort = efforts[p];
        const int counts[COUNTS] = {effort.kernel_lines, effort.kernel_new, effort.host_lines,
                                    effort.directives,   effort.launches,   effort.copies_in,
                                    effort.copies_out,   effort.tuned_lines};
        const struct area column =
            area_left(area_right_of(left, name_cols + p * COUNT_COLS), COUNT_COLS);
        for (int h = 0; h < 2; h++)
            draw_right(area_row(column, h), ROLE_TITLE | BOLD, heads[h][p]);
        for (int r = 0; r < COUNTS; r++) {
            const char *when = rows[r].name[0] != 'a'         ? ""
                               : effort.copies_each_iteration ? " per iter."
                                                              : " once";
            draw_right(area_row(column, 2 + r), rows[r].role,
                       counts[r] ? PRINT("%d%s", counts[r], when) : "–");
        }
    }
    left = area_below(left, 2 + COUNTS + (left.rows > 3 + COUNTS + sample->lane_count));
    const int lanes = sample->lane_count;
    if (lanes > 0 && left.rows > 1)
        draw_text(area_take_top(&left, 1), ROLE_TITLE | BOLD,
                  "an iteration of the run on the screen");
    struct costs costs[LANES_MAX] = {0};
    for (int l = 0; l < lanes; l++) {
        costs[l] = costs_of_run(sample, l);
        const struct cost *work = costs[l].work;
        const double copies =
            work[EVENT_TO_DEVICE].count_per_iteration + work[EVENT_FROM_DEVICE].count_per_iteration;
        char text[192];
        format_text(text, sizeof text, "%s%s", lanes > 1 ? PRINT("%c  ", lane_letter(l)) : "",
                    AS(lane_label_full, &sample->lanes[l]));
        if (isnan(work[EVENT_KERNEL].count_per_iteration) || !costs[l].is_observed) {
            format_append(text, sizeof text, ": nothing measured yet");
        } else {
            const int devices = max_int(sample->lanes[l].device_stats.count, 1);
            format_append(text, sizeof text, devices > 1 ? ": each device: " : ": ");
            add_count(text, sizeof text, work[EVENT_KERNEL].count_per_iteration, "launch",
                      "launches");
            format_append(text, sizeof text, ", ");
            const double bytes =
                costs[l].copied_bytes / devices / (copies > 0 && copies < 0.7 ? copies : 1);
            add_count(text, sizeof text, copies, PRINT("copy (%s)", AS(format_bytes, bytes)),
                      PRINT("copies (%s)", AS(format_bytes, bytes)));
        }
        if (work[EVENT_WAIT].count > 0) { /* otherwise they were not counted */
            format_append(text, sizeof text, ", ");
            add_count(text, sizeof text, work[EVENT_WAIT].count_per_iteration, "wait", "waits");
        }
        left = area_below(left, draw_paragraph(left, lanes > 1 ? lane_role(l) : ROLE_TEXT, text));
    }
}

const struct panel effort_panel = {PANEL("effort", "Effort", '8', effort_draw)};
