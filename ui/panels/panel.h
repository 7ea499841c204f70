/* Panels: one file and one row in the table each.
 *
 * To add one: write ui/panels/NAME.c with its draw function, declare that here, add a row to
 * ui/panels/panels.c, and give the panel a place in a layout (ui/panels/layout.c).
 */
#ifndef JACOBI_UI_PANELS_PANEL_H
#define JACOBI_UI_PANELS_PANEL_H

#include "ui/draw/grid.h"
#include "ui/panels/screen.h"

struct costs;

struct panel {
    const char *name;  /* "residual" */
    const char *title; /* "Residual" */
    int key;           /* opens it full screen; 0: none */

    /* Draws frame and content into `area`, which may be of any size, down to nothing. Touches
     * nothing outside, allocates nothing that it keeps. */
    void (*draw)(struct area area, const struct screen *screen);

    const char *help; /* what it tells, in a line */
};

/* Ended by a row whose name is NULL. */
extern const struct panel panels[];

/* Their names, ended by NULL. */
const char *const *panel_names(void);

/* NULL if there is none. */
const struct panel *panel_find(const char *name);
const struct panel *panel_of_key(int key);

void field_panel_draw(struct area area, const struct screen *screen);
void residual_panel_draw(struct area area, const struct screen *screen);
void timing_panel_draw(struct area area, const struct screen *screen);
void devices_panel_draw(struct area area, const struct screen *screen);
void timeline_panel_draw(struct area area, const struct screen *screen);
void roofline_panel_draw(struct area area, const struct screen *screen);
void tuning_scan_panel_draw(struct area area, const struct screen *screen);
void table_panel_draw(struct area area, const struct screen *screen);
void lane_panel_draw(struct area area, const struct screen *screen);
void mesh_panel_draw(struct area area, const struct screen *screen);
void stencil_panel_draw(struct area area, const struct screen *screen);
void levels_panel_draw(struct area area, const struct screen *screen);
void effort_panel_draw(struct area area, const struct screen *screen);
void explain_panel_draw(struct area area, const struct screen *screen);
void verdict_panel_draw(struct area area, const struct screen *screen);
void motion_panel_draw(struct area area, const struct screen *screen);
void costs_panel_draw(struct area area, const struct screen *screen);
void race_panel_draw(struct area area, const struct screen *screen);

/* One iteration as a bar that fills `area`, from end to end: copies either way, allocation,
 * kernels, launch and wait, the rest; with names and bytes in it where it is thick and long enough.
 * An iteration of `most_ms` takes all columns; whatever takes any time is seen. */
void costs_draw_bar(struct area area, const struct costs *costs, double most_ms, bool no_color);

/* The view whose cells the field panel shows if it is drawn into `area`: one cell per pixel, two
 * pixels per row. */
struct view field_panel_view(struct area area, const struct app_state *state);

/* The same in real pixels, if the field panel drawn into `area` has such a picture: sets its area
 * and size, and its roles, which have room for PICTURE_SIDE_MAX squared or are NULL. False: there
 * is none. */
bool field_panel_picture(struct area area, const struct screen *screen,
                         struct pixel_picture *picture);

/* The view whose cells the lane panel shows if it is drawn into `area`. */
struct view lane_panel_view(struct area area, const struct screen *screen);

/* Whether the lane runs live or was recorded, in one row: with the device, with the day alone, or
 * in one word, whichever fits. */
void lane_mark_draw(struct area area, const struct lane_sample *lane);

/* "rough: 99.6 %" or "L2: 1.20e-3": what is known of the whole field beside its cells; "" if
 * nothing is. Returns `buffer`. */
char *field_figures(char *buffer, size_t size, const struct field *field);

/* The view that the stencil panel shows: every unknown of a small grid. */
struct view stencil_panel_view(const struct screen *screen);

/* The view that the levels panel shows of the finest level if it is drawn into `area`: the whole
 * grid, whatever part of it the field panel shows. */
struct view levels_panel_view(struct area area, const struct screen *screen);

/* Two pixels over one another in the cell (x, y), each of a level of the colour map or, if the
 * range is signed, of that for signed values. */
void field_put_pixels(struct area area, int x, int y, int upper, int lower,
                      const struct heatmap_range *range, const struct screen *screen);

/* The field's heatmap and its legend, inside somebody else's frame. */
struct view field_heatmap_view(struct area inner, const struct app_state *state);
void field_heatmap_draw(struct area inner, const struct screen *screen);

/* The heatmaps that these panels draw into `area`, in real pixels: without roles in the picture
 * where it stands, else roles of its cols × rows. False: there is none. */
bool field_panel_picture(struct area area, const struct screen *screen,
                         struct pixel_picture *picture);
bool lane_panel_picture(struct area area, const struct screen *screen,
                        struct pixel_picture *picture);
bool field_heatmap_picture(struct area inner, const struct screen *screen,
                           struct pixel_picture *picture);

#endif
