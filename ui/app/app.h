/* The app: one thread that draws samples and translates keys into commands. */
#pragma once

#include <stdatomic.h>

#include "metrics/rates.h"
#include "record/recording.h"
#include "run/source.h"
#include "ui/app/background.h"
#include "ui/app/keymap.h"
#include "ui/export/cast.h"
#include "ui/panels/motion.h"
#include "ui/panels/screen.h"
#include "ui/panels/view.h"

/* Whether this program was built with a screen: it needs ncursesw. */
bool ui_is_built(void);

struct app;
struct examination;
struct exercise_session; /* NULL: none */

/* Adds the findings about screen and terminal. If standard input and output are a terminal, queries
 * it for at most half a second. */
void ui_examine(const struct config *config, struct examination *examination);

/* Shows `source` on the terminal until the user quits; blocks. Must be called from the main thread.
 * The caller keeps ownership of `source` and `session`; `session` may be NULL. Terminal and signal
 * handlers are restored in every case.
 *
 * STATUS_OK if the user or a signal ended it; *signal_number is then the signal (SIGHUP if the
 * terminal disappeared), else 0. STATUS_BAD_INPUT if there is no terminal to draw on. */
enum status ui_run(const struct config *config, struct source *source,
                   struct exercise_session *session, int *signal_number, struct error *error);

/* Makes pictures without a terminal (--screenshot, --cast). Draws the configured run, computed or
 * replayed, into a grid of screenshot_cols × screenshot_rows, until it ends or interrupt_flag is
 * set. The screenshot shows the end of the run, or the selected point of a replay. The cast shows
 * all of it; a replay keeps its own time without waiting. With --format the report is written to
 * `out`. If the run fails, pictures and report are still written, and the run's error is returned.
 * `kernels`: the user's library for runs, or NULL. */
enum status offscreen_run(struct config *config, const char *kernels, FILE *out,
                          struct error *error);

/* ---- for actions and menus */

struct lesson;
struct tour_view;

struct app_menu {
    struct menu shown;
    struct plan plans[MENU_ROWS_MAX];    /* one per row */
    action *chosen;                      /* by Enter, with the row; NULL: starts the plan */
    void (*back)(struct app *app);       /* the action of Esc; NULL: none */
    void (*typed_into)(struct app *app); /* makes rows from `typed`; NULL: no typing */
    char typed[24];
    char prompt[48]; /* the palette's title, which shows `typed` */
};

/* A cast with a marker at each chapter: a recording's chapter, a tour's scene, another live run. */
struct screencast {
    struct cast *cast;                /* NULL: none */
    struct chapter_last chapter_last; /* of a live run */
    char chapter[CHAPTER_SIZE + 64];  /* the current one */
    int number;                       /* the chapter's number in a recording; -1 before the first */
};

/* The run that is paused while a recording is shown in its place. */
struct suspended_run {
    struct source *source; /* NULL: none */
    struct config config;
    struct plan plan;
    bool paused; /* it was paused before */
};

/* Only the main thread uses it. */
struct app {
    struct config config; /* from the command line, changed by menus */
    struct plan plan;     /* the current run's */
    struct app_state state;
    struct screen screen; /* the input of drawing: points to the other members */
    struct source *source;
    const struct sample *sample; /* the newest; `nothing` before the first */
    struct sample *nothing;
    struct heatmap heatmaps[LANES_MAX];
    struct motion motion;              /* the state of the motion panel */
    struct tour_view *tour;            /* NULL: none */
    struct lesson *lesson;             /* the last tour's, to resume; or NULL */
    struct file_writer *worksheet;     /* of all lessons, written at the end; NULL: none */
    struct exercise_session *exercise; /* user kernels; NULL: none */
    bool edits;                        /* the user requested the editor */
    struct recorder *recorder;         /* NULL: nothing is recorded */
    struct suspended_run suspended;    /* while a recording is shown in its place */
    struct screencast screencast;
    struct error unfinished; /* recordings and screencasts that failed */
    struct grid grid;
    struct layout layout; /* the last frame's */
    struct key_hint hints[KEY_HINTS_MAX];
    struct app_menu menu;
    int picture; /* the last saved format: a row of the menu */
    int wake;    /* an eventfd: validator or forecaster has a result */
    struct plan_validator *validator;
    struct forecaster *forecaster;
    struct forecast forecasts[FORECASTS_MAX]; /* for the sample's runs */
    struct error_curve errors;                /* for the iterates shown so far */
    struct rates rates;                       /* of the last minute */
    struct plan picked;                       /* the comparison being built */
    struct plan alone;                        /* the run before the comparison */
    struct plan wanted_plan;                  /* starts once the validator accepts it */
    bool wanted;
    bool welcomes;        /* waits until it is known whether there is a GPU: app_welcome */
    double demo_seconds;  /* since the start of the demo, for its pace; < 0: no demo */
    bool middle_reported; /* announce_unreached_middle has compared the converged run's middle */
    bool scan_asked;      /* requested since the panel opened */
    bool roofs_asked;     /* requested for the current run, since the roofline opened */
    bool quit, redraw;    /* redraw: the whole screen, as for Ctrl-L */
};

/* Returns false if there is no memory. The app must not be moved. `source` may be set later, but
 * before the first sample is taken. */
bool app_init(struct app *app, const struct config *config, struct source *source);
void app_finish(struct app *app);

/* Handles a key: the overlay first, then the keymap. */
void app_key(struct app *app, int key);

/* Handles a click on that cell of the last frame: on a key of the footer, or on a panel. */
void app_click(struct app *app, int x, int y);

/* Fetches the source's newest sample. */
void app_take_sample(struct app *app);

/* Lays out the screen and requests the data that it shows: a view of the field, a roof. Returns
 * whether it requested another view. */
bool app_lay_out(struct app *app);

/* Advances the motion panel by `seconds`, if the layout has it and the run is not paused. Returns
 * whether it moves, so that the next frame will differ. */
bool app_move(struct app *app, double seconds);

/* Send commands to the source. */
void app_send(struct app *app, enum command_kind kind, long value);
void app_run_plan(struct app *app);

/* Takes samples from another source from now on. Doesn't close the previous one. */
void app_set_source(struct app *app, struct source *source);

/* Starts another plan if it can run here; else shows the reason. The validator checks the plan in
 * the background. */
void app_try_plan(struct app *app, const struct plan *wanted);

/* Shows the title and, as soon as it is known, the running solver; then starts the demo. */
void app_welcome(struct app *app);

/* Takes results of validator and forecaster. Call it when `wake` is readable. */
void app_take_results(struct app *app);

/* Replaces the configuration, except for output files and the tour. */
void app_take_config(struct app *app, const struct config *config);

/* Sets quantity, scale, part of the field and measure of the residual from the configuration.
 * `full`: the panel that fills the screen, or NULL. */
void app_follow_config(struct app *app, const struct panel *full);

/* The same; also resets all other choices of the user about the screen. */
void app_reset_state(struct app *app);

/* Shows that part of the field; the next frame requests it from the source. */
void app_zoom_to(struct app *app, double x0, double y0, double width, double height);

/* Opens an overlay at its first row; OVERLAY_NONE closes it. */
void app_open_overlay(struct app *app, enum overlay overlay);

/* Shows a message that stays until the user dismisses it. */
void app_show_message(struct app *app, bool bad, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void app_dismiss_message(struct app *app);

/* Shows a message that disappears after a few seconds. */
void app_show_toast(struct app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Removes an expired message; returns true if the screen changed. */
bool app_forget(struct app *app, int64_t now_ns);

/* ---- menu.c: the rows of menus and their actions; ui/panels/overlay.c draws them */

/* Empties the menu. `chosen` as in struct app_menu. */
void menu_begin(struct app *app, const char *title, action *chosen);

/* Adds a row; returns it, or NULL if the menu is full. `plan` NULL: the row starts no plan and
 * needs no check. */
struct menu_item *menu_add(struct app *app, const char *label, const struct plan *plan,
                           bool is_current, const char *note, ...)
    __attribute__((format(printf, 5, 6)));

/* Opens the menu, with the cursor on the current row, and has its plans checked. */
void menu_open(struct app *app);

/* The menu of comparisons: compare_menu.c. */
void open_comparisons(struct app *app);

/* Handles a key; false if the menu ignores it. */
bool menu_key(struct app *app, int key);

/* Marks the rows that the validator has checked. */
void menu_take_answers(struct app *app);

/* ---- recording_actions.c: samples to a recording, frames to a screencast; a recording in place of
 * the current run */

/* Begins the recording and the screencast of the app's configuration, if there are any, and claims
 * the name of its worksheet. */
enum status app_recording_open(struct app *app, struct error *error);

/* Records the newest sample if a recording is active. A failure ends the recording; it is reported
 * immediately on the screen and later by app_recording_close. */
void app_recording_sample(struct app *app);

/* Shows a recording, or several side by side ("a,b"), in place of the app's own source, which is
 * paused. On failure shows the reason and changes nothing. */
void recording_show(struct app *app, const char *list);

/* Returns from a recording to the paused run, if a recording is shown. */
void recording_leave(struct app *app);

/* Adds the grid to the screencast, if there is one, `seconds` after its beginning, and a marker if
 * a chapter begins. A failure ends the screencast and is reported in the same way. */
void app_recording_frame(struct app *app, double seconds);

/* Ends tour, recording and screencast, and writes the worksheet. Returns the failures of all since
 * the beginning. */
enum status app_recording_close(struct app *app, struct error *error);

/* ---- exercise_actions.c: compiles and checks the user's file when it is saved; kernels that pass
 * the check replace the current run */

/* Opens the folder of config->kernels, or begins config->exercise_name. Configures the run to use
 * until the user's kernels pass the check. Statuses as kernel_builder_open and exercise_begin. */
enum status exercise_session_prepare(struct config *config, struct exercise_session **session,
                                     struct error *error);

/* Polls the builder; call it several times per second. Returns true if the screen changed. */
bool exercise_session_poll(struct app *app);

/* The view to draw; NULL if there is no session. */
const struct exercise_view *exercise_session_view(const struct exercise_session *session);

/* Runs the user's editor on the file and returns when the editor has ended. The editor has the
 * terminal meanwhile. STATUS_INTERNAL if no editor can be started. */
enum status exercise_session_edit(struct app *app, struct error *error);

/* Whether the user requested the next exercise; sets `name` to its name. NULL is allowed. */
bool exercise_session_next(const struct exercise_session *session, char *name, size_t size);

/* NULL is allowed. */
void exercise_session_close(struct exercise_session *session);

/* ---- tour_view.c: the text of a guided tour under the panels, its scenes in sequence */

/* Begins the configured tour, if there is one, and shows its first scene. */
enum status tour_view_open(struct app *app, struct error *error);

/* Begins the tour of that name after ending the current one; shows an error. */
void tour_view_begin(struct app *app, const char *name);

/* Ends the tour, if there is one, and shows the app's own source again. */
void tour_view_close(struct app *app);

/* Handles a character of an answer; returns false for other keys. */
bool tour_view_type(struct app *app, int key);

/* Passes the app's newest sample to the lesson, and its layout. */
void tour_view_sample(struct app *app);
void tour_view_fit(struct app *app);
