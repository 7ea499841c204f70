/* The keys: one table for keyboard, footer and help screen, and the functions of its rows. Each
 * function receives the key, since several keys may share it. */
#ifndef JACOBI_UI_APP_KEYMAP_H
#define JACOBI_UI_APP_KEYMAP_H

#include "ui/panels/screen.h"

struct app;

/* Performs the key's current action, or shows why it has none. */
void keymap_press(struct app *app, int key);

enum { KEY_HINTS_MAX = 96 };

/* Makes the hints for footer and help: first those of an overlay, then one per row of the table,
 * with importance 0 if the row does not apply. Returns their number. */
int keymap_hints(const struct screen *screen, struct key_hint hints[KEY_HINTS_MAX]);

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

/* The run. */
void action_pause(struct app *app, int key);
void action_step(struct app *app, int key);
void action_speed(struct app *app, int key);
void action_restart(struct app *app, int key);
void action_mapping(struct app *app, int key);
void action_recorded_mapping(struct app *app, int key); /* shows another recorded mapping */
void action_damping(struct app *app, int key);
void action_race(struct app *app, int key);
void action_words(struct app *app, int key);
void action_state(struct app *app, int key);
void action_menu(struct app *app, int key); /* opens the key's menu: run_menus.c */

/* The screen. */
void action_explain(struct app *app, int key);     /* data movement, the source, back */
void action_motion_step(struct app *app, int key); /* . and , : pauses; a step forwards or back */
void action_panel(struct app *app, int key);       /* opens the key's panel, or returns */
void action_back(struct app *app, int key);
void action_costs(struct app *app, int key);
void action_costs_lane(struct app *app, int key);      /* selects the lane left or right */
void action_timeline_select(struct app *app, int key); /* selects the segment left or right */
void action_timeline_zoom(struct app *app, int key);
void action_scale(struct app *app, int key);
void action_contours(struct app *app, int key);
void action_field_kind(struct app *app, int key);
void action_measure(struct app *app, int key);
void action_axis(struct app *app, int key); /* of the residual: updates, iterations, seconds */
void action_colormap(struct app *app, int key);
void action_zoom(struct app *app, int key);
void action_pan(struct app *app, int key);
void action_save(struct app *app, int key);
void action_redraw(struct app *app, int key);
void action_help(struct app *app, int key);
void action_quit(struct app *app, int key);

/* Recordings, pictures and replays: recording_actions.c. */
void action_record(struct app *app, int key);  /* begins or ends a recording */
void action_picture(struct app *app, int key); /* opens the menu of picture formats */
void action_rate(struct app *app, int key);    /* + and - */
void action_frame(struct app *app, int key);   /* . and , : one sample forwards, one back */
void action_scrub(struct app *app, int key);   /* > and < : a twentieth of the recording */
void action_chapter(struct app *app, int key); /* ] and [ */

/* Kernels of the user's own: exercise_actions.c. */
void action_edit(struct app *app, int key);
void action_log(struct app *app, int key);
void action_hint(struct app *app, int key);
void action_next_exercise(struct app *app, int key);
void action_exercise_scroll(struct app *app, int key);

/* Tours: tour_view.c. */
void action_tour(struct app *app, int key);       /* begins the tour, or ends it */
void action_scene_next(struct app *app, int key); /* reveals, or shows the next scene */
void action_scene_back(struct app *app, int key); /* the previous scene */
void action_answer(struct app *app, int key);     /* submits the typed answer */
void action_answer_erase(struct app *app, int key);

/* The state after a key; the footer shows it. */
enum mapping other_mapping(enum mapping mapping);
double other_omega(double omega);
enum field_kind next_field_kind(const struct screen *screen);

#endif
