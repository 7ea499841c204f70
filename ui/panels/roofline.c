/* The roofline panel: each kernel's speed below the roof of its device. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metrics/labels.h"
#include "metrics/roofline.h"
#include "metrics/table.h"
#include "ui/panels/panel.h"

enum { FEW_ROWS = 14, AXIS_COLS = 6, LEGEND_COLS = 45, LEGEND_LEAST_COLS = 76 };

struct roofline_plot {
    struct plot plot; /* GFLOP/s against intensity, both logarithmic */
    const struct roofline *roofline;
    const struct config *config;
    bool many_lanes;
    bool is_recorded; /* the roof belongs to a recorded lane: measured there */
};

/* Dot by dot, so that the corner is at its exact position. */
static void draw_roof(const struct plot *plot, const struct roof *roof, int step, enum role role) {
    if (roof->origin == ROOF_UNKNOWN)
        return;
    const struct scale *scale = &plot->x;
    const int dots = plot->area.cols * DOT_COLS;
    double before = NAN;
    for (int x = 0; x < dots; x += step) {
        const double intensity =
            scale->low * pow(scale->high / scale->low, (double)x / (dots > 1 ? dots - 1 : 1));
        const double y = plot_y(plot, roof_at(roof, intensity));
        if (step > 1)
            draw_dot(plot->area, x, (int)lround(y), role);
        else
            draw_stroke(plot->area, x, isnan(before) ? y : before, x, y, 2, role);
        before = y;
    }
}

static void name_roof(struct area *area, const struct roof *roof, const char *name,
                      enum role role) {
    if (roof->origin == ROOF_UNKNOWN)
        return;
    draw_text(area_take_top(area, 1), role | BOLD, "%s", name);
    if (roof->bandwidth_gbs > 0)
        draw_text(area_take_top(area, 1), ROLE_TEXT, "   memory  %6s GB/s",
                  AS(format_rate, roof->bandwidth_gbs));
    if (roof->gflops > 0)
        draw_text(area_take_top(area, 1), ROLE_TEXT, "   compute %6s GFLOP/s",
                  AS(format_rate, roof->gflops));
}

/* ---- points ------------------------------------------------------------------------------- */

static enum role point_role(const struct roofline_plot *plot, const struct roofline_point *point) {
    if (point->lane < 0)
        return ROLE_REFERENCE;
    return plot->many_lanes ? lane_role(point->lane) : ROLE_KERNEL;
}

/* References in small letters; measured points in reversed capitals. */
static void put_letter(const struct roofline_plot *plot, struct area area, int x, int y,
                       const struct roofline_point *point) {
    const bool reference = point->lane < 0;
    const char letter = roofline_letter(point->phase);
    grid_put(area, x, y, (uint32_t)(reference ? letter + 'a' - 'A' : letter),
             point_role(plot, point) | (reference ? BOLD : BOLD | REVERSE));
}

/* `beside`: the same kernel's point of the second reference; NULL: none. */
static void draw_legend_row(const struct roofline_plot *plot, struct area row,
                            const struct roofline_point *point,
                            const struct roofline_point *beside) {
    const char *name = point->phase == PHASE_BOUNDARY ? "BoundaryCond." : phase_names[point->phase];
    const char *share = point->bottleneck.kind != BOTTLENECK_NONE
                            ? AS(format_bottleneck, point->bottleneck)
                        : point->roof.bandwidth_gbs > 0
                            ? AS(format_percent, 100 * point->gbs / point->roof.bandwidth_gbs)
                            : "";
    if (plot->many_lanes)
        draw_next(&row, point_role(plot, point) | BOLD, "%c ",
                  point->lane < 0 ? ' ' : lane_letter(point->lane));
    put_letter(plot, row, row.x, row.y, point);
    draw_text(area_right_of(row, 2), ROLE_TEXT, beside ? "%-13s %5s / %s" : "%-13s %5s %s %13s",
              name, AS(format_rate, point->gbs), beside ? AS(format_rate, beside->gbs) : "GB/s",
              share);
}

/* The points, the peaks, and finally the references. */
static void draw_list(const struct roofline_plot *plot, struct area left) {
    const struct roofline *roofline = plot->roofline;
    const struct roofline_point *point = roofline->points, *end = point + roofline->count;
    for (; point < end && point->lane >= 0; point++)
        draw_legend_row(plot, area_take_top(&left, 1), point, NULL);
    area_take_top(&left, point > roofline->points);
    name_roof(&left, &roofline->roof,
              roofline->roof.origin != ROOF_MEASURED ? "── peak = 100 %, the preset's"
              : plot->is_recorded                    ? "── peak = 100 %, measured there"
                                                     : "── peak = 100 %, measured here",
              ROLE_VALUE);
    const char *machine = plot->config->machine.device;
    name_roof(&left, &roofline->given,
              PRINT("·· peak, the preset's %.12s", *machine ? machine : "machine"), ROLE_REFERENCE);
    if (point == end)
        return;
    const bool two = end[-1].lane == -2;
    area_take_top(&left, left.rows > end - point);
    draw_text(area_take_top(&left, 1), ROLE_REFERENCE | BOLD,
              two ? "reference: %s / %s, GB/s" : "reference",
              AS(reference_name, &plot->config->reference),
              AS(reference_name, &plot->config->second_reference));
    for (; point < end && (!two || point->lane == -1); point++) {
        const struct roofline_point *last = end - 1;
        while (last->lane == -2 && last->phase != point->phase)
            last--;
        draw_legend_row(plot, area_take_top(&left, 1), point, last->lane == -2 ? last : NULL);
    }
}

/* ---- the panel ---------------------------------------------------------------------------- */

static void draw_plot(struct roofline_plot *of, struct area area) {
    const struct roofline *roofline = of->roofline;
    struct plot *plot = &of->plot;
    *plot = plot_make(area, AXIS_COLS, plot->is_plain);
    plot->x = (struct scale){roofline->intensity.low, roofline->intensity.high, true};
    plot->y = (struct scale){roofline->gflops.low, roofline->gflops.high, true};
    if (plot->area.cols < 8 || plot->area.rows < 3)
        return;
    plot_axes(plot);
    draw_text(area_row(area, area.rows - 2), ROLE_DIM, "GF/s");
    draw_text(area_row(area, area.rows - 1), ROLE_DIM, "FLOP/B");
    draw_roof(plot, &roofline->given, 3, ROLE_REFERENCE);
    draw_roof(plot, &roofline->roof, 1, ROLE_VALUE);
    /* The distance to the roof of each point's own device; the points cover everything else. */
    for (int p = 0; p < roofline->count; p++) {
        const struct roofline_point *point = &roofline->points[p];
        const double roof = roof_at(&point->roof, point->intensity);
        const int x = (int)lround(plot_x(plot, point->intensity));
        if (isfinite(roof) && roof > point->gflops)
            draw_line(plot->area, x, (int)lround(plot_y(plot, roof)), x,
                      (int)lround(plot_y(plot, point->gflops)), 3, point_role(of, point));
    }
    for (int p = roofline->count - 1; p >= 0; p--) {
        const struct roofline_point *point = &roofline->points[p];
        const struct area cell = plot_cell(plot, point->intensity, point->gflops);
        put_letter(of, plot->area, cell.x, cell.y, point);
    }
}

static void roofline_draw(struct area area, const struct screen *screen) {
    const struct roofline roofline = roofline_make(screen->sample, screen->config, screen->lane);
    const struct roof *roof = &roofline.roof;
    struct frame frame = panel_frame(&roofline_panel);
    frame.foot_left = "FLOP as written, minimum bytes; B: block sizes";
    /* The roof that the points are compared with. */
    frame.value = roof->origin != ROOF_UNKNOWN
                      ? PRINT("peak %.4g GB/s, %s", roof->bandwidth_gbs,
                              roof->origin == ROOF_MEASURED ? "measured" : "the preset's")
                  : roof->contended ? "peak not known: the device was busy"
                  : roofline.given.origin == ROOF_UNKNOWN
                      ? *screen->sample->playback.label ? "peak not recorded" : "peak not known"
                      : "peak not known, dotted: another device's";
    struct area inside = draw_frame(area, &frame);
    if (roof->origin == ROOF_UNKNOWN && roofline.given.origin == ROOF_UNKNOWN && !screen->scene)
        inside = area_top(inside, max_int(FEW_ROWS, roofline.count + 2)); /* nothing above points */
    const int lines = inside.rows >= 8 ? 1 + ((int)strlen(roofline.sentence) > inside.cols) : 0;
    draw_paragraph(area_below(inside, inside.rows - lines), ROLE_TEXT | BOLD, roofline.sentence);
    inside = area_top(inside, inside.rows - lines);
    struct roofline_plot plot = {.plot = {.is_plain = screen->no_color || screen->ascii},
                                 .roofline = &roofline,
                                 .config = screen->config,
                                 .many_lanes = screen->sample->lane_count > 1,
                                 .is_recorded =
                                     screen_lane(screen) && *screen_lane(screen)->recorded};
    const int legend = inside.cols >= LEGEND_LEAST_COLS ? LEGEND_COLS : 0;
    draw_plot(&plot, area_left(inside, inside.cols - legend));
    draw_list(&plot, area_inset(area_right_of(inside, inside.cols - legend), 1, 0));
}

const struct panel roofline_panel = {PANEL("roofline", "Roofline", '5', roofline_draw)};
