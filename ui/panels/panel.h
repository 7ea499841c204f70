/* Panels: a const struct in a file of its own each.
 *
 * To add one: write ui/panels/NAME.c, declare its struct here, add it to ui/panels/panels.c, and
 * give it a place in a layout (ui/panels/layout.c). */
#pragma once

#include "ui/draw/draw.h"
#include "ui/panels/screen.h"

struct costs;

typedef void drawing(struct area area, const struct screen *screen);

struct panel {
    const char *name;  /* "residual" */
    const char *title; /* "Residual" */
    int key;           /* opens it full screen; 0: none */

    /* Draws frame and content into `area`, which may be of any size, including empty. Changes
     * nothing outside, and keeps no allocation. */
    drawing *draw;

    bool covers; /* draws "?" for its times if the screen is_covered; others are hidden whole */

    /* The part of `area` for the field's heatmap and its legend. NULL: the panel has none. */
    struct area (*heatmap)(struct area area, const struct screen *screen);

    /* The view of the field for drawing into `area`, if the panel shows it in another way; cols is
     * 0 if it shows none now. */
    struct view (*view)(struct area area, const struct screen *screen);
};

#define PANEL(name_, title_, key_, draw_)                                                          \
    .name = (name_), .title = (title_), .key = (key_), .draw = (draw_)

extern const struct panel code_panel, costs_panel, devices_panel, effort_panel, explain_panel,
    field_panel, lane_bars_panel, lane_panel, levels_panel, mesh_panel, race_panel, rates_panel,
    residual_panel, roofline_panel, stencil_panel, table_panel, timeline_panel, timing_panel,
    motion_panel, picture_panel, tuning_scan_panel, verdict_panel;

/* All panels, terminated by NULL. */
extern const struct panel *const panels[];

/* Return NULL if there is no such panel. */
const struct panel *panel_find(const char *name);
const struct panel *panel_of_key(int key);

/* ---- helpers for panels */

/* A frame with the panel's title and key. */
struct frame panel_frame(const struct panel *panel);

/* Draws the frame; returns its inside, minus a blank column on either side. */
struct area panel_inside(struct area area, const struct frame *frame);

/* The appearance and names of a kind of event, the same in all panels. */
struct event_style {
    enum role role;
    uint32_t fill, plain;    /* for bars; without colours */
    const char *name;        /* "to device" */
    const char *description; /* "copy to device" */
};
extern const struct event_style event_styles[EVENT_KIND_COUNT];

static inline uint32_t event_glyph(const struct screen *screen, enum event_kind kind) {
    return screen->no_color ? event_styles[kind].plain : event_styles[kind].fill;
}

/* A part of a bar; its label is drawn if the bar is high enough and the part long enough. */
struct bar_part {
    double value; /* not above 0: omitted */
    enum role role;
    uint32_t fill;
    char label[48];
};

/* Draws the parts of a bar, left to right, with a gap between two that look alike; `whole` would
 * fill the area. Returns the columns used. */
int draw_bar_parts(struct area area, const struct bar_part *parts, int count, double whole);

/* Draws one iteration as a bar in `area`: copies in either direction, allocation, kernels, launch
 * and wait, the rest. Names and bytes are included if they fit; a high bar has a part for each
 * kernel. An iteration of `most_ms` takes all columns; any nonzero time is visible. */
void draw_iteration_bar(struct area area, const struct costs *costs, double most_ms, bool no_color);

/* The five-point stencil in 22 columns; its centre first, then the arms, in 1.2 seconds. */
void draw_stencil(struct area area, double seconds);

/* Shows whether the lane runs live or was recorded, in one row: with the device, with the date
 * alone, or in one word, depending on the width. */
void draw_lane_mark(struct area area, const struct lane_sample *lane);

/* Rows for a lane's bars, and for its mark if any lane was recorded. */
int lane_rows(const struct sample *sample);

/* Whether the residual is a comparison's subject: the lanes' methods or precisions differ. */
bool lanes_have_curves(const struct sample *sample);

bool precisions_differ(const struct sample *sample);

/* The measures in the titles of residuals. */
extern const char *const residual_measures[MEASURE_COUNT];

/* Below the residuals of several precisions: bytes to scale, and times; returns the rest. How far
 * each is from double's, over the iterations of the plot above. */
struct area precision_costs_draw(struct area inner, const struct screen *screen);
void precision_differences_draw(struct area area, const struct screen *screen,
                                const struct plot *above);

/* "rough: 99.6 %" or "L2: 1.20e-3": figures of the whole field in addition to its cells; "" if
 * there are none. Returns `buffer`. */
char *field_figures(char *buffer, size_t size, const struct field *field);

/* Draws two pixels, one above the other, in cell (x, y). Each has a level of the colour map or, if
 * the range is signed, of the map for signed values. */
void field_put_pixels(struct area area, int x, int y, int upper, int lower,
                      const struct heatmap_range *range, const struct screen *screen);

/* The field's heatmap and its legend: the view for them, their drawing, and the heatmap in real
 * pixels. The latter sets the picture's area and, if the picture has `roles`, fills cols × rows of
 * them; it returns false if there is no field. */
struct view field_heatmap_view(struct area inner, const struct screen *screen);
void field_heatmap_draw(struct area inner, const struct screen *screen);
bool field_heatmap_picture(struct area inner, const struct screen *screen,
                           struct pixel_picture *picture);

/* The lane whose field a lane shows: itself, or, because the first fields in a fast run's recording
 * are far apart, a lane with the same iterates and a much later field. */
int field_lane(const struct sample *sample, int lane);
