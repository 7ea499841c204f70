/* Pictures without a terminal: --screenshot and --cast where there is no screen, or none is wanted.
 */
#ifndef JACOBI_UI_APP_OFFSCREEN_H
#define JACOBI_UI_APP_OFFSCREEN_H

#include <stdatomic.h>

#include "config/config.h"

/* Draws the run that the configuration asks for, live or replayed, into a grid of
 * screenshot_cols × screenshot_rows, until it ends or *stop becomes true. The screenshot shows its
 * end, or the asked point of a replay; the cast all of it, a replay's in its own time without
 * waiting. A run that fails gives its error, and its pictures all the same. */
enum status still_run(struct config *config, const atomic_bool *stop, struct error *error);

#endif
