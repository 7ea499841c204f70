/* The panel of one lane of a comparison: its field, and what its iterations cost. */
#ifndef JACOBI_UI_PANELS_LANE_PANEL_H
#define JACOBI_UI_PANELS_LANE_PANEL_H

#include "ui/draw/grid.h"
#include "ui/panels/screen.h"

/* The view with the cells that the lane panel shows in an area. */
struct view lane_panel_view(struct rect area, const struct screen *screen);

#endif
