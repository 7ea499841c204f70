/* A recorded field at another picture size. */
#ifndef JACOBI_RECORD_RESAMPLE_H
#define JACOBI_RECORD_RESAMPLE_H

#include "session/sample.h"
#include "session/source.h"

/* Makes the cells that `view` asks of a grid of nx × ny out of those that are there: means where
 * there are more of them, repeats where there are fewer. Nothing is shown beyond the recorded part
 * of the grid. Where the view is the recorded one nothing changes. */
void field_resample(struct field *field, const struct view *view, int nx, int ny);

#endif
