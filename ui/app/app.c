#include "ui/app/app.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/limits.h"
#include "core/system.h"
#include "core/text.h"
#include "kernels/backends.h"
#include "metrics/labels.h"
#include "solver/residual_theory.h"
#include "tour/lesson.h"
#include "ui/panels/timeline.h"
#include "ui/terminal/terminal.h"

static const int64_t toast_ns = 4000000000;

bool app_init(struct app *app, const struct config *config, struct source *source) {
    *app = (struct app){.config = *config, .plan = config->plan, .source = source};
    app_reset_state(app);
    app->demo_seconds = -1;
    app->nothing = sample_create();
    app->screen = (struct screen){
        .config = &app->config,
        .plan = &app->plan,
        .state = &app->state,
        .hints = app->hints,
        .menu = &app->menu.shown,
        .forecasts = app->forecasts,
        .errors = &app->errors,
        .rates = &app->rates,
        .heatmaps = app->heatmaps,
        .motion = &app->motion,
        .no_color = config->view.terminal.colors == COLORS_MONO,
        .ascii = config->view.terminal.ascii,
    };
    app->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    app->validator = plan_validator_create(source, app->wake);
    app->forecaster = forecaster_create(app->wake);
    bool there = app->nothing && app->wake >= 0 && app->validator && app->forecaster;
    for (int l = 0; l < LANES_MAX; l++)
        there = heatmap_init(&app->heatmaps[l]) && there;
    if (!there) {
        app_finish(app);
        return false;
    }
    app->nothing->state = SESSION_OPENING;
    app->sample = app->screen.sample = app->nothing;
    if (*config->warning)
        app_show_message(app, false, "%s", config->warning);
    return true;
}

void app_finish(struct app *app) {
    struct error reported;
    app_recording_close(app, &reported);
    tour_view_close(app);
    recording_leave(app);
    lesson_end(app->lesson);
    app->lesson = NULL;
    plan_validator_destroy(app->validator);
    app->validator = NULL;
    forecaster_destroy(app->forecaster);
    app->forecaster = NULL;
    if (app->wake >= 0)
        close(app->wake);
    app->wake = -1;
    sample_destroy(app->nothing);
    app->nothing = NULL;
    for (int l = 0; l < LANES_MAX; l++)
        heatmap_finish(&app->heatmaps[l]);
    grid_finish(&app->grid);
}

/* ---- the demo of a bare start */

static void start_demo(struct app *app) {
    app_open_overlay(app, OVERLAY_NONE);
    app_dismiss_message(app);
    app->demo_seconds = 0;
    app_send(app, COMMAND_PAUSE, 0);
}

/* After k iterations a charge takes effect about sqrt(k) unknowns away. As the iterations grow with
 * the square of the time, the front moves at a steady speed. The run ends after 20 s. */
static void pace_demo(struct app *app, double seconds) {
    static const double demo_seconds = 20, usual_iterations = 30000;
    enum { SLOWEST = 30 };
    const double known = app->forecasts[0].iterations;
    const double all = known > 0 ? known : usual_iterations;
    app->demo_seconds += seconds;
    const double pace = 2 * all * app->demo_seconds / (demo_seconds * demo_seconds);
    const int speed = (int)fmin(fmax(pace, SLOWEST), RUN_SPEED_MAX);
    if (speed > 1.1 * app->plan.iterations_per_second || app->demo_seconds == seconds) {
        app->plan.iterations_per_second = speed;
        app_send(app, COMMAND_SPEED, speed);
    }
}

/* ---- keys and clicks */

void app_key(struct app *app, int key) {
    if (key == TERMINAL_PASTE) {
        app_show_toast(app, "Pasted text ignored");
        return;
    }
    if (app->state.overlay == OVERLAY_TITLE) {
        start_demo(app);
        if (key != 'L' && key != 'm' && key != '?' && key != 'q')
            return;
    }
    if (app->state.overlay == OVERLAY_MENU && menu_key(app, key))
        return;
    if (app->state.overlay == OVERLAY_HELP) {
        const int last = help_last_top(&app->screen, app->layout.body);
        const int page = for_screen_reader(&app->screen) ? app->layout.body.rows - 3 : 0;
        const int by = key == TERMINAL_UP          ? -1
                       : key == TERMINAL_DOWN      ? 1
                       : key == TERMINAL_PAGE_UP   ? -page
                       : key == TERMINAL_PAGE_DOWN ? page
                                                   : 0;
        const int top = app->state.overlay_top + by;
        if (by)
            app->state.overlay_top = clamp_int(top, 0, last);
        else
            app_open_overlay(app, OVERLAY_NONE);
        if (key != 'q' && key != ':') /* they act from here, too */
            return;
    }
    if (tour_view_type(app, key))
        return;
    keymap_press(app, key);
}

void app_click(struct app *app, int x, int y) {
    const struct layout layout = app->layout;
    const int key =
        area_holds(layout.footer, x, y) ? footer_draw(layout.footer, &app->screen, x) : 0;
    if (key) {
        app_key(app, key);
        return;
    }
    for (int s = 0; s < layout.count && app->state.overlay == OVERLAY_NONE; s++) {
        const struct slot *slot = &layout.slots[s];
        if (!area_holds(slot->area, x, y))
            continue;
        if (slot->area.y == y && slot->panel->key) {
            app_key(app, slot->panel->key);
        } else if (slot->panel == &timeline_panel) {
            struct timeline_view timeline = app->state.timeline;
            timeline.selected = timeline_panel_hit(slot->area, &app->screen, x, y);
            app->state.timeline = timeline;
        }
    }
}

/* ---- the user's choices about the screen */

void app_take_config(struct app *app, const struct config *config) {
    const struct config before = app->config;
    app->config = *config;
    app->config.overwrite = before.overwrite;
    memcpy(app->config.record, before.record, sizeof before.record);
    memcpy(app->config.tour_name, before.tour_name, sizeof before.tour_name);
}

void app_follow_config(struct app *app, const struct panel *full) {
    const struct view_settings *view = &app->config.view;
    struct app_state *state = &app->state;
    state->layout = view->layout;
    state->full = full;
    state->scale = view->scale;
    state->kind = view->kind;
    state->measure = app->config.plan.lanes[0].measure;
    state->view = (struct view){.x0 = view->x0, .x1 = view->x1, .y0 = view->y0, .y1 = view->y1};
}

void app_reset_state(struct app *app) {
    app->state = (struct app_state){.timeline = {.zoom = 1, .selected = -1},
                                    .cell_aspect = app->state.cell_aspect};
    app_follow_config(app, NULL);
    app->state.colormap = app->config.view.colormap;
    const struct view *view = &app->state.view;
    if (!(view->x1 > view->x0 && view->y1 > view->y0))
        app_zoom_to(app, 0, 0, 1, 1);
}

void app_zoom_to(struct app *app, double x0, double y0, double width, double height) {
    app->state.view = (struct view){.x0 = x0, .x1 = x0 + width, .y0 = y0, .y1 = y0 + height};
}

void app_open_overlay(struct app *app, enum overlay overlay) {
    app->state.overlay = overlay;
    app->state.overlay_row = app->state.overlay_top = 0;
    app->state.overlay_seconds = 0;
}

/* ---- messages */

static void set_message(struct app *app, bool bad, int64_t ends_ns, const char *format,
                        va_list arguments) {
    vsnprintf(app->state.message, sizeof app->state.message, format, arguments);
    app->state.message_is_bad = bad;
    app->state.message_ends_ns = ends_ns;
}

void app_dismiss_message(struct app *app) {
    app->state.message[0] = '\0';
    app->state.message_ends_ns = 0;
}

void app_show_message(struct app *app, bool bad, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    set_message(app, bad, 0, format, arguments);
    va_end(arguments);
}

void app_show_toast(struct app *app, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    set_message(app, false, clock_now_ns() + toast_ns, format, arguments);
    va_end(arguments);
}

bool app_forget(struct app *app, int64_t now_ns) {
    const bool due = app->state.message_ends_ns && now_ns >= app->state.message_ends_ns;
    if (due)
        app_dismiss_message(app);
    return due;
}

/* ---- samples */

static void take_answers(struct app *app);

/* Replaces the plan's grid by the one fitted for the first run: plan_fit. */
static void take_fitted_grid(struct app *app) {
    const struct lane_sample *lane = &app->sample->lanes[0];
    if (!app->plan.most_unknowns || app->sample->lane_count < 1)
        return;
    app->plan.most_unknowns = 0;
    app->plan.lanes[0].engine.mesh = mesh_make(lane->nx, lane->ny);
}

/* Reports where a run differs from the plan; a replay has no plan. */
static void announce_lane(struct app *app, int l) {
    const struct lane_sample *lane = &app->sample->lanes[l];
    const struct mesh *asked = &app->config.plan.lanes[0].engine.mesh;
    const bool live = !*app->sample->playback.label;
    const char *note = live && l < app->plan.lane_count && !*lane->recorded
                           ? AS(format_notes, &app->plan.lanes[l].engine, lane,
                                *app->config.on ? 0 : cpus_usable())
                           : "";
    const char *grid =
        live && lane->nx < asked->Nx ? PRINT(", on %s", AS(format_grid, lane->nx, lane->ny)) : "";
    if (*lane->fallback_from) /* the reason in a few words; --list shows all of it */
        app_show_message(app, false, "%s%s%s runs instead of %s%s: %s", note, *note ? "; " : "",
                         lane->run.backend, lane->fallback_from, grid,
                         AS(text_clause, lane->fallback_reason));
    else if (*note)
        app_show_message(app, false, "%s", note);
}

/* Reports a fallback as soon as arrays are filled, which may take seconds. The back end has been
 * chosen by then, so nothing is probed. */
static void announce_filling(struct app *app) {
    const struct lane_spec *spec = &app->plan.lanes[0];
    char reasons[ERROR_MESSAGE_SIZE];
    int choice = 0;
    if (shows_filling(&app->screen) && !*app->config.on && !plan_recorded_count(&app->plan) &&
        !spec->any_backend && !lane_spec_choose(spec, &choice, reasons, NULL) && choice > 0)
        app_show_message(app, false, "%s runs instead of %s: %s", spec->choices[choice]->name,
                         spec->choices[0]->name, AS(text_clause, reasons));
}

/* Reports a converged run whose centre has not converged: the residual can be small while most of
 * the field is still the initial guess. A recorded run is checked only if its field contains the
 * centre. */
static void announce_unreached_middle(struct app *app) {
    const struct lane_sample *lane = &app->sample->lanes[0];
    const struct forecast *forecast = &app->forecasts[0];
    double here, there;
    if (app->sample->lane_count != 1 || lane->state != LANE_CONVERGED || app->middle_reported ||
        forecast->theory != THEORY_EXACT || lane->run.method != METHOD_JACOBI)
        return;
    if (lane->middle_known)
        here = lane->middle;
    else if (lane->field.iteration != lane->iterations ||
             !field_middle(&lane->field, lane->nx, lane->ny, &here))
        return;
    there = theory_middle(forecast->residual_theory);
    app->middle_reported = true;
    if (fabs(here - there) > 0.1 * fabs(there))
        app_show_message(
            app, false,
            "tolerance met (%s), but the centre has not converged: U about %.2g, not %.3g",
            measure_names[lane->measure], here, there);
}

static void take_forecasts(struct app *app) {
    forecaster_ask(app->forecaster, app->sample, app->forecasts);
    announce_unreached_middle(app);
}

void app_take_sample(struct app *app) {
    const enum session_state before = app->sample->state;
    const bool was_noticed = *app->sample->warning, was_filling = app->sample->filled > 0;
    /* The call invalidates the previous sample. */
    const struct sample *sample = app->source->ops->latest(app->source);
    if (!sample)
        return;
    app->sample = app->screen.sample = sample;
    take_fitted_grid(app);
    error_curve_add(&app->errors, sample);
    rates_add(&app->rates, sample);
    if (app->welcomes)
        take_answers(app);
    app_recording_sample(app);
    tour_view_sample(app);
    if ((sample->state == SESSION_OPENING && before != SESSION_OPENING) ||
        (sample->state != SESSION_FAILED && before == SESSION_FAILED))
        app_dismiss_message(app);
    if (sample->filled > 0 && !was_filling)
        announce_filling(app);
    if (sample->state == SESSION_FAILED && before != SESSION_FAILED)
        app_show_message(app, true, "%s", sample->error.message);
    if (*sample->warning)
        app_show_message(app, true, "%s", sample->warning);
    else if (was_noticed && sample->state == before)
        app_dismiss_message(app);
    for (int l = 0; l < sample->lane_count && sample->state != before; l++)
        if (before == SESSION_OPENING)
            announce_lane(app, l);
    for (int l = 0; l < sample->lane_count; l++) {
        const struct field field = heatmap_shared_limits(sample, l);
        if (field.downsample.cols > 0)
            heatmap_update(&app->heatmaps[l], &field, app->state.scale,
                           screen_pixels(&app->screen) * app->state.view.cols,
                           app->state.view.rows);
    }
    if (sample->state != SESSION_FINISHED)
        app->middle_reported = false;
    take_forecasts(app);
}

/* ---- frames */

static void app_command(struct app *app, const struct command *command) {
    if (command->kind == COMMAND_PLAN || command->kind == COMMAND_RESTART)
        app->roofs_asked = app->scan_asked = false;
    app->source->ops->command(app->source, command);
}

bool app_lay_out(struct app *app) {
    if (app->state.overlay == OVERLAY_TITLE && app->state.overlay_seconds >= limit_of(LIMIT_TITLE))
        start_demo(app);
    app->layout = screen_layout(&app->screen, app->grid.cols, app->grid.rows);
    tour_view_fit(app);
    app->screen.hint_count = keymap_hints(&app->screen, app->hints);
    const struct view *view = &app->layout.view;
    const bool another = view->cols > 0 && view->rows > 0 && !view_same(view, &app->state.view);
    if (another) {
        app->state.view = *view;
        app_command(app, &(struct command){.kind = COMMAND_VIEW, .view = *view});
    }
    /* Once each time the roofline opens, or when its lanes change. */
    const bool roofline = layout_find(&app->layout, &roofline_panel);
    const bool scan = layout_find(&app->layout, &tuning_scan_panel);
    if (roofline && !app->roofs_asked)
        app_send(app, COMMAND_PROBE, 0);
    if (scan && !app->scan_asked)
        app_send(app, COMMAND_TUNING_SCAN, 0);
    app->roofs_asked = roofline;
    app->scan_asked = scan;
    return another;
}

bool app_move(struct app *app, double seconds) {
    if (app->state.overlay == OVERLAY_TITLE) {
        app->state.overlay_seconds += fmin(seconds, 0.2);
        return true;
    }
    if (app->demo_seconds >= 0 && app->sample->state == SESSION_RUNNING)
        pace_demo(app, fmin(seconds, 0.2));
    if (!layout_find(&app->layout, &motion_panel)) {
        app->motion.lane_count = 0; /* shows another iteration when the panel opens again */
        return false;
    }
    const bool moves = !sample_is_paused(app->sample);
    motion_advance(&app->motion, app->sample, moves ? seconds : 0);
    return moves;
}

/* ---- the source */

void app_run_plan(struct app *app) {
    app_command(app, &(struct command){.kind = COMMAND_PLAN, .plan = &app->plan});
}

void app_send(struct app *app, enum command_kind kind, long value) {
    app_command(app, &(struct command){.kind = kind, .value = value});
}

void app_set_source(struct app *app, struct source *source) {
    app->source = source;
    app->sample = app->screen.sample = app->nothing;
    app->state.view.cols = 0;
    app->roofs_asked = false;
}

void app_try_plan(struct app *app, const struct plan *wanted) {
    if (*app->sample->playback.label) {
        app_show_message(app, true, "a replay can't be changed: only live runs can");
        return;
    }
    app->wanted_plan = *wanted;
    if (!lane_spec_same_task(&wanted->lanes[0], &app->plan.lanes[0]))
        app->wanted_plan.most_unknowns = 0;
    app->wanted = true;
    app->welcomes = false;
    plan_validator_ask(app->validator, wanted, 1);
}

void app_welcome(struct app *app) {
    struct plan with_gpu = app->plan;
    if (!for_screen_reader(&app->screen)) {
        app->state.is_demo = true;
        app_open_overlay(app, OVERLAY_TITLE);
        app_send(app, COMMAND_PAUSE, 1);
        app_send(app, COMMAND_STEP, 1); /* so that no panel is empty when the title closes */
    }
    with_gpu.lanes[0].choices[0] = backends[0]; /* for the GPUs */
    with_gpu.lanes[0].choice_count = 1;
    app->welcomes = true;
    plan_validator_ask(app->validator, &with_gpu, 1);
}

/* "No GPU found: OpenMP on the CPU", on the title. Returns false until the first run is known. */
static bool show_welcome(struct app *app, const struct error *error) {
    static const int64_t long_ns = 20000000000;
    const struct lane_sample *lane = &app->sample->lanes[0];
    char found[160] = "";
    if (app->sample->lane_count < 1)
        return false;
    if (error->status == STATUS_UNAVAILABLE) {
        text_clause(found, sizeof found, error->message);
        found[0] = (char)toupper((unsigned char)found[0]);
        format_append(found, sizeof found, ": %.*s on the CPU", (int)strcspn(lane->title, " "),
                      lane->title);
    }
    if (app->state.overlay == OVERLAY_TITLE) {
        app_show_message(app, false, "%s", *found ? found : lane->title);
    } else if (!app->state.is_demo) { /* for a screen reader */
        app_show_toast(app, "%s%s%s · L: tour · ?: all keys", found, *found ? " · " : "",
                       backend_maps(lane->run.backend) ? "m: see what mapping costs"
                                                       : "c: compare");
        app->state.message_ends_ns = clock_now_ns() + long_ns;
    }
    return true;
}

static void take_answers(struct app *app) {
    struct error error;
    if (app->welcomes) {
        app->welcomes =
            !plan_validator_answer(app->validator, 0, &error) || !show_welcome(app, &error);
        return;
    }
    if (!app->wanted) {
        menu_take_answers(app);
        return;
    }
    if (!plan_validator_answer(app->validator, 0, &error))
        return;
    app->wanted = false;
    if (error.status) {
        app_show_message(app, true, "%s", error.message);
        return;
    }
    const bool compares = app->wanted_plan.lane_count > 1;
    if (compares && app->plan.lane_count == 1)
        app->alone = app->plan;
    app->state.compares = compares && app->alone.lane_count == 1;
    app->plan = app->wanted_plan;
    app_dismiss_message(app);
    app_run_plan(app);
}

void app_take_results(struct app *app) {
    eventfd_t ignored;
    eventfd_read(app->wake, &ignored);
    take_answers(app);
    take_forecasts(app);
}
