/* What lies where in the timeline, for clicks. */
#ifndef JACOBI_UI_PANELS_TIMELINE_PANEL_H
#define JACOBI_UI_PANELS_TIMELINE_PANEL_H

#include "ui/draw/grid.h"
#include "ui/panels/screen.h"

/* The segment at a cell when the panel is drawn into `area`, as timeline_view counts them; -1 where
 * there is none. */
int timeline_panel_hit(struct rect area, const struct screen *screen, int x, int y);

#endif
