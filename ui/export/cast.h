/* A screencast: an asciicast (version 2) of grids, for asciinema and its players. Only what has
 * changed since the frame before is written. */
#ifndef JACOBI_UI_EXPORT_CAST_H
#define JACOBI_UI_EXPORT_CAST_H

#include "ui/export/picture.h"

struct cast;

/* Creates the file (file_writer_open); STATUS_BAD_INPUT if there is one of that name and `replace`
 * is false, STATUS_INTERNAL if it can't be written. `title` may be anything. */
enum status cast_open(const char *path, bool replace, const char *title, struct cast **cast,
                      struct error *error);

/* Adds a frame at `seconds`, not before the last one. A frame of another size resizes the player's
 * screen. The file always ends in a whole line: a failure (disk full) cuts it back to one, is
 * returned once, and ends the cast. */
enum status cast_frame(struct cast *cast, const struct grid *grid, const struct palette *palette,
                       double seconds, struct error *error);

/* Adds a marker: players jump from one to the next. Ignored before the first frame. */
enum status cast_marker(struct cast *cast, const char *label, double seconds, struct error *error);

/* Closes the file; one without a frame is removed. STATUS_INTERNAL if it is not whole on the disk,
 * unless a frame has returned that. NULL is allowed. */
enum status cast_close(struct cast *cast, struct error *error);

#endif
