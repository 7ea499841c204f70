/* One lane of a comparison. */
#ifndef JACOBI_UI_PANELS_LANE_PANEL_H
#define JACOBI_UI_PANELS_LANE_PANEL_H

#include "ui/draw/grid.h"
#include "ui/panels/screen.h"

/* The view with the cells that the lane panel shows in an area. */
struct view lane_panel_view(struct rect area, const struct screen *screen);

#endif
