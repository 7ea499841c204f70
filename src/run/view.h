/* The part of the field that is shown, and the cells that it takes. */
#ifndef JACOBI_RUN_VIEW_H
#define JACOBI_RUN_VIEW_H

#include "run/sample.h"

/* The part of the field to show, as fractions of the grid, and how many cells it gets. */
struct view {
    int cols, rows;
    double x0, x1, y0, y1;
};

/* The cells that `view` asks of a mesh, cut to FIELD_MAX_CELLS. */
struct downsample view_downsample(const struct view *view, const struct mesh *mesh);

/* Makes the cells that `view` asks of a grid of nx × ny out of those that are there: means if
 * there are more of them, repeats if there are fewer. Nothing is shown beyond the recorded part of
 * the grid. If the view is the recorded one nothing changes. */
void field_resample(struct field *field, const struct view *view, int nx, int ny);

#endif
