#include "ui/app/app.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "metrics/costs.h"
#include "metrics/labels.h"
#include "metrics/verdict.h"
#include "record/lane_recording.h"
#include "record/resolve.h"
#include "ui/panels/timeline.h"
#include "ui/terminal/terminal.h"

/* ---- the run */

void action_pause(struct app *app, int key) {
    app->plan.paused = !sample_is_paused(app->sample);
    if (app_is(app, IS_PLAYED)) {
        app->plan.paused = false;
        app_send(app, COMMAND_RESTART, 0);
    }
    app_send(app, COMMAND_PAUSE, app->plan.paused);
    if (app_is(app, HAS_ENDED))
        app_show_toast(app, "the run has ended: r restarts it%s",
                       app->plan.paused ? ", paused" : "");
}

void action_step(struct app *app, int key) {
    app->plan.paused = true;
    app_send(app, COMMAND_STEP, 1);
}

int next_value(const int *values, int count, int now, bool up) {
    int k = up ? 0 : count - 1;
    while (up ? k < count - 1 && values[k] <= now : k > 0 && values[k] >= now)
        k += up ? 1 : -1;
    return values[k];
}

void action_speed(struct app *app, int key) {
    enum { NO_LIMIT = INT_MAX };
    static const int speeds[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, NO_LIMIT};
    const int now = app->plan.iterations_per_second;
    const int next = next_value(speeds, sizeof speeds / sizeof *speeds, now ? now : NO_LIMIT,
                                key == '+' || key == '=');
    app->demo_seconds = -1;
    app->plan.iterations_per_second = next == NO_LIMIT ? 0 : next;
    app_send(app, COMMAND_SPEED, app->plan.iterations_per_second);
    if (app->plan.iterations_per_second)
        app_show_toast(app, "at most %d iterations per second", app->plan.iterations_per_second);
    else
        app_show_toast(app, "no limit: as fast as possible");
}

void action_restart(struct app *app, int key) {
    app_send(app, COMMAND_RESTART, 0);
}

enum mapping other_mapping(enum mapping mapping) {
    return mapping == MAPPING_STRUCTURED ? MAPPING_UNSTRUCTURED : MAPPING_STRUCTURED;
}

void action_mapping(struct app *app, int key) {
    struct plan wanted = app->plan;
    wanted.lanes[0].engine.run.mapping = other_mapping(app->sample->lanes[0].run.mapping);
    app_try_plan(app, &wanted);
}

void action_recorded_mapping(struct app *app, int key) {
    const struct lane_sample *lane = &app->sample->lanes[0];
    struct lane_spec wanted = {0};
    char name[PATH_SIZE], device[96];
    lane_spec_of_sample(app->sample, 0, &wanted);
    wanted.engine.run.mapping = other_mapping(lane->run.mapping);
    if (wanted.engine.problem && find_match(&wanted, lane->device, name, device))
        recording_show(app, name);
    else
        app_show_toast(app, "mapping: there is no recording of this run with %s mapping",
                       mapping_names[wanted.engine.run.mapping]);
}

/* Undamped, or as a smoother in two dimensions: 4/5 damps oscillatory modes to 3/5 or less. */
double other_omega(double omega) {
    return omega == 1 ? 0.8 : 1;
}

void action_damping(struct app *app, int key) {
    struct plan wanted = app->plan;
    const double omega = other_omega(app->sample->lanes[0].run.omega);
    wanted.lanes[0].engine.run.omega = omega == 1 ? OMEGA_OWN : omega;
    app_try_plan(app, &wanted);
}

void action_race(struct app *app, int key) {
    static const char *const words[2][2] = {
        {"same iterations: in lockstep once all counts are equal; r restarts them",
         "same time: how many iterations does each run do?"},
        {"same iterations, by recorded iteration: how long does each take?",
         "same time, by the loop's recorded time: how many iterations?"}};
    const bool replayed = *app->sample->playback.label;
    const bool by_time = app->sample->race != RACE_SAME_TIME;
    app->plan.race = by_time ? RACE_SAME_TIME : RACE_SAME_ITERATIONS;
    app_send(app, COMMAND_RACE, app->plan.race);
    app_show_message(app, false, "%s", words[replayed][by_time]);
}

void action_words(struct app *app, int key) {
    const struct source_ops *ops = app->source->ops;
    const char *line = NULL;
    menu_begin(app, "Output of the solver's process", NULL);
    app->menu.shown.is_read = true;
    for (int index = 0; ops->log_line && (line = ops->log_line(app->source, index)); index++)
        menu_add(app, "", NULL, true, "%s", line);
    if (app->menu.shown.count > 0)
        menu_open(app);
    else
        app_show_toast(app, "The solver printed no output");
}

/* ---- the screen */

/* The most important facts come first: without a screen reader the message has only one line. */
void action_state(struct app *app, int key) {
    const struct sample *sample = app->sample;
    const struct lane_sample *lane = sample->lane_count > 0 ? &sample->lanes[0] : NULL;
    const char *replays = AS(format_replays, sample), *state = AS(format_state, sample, lane);
    const char *words = strchr(state, ' '); /* after the glyph */
    words = words ? words + 1 : state;
    const bool is_number = *words >= '0' && *words <= '9';
    const char *begins =
        PRINT("%s%s%s%s", replays, *replays ? "; " : "",
              is_number && sample->state == SESSION_RUNNING ? "running: " : "", words);
    if (!lane) {
        app_show_message(app, false, "%s", begins);
    } else if (sample->lane_count > 1) {
        const struct verdict verdict = verdict_make(sample);
        app_show_message(app, false, "%s; %s", begins, AS(verdict_line, &verdict));
    } else {
        const struct costs costs = costs_of_run(sample, 0);
        const struct mesh mesh = mesh_make(lane->nx, lane->ny);
        const enum measure measure = app->state.measure; /* that of the residual panel */
        const double scale = measure_scale(measure, &mesh, lane->initial_residual);
        const char *each = AS(format_iteration, &costs, " each");
        app_show_message(app, false, "%s%s%s, %s %s, %s", begins, lane->iterations > 0 ? ", " : "",
                         lane->iterations > 0 ? each : "", measure_titles[measure],
                         AS(format_residual, scale * lane->residual), AS(lane_label_full, lane));
    }
}

void action_explain(struct app *app, int key) {
    const bool shows_source = app->state.full == &explain_panel;
    const bool is_blog = shows_source && screen_source(&app->screen) == SOURCE_BLOG;
    app->state.full = app_is(app, SHOWS_MOTION) || is_blog ? &explain_panel
                      : shows_source                       ? NULL
                                                           : &motion_panel;
    app->state.own_source = is_blog;
}

void action_motion_step(struct app *app, int key) {
    if (!sample_is_paused(app->sample))
        app_send(app, COMMAND_PAUSE, 1);
    motion_jump(&app->motion, key == '.' ? 1 : -1);
}

void action_panel(struct app *app, int key) {
    /* Two panels have a letter in addition to their number. */
    const int number = key == 't' ? '4' : key == 'f' ? '5' : key;
    const struct panel *panel = panel_of_key(number);
    if (panel)
        app->state.full = app->state.full == panel ? NULL : panel;
}

void action_back(struct app *app, int key) {
    const bool stays = app_is(app, HAS_MESSAGE) || shows_finale(&app->screen);
    app_dismiss_message(app);
    app->state.is_demo &= !shows_finale(&app->screen);
    if (stays)
        return;
    if (app_is(app, IS_FULL)) {
        app->state.layout = app->state.full ? app->state.layout : "standard";
        app->state.full = NULL;
    } else if (app_is(app, IS_ZOOMED))
        app_zoom_to(app, 0, 0, 1, 1);
    else if (app_is(app, LEAVES_RECORDING))
        recording_leave(app);
    else if (app_is(app, LEAVES_COMPARISON))
        app_try_plan(app, &app->alone);
    else
        app_show_toast(app, "%s",
                       app_is(app, IN_TOUR) ? "L ends the tour, q the program" : "q quits");
}

void action_costs(struct app *app, int key) {
    /* From a full-screen panel, the key always opens the costs. */
    if (!app->state.full || !screen_shows_costs(&app->screen))
        app->state.other_view = !app->state.other_view;
    app->state.full = NULL;
}

void action_costs_lane(struct app *app, int key) {
    const int choices = app->sample->lane_count + 1; /* none, or one of them */
    const int chosen = app->state.chosen_lane % choices;
    app->state.chosen_lane = (chosen + (key == TERMINAL_LEFT ? choices - 1 : 1)) % choices;
}

void action_scale(struct app *app, int key) {
    app->state.scale = app->state.scale == SCALE_LOG ? SCALE_LINEAR : SCALE_LOG;
}

void action_contours(struct app *app, int key) {
    app->state.contours = !app->state.contours;
}

/* The field's next quantity; the error only if the solution is known. */
enum field_kind next_field_kind(const struct screen *screen) {
    const struct problem *problem = problem_find(screen->sample->problem);
    const int next = (screen->state->kind + 1) % FIELD_KIND_COUNT;
    return next == FIELD_ERROR && !(problem && problem->exact) ? FIELD_U : (enum field_kind)next;
}

void action_field_kind(struct app *app, int key) {
    app->state.kind = next_field_kind(&app->screen);
}

void action_axis(struct app *app, int key) {
    static const char *const words[AXIS_COUNT] = {"updates per unknown", "iterations", "seconds"};
    app->state.axis = (enum residual_axis)((app->state.axis + 1) % AXIS_COUNT);
    app_show_toast(app, "residual over %s", words[app->state.axis]);
}

void action_measure(struct app *app, int key) {
    app->state.measure = (enum measure)((app->state.measure + 1) % MEASURE_COUNT);
    app_show_toast(app, "drawn: %s", measure_titles[app->state.measure]);
}

void action_colormap(struct app *app, int key) {
    app->state.colormap = (enum colormap)((app->state.colormap + 1) % COLORMAP_COUNT);
}

/* The lower left corner at 1, 1/8, 1/64 of each side: `blog` changes next to the boundary. */
void action_zoom(struct app *app, int key) {
    const double width = app->state.view.x1 - app->state.view.x0;
    const double next = width > 0.5 ? 1.0 / 8 : width > 1.0 / 16 ? 1.0 / 64 : 1;
    app_zoom_to(app, 0, 0, next, next);
}

/* Moves by a quarter of the width, up to the edge of the field. */
void action_pan(struct app *app, int key) {
    const struct view view = app->state.view;
    const double width = view.x1 - view.x0, height = view.y1 - view.y0;
    const int right = (key == TERMINAL_RIGHT) - (key == TERMINAL_LEFT);
    const int up = (key == TERMINAL_UP) - (key == TERMINAL_DOWN);
    app_zoom_to(app, fmin(fmax(view.x0 + right * width / 4, 0), 1 - width),
                fmin(fmax(view.y0 + up * height / 4, 0), 1 - height), width, height);
}

/* Saves the configuration with the screen settings that the user changed by key. */
void action_save(struct app *app, int key) {
    struct config config = app->config;
    struct error error = {0};
    config.view.scale = app->state.scale;
    config.view.kind = app->state.kind;
    config.view.colormap = app->state.colormap;
    if (user_settings_save(&config, &error))
        app_show_message(app, true, "%s", error.message);
    else
        app_show_message(app, false, "Appearance saved as default");
}

void action_redraw(struct app *app, int key) {
    app->redraw = true;
}

void action_help(struct app *app, int key) {
    app_open_overlay(app, OVERLAY_HELP);
}

void action_quit(struct app *app, int key) {
    app->quit = true;
}

/* ---- the timeline */

/* Returns the number of segments of all lanes. Sets *at to the middle of segment `index`, as a
 * fraction of the longest lane; -1 if there is no such segment. */
static int measure_segments(const struct app *app, int index, double *at) {
    struct timeline timeline;
    int count = 0;
    double middle = -1, whole = 0;
    for (int l = 0; l < app->sample->lane_count; l++) {
        timeline_make_beside(app->sample, l, timeline_iterations(app->state.timeline.zoom),
                             &timeline);
        whole = timeline.seconds > whole ? timeline.seconds : whole;
        if (index >= count && index < count + timeline.count) {
            const struct timeline_segment *segment = &timeline.segments[index - count];
            middle = 0.5 * (segment->start + segment->end);
        }
        count += timeline.count;
    }
    *at = whole > 0 ? middle / whole : -1;
    return count;
}

/* Moves the window so that it contains the selected segment. */
static void set_timeline(struct app *app, struct timeline_view view) {
    double at;
    app->state.timeline = view;
    measure_segments(app, view.selected, &at);
    if (view.zoom > 1 && at >= 0) {
        const double length = 1 / view.zoom;
        if (at < view.position || at > view.position + length)
            view.position = at - length / 2;
        view.position = fmin(fmax(view.position, 0), 1 - length);
        app->state.timeline = view;
    }
}

void action_timeline_select(struct app *app, int key) {
    struct timeline_view view = app->state.timeline;
    double ignored;
    const int count = measure_segments(app, -1, &ignored);
    view.selected += key == TERMINAL_RIGHT ? 1 : -1;
    if (view.selected >= count)
        view.selected = -1;
    if (view.selected < -1)
        view.selected = count - 1;
    set_timeline(app, view);
}

void action_timeline_zoom(struct app *app, int key) {
    static const double least = 1.0 / 8, most = 1024;
    struct timeline_view view = app->state.timeline;
    const double zoom = view.zoom * (key == TERMINAL_UP ? 2 : 0.5);
    if (zoom < least || zoom > most)
        return;
    const double middle = view.position + 0.5 / (view.zoom > 1 ? view.zoom : 1);
    view.zoom = zoom;
    view.position = zoom > 1 ? middle - 0.5 / zoom : 0;
    if (zoom < 1)
        view.selected = -1;
    set_timeline(app, view);
}
