#include "ui/panels/heatmap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/draw/grid.h"

static const double log_decades = 1e-9, signed_log_decades = 1e-4;

struct field heatmap_shared_limits(const struct sample *sample, int lane) {
    struct field shared = sample->lanes[lane].field;
    for (int l = 0; l < sample->lane_count; l++) {
        const struct field *field = &sample->lanes[l].field;
        if (field->downsample.cols < 1 || field->kind != shared.kind)
            continue;
        shared.min = fminf(shared.min, field->min);
        shared.max = fmaxf(shared.max, field->max);
        if (field->smallest_nonzero > 0 &&
            !(shared.smallest_nonzero > 0 && shared.smallest_nonzero < field->smallest_nonzero))
            shared.smallest_nonzero = field->smallest_nonzero;
    }
    return shared;
}

/* The power of ten at or below `value`. */
static double decade_of(double value) {
    return pow(10, floor(log10(value) + 1e-6));
}

/* The smallest round number not below `value` > 0. */
static double round_up(double value) {
    static const double leads[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
    const double power = pow(10, floor(log10(value)));
    int k = 0;
    while (leads[k] < 10 && leads[k] * power < value * (1 - 1e-6))
        k++;
    return leads[k] * power;
}

struct heatmap_range heatmap_range_of(const struct field *field, enum field_scale scale,
                                      const struct heatmap_range *before) {
    const double most = fmax(fabs((double)field->min), fabs((double)field->max));
    const bool fits = before && most <= before->high && most > 0.7 * before->high;
    const double high = fits ? before->high : most > 0 ? round_up(most) : 1;
    struct heatmap_range range = {
        .high = high,
        .logarithmic = scale == SCALE_LOG,
        .two_values = field->kind == FIELD_SIGN,
        .is_signed =
            field->kind == FIELD_SIGN || field->min < -1e-6 * most || (before && before->is_signed),
    };
    if (range.logarithmic && range.is_signed)
        range.low = range.high * signed_log_decades;
    else if (range.logarithmic) {
        const double least = decade_of(range.high) * log_decades;
        const double smallest =
            field->smallest_nonzero > 0 ? decade_of(field->smallest_nonzero) : 0;
        range.low = smallest > least && smallest < range.high / 10 ? smallest : least;
    }
    return range;
}

double heatmap_fraction(const struct heatmap_range *range, double value) {
    const double size = fabs(value);
    double place = 0;
    if (range->two_values) /* light and dark, for projectors */
        place = 0.5 + (value < 0 ? 0.2 : 0.35) * value;
    else if (range->is_signed && !range->logarithmic)
        place = 0.5 + 0.5 * value / range->high;
    else if (range->is_signed)
        place = !(size > range->low) ? 0.5
                                     : 0.5 + copysign(0.5, value) * log(size / range->low) /
                                                 log(range->high / range->low);
    else if (!range->logarithmic)
        place = (value - range->low) / (range->high - range->low);
    else if (value > range->low)
        place = log(value / range->low) / log(range->high / range->low);
    return place > 0 ? fmin(place, 1) : 0;
}

int heatmap_level(const struct heatmap_range *range, double value) {
    const int level = (int)(heatmap_fraction(range, value) * ROLE_LEVELS);
    return level < ROLE_LEVELS ? level : ROLE_LEVELS - 1;
}

/* The two cells around a pixel's centre, and its position from the first (0) to the second (1). */
static double cells_around(int pixel, int pixels, int cells, int *first, int *second) {
    const double place = fmin(fmax((pixel + 0.5) * cells / pixels - 0.5, 0), cells - 1);
    *first = (int)place;
    *second = *first + (*first < cells - 1);
    return place - *first;
}

double heatmap_value(const struct field *field, int cols, int rows, int x, int y) {
    const struct downsample *cells = &field->downsample;
    int left, right, lower, upper;
    double to_right = cells_around(x, cols, cells->cols, &left, &right);
    double to_upper = cells_around(y, rows, cells->rows, &lower, &upper);
    if (field->kind == FIELD_SIGN) {
        to_right = round(to_right);
        to_upper = round(to_upper);
    }
    const float *low = field->cells + (size_t)lower * (size_t)cells->cols;
    const float *high = field->cells + (size_t)upper * (size_t)cells->cols;
    /* Skips terms of weight 0: their cells may be NaN. */
    const double below =
        to_right > 0 ? (1 - to_right) * low[left] + to_right * low[right] : low[left];
    if (!(to_upper > 0))
        return below;
    const double above =
        to_right > 0 ? (1 - to_right) * high[left] + to_right * high[right] : high[left];
    return (1 - to_upper) * below + to_upper * above;
}

double heatmap_line_step(const struct heatmap_range *range) {
    const double power = pow(10, floor(log10(range->high) + 1e-9)), lead = range->high / power;
    return range->logarithmic ? 0 : power * (lead < 1.8 ? 0.2 : lead < 3.5 ? 0.5 : 1);
}

/* The index of the band between two lines of equal value. */
static double band_of(const struct heatmap_range *range, double value) {
    if (!range->logarithmic)
        return floor(value / heatmap_line_step(range) + 1e-6);
    const double size = fabs(value);
    if (!(size > range->low))
        return 0;
    return copysign(1 + floor(log10(size / range->low) + 1e-6), value);
}

bool heatmap_is_line(const struct heatmap_range *range, const struct field *field, int cols,
                     int rows, int x, int y) {
    static const int ways[][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const double here = band_of(range, heatmap_value(field, cols, rows, x, y));
    bool is_line = false;
    for (int w = 0; w < 4 && !is_line && field->kind != FIELD_SIGN; w++) {
        const int u = x + ways[w][0], v = y + ways[w][1];
        is_line = u >= 0 && u < cols && v >= 0 && v < rows &&
                  band_of(range, heatmap_value(field, cols, rows, u, v)) < here;
    }
    return is_line;
}

bool heatmap_init(struct heatmap *heatmap) {
    *heatmap = (struct heatmap){.levels = malloc(FIELD_MAX_CELLS)};
    return heatmap->levels != NULL;
}

void heatmap_finish(struct heatmap *heatmap) {
    free(heatmap->levels);
    *heatmap = (struct heatmap){0};
}

void heatmap_reset(struct heatmap *heatmap) {
    heatmap->cols = heatmap->rows = 0;
}

void heatmap_update(struct heatmap *heatmap, const struct field *field, enum field_scale scale,
                    int cols, int rows) {
    const struct downsample *downsample = &field->downsample;
    const struct heatmap_range *old = &heatmap->range;
    if ((long)cols * rows > FIELD_MAX_CELLS || cols < 1 || rows < 1) {
        heatmap_reset(heatmap);
        return;
    }
    /* Keeps levels only for later iterates of the same quantity and cells. */
    const bool same_cells = memcmp(&heatmap->downsample, downsample, sizeof *downsample) == 0 &&
                            heatmap->cols == cols && heatmap->rows == rows &&
                            heatmap->kind == field->kind && heatmap->iteration <= field->iteration;
    const struct heatmap_range range = heatmap_range_of(field, scale, same_cells ? old : NULL);
    const bool same_range = range.low == old->low && range.high == old->high &&
                            range.logarithmic == old->logarithmic &&
                            range.is_signed == old->is_signed;
    const double slack = 0.3;
    for (int p = 0; p < cols * rows; p++) {
        const double value = heatmap_value(field, cols, rows, p % cols, p / cols);
        const double at = heatmap_fraction(&range, value) * ROLE_LEVELS;
        uint8_t *level = &heatmap->levels[p];
        if (!same_cells || !same_range || !(at > *level - slack && at < *level + 1 + slack))
            *level = (uint8_t)heatmap_level(&range, value);
    }
    *heatmap = (struct heatmap){range, *downsample, field->kind, field->iteration,
                                scale, cols,        rows,        heatmap->levels};
}
