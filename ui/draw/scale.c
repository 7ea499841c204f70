/* Axes: linear and logarithmic scales, their ticks and labels, and plots (ui/draw/draw.h). */
#include <math.h>
#include <stdio.h>

#include "core/format.h"
#include "ui/draw/draw.h"

double scale_at(const struct scale *scale, double value) {
    if (!scale->logarithmic)
        return (value - scale->low) / (scale->high - scale->low);
    if (!(value > 0))
        return NAN;
    return log(value / scale->low) / log(scale->high / scale->low);
}

double scale_end(double value) {
    const double power = pow(10, floor(log10(value))), lead = value / power;
    return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

int scale_ticks(const struct scale *scale, int most, double ticks[TICKS_MAX]) {
    const double range = scale->high - scale->low;
    int count = 0;
    most = most < TICKS_MAX ? most : TICKS_MAX;
    if (most < 1 || !(range > 0) || !isfinite(range) || (scale->logarithmic && !(scale->low > 0)))
        return 0;
    if (scale->logarithmic) {
        const int first = (int)ceil(log10(scale->low) - 1e-9);
        const int last = (int)floor(log10(scale->high) + 1e-9);
        int every = 1;
        while ((last - first) / every + 1 > most)
            every++;
        for (int power = first; power <= last; power++)
            if (power % every == 0 && count < most)
                ticks[count++] = pow(10, power);
        return count;
    }
    double step = scale_end(range / most);
    while (floor(range / step + 1e-9) + 1 > most)
        step = scale_end(1.01 * step);
    for (double k = ceil(scale->low / step - 1e-9); count < most; k++) {
        if (k * step > scale->high + 1e-9 * step)
            break;
        ticks[count++] = k * step;
    }
    return count;
}

char *scale_label(char *buffer, size_t size, const struct scale *scale, double tick) {
    if (scale->logarithmic && tick > 0 && ((tick < 0.5 && scale->low < 0.05) || tick > 5000))
        return format_text(buffer, size, "1e%d", (int)lround(log10(tick)));
    return format_number(buffer, size, fabs(tick) < 1e-12 * scale->high ? 0.0 : tick);
}

struct plot plot_make(struct area whole, int label_cols, bool is_plain) {
    const struct area right = area_right_of(whole, label_cols);
    return (struct plot){.whole = whole,
                         .area = area_left(area_top(right, whole.rows - 2), right.cols - 1),
                         .is_plain = is_plain};
}

double plot_x(const struct plot *plot, double x) {
    return scale_at(&plot->x, x) * (plot->area.cols * DOT_COLS - 1);
}

double plot_y(const struct plot *plot, double y) {
    return (1 - scale_at(&plot->y, y)) * (plot->area.rows - 1) * DOT_ROWS + 1;
}

void plot_stroke(const struct plot *plot, double x0, double y0, double x1, double y1, int thick,
                 enum role role) {
    draw_stroke(plot->area, plot_x(plot, x0), plot_y(plot, y0), plot_x(plot, x1), plot_y(plot, y1),
                thick, role);
}

struct area plot_cell(const struct plot *plot, double x, double y) {
    return (struct area){plot->area.x + (int)lround(plot_x(plot, x)) / DOT_COLS,
                         plot->area.y + (int)lround(plot_y(plot, y)) / DOT_ROWS, 1, 1,
                         plot->area.grid};
}

void plot_axes(const struct plot *plot) {
    const struct area area = plot->area, around = plot->whole;
    const int axis = area.x - 1, below = area.y + area.rows;
    double ticks[TICKS_MAX];
    for (int y = 0; y < area.rows; y++)
        grid_put(around, axis, area.y + y, U'│', ROLE_DIM);
    for (int x = axis; x < area.x + area.cols; x++)
        grid_put(around, x, below, x == axis ? U'└' : U'─', ROLE_DIM);
    int count = scale_ticks(&plot->y, max_int(area.rows / 2, 2), ticks);
    for (int t = 0; t < count; t++) {
        const int dot = (int)lround(plot_y(plot, ticks[t])), row = dot / DOT_ROWS;
        draw_right(area_left(area_row(around, area.y + row - around.y), axis - around.x), ROLE_DIM,
                   AS(scale_label, &plot->y, ticks[t]));
        /* The mark is in the middle of its row, so the grid is more exact. */
        if (plot->is_plain || dot % DOT_ROWS == 1 || dot % DOT_ROWS == 2)
            grid_put(around, axis, area.y + row, U'┤', ROLE_DIM);
        for (int x = 0; x < area.cols * DOT_COLS && !plot->is_plain; x += 4)
            draw_dot(area, x, dot, ROLE_GRID);
    }
    count = scale_ticks(&plot->x, clamp_int(area.cols / 12, 3, 8), ticks);
    for (int t = 0; t < count; t++) {
        const int dot = (int)lround(plot_x(plot, ticks[t])), x = area.x + dot / DOT_COLS;
        const char *label = AS(scale_label, &plot->x, ticks[t]);
        const int width = grid_text_width(label), last = area.x + area.cols - width;
        grid_put(around, x, below, U'┬', ROLE_DIM);
        grid_text(around, min_int(x - width / 2, last), below + 1, ROLE_DIM, "%s", label);
        for (int y = 1; y < area.rows * DOT_ROWS && dot > 0 && !plot->is_plain; y += 4)
            draw_dot(area, dot, y, ROLE_GRID);
    }
}
