#include "ui/app/keymap.h"

#include <stdio.h>
#include <string.h>

#include "kernels/backends.h"
#include "metrics/labels.h"
#include "solver/problem.h"
#include "tour/lesson.h"
#include "ui/app/actions.h"
#include "ui/app/app.h"
#include "ui/panels/view.h"
#include "ui/terminal/input.h"

enum { CTRL_L = 'L' - '@' };

/* ---- conditions of keys --------------------------------------------------------------- */

static bool is_replay(const struct screen *screen) {
    return *screen->sample->playback.label;
}

static bool is_live(const struct screen *screen) {
    return !is_replay(screen);
}

static bool is_comparison(const struct screen *screen) {
    return screen->sample->lane_count > 1;
}

bool has_ended(const struct screen *screen) {
    const enum session_state state = screen->sample->state;
    return is_live(screen) && (state == SESSION_FINISHED || state == SESSION_FAILED);
}

static bool goes_on(const struct screen *screen) {
    return is_live(screen) && !has_ended(screen);
}

bool in_tour(const struct screen *screen) {
    return screen->scene != NULL;
}

static bool out_of_tour(const struct screen *screen) {
    return screen->scene == NULL;
}

static bool can_pause(const struct screen *screen) {
    return !in_tour(screen) && !has_ended(screen);
}

static bool takes_digits(const struct screen *screen) {
    const struct lesson *lesson = screen->scene ? screen->scene->lesson : NULL;
    return lesson && lesson->asking && lesson_scene(lesson)->question.kind != QUESTION_OPEN;
}

static bool takes_no_digits(const struct screen *screen) {
    return !takes_digits(screen);
}

static bool is_typed(const struct screen *screen) {
    return takes_digits(screen) && screen->scene->lesson->typed[0];
}

static bool in_exercise(const struct screen *screen) {
    return screen->exercise != NULL;
}

static bool has_hint(const struct screen *screen) {
    return screen->exercise && screen->exercise->text;
}

static bool mapping_matters(const struct screen *screen) {
    return is_live(screen) && screen->sample->lane_count == 1 &&
           backend_maps(screen->sample->lanes[0].run.backend);
}

static bool has_recorded_mapping(const struct screen *screen) {
    const struct sample *sample = screen->sample;
    return is_replay(screen) && sample->lane_count == 1 &&
           backend_maps(sample->lanes[0].run.backend);
}

static bool can_damp(const struct screen *screen) {
    return is_live(screen) && screen->sample->lane_count == 1 &&
           screen->sample->lanes[0].run.method == METHOD_JACOBI;
}

static bool has_levels(const struct screen *screen) {
    return takes_no_digits(screen) && sample_first_of(screen->sample, METHOD_MULTIGRID) >= 0;
}

static bool can_race(const struct screen *screen) {
    return is_comparison(screen) && (is_live(screen) || screen->sample->playback.races);
}

bool shows_motion(const struct screen *screen) {
    const struct panel *full = screen->state->full;
    return full ? full == &motion_panel : strcmp(screen->state->layout, "motion") == 0;
}

bool is_full(const struct screen *screen) {
    return screen->state->full != NULL || shows_motion(screen); /* a preset opens with it */
}

/* A replay can show no more than the recorded part. */
bool is_zoomed(const struct screen *screen) {
    const struct view *view = &screen->state->view;
    const struct view_settings *recorded = &screen->config->view;
    const bool replayed = is_replay(screen);
    return view->x1 - view->x0 < (replayed ? recorded->x1 - recorded->x0 : 1) ||
           view->y1 - view->y0 < (replayed ? recorded->y1 - recorded->y0 : 1);
}

static bool is_timeline_full(const struct screen *screen) {
    return screen->state->full && screen->state->full == &timeline_panel;
}

static bool can_choose_lane(const struct screen *screen) {
    return screen_shows_costs(screen) && !screen->state->full && screen->sample->lane_count > 2 &&
           screen->sample->race == RACE_SAME_ITERATIONS;
}

bool has_message(const struct screen *screen) {
    /* A toast is no level to come back from. */
    return screen->state->message[0] && screen->state->message_ends_ns == 0;
}

bool leaves_recording(const struct screen *screen) {
    return screen->state->run_waits && !is_full(screen) && !is_zoomed(screen);
}

bool leaves_comparison(const struct screen *screen) {
    return screen->state->compares && is_comparison(screen) && !is_replay(screen) &&
           !in_tour(screen) && !is_full(screen) && !is_zoomed(screen);
}

/* Why a key does nothing, by its row's condition. In a replay the first ones have another reason.
 */
static const struct {
    bool (*when)(const struct screen *screen);
    const char *otherwise;
} reasons[] = {
    {is_live, ""},
    {goes_on, "the run has ended: r restarts it"},
    {mapping_matters, "only omp and hip map arrays, and only a single run can change it"},
    {can_damp, "only a single run can change it"},
    {can_race, "there is only one lane"},
    {is_comparison, "there is only one lane"},
    {is_replay, "only a replay has it"},
    {in_tour, "only in a lesson: L begins one"},
    {in_exercise, "only in an exercise: --exercise begins one"},
    {has_hint, "only in an exercise with one"},
    {is_zoomed, "z zooms the field, t opens the timeline"},
};

enum { LIVE_REASONS = 4, REASONS = sizeof reasons / sizeof *reasons };

/* ---- words of the footer that depend on the state -----------------------------
 */

bool is_played(const struct screen *screen) {
    const struct playback *playback = &screen->sample->playback;
    return *playback->label && playback->length_s > 0 &&
           playback->position_s >= playback->length_s && !screen->config->follow;
}

static void describe_pause(const struct screen *screen, char *text, size_t size) {
    snprintf(text, size, "%s",
             is_played(screen)                  ? "play again"
             : sample_is_paused(screen->sample) ? "go on"
                                                : "pause");
}

static void describe_speed(const struct screen *screen, char *text, size_t size) {
    snprintf(text, size, screen->sample->iterations_per_second ? "%d it/s" : "slower",
             screen->sample->iterations_per_second);
}

static void describe_rate(const struct screen *screen, char *text, size_t size) {
    snprintf(text, size, "×%g", screen->sample->playback.rate);
}

static void describe_mapping(const struct screen *screen, char *text, size_t size) {
    snprintf(text, size, "▸ %s", mapping_name(other_mapping(screen->sample->lanes[0].run.mapping)));
}

static void describe_damping(const struct screen *screen, char *text, size_t size) {
    char omega[32];
    snprintf(text, size, "▸ %s",
             format_omega(omega, sizeof omega, other_omega(screen->sample->lanes[0].run.omega)));
}

static void describe_race(const struct screen *screen, char *text, size_t size) {
    snprintf(text, size, "%s",
             screen->sample->race == RACE_SAME_TIME ? "same iterations" : "same time");
}

static void describe_scene_next(const struct screen *screen, char *text, size_t size) {
    const struct lesson *lesson = screen->scene->lesson;
    const bool open = lesson_scene(lesson)->question.kind == QUESTION_OPEN;
    snprintf(text, size, "%s",
             lesson->asking                            ? (open ? "reveal" : "see")
             : lesson->scene + 1 < lesson->tour->count ? "next"
                                                       : "the end");
}

static void describe_costs(const struct screen *screen, char *text, size_t size) {
    snprintf(text, size, "%s", screen_shows_costs(screen) ? "pictures" : "costs");
}

static void describe_explain(const struct screen *screen, char *text, size_t size) {
    const bool shows_source = screen->state->full == &explain_panel;
    snprintf(text, size, "%s",
             shows_motion(screen)                                   ? "source"
             : shows_source && screen_source(screen) == SOURCE_BLOG ? "our source"
             : shows_source                                         ? "panels"
                                                                    : "explain");
}

static void describe_scale(const struct screen *screen, char *text, size_t size) {
    snprintf(text, size, "%s", screen->state->scale == SCALE_LOG ? "linear scale" : "log scale");
}

static void describe_field_kind(const struct screen *screen, char *text, size_t size) {
    snprintf(text, size, "▸ %s", field_kind_title(next_field_kind(screen)));
}

static void describe_record(const struct screen *screen, char *text, size_t size) {
    snprintf(text, size, "%s", screen->state->recording ? "end recording" : "record");
}

#define KEYS(...) {__VA_ARGS__}

/* ---- the keys -------------------------------------------------------------------------------- */

/* Keys are Unicode scalars, or the TERMINAL_ constants of ui/terminal/input.h. Of several rows with
 * one key, the first that applies has it. */
static const struct binding {
    int keys[8];       /* ended by 0 */
    const char *label; /* as shown: "space" */
    const char *word;  /* in the footer: "pause" */
    const char *help;  /* on the help screen; NULL: not there */

    /* In the footer the greatest are shown if there is little room; 0: only on the help screen. */
    int importance;
    enum key_group group; /* its heading on the help screen */
    void (*act)(struct app *app, int key);
    bool (*when)(const struct screen *screen); /* whether it applies; NULL: always */

    /* Writes the footer's words if they depend on the state; NULL: `word`. */
    void (*describe)(const struct screen *screen, char *text, size_t size);
} keymap[] = {
    {KEYS(TERMINAL_ENTER), "Enter", "answer", "answer: the question", 99, KEYS_LESSON,
     action_answer, takes_digits, NULL},
    {KEYS(TERMINAL_BACKSPACE), "Backspace", "", NULL, 0, KEYS_RUN, action_answer_erase, is_typed,
     NULL},
    {KEYS(TERMINAL_ESCAPE), "Esc", "clear", NULL, 94, KEYS_RUN, action_answer_erase, is_typed,
     NULL},
    {KEYS(' ', TERMINAL_PAGE_DOWN), "space", "next", NULL, 98, KEYS_RUN, action_scene_next, in_tour,
     describe_scene_next},
    {KEYS(TERMINAL_PAGE_UP), "PgUp", "scene before", "scene before: PgDn or space, the next", 97,
     KEYS_LESSON, action_scene_back, in_tour, NULL},
    {KEYS(' '), "space", "pause", "pause, go on", 90, KEYS_RUN, action_pause, can_pause,
     describe_pause},
    {KEYS(' '), "space", "", NULL, 0, KEYS_RUN, action_pause, out_of_tour, NULL},
    {KEYS('s'), "s", "step", "one iteration", 60, KEYS_RUN, action_step, goes_on, NULL},
    {KEYS('E'), "E", "edit", "edit: its kernels, in your editor", 96, KEYS_EXERCISE, action_edit,
     in_exercise, NULL},
    {KEYS(TERMINAL_ENTER), "Enter", "log", "log: the compiler's output", 87, KEYS_EXERCISE,
     action_log, in_exercise, NULL},
    {KEYS('H'), "H", "hint", "hint: show it, and the text again", 88, KEYS_EXERCISE, action_hint,
     has_hint, NULL},
    {KEYS(TERMINAL_PAGE_UP, TERMINAL_PAGE_DOWN), "PgUp", "", NULL, 0, KEYS_RUN,
     action_exercise_scroll, in_exercise, NULL},
    {KEYS('s', '.'), "s", "step", NULL, 60, KEYS_RUN, action_frame, is_replay, NULL},
    {KEYS('+', '='), "+", "faster", NULL, 0, KEYS_RUN, action_rate, is_replay, NULL},
    {KEYS('-', '_'), "-", "speed", NULL, 57, KEYS_RUN, action_rate, is_replay, describe_rate},
    {KEYS('+', '='), "+ -", "faster", "faster, slower: slow motion to flat out", 0, KEYS_RUN,
     action_speed, is_live, NULL},
    {KEYS('-', '_'), "-", "slower", NULL, 0, KEYS_RUN, action_speed, is_live, describe_speed},
    {KEYS('m'), "m", "mapping", "mapping: structured or unstructured", 85, KEYS_CHOOSE,
     action_mapping, mapping_matters, describe_mapping},
    {KEYS('m'), "m", "mapping", NULL, 85, KEYS_RUN, action_recorded_mapping, has_recorded_mapping,
     describe_mapping},
    {KEYS('u'), "u", "mappings", "all mappings: and which can't run here", 0, KEYS_CHOOSE,
     action_menu, mapping_matters, NULL},
    {KEYS('b'), "b", "back end", "back end: what computes", 80, KEYS_CHOOSE, action_menu, is_live,
     NULL},
    {KEYS('g'), "g", "grid", "grid: the number of unknowns", 70, KEYS_CHOOSE, action_menu, is_live,
     NULL},
    {KEYS('k'), "k", "schedule", "schedule: classic, fused, blocked, plain", 50, KEYS_CHOOSE,
     action_menu, is_live, NULL},
    {KEYS('D'), "D", "method", "method: Jacobi, Chebyshev, SOR, multigrid", 26, KEYS_CHOOSE,
     action_menu, is_live, NULL},
    {KEYS('d'), "d", "damping", "damping: whole steps, or 0.8 of them", 28, KEYS_CHOOSE,
     action_damping, can_damp, describe_damping},
    {KEYS('o'), "o", "problem", "problem: what is solved", 40, KEYS_CHOOSE, action_menu, is_live,
     NULL},
    {KEYS('p'), "p", "preset", "preset: a prepared run, or a lesson", 55, KEYS_CHOOSE, action_menu,
     is_live, NULL},
    {KEYS('r'), "r", "restart", NULL, 89, KEYS_RUN, action_restart, has_ended, NULL},
    {KEYS('r'), "r", "restart", "restart: from the initial guess", 30, KEYS_RUN, action_restart,
     NULL, NULL},
    {KEYS('S'), "S", "state", "state: all of it in one sentence", 0, KEYS_RUN, action_state, NULL,
     NULL},
    {KEYS('1', '2', '3', '4', '5', '6', '9'), "0-9", "panels", "one panel: full screen, and back",
     65, KEYS_PANELS, action_panel, takes_no_digits, NULL},
    {KEYS('c'), "c", "compare", "compare: two to four runs side by side", 68, KEYS_CHOOSE,
     action_menu, is_live, NULL},
    {KEYS('T'), "T", "race", "race: same iterations, or same time", 78, KEYS_RUN, action_race,
     can_race, describe_race},
    {KEYS('t'), "t", "timeline", "timeline: one iteration to scale", 45, KEYS_PANELS, action_panel,
     NULL, NULL},
    {KEYS('f'), "f", "roofline", "roofline: how close to the device's best", 44, KEYS_PANELS,
     action_panel, NULL, NULL},
    {KEYS('B'), "B", "block sizes", "block sizes: an iteration's time with each", 0, KEYS_PANELS,
     action_panel, NULL, NULL},
    {KEYS('e'), "e", "data", "explain: data that move, then the source, the blog's and ours", 58,
     KEYS_PANELS, action_explain, NULL, describe_explain},
    {KEYS(',', '.'), ", .", "step", "step: through the data that move", 89, KEYS_PANELS,
     action_motion_step, shows_motion, NULL},
    {KEYS('P'), "P", "costs", "costs: in big digits, for the last row", 79, KEYS_PANELS,
     action_costs, is_comparison, describe_costs},
    {KEYS('P'), "P", "", NULL, 0, KEYS_RUN, action_costs, NULL, NULL},
    {KEYS('v'), "v", "verdict", "verdict: which is faster, and why", 43, KEYS_PANELS, action_panel,
     is_comparison, NULL},
    {KEYS('0'), "0", "levels", NULL, 64, KEYS_RUN, action_panel, has_levels, NULL},
    {KEYS('0'), "0", "", NULL, 0, KEYS_RUN, action_panel, NULL, NULL},
    {KEYS('7', '8'), "7 8", "mesh", "mesh, effort: the nodes; what porting took", 0, KEYS_PANELS,
     action_panel, NULL, NULL},
    {KEYS('l'), "l", "log", "colour scale: linear or logarithmic", 35, KEYS_PICTURE, action_scale,
     NULL, describe_scale},
    {KEYS('i'), "i", "field", "field: U, |RES|, sign of RES, or the error", 27, KEYS_PICTURE,
     action_field_kind, is_live, describe_field_kind},
    {KEYS('n'), "n", "residual", "residual: by which measure", 0, KEYS_PICTURE, action_measure,
     NULL, NULL},
    {KEYS('N'), "N", "axis", "residual over: iterations, work or time", 0, KEYS_PICTURE,
     action_axis, NULL, NULL},
    {KEYS('M'), "M", "colours", "colour map: viridis, magma, cividis", 0, KEYS_PICTURE,
     action_colormap, NULL, NULL},
    {KEYS('C'), "C", "lines", "contour lines: of equal value", 0, KEYS_PICTURE, action_contours,
     NULL, NULL},
    {KEYS('z'), "z", "zoom", "zoom: the field's corner, and out again", 20, KEYS_PICTURE,
     action_zoom, NULL, NULL},
    {KEYS(TERMINAL_LEFT, TERMINAL_RIGHT), "← →", "segment", "segment: of the timeline", 97,
     KEYS_PANELS, action_timeline_select, is_timeline_full, NULL},
    {KEYS(TERMINAL_UP, TERMINAL_DOWN), "↑ ↓", "zoom", "zoom: in the timeline", 96, KEYS_PANELS,
     action_timeline_zoom, is_timeline_full, NULL},
    {KEYS(TERMINAL_LEFT, TERMINAL_RIGHT), "← →", "lane", NULL, 76, KEYS_RUN, action_costs_lane,
     can_choose_lane, NULL},
    {KEYS(TERMINAL_LEFT, TERMINAL_RIGHT, TERMINAL_UP, TERMINAL_DOWN), "← → ↑ ↓", "",
     "move: the zoomed part of the field", 0, KEYS_PICTURE, action_pan, is_zoomed, NULL},
    {KEYS(TERMINAL_ESCAPE), "Esc", "dismiss", "back: one level", 95, KEYS_PANELS, action_back,
     has_message, NULL},
    {KEYS(TERMINAL_ESCAPE), "Esc", "all panels", NULL, 75, KEYS_RUN, action_back, is_full, NULL},
    {KEYS(TERMINAL_ESCAPE), "Esc", "whole field", NULL, 75, KEYS_RUN, action_back, is_zoomed, NULL},
    {KEYS(TERMINAL_ESCAPE), "Esc", "leave the recording", NULL, 91, KEYS_RUN, action_back,
     leaves_recording, NULL},
    {KEYS(TERMINAL_ESCAPE), "Esc", "one run", NULL, 75, KEYS_RUN, action_back, leaves_comparison,
     NULL},
    {KEYS(TERMINAL_ESCAPE), "Esc", "", NULL, 0, KEYS_RUN, action_back, NULL, NULL},
    {KEYS(','), ", .", "frame", "frame: one back, or forward", 58, KEYS_REPLAY, action_frame,
     is_replay, NULL},
    {KEYS('<', '>'), "< >", "move", "move: a twentieth back, or forward", 56, KEYS_REPLAY,
     action_scrub, is_replay, NULL},
    {KEYS('[', ']'), "[ ]", "chapter", "chapter: the one before, or the next", 54, KEYS_REPLAY,
     action_chapter, is_replay, NULL},
    {KEYS('L'), "L", "end lesson", NULL, 91, KEYS_RUN, action_tour, in_tour, NULL},
    {KEYS('L'), "L", "lesson", "lesson: begin or end it", 0, KEYS_LESSON, action_tour, NULL, NULL},
    {KEYS('x'), "x", "picture", "picture: save the screen", 0, KEYS_PROGRAM, action_picture, NULL,
     NULL},
    {KEYS('R'), "R", "record", "record: to a file, or end it", 0, KEYS_PROGRAM, action_record,
     is_live, describe_record},
    {KEYS('w'), "w", "save look", "save the look: colours, theme, scale", 0, KEYS_PROGRAM,
     action_save, NULL, NULL},
    {KEYS('W'), "W", "words", "words: output of the solver's process", 0, KEYS_PROGRAM,
     action_words, is_live, NULL},
    {KEYS(CTRL_L), "Ctrl-L", "redraw", "redraw: the whole screen", 0, KEYS_PROGRAM, action_redraw,
     NULL, NULL},
    {KEYS('?', TERMINAL_F1, 'h'), "?", "help", "this help: also h and F1", 92, KEYS_PROGRAM,
     action_help, NULL, NULL},
    {KEYS('q'), "q", "quit", "quit", 93, KEYS_PROGRAM, action_quit, NULL, NULL},
};

enum { BINDINGS = sizeof keymap / sizeof *keymap };

static bool has_key(const struct binding *binding, int key) {
    for (const int *k = binding->keys; *k; k++)
        if (*k == key)
            return true;
    return false;
}

static const struct binding *find_binding(int key, const struct screen *screen) {
    for (const struct binding *binding = keymap; binding < keymap + BINDINGS; binding++)
        if (has_key(binding, key) && (!binding->when || binding->when(screen)))
            return binding;
    return NULL;
}

/* Why the key does nothing now: "grid: not in a replay …"; nothing if it is none of the table's. */
static void show_reason(struct app *app, const struct screen *screen, int key) {
    for (const struct binding *binding = keymap; binding < keymap + BINDINGS; binding++) {
        int r = 0;
        while (r < REASONS && reasons[r].when != binding->when)
            r++;
        if (r == REASONS || !has_key(binding, key))
            continue;
        app_show_toast(app, "%s: %s", *binding->word ? binding->word : "arrows",
                       !is_replay(screen) || r >= LIVE_REASONS ? reasons[r].otherwise
                       : leaves_recording(screen) ? "not in a recording: Esc goes back to the run"
                                                  : "not in a replay: what was recorded stays");
        return;
    }
}

void keymap_press(struct app *app, int key) {
    const struct screen screen = app_screen(app);
    const struct binding *binding = find_binding(key, &screen);
    if (binding)
        binding->act(app, key);
    else
        show_reason(app, &screen, key);
}

/* Keys of an overlay. */
static const struct key_hint overlay_hints[][3] = {
    [OVERLAY_HELP] = {{.key = TERMINAL_ESCAPE, .label = "any key", .words = "back"},
                      {.key = 'q', .label = "q", .words = "quit"}},
    [OVERLAY_MENU] = {{.key = TERMINAL_UP, .label = "↑ ↓", .words = "choose"},
                      {.key = TERMINAL_ENTER, .label = "Enter", .words = "take"},
                      {.key = TERMINAL_ESCAPE, .label = "Esc", .words = "back"}},
    [OVERLAY_TITLE] = {{.key = ' ', .label = "any key", .words = "start now"},
                       {.key = 'L', .label = "L", .words = "lesson"},
                       {.key = '?', .label = "?", .words = "all keys"}},
};

int keymap_hints(const struct screen *screen, struct key_hint hints[KEY_HINTS_MAX]) {
    const enum overlay overlay = screen->state->overlay;
    const bool is_read = overlay == OVERLAY_MENU && screen->menu && screen->menu->is_read;
    int count = 0;
    for (int h = 0; overlay != OVERLAY_NONE && h < 3 && overlay_hints[overlay][h].label; h++) {
        if (is_read && overlay_hints[overlay][h].key == TERMINAL_ENTER)
            continue;
        hints[count] = overlay_hints[overlay][h];
        hints[count++].importance = 100;
    }
    for (const struct binding *binding = keymap; binding < keymap + BINDINGS; binding++) {
        const bool applies = find_binding(*binding->keys, screen) == binding;
        struct key_hint *hint = &hints[count++];
        *hint = (struct key_hint){.key = *binding->keys,
                                  .label = binding->label,
                                  .help = binding->help,
                                  .group = binding->group,
                                  .importance =
                                      applies && overlay == OVERLAY_NONE ? binding->importance : 0};
        if (applies && binding->describe)
            binding->describe(screen, hint->words, sizeof hint->words);
        else
            snprintf(hint->words, sizeof hint->words, "%s", binding->word);
    }
    /* Arrows become "^ v", which read aloud are other keys. */
    for (int h = 0; h < count && for_screen_reader(screen); h++)
        if (hints[h].key >= TERMINAL_UP && hints[h].key <= TERMINAL_RIGHT)
            hints[h].label = "arrows";
    return count;
}

_Static_assert(BINDINGS + 3 <= KEY_HINTS_MAX, "every binding has a hint");
