/* Cells as the bytes that draw them on a terminal of 24-bit colour. */
#ifndef JACOBI_UI_EXPORT_ANSI_H
#define JACOBI_UI_EXPORT_ANSI_H

#include "ui/export/picture.h"

/* Writes cells [x0, x1) of row y, each with the colours it needs after *last, the cell before it
 * (NULL: none), and returns the last one. Where the cell's background is INK_DEFAULT the terminal's
 * own stays. */
const struct cell *ansi_put_cells(FILE *file, const struct grid *grid, const struct look *look,
                                  int y, int x0, int x1, const struct cell *last);

#endif
