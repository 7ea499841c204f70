/* From the field's cells to pixels of levels of the colour map. Pure. */
#ifndef JACOBI_UI_PANELS_HEATMAP_H
#define JACOBI_UI_PANELS_HEATMAP_H

#include "config/config.h"
#include "run/sample.h"

/* The values of the lowest and the highest level. Signed fields go from -high to high with 0 in the
 * middle, which on a logarithmic scale is ±low; others from low, 0 on a linear scale, to high. */
struct heatmap_range {
    double low, high;
    bool logarithmic, is_signed;
};

/* Round limits for a field. Keeps `before` (or NULL) while it fits, so that colours don't flicker.
 */
struct heatmap_range heatmap_range_of(const struct field *field, enum field_scale scale,
                                      const struct heatmap_range *before);

/* The lane's field, whose cells are the sample's, with the limits of all lanes: one scale for all.
 */
struct field heatmap_shared_limits(const struct sample *sample, int lane);

/* A value's place, 0 … 1; 0 if it is not a number. */
double heatmap_fraction(const struct heatmap_range *range, double value);

/* The level's number, 0 … ROLE_LEVELS - 1. */
int heatmap_level(const struct heatmap_range *range, double value);

/* The field at the middle of pixel (x, y) of cols × rows that show all of it, y = 0 at the bottom:
 * between cells interpolated (bilinear), unless it shows signs. */
double heatmap_value(const struct field *field, int cols, int rows, int x, int y);

/* The values between neighbouring lines of equal value; 0: a line per decade. */
double heatmap_line_step(const struct heatmap_range *range);

/* Whether such a line passes between the pixel and the one to its right or above it. */
bool heatmap_is_line(const struct heatmap_range *range, const struct field *field, int cols,
                     int rows, int x, int y);

/* A field as it is shown. A pixel changes its level only when it has clearly left it: a tenth of
 * the bytes on a slow line. */
struct heatmap {
    struct heatmap_range range;
    struct downsample downsample; /* of the field */
    enum field_kind kind;         /* that it shows */
    long iteration;               /* its iterate */
    enum field_scale scale;
    int cols, rows;  /* pixels; 0 before the first field */
    uint8_t *levels; /* levels[x + y*cols], y = 0 at the bottom; owned */
};

/* False if there is no memory; heatmap_finish is allowed then too. */
bool heatmap_init(struct heatmap *heatmap);
void heatmap_finish(struct heatmap *heatmap);

/* Forgets the levels: the next levels are made afresh. */
void heatmap_reset(struct heatmap *heatmap);

/* As the field's next iterate in cols × rows pixels; no levels if these are more than
 * FIELD_MAX_CELLS. */
void heatmap_update(struct heatmap *heatmap, const struct field *field, enum field_scale scale,
                    int cols, int rows);

#endif
