/* The app: one thread that draws samples and turns keys into commands. */
#ifndef JACOBI_UI_APP_APP_H
#define JACOBI_UI_APP_APP_H

#include <stdatomic.h>

#include "ui/app/exercise_actions.h"
#include "ui/app/forecaster.h"
#include "ui/app/keymap.h"
#include "ui/app/menu.h"
#include "ui/app/plan_validator.h"
#include "ui/app/recording_actions.h"
#include "ui/panels/motion.h"
#include "ui/panels/screen.h"
#include "ui/panels/view.h"

/* Whether this program was built with a screen: it needs ncursesw. */
bool ui_is_built(void);

struct examination;

/* Adds what is found of the screen and the terminal; asks the terminal, half a second at most, if
 * standard input and output are one. */
void ui_examine(const struct config *config, struct examination *examination);

/* Shows `source` on the terminal until the user quits; blocks. The source is not closed.
 *
 * STATUS_OK if the user quit or a signal ended it: then *signal_number is the
 * signal's (SIGHUP if the terminal went away), else 0. STATUS_BAD_INPUT if there is no terminal to
 * draw on. `session`, which may be NULL, stays the caller's. In every case the terminal is left as
 * it was. Must be called from the main thread; before and after it the signals are handled as they
 * were. */
enum status ui_run(const struct config *config, struct source *source,
                   struct exercise_session *session, int *signal_number, struct error *error);

/* Pictures without a terminal (--screenshot, --cast): draws the run that the configuration asks
 * for, here, with --on, or replayed, into a grid of screenshot_cols × screenshot_rows, until it
 * ends or *stop becomes true. The screenshot shows its end, or the point of a replay that was asked
 * for; the cast all of it, a replay's in its own time without waiting. With --format the report of
 * the same goes to `out`. If the run fails, pictures and report are written all the same and its
 * error is returned. `kernels`: a library of the user's that runs use, or NULL. */
enum status offscreen_run(struct config *config, const char *kernels, FILE *out,
                          const atomic_bool *stop, struct error *error);

/* ---- for actions and menus */

struct lesson;
struct tour_view;

/* The state of the app. Only its own thread uses it. */
struct app {
    struct config config; /* as it was given, changed by the user's menus */
    struct plan plan;     /* what is asked for now */
    struct app_state state;
    struct source *source;
    const struct sample *sample; /* the newest; `nothing` before the first */
    struct sample *nothing;
    struct heatmap heatmaps[LANES_MAX];
    struct motion motion;   /* what panel motion shows */
    struct tour_view *tour; /* NULL: none; see ui/app/tour_view.h */
    struct lesson *lesson;  /* of the tour that was left last, to go on where it was; or NULL */
    struct exercise_session *exercise; /* kernels of the user's own; NULL: none */
    bool edits;                        /* the user wants the editor */
    struct recorder *recorder;      /* NULL: nothing is recorded; see ui/app/recording_actions.h */
    struct suspended_run suspended; /* what a recording is shown in place of */
    struct screencast screencast;
    struct error unfinished; /* recordings and screencasts that could not be finished */
    struct grid grid;
    struct layout layout; /* of the frame that was drawn last */
    struct key_hint hints[KEY_HINTS_MAX];
    int hint_count;
    struct app_menu menu;
    int picture; /* how the last one was saved: a row of the menu */
    int wake;    /* an eventfd: these two have found out something */
    struct plan_validator *validator;
    struct forecaster *forecaster;
    struct forecast forecasts[FORECASTS_MAX]; /* of the sample's runs */
    struct error_curve errors;                /* of what was shown so far */
    struct plan picked;                       /* the comparison that is being put together */
    struct plan alone;                        /* the run that the comparison was begun from */
    struct plan wanted_plan;                  /* being checked, to be started if it can run */
    bool wanted;
    bool no_color, ascii;
    bool welcomes;        /* the first line waits for whether there is a GPU: app_welcome */
    bool middle_reported; /* announce_unreached_middle has compared the converged run's middle */
    bool sweep_asked;     /* since its panel came up */
    bool roofs_asked;     /* for what runs now, since the roofline came up */
    bool quit, redraw;    /* redraw: everything, as after Ctrl-L */
};

/* False if there is no memory. `source` may be set later, but before the first sample is taken. */
bool app_init(struct app *app, const struct config *config, struct source *source);
void app_finish(struct app *app);

/* What the next frame is drawn from; valid until something of `app` changes. */
struct screen app_screen(const struct app *app);

/* Obeys a key: the overlay takes it first, then the keymap. */
void app_key(struct app *app, int key);

/* Obeys a click on that cell of the frame drawn last: on a key of the footer, or on a panel. */
void app_click(struct app *app, int x, int y);

/* Takes the source's newest sample. */
void app_take_sample(struct app *app);

/* Takes what the forecaster has found out about the sample's runs. */
void app_take_forecasts(struct app *app);

/* Lays the screen out and asks the source for what it now shows: a view of the field, a roof.
 * Returns whether another view was asked for. */
bool app_lay_out(struct app *app);

/* Moves what panel motion shows on by so many seconds, if the layout has it and nothing is paused.
 * Returns whether it moves, so that the next frame shows something else. */
bool app_move(struct app *app, double seconds);

/* Draws the grid, as app_lay_out has laid it out. */
void app_draw(struct app *app);

/* Every command to the source goes through here. */
void app_command(struct app *app, const struct command *command);
void app_send(struct app *app, enum command_kind kind, long value);

/* From now on samples come from another source. The one before is not closed. */
void app_set_source(struct app *app, struct source *source);

/* Starts anew with another plan, if it can run here; else says why not and changes nothing.
 * The validator finds that out, so that the screen doesn't wait. */
void app_try_plan(struct app *app, const struct plan *wanted);

/* Tells those who have asked for nothing what runs and which keys to try, as soon as it is known.
 */
void app_welcome(struct app *app);

/* Takes what validator and forecaster have found out; to be called when `wake` is readable. */
void app_take_results(struct app *app);

/* Takes what the validator has found out. */
void app_take_answers(struct app *app);

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

/* Removes a message whose time is over; true if something changed. */
bool app_forget(struct app *app, int64_t now_ns);

#endif
