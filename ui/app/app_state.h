/* Changes the user's choices about the screen (struct app_state, ui/panels/screen.h): one function
 * per change, and nothing else writes that struct. */
#ifndef JACOBI_UI_APP_APP_STATE_H
#define JACOBI_UI_APP_APP_STATE_H

#include <stdarg.h>

#include "ui/panels/screen.h"

/* The state that a configuration asks for at the start. `config` must outlive it. */
struct app_state app_state_first(const struct config *config);

/* Takes over layout, scale, part of the field and measure of the residual from a configuration, and
 * shows `full` (NULL: all panels). The rest stays. */
void app_state_follow(struct app_state *state, const struct config *config,
                      const struct panel *full);

/* Sets the message under the header. It stays until `ends_ns`, or until it is dismissed if that is
 * 0.
 */
void app_state_say(struct app_state *state, bool bad, int64_t ends_ns, const char *format,
                   va_list arguments);
void app_state_dismiss(struct app_state *state);
void app_state_keep_message(struct app_state *state, int64_t ends_ns);

/* Gives a panel the whole screen, or takes it back if it has it; NULL changes nothing. */
void app_state_toggle_panel(struct app_state *state, const struct panel *panel);
void app_state_show_all(struct app_state *state);

/* From the pictures to the costs or back; no panel has the screen then. */
void app_state_switch_costs(struct app_state *state);

/* Opens an overlay at its first row; OVERLAY_NONE closes it. */
void app_state_open(struct app_state *state, enum overlay overlay);
void app_state_choose_row(struct app_state *state, int row);
void app_state_scroll_help(struct app_state *state, int top);

void app_state_switch_scale(struct app_state *state);
void app_state_show_quantity(struct app_state *state, enum quantity quantity);
void app_state_next_measure(struct app_state *state);
void app_state_next_axis(struct app_state *state);
void app_state_next_colormap(struct app_state *state);
void app_state_switch_contours(struct app_state *state);
void app_state_zoom_to(struct app_state *state, double x0, double y0, double width, double height);
void app_state_set_timeline(struct app_state *state, struct timeline_view timeline);
void app_state_set_cell_aspect(struct app_state *state, double aspect);
void app_state_choose_lane(struct app_state *state, int lane);
void app_state_set_recording(struct app_state *state, bool recording);
void app_state_set_comparing(struct app_state *state, bool compares);
void app_state_set_aside(struct app_state *state, bool run_waits);

/* Remembers the view that the source has been asked for; after app_state_forget_view it is asked
 * for again. */
void app_state_set_view(struct app_state *state, const struct view *view);
void app_state_forget_view(struct app_state *state);

#endif
