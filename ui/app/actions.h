/* The functions that the keymap's rows point to: what a key does (action_), whether it applies now
 * (is_, has_, in_ …), and what the footer says of it (describe_). */
#ifndef JACOBI_UI_APP_ACTIONS_H
#define JACOBI_UI_APP_ACTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/panels/screen.h"

struct app;

/* The run. */
void action_pause(struct app *app, int key);
void action_step(struct app *app, int key);
void action_faster(struct app *app, int key);
void action_slower(struct app *app, int key);
void action_restart(struct app *app, int key);
void action_mapping(struct app *app, int key);
void action_recorded_mapping(struct app *app, int key); /* the recording otherwise mapped */
void action_damping(struct app *app, int key);
void action_race(struct app *app, int key);
void action_words(struct app *app, int key);
void action_state(struct app *app, int key);
void describe_pause(const struct screen *screen, char *text, size_t size);
void describe_speed(const struct screen *screen, char *text, size_t size);
void describe_mapping(const struct screen *screen, char *text, size_t size);
void describe_damping(const struct screen *screen, char *text, size_t size);
void describe_race(const struct screen *screen, char *text, size_t size);
bool is_live(const struct screen *screen);
bool goes_on(const struct screen *screen);   /* live, and it has not ended */
bool has_ended(const struct screen *screen); /* it has finished or failed */
bool can_pause(const struct screen *screen);
bool is_comparison(const struct screen *screen);
bool has_levels(const struct screen *screen);
bool can_race(const struct screen *screen); /* not in the replay of one recorded race */
bool can_damp(const struct screen *screen);
bool mapping_matters(const struct screen *screen);
bool has_recorded_mapping(const struct screen *screen); /* a replay of one run that maps arrays */

/* Kernels of the user's own: exercise_actions.c. */
void action_edit(struct app *app, int key);
void action_log(struct app *app, int key);
void action_hint(struct app *app, int key);
void action_exercise_scroll(struct app *app, int key);
bool in_exercise(const struct screen *screen);
bool has_hint(const struct screen *screen);

/* A menu's row that means nothing. */
void choose_nothing(struct app *app, int index);

/* The screen. */
void action_explain(struct app *app, int key);     /* data that move, the source, back */
void action_motion_step(struct app *app, int key); /* . and , : pauses, one step on, one back */
void describe_explain(const struct screen *screen, char *text, size_t size);
bool shows_motion(const struct screen *screen);
void action_panel(struct app *app, int key); /* opens the panel that has this key, or goes back */
void action_back(struct app *app, int key);
void action_costs(struct app *app, int key);
void action_costs_lane(struct app *app, int key); /* the lane to the left or right */
bool can_choose_lane(const struct screen *screen);
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
void describe_field_kind(const struct screen *screen, char *text, size_t size);
void describe_costs(const struct screen *screen, char *text, size_t size);
void describe_scale(const struct screen *screen, char *text, size_t size);
bool is_zoomed(const struct screen *screen);
bool is_full(const struct screen *screen);
bool has_message(const struct screen *screen);
bool leaves_recording(const struct screen *screen); /* Esc goes back to the run that waits */
bool leaves_comparison(const struct screen *screen);

/* The full-screen timeline: the segment to the left or right, zoom in or out. */
void action_timeline_select(struct app *app, int key);
void action_timeline_zoom(struct app *app, int key);
bool is_timeline_full(const struct screen *screen);

/* Menus: menu.c, compare_menu.c. */
void action_menu_grid(struct app *app, int key);
void action_menu_backend(struct app *app, int key);
void action_menu_schedule(struct app *app, int key);
void action_menu_method(struct app *app, int key);
void action_menu_mapping(struct app *app, int key);
void action_menu_problem(struct app *app, int key);
void action_menu_preset(struct app *app, int key);
void action_menu_compare(struct app *app, int key);

/* Recordings, pictures and replays: recording_actions.c. */
void action_record(struct app *app, int key);  /* begins or ends a recording */
void action_picture(struct app *app, int key); /* asks how to save the screen as it stands */
void action_rate(struct app *app, int key);    /* + and - */
void action_frame(struct app *app, int key);   /* . and , : one sample on, one back */
void action_scrub(struct app *app, int key);   /* > and < : a twentieth of the recording */
void action_chapter(struct app *app, int key); /* ] and [ */
void describe_rate(const struct screen *screen, char *text, size_t size);
void describe_record(const struct screen *screen, char *text, size_t size);
bool is_replay(const struct screen *screen);

/* Lessons: tour_view.c. */
void action_tour(struct app *app, int key);       /* begins the tour, or ends it */
void action_scene_next(struct app *app, int key); /* reveals, or shows the next scene */
void action_scene_back(struct app *app, int key); /* the scene before */
void action_answer(struct app *app, int key);     /* gives the answer that was typed */
void action_answer_erase(struct app *app, int key);
void describe_scene_next(const struct screen *screen, char *text, size_t size);
bool is_typed(const struct screen *screen);     /* an answer is being typed */
bool takes_digits(const struct screen *screen); /* a question does */
bool takes_no_digits(const struct screen *screen);
bool in_tour(const struct screen *screen);
bool out_of_tour(const struct screen *screen);

#endif
