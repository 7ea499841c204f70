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
        if (field->downsample.cols < 1)
            continue;
        shared.min = fminf(shared.min, field->min);
        shared.max = fmaxf(shared.max, field->max);
        if (field->smallest_nonzero > 0 &&
            !(shared.smallest_nonzero > 0 && shared.smallest_nonzero < field->smallest_nonzero))
            shared.smallest_nonzero = field->smallest_nonzero;
    }
    return shared;
}

/* The least of 1, 2, 5 × 10ⁿ that is not below `value`. */
static double round_up(double value) {
    const double power = pow(10, floor(log10(value)));
    for (int s = 0; s < 3; s++) {
        const double step = power * (const double[]){1, 2, 5}[s];
        if (step >= value * (1 - 1e-6))
            return step;
    }
    return 10 * power;
}

/* The power of ten at or below `value`. */
static double decade_of(double value) {
    return pow(10, floor(log10(value) + 1e-6));
}

static double high_of(double most, const struct heatmap_range *before) {
    if (before && most <= before->high && most > 0.39 * before->high)
        return before->high;
    return most > 0 ? round_up(most) : 1;
}

static double low_of(const struct field *field, const struct heatmap_range *range) {
    if (!range->logarithmic)
        return 0;
    if (range->is_signed)
        return range->high * signed_log_decades;
    const double least = decade_of(range->high) * log_decades;
    const double smallest = field->smallest_nonzero > 0 ? decade_of(field->smallest_nonzero) : 0;
    return smallest > least && smallest < range->high / 10 ? smallest : least;
}

struct heatmap_range heatmap_range_of(const struct field *field, enum field_scale scale,
                                      const struct heatmap_range *before) {
    const double most = fmax(fabs((double)field->min), fabs((double)field->max));
    struct heatmap_range range = {
        .high = high_of(most, before),
        .logarithmic = scale == SCALE_LOG,
        .is_signed = field->min < -1e-6 * most || (before && before->is_signed),
    };
    range.low = low_of(field, &range);
    return range;
}

static double signed_place(const struct heatmap_range *range, double value) {
    if (!range->logarithmic)
        return 0.5 + 0.5 * value / range->high;
    const double size = fabs(value);
    if (!(size > range->low))
        return 0.5;
    return 0.5 + copysign(0.5, value) * log(size / range->low) / log(range->high / range->low);
}

static double plain_place(const struct heatmap_range *range, double value) {
    if (!range->logarithmic)
        return (value - range->low) / (range->high - range->low);
    return value > range->low ? log(value / range->low) / log(range->high / range->low) : 0;
}

double heatmap_place(const struct heatmap_range *range, double value) {
    const double place = range->is_signed ? signed_place(range, value) : plain_place(range, value);
    return place > 0 ? fmin(place, 1) : 0;
}

int heatmap_level(const struct heatmap_range *range, double value) {
    const int level = (int)(heatmap_place(range, value) * INK_LEVELS);
    return level < INK_LEVELS ? level : INK_LEVELS - 1;
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
    heatmap->downsample = (struct downsample){0};
}

static uint8_t moved_level(const struct heatmap_range *range, double value, uint8_t before) {
    const double slack = 0.3, at = heatmap_place(range, value) * INK_LEVELS;
    if (at > before - slack && at < before + 1 + slack)
        return before;
    return (uint8_t)heatmap_level(range, value);
}

static bool same_range(const struct heatmap_range *a, const struct heatmap_range *b) {
    return a->low == b->low && a->high == b->high && a->logarithmic == b->logarithmic &&
           a->is_signed == b->is_signed;
}

void heatmap_update(struct heatmap *heatmap, const struct field *field, enum field_scale scale) {
    const struct downsample *downsample = &field->downsample;
    const bool same_cells = memcmp(&heatmap->downsample, downsample, sizeof *downsample) == 0;
    const struct heatmap_range range =
        heatmap_range_of(field, scale, same_cells ? &heatmap->range : NULL);
    const bool keep = same_cells && same_range(&range, &heatmap->range);
    for (int c = 0; c < downsample->cols * downsample->rows; c++)
        heatmap->levels[c] = keep ? moved_level(&range, field->cells[c], heatmap->levels[c])
                                  : (uint8_t)heatmap_level(&range, field->cells[c]);
    heatmap->range = range;
    heatmap->downsample = *downsample;
    heatmap->scale = scale;
}
