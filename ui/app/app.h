/* The app: one thread that draws samples and turns keys into commands. */
#ifndef JACOBI_UI_APP_APP_H
#define JACOBI_UI_APP_APP_H

#include <stdatomic.h>

#include "record/recording.h"
#include "run/source.h"
#include "ui/app/forecaster.h"
#include "ui/app/keymap.h"
#include "ui/app/plan_validator.h"
#include "ui/export/cast.h"
#include "ui/panels/motion.h"
#include "ui/panels/screen.h"
#include "ui/panels/view.h"

/* Whether this program was built with a screen: it needs ncursesw. */
bool ui_is_built(void);

struct app;
struct examination;
struct exercise_session; /* NULL: there is none */

/* Adds the findings about screen and terminal. If standard input and output are a terminal, it is
 * asked, for half a second at most. */
void ui_examine(const struct config *config, struct examination *examination);

/* Shows `source` on the terminal until the user quits; blocks. Call it from the main thread.
 * `source` and `session`, which may be NULL, stay the caller's. Terminal and signal handlers are
 * restored in every case.
 *
 * STATUS_OK if the user or a signal ended it; then *signal_number is the signal's (SIGHUP if the
 * terminal went away), else 0. STATUS_BAD_INPUT if there is no terminal to draw on. */
enum status ui_run(const struct config *config, struct source *source,
                   struct exercise_session *session, int *signal_number, struct error *error);

/* Pictures without a terminal (--screenshot, --cast): draws the configured run, computed or
 * replayed, into a grid of screenshot_cols × screenshot_rows, until it ends or *stop becomes true.
 * The screenshot shows the run's end, or the selected point of a replay. The cast shows all of it;
 * a replay keeps its own time without waiting. With --format the report goes to `out`. If the run
 * fails, pictures and report are written all the same, and the run's error is returned. `kernels`:
 * a library of the user's that runs use, or NULL. */
enum status offscreen_run(struct config *config, const char *kernels, FILE *out,
                          const atomic_bool *stop, struct error *error);

/* ---- for actions and menus */

struct lesson;
struct tour_view;

struct app_menu {
    struct menu shown;
    struct plan plans[MENU_ROWS_MAX];           /* each row's */
    void (*chosen)(struct app *app, int index); /* what Enter does; NULL: starts the plan */
    void (*back)(struct app *app);              /* what Esc opens; NULL: nothing */
    void (*typed_into)(struct app *app);        /* makes row 0 of `typed`; NULL: nothing is typed */
    char typed[12];
};

/* A cast with a marker at each chapter: a recording's chapter, a tour's scene, another live run. */
struct screencast {
    struct cast *cast;                /* NULL: there is none */
    struct chapter_last chapter_last; /* of a live run */
    char chapter[CHAPTER_SIZE + 64];  /* the one that is on */
    int number;                       /* of a recording's; -1 before the first */
};

/* The run that waits while a recording is shown in its place. */
struct suspended_run {
    struct source *source; /* NULL: nothing does */
    struct config config;
    struct plan plan;
    bool paused; /* it waited already */
};

/* Only the main thread uses it. */
struct app {
    struct config config; /* of the command line, changed by menus */
    struct plan plan;     /* of the current run */
    struct app_state state;
    struct screen screen; /* what frames are drawn from: it points to the rest */
    struct source *source;
    const struct sample *sample; /* the newest; `nothing` before the first */
    struct sample *nothing;
    struct heatmap heatmaps[LANES_MAX];
    struct motion motion;              /* what panel motion shows */
    struct tour_view *tour;            /* NULL: none */
    struct lesson *lesson;             /* of the tour that ended last, to resume; or NULL */
    struct exercise_session *exercise; /* user kernels; NULL: none */
    bool edits;                        /* the user wants the editor */
    struct recorder *recorder;         /* NULL: nothing is recorded */
    struct suspended_run suspended;    /* while a recording is shown in its place */
    struct screencast screencast;
    struct error unfinished; /* recordings and screencasts that failed */
    struct grid grid;
    struct layout layout; /* of the last frame */
    struct key_hint hints[KEY_HINTS_MAX];
    struct app_menu menu;
    int picture; /* the format saved last: a row of the menu */
    int wake;    /* an eventfd: one of these two has a result */
    struct plan_validator *validator;
    struct forecaster *forecaster;
    struct forecast forecasts[FORECASTS_MAX]; /* of the sample's runs */
    struct error_curve errors;                /* of the iterates shown so far */
    struct plan picked;                       /* the comparison being built */
    struct plan alone;                        /* the run before the comparison */
    struct plan wanted_plan;                  /* starts once the validator accepts it */
    bool wanted;
    bool welcomes;        /* waits for whether there is a GPU: app_welcome */
    double demo_seconds;  /* since the demo started, which paces it; < 0: nothing does */
    bool middle_reported; /* announce_unreached_middle has compared the converged run's middle */
    bool scan_asked;      /* since its panel opened */
    bool roofs_asked;     /* for the current run, since the roofline opened */
    bool quit, redraw;    /* redraw: the whole screen, as for Ctrl-L */
};

/* False if there is no memory; the app must stay where it is. `source` may be set later, but before
 * the first sample is taken. */
bool app_init(struct app *app, const struct config *config, struct source *source);
void app_finish(struct app *app);

/* Handles a key: the overlay first, then the keymap. */
void app_key(struct app *app, int key);

/* Handles a click on that cell of the last frame: on a key of the footer, or on a panel. */
void app_click(struct app *app, int x, int y);

/* Fetches the source's newest sample. */
void app_take_sample(struct app *app);

/* Lays the screen out and requests what it now shows: a view of the field, a roof. Returns whether
 * it requested another view. */
bool app_lay_out(struct app *app);

/* Moves what panel motion shows on by so many seconds, if the layout has it and nothing is paused.
 * Returns whether it moves, so that the next frame shows something else. */
bool app_move(struct app *app, double seconds);

/* Draws the grid in the layout of app_lay_out. */
void app_draw(struct app *app);

/* Commands to the source. */
void app_send(struct app *app, enum command_kind kind, long value);
void app_run_plan(struct app *app);

/* Samples come from another source from now on. Doesn't close the one before. */
void app_set_source(struct app *app, struct source *source);

/* Starts another plan if it can run here; else shows why not. The validator checks that in the
 * background. */
void app_try_plan(struct app *app, const struct plan *wanted);

/* Shows the title, and what runs once that is known; then the demo starts. */
void app_welcome(struct app *app);

/* Takes results of validator and forecaster. Call it when `wake` is readable. */
void app_take_results(struct app *app);

/* Sets what is shown, scale, part of the field and measure of the residual as the configuration
 * has them. `full`: the panel that gets the screen, or NULL. */
void app_follow_config(struct app *app, const struct panel *full);

/* The same, and forgets all other choices of the user about the screen. */
void app_reset_state(struct app *app);

/* Shows that part of the field; the source is asked for it with the next frame. */
void app_zoom_to(struct app *app, double x0, double y0, double width, double height);

/* Opens an overlay at its first row; OVERLAY_NONE closes it. */
void app_open_overlay(struct app *app, enum overlay overlay);

/* Shows a message that stays until the user dismisses it. */
void app_show_message(struct app *app, bool bad, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void app_dismiss_message(struct app *app);

/* Shows a message that goes by itself after a few seconds. */
void app_show_toast(struct app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Removes an expired message; true if something changed. */
bool app_forget(struct app *app, int64_t now_ns);

/* ---- menu.c: their rows, and what choosing a row starts; ui/panels/overlay.c draws them */

/* Empties the menu. `chosen` as in struct app_menu. */
void menu_begin(struct app *app, const char *title, void (*chosen)(struct app *app, int index));

/* Adds a row; returns it, or NULL if there is no more room. `plan` NULL: a row that starts no plan
 * and needs no check. */
struct menu_item *menu_add(struct app *app, const char *label, const struct plan *plan,
                           bool is_current, const char *note, ...)
    __attribute__((format(printf, 5, 6)));

/* Opens it, with the cursor on the current row, and has its plans checked. */
void menu_open(struct app *app);

/* The menu of comparisons: compare_menu.c. */
void open_comparisons(struct app *app);

/* Handles a key; false if the menu ignores it. */
bool menu_key(struct app *app, int key);

/* Marks the rows that the validator has checked. */
void menu_take_answers(struct app *app);

/* ---- recording_actions.c: samples to a recording and frames to a screencast; a recording in the
 * place of what runs */

/* Begins the recording and the screencast that the app's configuration asks for, if it does. */
enum status app_recording_open(struct app *app, struct error *error);

/* Records the newest sample, if a recording is on; a failure ends it and is reported, now on the
 * screen and by app_recording_close. */
void app_recording_sample(struct app *app);

/* Shows a recording, or several side by side ("a,b"), in place of the app's own source, which
 * waits. If that fails, the reason is shown and nothing changes. */
void recording_show(struct app *app, const char *list);

/* Goes back from it, if one is shown. */
void recording_leave(struct app *app);

/* Adds the grid to the screencast, if there is one, `seconds` after its beginning, and a marker if
 * a chapter begins. A failure ends it and is reported in the same way. */
void app_recording_frame(struct app *app, double seconds);

/* Ends recording and screencast. Returns what failed of either since the beginning. */
enum status app_recording_close(struct app *app, struct error *error);

/* ---- exercise_actions.c: what the user saves is compiled, checked and, if it is right, run in the
 * place of what ran */

/* Opens the folder of config->kernels, or begins config->exercise_name; then the configuration says
 * what runs until something is right. Statuses as kernel_builder_open and exercise_begin. */
enum status exercise_session_prepare(struct config *config, struct exercise_session **session,
                                     struct error *error);

/* Polls the builder; call it several times per second. True if something changed. */
bool exercise_session_poll(struct app *app);

/* What is to be drawn; NULL if there is no session. */
const struct exercise_view *exercise_session_view(const struct exercise_session *session);

/* Has the user edit the file: returns when the editor has ended. The terminal is the editor's
 * meanwhile. STATUS_INTERNAL if none can be started. */
enum status exercise_session_edit(struct app *app, struct error *error);

/* Whether the user went on to the next exercise; its name. NULL is allowed. */
bool exercise_session_next(const struct exercise_session *session, char *name, size_t size);

/* NULL is allowed. */
void exercise_session_close(struct exercise_session *session);

/* ---- tour_view.c: the text of a guided tour under the panels, its scenes one after another */

/* Begins the configured tour, if there is one, and shows its first scene. */
enum status tour_view_open(struct app *app, struct error *error);

/* Begins the tour of that name, after ending another; shows an error. */
void tour_view_begin(struct app *app, const char *name);

/* Ends the tour, if there is one, and shows the app's own source again. */
void tour_view_close(struct app *app);

/* Writes the configured worksheet of the current or last lesson, if there are both. */
enum status tour_view_write_worksheet(const struct app *app, struct error *error);

/* Handles a character of an answer; false if it is none. */
bool tour_view_type(struct app *app, int key);

/* Passes the app's newest sample to the lesson. */
void tour_view_sample(struct app *app);

#endif
