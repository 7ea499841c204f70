/* A whole screen, drawn into a grid: what the terminal, the tests and the pictures show. Pure. */
#ifndef JACOBI_UI_PANELS_VIEW_H
#define JACOBI_UI_PANELS_VIEW_H

#include "tour/lesson.h"
#include "ui/panels/layout.h"

/* Whether the costs stand in place of the pictures if no panel has the screen: on a projector a
 * comparison is shown so unless its layout says otherwise, and the user has the last word. */
bool screen_shows_costs(const struct screen *screen);

/* Where everything stands on a screen of that size, the view of the field that there is room for,
 * and whether a roof has to be measured. Computed once per frame; a click is looked up in it too.
 */
struct layout screen_layout(const struct screen *screen, int cols, int rows);

/* Clears the grid and draws header, message, panels, tour, footer and overlay where the layout
 * has them. */
void screen_draw(struct grid *grid, const struct screen *screen, const struct layout *layout);

/* The heatmap of a slot in real pixels (ui/panels/panel.h). False: the slot has none, or a question
 * hides it. */
bool screen_picture(const struct screen *screen, const struct slot *slot,
                    struct pixel_picture *picture);

/* ---- its parts */

void header_draw(struct area area, const struct screen *screen);
void footer_draw(struct area area, const struct screen *screen);

/* The key under column x of the footer, 0 if there is none. */
int footer_key_at(struct area area, const struct screen *screen, int x);

/* A tour's scene: the rows, with the frame, that it wants on a screen of that size (0: it is not
 * shown); and the scene itself. */
int scene_rows(const struct screen *screen, int cols, int rows);
void scene_draw(struct area area, const struct screen *screen);

/* Kernels of the user's own, in the same place. */
int exercise_rows(const struct screen *screen, int cols, int rows);
void exercise_draw(struct area area, const struct screen *screen);

/* In place of a panel that would give an answer away. */
void hidden_draw(struct area area, const struct panel *panel);

/* The overlays, centred in `area`. */
void help_draw(struct area area, const struct screen *screen);

/* The row of the help that it can be scrolled to have on top. */
int help_last_top(const struct screen *screen, struct area area);

void menu_draw(struct area area, const struct screen *screen);

#endif
