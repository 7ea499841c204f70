/* The keys: one table, from which keyboard, footer and help screen are made. */
#ifndef JACOBI_UI_APP_KEYMAP_H
#define JACOBI_UI_APP_KEYMAP_H

#include "ui/panels/screen.h"

struct app;

/* Does what the key does now, or shows why it does nothing. */
void keymap_press(struct app *app, int key);

enum { KEY_HINTS_MAX = 96 };

/* Makes the hints for footer and help: one per row of the table, of importance 0 if the row does
 * not apply, after those of an overlay. Returns their number. */
int keymap_hints(const struct screen *screen, struct key_hint hints[KEY_HINTS_MAX]);

/* ---- conditions that actions share */

bool is_played(const struct screen *screen); /* the replay of a whole recording, at its end */
bool has_ended(const struct screen *screen); /* live, and finished or failed */
bool in_tour(const struct screen *screen);
bool shows_motion(const struct screen *screen);
bool is_full(const struct screen *screen); /* a panel has the screen */
bool is_zoomed(const struct screen *screen);
bool has_message(const struct screen *screen);
bool leaves_recording(const struct screen *screen); /* Esc goes back to the run that waits */
bool leaves_comparison(const struct screen *screen);

#endif
