/* The keys: one table for keyboard, footer, help screen and palette, and the functions of its rows.
 * Each function receives the key, since several keys may share it. */
#pragma once

#include "ui/panels/screen.h"

struct app;

/* Performs the key's current action, or shows why it has none. */
void keymap_press(struct app *app, int key);

enum { KEY_HINTS_MAX = 96 };

/* Makes the hints for footer and help: first those of an overlay, then one per row of the table,
 * with importance 0 if the row does not apply. Returns their number. */
int keymap_hints(const struct screen *screen, struct key_hint hints[KEY_HINTS_MAX]);

/* Makes the palette's rows: the current action of each key, if its text has all the words. */
void keymap_list(const struct screen *screen, const char *words, struct menu *menu);

/* The conditions that determine which keys apply and their actions. */
enum condition {
    ALWAYS,
    IS_LIVE,
    IS_REPLAY,
    IS_PLAYED, /* at the end of the replay of a whole recording */
    IS_COMPARISON,
    HAS_ENDED, /* a live run that finished or failed */
    GOES_ON,
    IN_TOUR,
    OUT_OF_TOUR,
    CAN_PAUSE,
    TAKES_DIGITS, /* for the answer to a question */
    TAKES_NO_DIGITS,
    IS_TYPED, /* an incomplete answer */
    IN_EXERCISE,
    HAS_HINT,
    MAPPING_MATTERS,
    HAS_RECORDED_MAPPING,
    CAN_DAMP,
    HAS_LEVELS,
    CAN_RACE,
    SHOWS_MOTION,
    IS_FULL, /* a panel fills the screen */
    IS_ZOOMED,
    IS_TIMELINE_FULL,
    CAN_CHOOSE_LANE,
    HAS_MESSAGE,
    LEAVES_RECORDING, /* Esc returns to the paused run */
    LEAVES_COMPARISON,
    CONDITIONS
};

bool app_is(const struct app *app, enum condition condition);

/* ---- the keys' actions: actions.c, or the named file */

typedef void action(struct app *app, int key);

/* The run; action_menu opens the key's menu (run_menus.c). */
action action_pause, action_step, action_speed, action_restart, action_mapping,
    action_recorded_mapping, action_damping, action_race, action_words, action_state, action_menu;

/* Opens the palette: keymap.c. */
action action_find;

/* The screen. action_explain shows data movement, the source, the panels again; action_panel the
 * key's panel, or all. Arrows select a lane of the costs, or a segment of the timeline. */
action action_explain, action_motion_step, action_panel, action_back, action_costs,
    action_costs_lane, action_timeline_select, action_timeline_zoom, action_scale, action_contours,
    action_field_kind, action_measure, action_axis, action_colormap, action_zoom, action_pan,
    action_save, action_redraw, action_help, action_quit;

/* Recordings, pictures and replays: recording_actions.c. */
action action_record, action_picture, action_rate, action_frame, action_scrub, action_chapter;

/* Kernels of the user's own: exercise_actions.c. */
action action_edit, action_log, action_hint, action_next_exercise, action_exercise_scroll;

/* Tours: tour_view.c. action_scene_next first reveals an answer. */
action action_tour, action_scene_next, action_scene_back, action_answer, action_answer_erase;

/* The first of ascending values above `now`, or the last below it; the end if there is none. */
int next_value(const int *values, int count, int now, bool up);

/* The state after a key; the footer shows it. */
enum mapping other_mapping(enum mapping mapping);
double other_omega(double omega);
enum field_kind next_field_kind(const struct screen *screen);
