/* A whole screen, drawn into a grid for the terminal, the tests and the pictures. Pure. */
#pragma once

#include "tour/lesson.h"
#include "ui/panels/layout.h"

/* Whether the costs replace the pictures if no panel fills the screen: by the layout's name, for a
 * comparison on a projector, or by the user's key. */
bool screen_shows_costs(const struct screen *screen);

/* The layout of a screen of that size, including the view of the field that fits. Computed once per
 * frame; clicks are looked up in it. */
struct layout screen_layout(const struct screen *screen, int cols, int rows);

/* Clears the grid and draws all parts of the layout. */
void screen_draw(struct grid *grid, const struct screen *screen, const struct layout *layout);

/* The heatmap of a slot in real pixels (ui/panels/panel.h). False: the slot has none, or a question
 * hides it. */
bool screen_picture(const struct screen *screen, const struct slot *slot,
                    struct pixel_picture *picture);

/* ---- its parts */

/* A tour's scene, or the user's own kernels in the same area. Overlays are centred in theirs; the
 * title of a bare start, as of overlay_seconds, fills the screen. The progress is a replay's: a
 * line with a mark at each chapter. */
drawing header_draw, progress_draw, scene_draw, exercise_draw, help_draw, menu_draw, title_draw;

/* Returns the key at column x; 0 if there is none. */
int footer_draw(struct area area, const struct screen *screen, int x);

/* The rows for a scene or kernels and their frame on a screen of that size; 0: none. */
int scene_rows(const struct screen *screen, int cols, int rows);
int exercise_rows(const struct screen *screen, int cols, int rows);

/* Whether the explanation is cut in the scene's area: the next step shows it alone. */
bool scene_goes_on(struct area area, const struct screen *screen);

/* The columns and rows of a panel that shows all of that source. */
void code_size(const char *code, int *cols, int *rows);

/* Replaces a panel that would reveal an answer; over the whole screen by a picture of what is
 * asked. */
void hidden_draw(struct area area, const struct screen *screen, const struct panel *panel);

/* The last row to which the help can be scrolled. */
int help_last_top(const struct screen *screen, struct area area);

/* While a run opens slowly, and if it is large or data movement is shown until its first iteration:
 * its description, and the filled part of its arrays. */
bool shows_filling(const struct screen *screen);
drawing filling_draw;

/* The end of a demo, in place of the message: whether it is shown now, and its drawing. */
enum { FINALE_ROWS = 10 };
bool shows_finale(const struct screen *screen);
drawing finale_draw;
