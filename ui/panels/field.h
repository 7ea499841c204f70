/* The field's picture, for whoever has to ask the solver for its cells. */
#ifndef JACOBI_UI_PANELS_FIELD_PANEL_H
#define JACOBI_UI_PANELS_FIELD_PANEL_H

#include "ui/draw/grid.h"
#include "ui/panels/screen.h"

/* The view with the cells that the field panel shows in an area: one a pixel, two pixels a row. */
struct view field_panel_view(struct rect area, const struct app_state *state);

/* The same for the picture with its legend, where somebody else draws the frame. */
struct view field_picture_view(struct rect inner, const struct app_state *state);
void field_picture_draw(struct grid *grid, struct rect inner, const struct screen *screen);

#endif
