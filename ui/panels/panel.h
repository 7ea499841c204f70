/* Panels: a const struct in a file of its own each.
 *
 * To add one: write ui/panels/NAME.c, declare its struct here, add it to ui/panels/panels.c, and
 * give it a place in a layout (ui/panels/layout.c).
 */
#ifndef JACOBI_UI_PANELS_PANEL_H
#define JACOBI_UI_PANELS_PANEL_H

#include "ui/draw/draw.h"
#include "ui/panels/screen.h"

struct costs;

struct panel {
    const char *name;  /* "residual" */
    const char *title; /* "Residual" */
    int key;           /* opens it full screen; 0: none */

    /* Draws frame and content into `area`, which may be of any size, down to nothing. Touches
     * nothing outside, allocates nothing that it keeps. */
    void (*draw)(struct area area, const struct screen *screen);

    /* The view whose cells it shows if it is drawn into `area`. NULL: it shows no field. */
    struct view (*view)(struct area area, const struct screen *screen);

    /* Its heatmap in real pixels: sets the picture's area and, if the picture has `roles`, fills
     * cols × rows of them. False: there is none. May be NULL. */
    bool (*picture)(struct area area, const struct screen *screen, struct pixel_picture *picture);

    bool is_per_lane;       /* a comparison shows it once per lane, if there is room */
    bool wants_roof;        /* it shows what the devices can do */
    bool wants_tuning_scan; /* it shows the time of each launch geometry */
};

#define PANEL(name_, title_, key_, draw_)                                                          \
    .name = (name_), .title = (title_), .key = (key_), .draw = (draw_)

extern const struct panel code_panel, costs_panel, devices_panel, effort_panel, explain_panel,
    field_panel, lane_panel, levels_panel, mesh_panel, race_panel, residual_panel, roofline_panel,
    stencil_panel, table_panel, timeline_panel, timing_panel, motion_panel, picture_panel,
    tuning_scan_panel, verdict_panel;

/* All of them, ended by NULL. */
extern const struct panel *const panels[];

/* NULL if there is none. */
const struct panel *panel_find(const char *name);
const struct panel *panel_of_key(int key);

/* ---- helpers for panels */

/* A frame with the panel's title and key. */
struct frame panel_frame(const struct panel *panel);

/* Draws the frame; returns its inside less a blank column on either side. */
struct area panel_inside(struct area area, const struct frame *frame);

/* How a kind of event looks and is called, the same in all panels. */
struct event_style {
    enum role role;
    uint32_t fill, plain;    /* of bars; without colours */
    const char *name;        /* "to device" */
    const char *description; /* "copy to device" */
};
extern const struct event_style event_styles[EVENT_KIND_COUNT];

/* A part of a bar; its label is drawn in it if the bar is thick and the part long enough. */
struct bar_part {
    double value; /* not above 0: not shown */
    enum role role;
    uint32_t fill;
    char label[48];
};

/* The parts of a bar that `whole` would fill, from left to right. Returns the columns used. */
int draw_bar_parts(struct area area, const struct bar_part *parts, int count, double whole);

/* One iteration as a bar that fills `area`: copies either way, allocation, kernels, launch and
 * wait, the rest; with names and bytes in it if it is thick and long enough. An iteration of
 * `most_ms` takes all columns; whatever takes any time is seen. */
void draw_iteration_bar(struct area area, const struct costs *costs, double most_ms, bool no_color);

/* Whether the lane runs live or was recorded, in one row: with the device, with the day alone, or
 * in one word, whichever fits. */
void draw_lane_mark(struct area area, const struct lane_sample *lane);

/* "rough: 99.6 %" or "L2: 1.20e-3": what is known of the whole field beside its cells; "" if
 * nothing is. Returns `buffer`. */
char *field_figures(char *buffer, size_t size, const struct field *field);

/* Two pixels over one another in the cell (x, y), each of a level of the colour map or, if the
 * range is signed, of that for signed values. */
void field_put_pixels(struct area area, int x, int y, int upper, int lower,
                      const struct heatmap_range *range, const struct screen *screen);

/* The field's heatmap and its legend, inside a frame: as view, draw and picture of a panel. */
struct view field_heatmap_view(struct area inner, const struct screen *screen);
void field_heatmap_draw(struct area inner, const struct screen *screen);
bool field_heatmap_picture(struct area inner, const struct screen *screen,
                           struct pixel_picture *picture);

#endif
