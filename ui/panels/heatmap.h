/* Converts the field's cells to pixels with levels of the colour map. Pure. */
#pragma once

#include "config/config.h"
#include "run/sample.h"

/* The values of the lowest and the highest level. Signed fields range from -high to high with 0 in
 * the middle, where a logarithmic scale has ±low. Others range from low (0 on a linear scale) to
 * high. */
struct heatmap_range {
    double low, high;
    bool logarithmic, is_signed;
    bool two_values; /* -1 and 1 only */
};

/* Round limits for a field. Keeps `before` (or NULL) as long as it fits, to avoid flicker. */
struct heatmap_range heatmap_range_of(const struct field *field, enum field_scale scale,
                                      const struct heatmap_range *before);

/* The lane's field with the limits of all lanes, so that they share a scale. The sample owns its
 * cells. */
struct field heatmap_shared_limits(const struct sample *sample, int lane);

/* A value's position, 0 … 1; 0 for NaN. */
double heatmap_fraction(const struct heatmap_range *range, double value);

/* The level's number, 0 … ROLE_LEVELS - 1. */
int heatmap_level(const struct heatmap_range *range, double value);

/* The field at the centre of pixel (x, y) of cols × rows that show all of it, y = 0 at the bottom.
 * Interpolates bilinearly between cells, except for fields of signs. */
double heatmap_value(const struct field *field, int cols, int rows, int x, int y);

/* The step between neighbouring lines of equal value; 0: a line per decade. */
double heatmap_line_step(const struct heatmap_range *range);

/* Whether such a line separates the pixel from a lower value beside, above or below it. */
bool heatmap_is_line(const struct heatmap_range *range, const struct field *field, int cols,
                     int rows, int x, int y);

/* The levels of a displayed field. A pixel keeps its level until its value is clearly outside. That
 * saves nine tenths of the bytes on a slow line. */
struct heatmap {
    struct heatmap_range range;
    struct downsample downsample; /* the field's */
    enum field_kind kind;         /* the displayed quantity */
    long iteration;               /* the field's iterate */
    enum field_scale scale;
    int cols, rows;  /* pixels; 0 before the first field */
    uint8_t *levels; /* levels[x + y*cols], y = 0 at the bottom; owned */
};

/* Returns false if there is no memory; heatmap_finish is still allowed then. */
bool heatmap_init(struct heatmap *heatmap);
void heatmap_finish(struct heatmap *heatmap);

/* Forgets the levels: the next update recomputes all. */
void heatmap_reset(struct heatmap *heatmap);

/* Updates the levels to the field's next iterate in cols × rows pixels; no levels if that is more
 * than FIELD_MAX_CELLS. */
void heatmap_update(struct heatmap *heatmap, const struct field *field, enum field_scale scale,
                    int cols, int rows);
