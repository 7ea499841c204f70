/* The screen: one thread that draws samples and turns keys into commands. */
#ifndef JACOBI_UI_APP_APP_H
#define JACOBI_UI_APP_APP_H

#include "ui/app/checker.h"
#include "ui/app/film.h"
#include "ui/app/menu.h"
#include "ui/draw/grid.h"
#include "ui/panels/screen.h"

/* Whether this program was built with a screen: it needs ncursesw. */
bool ui_is_built(void);

/* Shows `source` on the terminal until the user quits; blocks. The source is not closed.
 *
 * STATUS_OK where the user quit or a signal ended it: then *signal is its number (SIGHUP where the
 * terminal went away), else 0. STATUS_BAD_INPUT where there is no terminal to draw on. In every
 * case the terminal is as it was. Must be called from the main thread, before or after which the
 * signals are handled as they were. */
enum status ui_run(const struct config *config, struct source *source, int *signal,
                   struct error *error);

/* ---- for actions, menus and overlays */

/* The screen at work. */
struct app {
    struct config config; /* as it was given, changed by the user's menus */
    struct plan plan;     /* what is asked for now */
    struct app_state state;
    struct source *source;
    const struct sample *sample; /* the newest; `nothing` before the first */
    struct sample *nothing;
    struct heatmap heatmaps[LANES_MAX];
    struct lesson *lesson;     /* NULL: none; see ui/app/tour_view.h */
    struct recorder *recorder; /* NULL: nothing is recorded; see ui/app/recording_actions.h */
    struct film film;          /* the screencast, if there is one */
    int64_t film_began_ns;
    struct grid grid;
    struct menu menu;
    int picture; /* how the last one was saved: a row of the menu */
    struct checker *checker;
    struct plan picked;      /* the comparison that is being put together */
    struct plan wanted_plan; /* being checked, to be started when it can run */
    bool wanted;
    bool no_color, ascii;
    bool roofs_asked;  /* for what runs now, since the roofline came up */
    bool quit, redraw; /* redraw: everything, as after Ctrl-L */
};

bool app_init(struct app *app, const struct config *config, struct source *source);
void app_finish(struct app *app);

/* What is drawn from now; valid until something of `app` changes. */
struct screen app_screen(const struct app *app);

/* Takes a key: the overlay's, else the keymap's. */
void app_key(struct app *app, int key);

/* A click on that cell: a key of the footer, or a panel's frame. */
void app_click(struct app *app, int x, int y);

/* Takes the newest sample. */
void app_take_sample(struct app *app);

/* Draws the grid and asks the source for the cells that it now has room for. */
void app_draw(struct app *app);

/* Every command to the source goes through here. */
void app_command(struct app *app, const struct command *command);
void app_send(struct app *app, enum command_kind kind, long value);

/* Starts anew with another plan, if it can run here; else says why not and changes nothing. Finding
 * that out is left to the checker, so that the screen doesn't wait. */
void app_try_plan(struct app *app, const struct plan *wanted);

/* Takes what the checker has found out. */
void app_take_answers(struct app *app);

/* Looks at things as another configuration has it: layout, scale, colour map, part of the field. */
void app_configure(struct app *app, const struct config *config);

/* A loud line that stays until the user takes it away; "" takes it away. */
void app_say(struct app *app, bool bad, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A line that goes by itself after a few seconds. */
void app_hint(struct app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Takes away what has been there for long enough; true where something changed. */
bool app_forget(struct app *app, int64_t now_ns);

#endif
