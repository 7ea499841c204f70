/* Rows that look alike in another place: what a terminal could be told to scroll instead. */
#ifndef JACOBI_UI_TERMINAL_MOVED_H
#define JACOBI_UI_TERMINAL_MOVED_H

#include "ui/draw/grid.h"

/* Calls `moved` for each row of `shown` that changes, and that stands in another place of `next`,
 * where there was something else. The grids are of one size; rows from the 512th on are left out.
 */
void moved_rows(const struct grid *shown, const struct grid *next, void (*moved)(int row));

#endif
