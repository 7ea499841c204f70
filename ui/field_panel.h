/* The field's picture, for whoever has to ask the solver for its cells. */
#ifndef JACOBI_UI_FIELD_PANEL_H
#define JACOBI_UI_FIELD_PANEL_H

#include "ui/grid.h"
#include "ui/screen.h"

/* The view with the cells that the field panel shows in an area: one a pixel, two pixels a row. */
struct view field_panel_view(struct rect area, const struct ui_state *state);

#endif
