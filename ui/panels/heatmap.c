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

/* The power of ten at or below `value`. */
static double decade_of(double value) {
    return pow(10, floor(log10(value) + 1e-6));
}

struct heatmap_range heatmap_range_of(const struct field *field, enum field_scale scale,
                                      const struct heatmap_range *before) {
    const double most = fmax(fabs((double)field->min), fabs((double)field->max));
    const bool fits = before && most <= before->high && most > 0.39 * before->high;
    double high = fits ? before->high : 1;
    if (!fits && most > 0) { /* the least of 1, 2, 5 × 10ⁿ that is not below it */
        const double power = pow(10, floor(log10(most))), lead = most * (1 - 1e-6) / power;
        high = power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
    }
    struct heatmap_range range = {
        .high = high,
        .logarithmic = scale == SCALE_LOG,
        .is_signed = field->min < -1e-6 * most || (before && before->is_signed),
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
    if (range->is_signed && !range->logarithmic)
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
    const int level = (int)(heatmap_fraction(range, value) * INK_LEVELS);
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

void heatmap_update(struct heatmap *heatmap, const struct field *field, enum field_scale scale) {
    const struct downsample *downsample = &field->downsample;
    const struct heatmap_range *old = &heatmap->range;
    const bool same_cells = memcmp(&heatmap->downsample, downsample, sizeof *downsample) == 0;
    const struct heatmap_range range = heatmap_range_of(field, scale, same_cells ? old : NULL);
    const bool same_range = range.low == old->low && range.high == old->high &&
                            range.logarithmic == old->logarithmic &&
                            range.is_signed == old->is_signed;
    const double slack = 0.3;
    for (int c = 0; c < downsample->cols * downsample->rows; c++) {
        const double at = heatmap_fraction(&range, field->cells[c]) * INK_LEVELS;
        uint8_t *level = &heatmap->levels[c];
        if (!same_cells || !same_range || !(at > *level - slack && at < *level + 1 + slack))
            *level = (uint8_t)heatmap_level(&range, field->cells[c]);
    }
    heatmap->range = range;
    heatmap->downsample = *downsample;
    heatmap->scale = scale;
}
