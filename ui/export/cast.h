/* A screencast: an asciicast (version 2) of grids, for asciinema and its players. Each frame
 * contains only the changes since the previous one. */
#pragma once

#include "ui/export/picture.h"

struct cast;

/* Creates the file (file_writer_open). STATUS_BAD_INPUT if a file of that name exists and `replace`
 * is false, STATUS_INTERNAL if it can't be written. `title` may be any string. */
enum status cast_open(const char *path, bool replace, const char *title, struct cast **cast,
                      struct error *error);

/* Adds a frame at `seconds`, not before the last one. A frame of another size resizes the player's
 * screen. After a failure (disk full) the file is truncated to its last whole line and the cast
 * ends. The failure is returned once. */
enum status cast_frame(struct cast *cast, const struct grid *grid, const struct palette *palette,
                       double seconds, struct error *error);

/* Adds a marker: players jump from one to the next. Ignored before the first frame. */
enum status cast_marker(struct cast *cast, const char *label, double seconds, struct error *error);

/* Closes the file; removes a cast without frames. STATUS_INTERNAL if it is not completely on disk,
 * unless a frame has already returned that. NULL is allowed. */
enum status cast_close(struct cast *cast, struct error *error);
