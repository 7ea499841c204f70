/* The rates panel: strips of link, memory and residual, above each other on one time axis. */
#include <math.h>
#include <stdio.h>

#include "metrics/labels.h"
#include "metrics/rates.h"
#include "ui/panels/panel.h"

enum { LABEL_COLS = 12, LEAST_COLS = 24, SECONDS_COLS = 14 };

/* A strip of one quantity of one lane. */
struct strip {
    enum quantity quantity;
    int lane, cols;
    enum role role;
    bool has_letter;
    double residual_scale;   /* from the blog's residual */
    struct scale scale;      /* the same for all lanes */
    double now, before_mark; /* values; NaN: none */
};

/* In bytes per second; NaN: not measured. A bin of two runs has no value. */
static double value_at(const struct strip *strip, const struct rates *rates, int lane, int x) {
    const struct rate_bin bin = rates_column(rates, lane, x, strip->cols);
    return *bin.begins                            ? NAN
           : strip->quantity == QUANTITY_RESIDUAL ? strip->residual_scale * bin.residual
           : bin.seconds > 0                      ? bin.bytes[strip->quantity] / bin.seconds
                                                  : NAN;
}

/* "8.71 GB/s", "5.33 kB/s", "1.2e-4". */
static char *format_value(char *buffer, size_t size, const struct strip *strip, double value) {
    if (strip->quantity == QUANTITY_RESIDUAL)
        return format_residual(buffer, size, value);
    return value >= 1e9 || isnan(value)
               ? format_gbs(buffer, size, 1e-9 * value)
               : format_append(format_bytes(buffer, size, value), size, "/s");
}

/* From 0 to 1, 2 or 5 times a power of ten; of residuals, whole decades. */
static void measure(struct strip *strip, const struct rates *rates, int lanes) {
    double least = INFINITY, most = 0;
    strip->now = strip->before_mark = NAN;
    for (int k = 0; k < strip->cols * lanes; k++) {
        const int lane = k / strip->cols, x = k % strip->cols;
        const double value = value_at(strip, rates, lane, x);
        const bool is_mark = *rates_column(rates, lane, x, strip->cols).begins;
        most = isfinite(value) ? fmax(most, value) : most;
        least = value > 0 ? fmin(least, value) : least;
        if (lane != strip->lane || (isnan(value) && !is_mark))
            continue;
        strip->before_mark = is_mark ? strip->now : strip->before_mark;
        strip->now = value;
    }
    most = most > 0 ? most : 1;
    strip->scale = strip->quantity == QUANTITY_RESIDUAL
                       ? (struct scale){pow(10, floor(log10(fmin(least, most / 2)))),
                                        pow(10, ceil(log10(most))), true}
                       : (struct scale){0, scale_end(most), false};
}

/* A bar that ends in an eighth of a cell. */
static void draw_column(struct area column, const struct strip *strip, double value) {
    const double at = scale_at(&strip->scale, value);
    if (isnan(at) || column.rows < 1)
        return;
    const int eighths = clamp_int((int)lround(8 * at * column.rows), 1, 8 * column.rows);
    const int below = (eighths - 1) / 8, y = column.rows - 1 - below;
    grid_fill_glyph(area_below(column, y + 1), U'█', strip->role);
    grid_put(column, column.x, column.y + y, 0x2580u + (uint32_t)(eighths - 8 * below),
             value > 0 ? strip->role : ROLE_DIM);
}

/* "A Link  copies, both ways …  was 8.71 GB/s  5.33 kB/s" */
static void draw_head(struct area row, const struct strip *strip, const struct screen *screen) {
    static const char *const names[] = {"Link", "Memory", "Residual"};
    const bool is_residual = strip->quantity == QUANTITY_RESIDUAL;
    const char *const whats[] = {"copies, both ways", "minimum traffic of the kernels",
                                 residual_measures[screen->state->measure]};
    const char *what = whats[strip->quantity], *value = AS(format_value, strip, strip->now);
    const char *was = is_residual || isnan(strip->before_mark)
                          ? ""
                          : PRINT("was %s", AS(format_value, strip, strip->before_mark));
    if (strip->has_letter)
        draw_next(&row, lane_role(strip->lane) | BOLD, "%c ", lane_letter(strip->lane));
    draw_next(&row, (int)strip->role | BOLD, "%s  ", names[strip->quantity]);
    if (for_screen_reader(screen)) {
        draw_text(row, ROLE_TEXT, "%s%s%s (%s)", value, *was ? ", " : "", was, what);
        return;
    }
    row.cols -= draw_right(row, (int)strip->role | BOLD, value) + 2;
    if (grid_text_width(was) <= row.cols)
        row.cols -= draw_right(row, ROLE_DIM, was) + 2;
    if (grid_text_width(what) <= row.cols)
        draw_text(row, ROLE_DIM, "%s", what);
}

/* A head, the axis and the columns, and a line where a run began. */
static void draw_strip(struct area area, enum quantity quantity, int l, bool has_letter,
                       const struct screen *screen) {
    static const enum role roles[] = {ROLE_TO_DEVICE, ROLE_KERNEL, ROLE_CURVE};
    const struct lane_sample *lane = &screen->sample->lanes[l];
    const struct mesh mesh = mesh_make(lane->nx, lane->ny);
    struct strip strip = {.quantity = quantity,
                          .lane = l,
                          .cols = area.cols - LABEL_COLS,
                          .role = roles[quantity],
                          .has_letter = has_letter,
                          .residual_scale =
                              measure_scale(screen->state->measure, &mesh, lane->initial_residual)};
    measure(&strip, screen->rates, screen->sample->lane_count);
    draw_head(area_right_of(area, for_screen_reader(screen) ? 0 : LABEL_COLS), &strip, screen);
    const struct area below = area_below(area, 1), plot = area_right_of(below, LABEL_COLS);
    for (int y = 0; y < below.rows; y++) {
        const bool is_end = y == 0 || y == below.rows - 1;
        const double end = y == 0 ? strip.scale.high : strip.scale.low;
        grid_put(area, plot.x - 1, plot.y + y, is_end ? U'┤' : U'│', ROLE_DIM);
        if (is_end)
            draw_right(area_left(area_row(below, y), LABEL_COLS - 1), ROLE_DIM,
                       strip.scale.logarithmic ? AS(scale_label, &strip.scale, end)
                                               : AS(format_value, &strip, end));
    }
    for (int x = 0; x < plot.cols; x++) {
        const struct area column = area_left(area_right_of(plot, x), 1);
        draw_column(column, &strip, value_at(&strip, screen->rates, l, x));
        if (*rates_column(screen->rates, l, x, strip.cols).begins)
            grid_fill_glyph(column, U'│', ROLE_VALUE);
    }
}

/* Draws a label within `reach` columns of x, unless that would cover another. */
static void put_label(struct area row, int x, int reach, enum role role, const char *text) {
    struct area place = {row.x + x, row.y, grid_text_width(text), 1, row.grid};
    if (draw_free_place(row, &place, reach))
        draw_text(place, role, "%s", text);
}

/* The names of what began; where they leave room, seconds. */
static void draw_time(struct area row, const struct screen *screen) {
    const struct scale scale = {-screen->rates->span_s, 0, false};
    double ticks[TICKS_MAX];
    for (int x = row.cols - 1; x >= 0; x--) {
        const struct rate_bin bin = rates_column(screen->rates, 0, x, row.cols);
        if (*bin.begins)
            put_label(row, x, RATE_MARK_SIZE, ROLE_VALUE, bin.begins);
    }
    put_label(row, row.cols - 3, 0, ROLE_DIM, "now");
    for (int t = scale_ticks(&scale, max_int(row.cols / SECONDS_COLS, 2), ticks) - 2; t >= 0; t--)
        put_label(row, max_int((int)(scale_at(&scale, ticks[t]) * row.cols) - 3, 0), 0, ROLE_DIM,
                  PRINT("%s s", AS(format_number, ticks[t])));
}

/* Strips have a head and at least a row, for a screen reader only the head. Residuals that are the
 * same have one; without room for all strips they have none. */
static void rates_draw(struct area area, const struct screen *screen) {
    const struct rates *rates = screen->rates;
    const bool is_read = for_screen_reader(screen), is_known = rates && rates->span_s > 0;
    const bool is_same = !sample_lanes_differ(screen->sample);
    const int lanes = screen->sample->lane_count, least = is_read ? 1 : 2;
    struct frame frame = panel_frame(&rates_panel);
    frame.foot = "means, per second of the loop";
    if (is_known)
        frame.title = PRINT("Last %.3g s", rates->span_s);
    struct area inner = panel_inside(area, &frame);
    if (!is_known || lanes == 0 || inner.cols < LEAST_COLS) {
        draw_note(inner, "nothing yet");
        return;
    }
    const struct area time = area_take_bottom(&inner, !is_read);
    const int all = 2 * lanes + (is_same ? 1 : lanes);
    const int count = least * all <= inner.rows ? all : 2 * lanes;
    for (int s = 0; s < count; s++) {
        const int rows = is_read ? 1 : max_int(inner.rows / (count - s), least);
        draw_strip(area_take_top(&inner, rows), (enum quantity)(s / lanes), s % lanes,
                   lanes > 1 && !(is_same && s / lanes == QUANTITY_RESIDUAL), screen);
    }
    if (!is_read)
        draw_time(area_right_of(time, LABEL_COLS), screen);
}

const struct panel rates_panel = {PANEL("rates", "Last minute", 'y', rates_draw)};
