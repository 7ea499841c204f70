#include "ui/app/keymap.h"

#include <stdio.h>
#include <string.h>

#include "core/format.h"
#include "core/text.h"
#include "metrics/labels.h"
#include "tour/lesson.h"
#include "ui/app/app.h"
#include "ui/panels/view.h"
#include "ui/terminal/input.h"

enum { CTRL_L = 'L' - '@' };

/* ---- conditions of keys --------------------------------------------------------------- */

/* A replay can show only the recorded part. */
static bool is_zoomed(const struct screen *screen) {
    const struct view *view = &screen->state->view;
    const struct view_settings *recorded = &screen->config->view;
    const bool replayed = *screen->sample->playback.label;
    return view->x1 - view->x0 < (replayed ? recorded->x1 - recorded->x0 : 1) ||
           view->y1 - view->y0 < (replayed ? recorded->y1 - recorded->y0 : 1);
}

static void find_conditions(const struct screen *screen, bool now[CONDITIONS]) {
    const struct sample *sample = screen->sample;
    const struct app_state *state = screen->state;
    const struct playback *playback = &sample->playback;
    const struct run_id *run = &sample->lanes[0].run;
    const bool alone = sample->lane_count == 1, maps = alone && backend_maps(run->backend);
    const bool live = !*playback->label, tour = screen->scene != NULL;
    const bool ended =
        live && (sample->state == SESSION_FINISHED || sample->state == SESSION_FAILED);
    const struct lesson *lesson = screen->scene ? screen->scene->lesson : NULL;
    const bool digits =
        lesson && lesson->asking && lesson_scene(lesson)->question.kind != QUESTION_OPEN;
    const bool zoomed = is_zoomed(screen);
    const bool motion =
        state->full ? state->full == &motion_panel : strcmp(state->layout, "motion") == 0;
    const bool full = state->full || motion; /* a preset opens the panel */
    const bool all = !full && !zoomed;
    const bool conditions[CONDITIONS] = {
        [ALWAYS] = true,
        [IS_LIVE] = live,
        [IS_REPLAY] = !live,
        [IS_PLAYED] = !live && playback->length_s > 0 &&
                      playback->position_s >= playback->length_s && !screen->config->follow,
        [IS_COMPARISON] = sample->lane_count > 1,
        [HAS_ENDED] = ended,
        [GOES_ON] = live && !ended,
        [IN_TOUR] = tour,
        [OUT_OF_TOUR] = !tour,
        [CAN_PAUSE] = !tour && !ended,
        [TAKES_DIGITS] = digits,
        [TAKES_NO_DIGITS] = !digits,
        [IS_TYPED] = digits && screen->scene->lesson->typed[0],
        [IN_EXERCISE] = screen->exercise != NULL,
        [HAS_HINT] = screen->exercise && screen->exercise->text,
        [MAPPING_MATTERS] = live && maps,
        [HAS_RECORDED_MAPPING] = !live && maps,
        [CAN_DAMP] = live && alone && run->method == METHOD_JACOBI,
        [HAS_LEVELS] = !digits && sample_first_of(sample, METHOD_MULTIGRID) >= 0,
        [CAN_RACE] = sample->lane_count > 1 && (live || playback->races),
        [SHOWS_MOTION] = motion,
        [IS_FULL] = full,
        [IS_ZOOMED] = zoomed,
        [IS_TIMELINE_FULL] = state->full == &timeline_panel,
        [CAN_CHOOSE_LANE] = screen_shows_costs(screen) && !state->full && sample->lane_count > 2 &&
                            sample->race == RACE_SAME_ITERATIONS,
        /* A toast is not a level to return from. */
        [HAS_MESSAGE] = state->message[0] && state->message_ends_ns == 0,
        [LEAVES_RECORDING] = state->run_waits && all,
        [LEAVES_COMPARISON] = state->compares && sample->lane_count > 1 && live && !tour && all,
    };
    memcpy(now, conditions, sizeof conditions);
}

bool app_is(const struct app *app, enum condition condition) {
    bool now[CONDITIONS];
    find_conditions(&app->screen, now);
    return now[condition];
}

/* The reason why a key has no effect, by its row's condition. In a replay the first LIVE_REASONS
 * have a different reason, and OPENING_REASONS until the run is open. */
static const struct {
    enum condition when;
    const char *otherwise;
} reasons[] = {
    {IS_LIVE, ""},
    {GOES_ON, "the run has ended: r restarts it"},
    {MAPPING_MATTERS, "needs omp or hip, and a single run"},
    {CAN_DAMP, "needs a single run"},
    {CAN_RACE, "needs runs side by side: c compares"},
    {IS_COMPARISON, "needs runs side by side: c compares"},
    {IS_REPLAY, "only in a replay"},
    {IN_TOUR, "only in a tour: L begins one"},
    {IN_EXERCISE, "only in an exercise: --exercise begins one"},
    {HAS_HINT, "only in an exercise with one"},
    {IS_ZOOMED, "z zooms the field, t opens the timeline"},
};

enum { LIVE_REASONS = 5, OPENING_REASONS, REASONS = sizeof reasons / sizeof *reasons };

/* ---- words of the footer --------------------------------------------------------------------- */

static const char *words_of_explain(const struct screen *screen, bool shows_motion) {
    const bool shows_source = screen->state->full == &explain_panel;
    return shows_motion                                           ? "source"
           : shows_source && screen_source(screen) == SOURCE_BLOG ? "our source"
           : shows_source                                         ? "panels"
                                                                  : "explain";
}

static const char *words_of_scene(const struct scene_view *scene) {
    const struct lesson *lesson = scene->lesson;
    const bool open = lesson_scene(lesson)->question.kind == QUESTION_OPEN;
    return lesson->asking                            ? (open ? "reveal" : "see")
           : scene->goes_on                          ? "more"
           : lesson->scene + 1 < lesson->tour->count ? "next"
                                                     : "the end";
}

/* The key's current action, if it depends on the state; else `word`. */
static void describe(const struct screen *screen, const bool now[CONDITIONS], int key,
                     const char *word, char *text, size_t size) {
    const struct sample *sample = screen->sample;
    const struct run_id *run = &sample->lanes[0].run;
    if (key == ' ' && now[IN_TOUR])
        word = words_of_scene(screen->scene);
    else if (key == ' ' && now[CAN_PAUSE])
        word = now[IS_PLAYED] ? "play again" : sample_is_paused(sample) ? "resume" : "pause";
    else if (key == 'T' && now[CAN_RACE])
        word = sample->race == RACE_SAME_TIME ? "same iterations" : "same time";
    else if (key == 'P' && now[IS_COMPARISON])
        word = screen_shows_costs(screen) ? "pictures" : "costs";
    else if (key == 'e')
        word = words_of_explain(screen, now[SHOWS_MOTION]);
    else if (key == 'l')
        word = screen->state->scale == SCALE_LOG ? "linear scale" : "log scale";
    else if (key == 'R')
        word = screen->state->recording ? "end recording" : "record";
    snprintf(text, size, "%s", word);
    if (key == '-' && now[IS_REPLAY])
        snprintf(text, size, "×%g", sample->playback.rate);
    else if (key == '-' && sample->iterations_per_second)
        snprintf(text, size, "%d it/s", sample->iterations_per_second);
    else if (key == 'm' && (now[MAPPING_MATTERS] || now[HAS_RECORDED_MAPPING]))
        snprintf(text, size, "▸ %s", mapping_names[other_mapping(run->mapping)]);
    else if (key == 'd' && now[CAN_DAMP])
        snprintf(text, size, "▸ %s", AS(format_omega, other_omega(run->omega)));
    else if (key == 'i' && now[IS_LIVE])
        snprintf(text, size, "▸ %s", field_kind_titles[next_field_kind(screen)]);
}

#define KEYS(...) {__VA_ARGS__}

/* ---- the keys -------------------------------------------------------------------------------- */

/* Keys are Unicode scalars, or the TERMINAL_ constants of ui/terminal/input.h. If several rows have
 * the same key, the first applicable row handles it. */
static const struct binding {
    int keys[8];       /* terminated by 0 */
    const char *label; /* as shown: "space" */
    const char *word;  /* in the footer: "pause" */
    const char *help;  /* on the help screen; NULL: omitted */

    /* The footer shows the greatest if there is little room; 0: only on the help screen. */
    int importance;
    enum key_group group; /* its heading on the help screen */
    action *act;
    enum condition when; /* the condition under which it applies */
} keymap[] = {
    {KEYS(TERMINAL_ENTER), "Enter", "answer", "answer: the question", 99, KEYS_LESSON,
     action_answer, TAKES_DIGITS},
    {KEYS(TERMINAL_BACKSPACE), "Backspace", "", NULL, 0, KEYS_RUN, action_answer_erase, IS_TYPED},
    {KEYS(TERMINAL_ESCAPE), "Esc", "clear", NULL, 94, KEYS_RUN, action_answer_erase, IS_TYPED},
    {KEYS(' ', TERMINAL_PAGE_DOWN), "space", "next", NULL, 98, KEYS_RUN, action_scene_next,
     IN_TOUR},
    {KEYS(TERMINAL_PAGE_UP), "PgUp", "previous", "scene back: PgDn or space, the next", 97,
     KEYS_LESSON, action_scene_back, IN_TOUR},
    {KEYS(' '), "space", "pause", "pause, resume", 90, KEYS_FIRST, action_pause, CAN_PAUSE},
    {KEYS(' '), "space", "", NULL, 0, KEYS_RUN, action_pause, OUT_OF_TOUR},
    {KEYS('s'), "s", "step", "one iteration", 60, KEYS_RUN, action_step, GOES_ON},
    {KEYS('E'), "E", "edit", "edit: its kernels, in your editor", 96, KEYS_EXERCISE, action_edit,
     IN_EXERCISE},
    {KEYS(TERMINAL_ENTER), "Enter", "log", "log: the compiler's output", 87, KEYS_EXERCISE,
     action_log, IN_EXERCISE},
    {KEYS('H'), "H", "hint", "hint: show it, and the text again", 88, KEYS_EXERCISE, action_hint,
     HAS_HINT},
    {KEYS('N'), "N", "next", "next exercise", 86, KEYS_EXERCISE, action_next_exercise, HAS_HINT},
    {KEYS(TERMINAL_PAGE_UP, TERMINAL_PAGE_DOWN), "PgUp", "", NULL, 0, KEYS_RUN,
     action_exercise_scroll, IN_EXERCISE},
    {KEYS('s', '.'), "s", "step", NULL, 60, KEYS_RUN, action_frame, IS_REPLAY},
    {KEYS('+', '='), "+", "faster", NULL, 0, KEYS_RUN, action_rate, IS_REPLAY},
    {KEYS('-', '_'), "-", "slower", NULL, 57, KEYS_RUN, action_rate, IS_REPLAY},
    {KEYS('+', '-', '=', '_'), "+ -", "faster", "faster, slower: slow motion to no limit", 0,
     KEYS_FIRST, action_speed, IS_LIVE},
    {KEYS('m'), "m", "mapping", "mapping: structured or unstructured", 85, KEYS_FIRST,
     action_mapping, MAPPING_MATTERS},
    {KEYS('m'), "m", "mapping", NULL, 85, KEYS_RUN, action_recorded_mapping, HAS_RECORDED_MAPPING},
    {KEYS('u'), "u", "mappings", "mappings: all, and which can't run here", 0, KEYS_RUN,
     action_menu, MAPPING_MATTERS},
    {KEYS('b'), "b", "back end", "back end: what computes", 80, KEYS_FIRST, action_menu, IS_LIVE},
    {KEYS('g'), "g", "grid", "grid: the number of unknowns", 70, KEYS_FIRST, action_menu, IS_LIVE},
    {KEYS('k'), "k", "schedule", "schedule: classic, fused, blocked, plain", 50, KEYS_RUN,
     action_menu, IS_LIVE},
    {KEYS('D'), "D", "method", "method: Jacobi, Chebyshev, SOR, multigrid", 26, KEYS_RUN,
     action_menu, IS_LIVE},
    {KEYS('F'), "F", "precision", "precision: double, single, mixed", 0, KEYS_RUN, action_menu,
     IS_LIVE},
    {KEYS('d'), "d", "damping", "damping: relaxation factor 1 or 0.8", 28, KEYS_RUN, action_damping,
     CAN_DAMP},
    {KEYS('o'), "o", "problem", "problem: what is solved", 40, KEYS_RUN, action_menu, IS_LIVE},
    {KEYS('p'), "p", "preset", "preset: a prepared run, or a tour", 55, KEYS_FIRST, action_menu,
     IS_LIVE},
    {KEYS('r'), "r", "restart", NULL, 89, KEYS_RUN, action_restart, HAS_ENDED},
    {KEYS('r'), "r", "restart", "restart: from the initial guess", 30, KEYS_FIRST, action_restart,
     ALWAYS},
    {KEYS('S'), "S", "state", "state: the run in one sentence", 0, KEYS_RUN, action_state, ALWAYS},
    {KEYS('1', '2', '3', '4', '5', '6', '9'), "0-9", "panels", "one panel: full screen, and back",
     65, KEYS_FIRST, action_panel, TAKES_NO_DIGITS},
    {KEYS('c'), "c", "compare", "compare: two to four runs side by side", 68, KEYS_FIRST,
     action_menu, IS_LIVE},
    {KEYS('T'), "T", "race", "race: same iterations, or same time", 78, KEYS_FIRST, action_race,
     CAN_RACE},
    {KEYS('t'), "t", "timeline", "timeline: one iteration to scale", 45, KEYS_FIRST, action_panel,
     ALWAYS},
    {KEYS('f'), "f", "roofline", "roofline: how close to the device's peak", 44, KEYS_PANELS,
     action_panel, ALWAYS},
    {KEYS('B'), "B", "block sizes", "block sizes: an iteration's time with each", 0, KEYS_PANELS,
     action_panel, ALWAYS},
    {KEYS('y'), "y", "rates", "rates: of the last minute, link and memory", 0, KEYS_PANELS,
     action_panel, ALWAYS},
    {KEYS('e'), "e", "data", "explain: data movement, then the source, the blog's and ours", 58,
     KEYS_FIRST, action_explain, ALWAYS},
    {KEYS(',', '.'), ", .", "step", "step: through the data movement", 89, KEYS_PANELS,
     action_motion_step, SHOWS_MOTION},
    {KEYS('P'), "P", "costs", "costs: in big digits, for the back row", 79, KEYS_FIRST,
     action_costs, IS_COMPARISON},
    {KEYS('P'), "P", "", NULL, 0, KEYS_RUN, action_costs, ALWAYS},
    {KEYS('v'), "v", "verdict", "verdict: which is faster, and why", 43, KEYS_FIRST, action_panel,
     IS_COMPARISON},
    {KEYS('0'), "0", "levels", NULL, 64, KEYS_RUN, action_panel, HAS_LEVELS},
    {KEYS('0'), "0", "", NULL, 0, KEYS_RUN, action_panel, ALWAYS},
    {KEYS('7', '8'), "7 8", "mesh", "mesh, effort: the nodes; porting effort", 0, KEYS_PANELS,
     action_panel, TAKES_NO_DIGITS},
    {KEYS('l'), "l", "log", "colour scale: linear or logarithmic", 35, KEYS_FIRST, action_scale,
     ALWAYS},
    {KEYS('i'), "i", "field", "field: U, |RES|, sign of RES, or the error", 27, KEYS_PICTURE,
     action_field_kind, IS_LIVE},
    {KEYS('n'), "n", "residual", "residual: by which measure", 0, KEYS_PICTURE, action_measure,
     ALWAYS},
    {KEYS('N'), "N", "axis", "residual over: iterations, work or time", 0, KEYS_PICTURE,
     action_axis, ALWAYS},
    {KEYS('M'), "M", "colours", "colour map: viridis, magma, cividis", 0, KEYS_PICTURE,
     action_colormap, ALWAYS},
    {KEYS('C'), "C", "lines", "contour lines: of equal value", 0, KEYS_PICTURE, action_contours,
     ALWAYS},
    {KEYS('z'), "z", "zoom", "zoom: the field's corner, and out again", 20, KEYS_PICTURE,
     action_zoom, ALWAYS},
    {KEYS(TERMINAL_LEFT, TERMINAL_RIGHT), "← →", "segment", "segment: of the timeline", 97,
     KEYS_PANELS, action_timeline_select, IS_TIMELINE_FULL},
    {KEYS(TERMINAL_UP, TERMINAL_DOWN), "↑ ↓", "zoom", "zoom: in the timeline", 96, KEYS_PANELS,
     action_timeline_zoom, IS_TIMELINE_FULL},
    {KEYS(TERMINAL_LEFT, TERMINAL_RIGHT), "← →", "run", NULL, 76, KEYS_RUN, action_costs_lane,
     CAN_CHOOSE_LANE},
    {KEYS(TERMINAL_LEFT, TERMINAL_RIGHT, TERMINAL_UP, TERMINAL_DOWN), "← → ↑ ↓", "",
     "move: the zoomed part of the field", 0, KEYS_PICTURE, action_pan, IS_ZOOMED},
    {KEYS(TERMINAL_ESCAPE), "Esc", "dismiss", "back: one level", 95, KEYS_FIRST, action_back,
     HAS_MESSAGE},
    {KEYS(TERMINAL_ESCAPE), "Esc", "all panels", NULL, 75, KEYS_RUN, action_back, IS_FULL},
    {KEYS(TERMINAL_ESCAPE), "Esc", "whole field", NULL, 75, KEYS_RUN, action_back, IS_ZOOMED},
    {KEYS(TERMINAL_ESCAPE), "Esc", "leave the recording", NULL, 91, KEYS_RUN, action_back,
     LEAVES_RECORDING},
    {KEYS(TERMINAL_ESCAPE), "Esc", "one run", NULL, 75, KEYS_RUN, action_back, LEAVES_COMPARISON},
    {KEYS(TERMINAL_ESCAPE), "Esc", "", NULL, 0, KEYS_RUN, action_back, ALWAYS},
    {KEYS(',', '.'), ", .", "frame", "frame: one back or forward", 58, KEYS_REPLAY, action_frame,
     IS_REPLAY},
    {KEYS('<', '>'), "< >", "move", "move: a twentieth back or forward", 56, KEYS_REPLAY,
     action_scrub, IS_REPLAY},
    {KEYS('[', ']'), "[ ]", "chapter", "chapter: previous or next", 54, KEYS_REPLAY, action_chapter,
     IS_REPLAY},
    {KEYS('L'), "L", "end tour", NULL, 91, KEYS_RUN, action_tour, IN_TOUR},
    {KEYS('L'), "L", "tour", "tour: begin or end it", 0, KEYS_FIRST, action_tour, ALWAYS},
    {KEYS('x'), "x", "picture", "picture: save the screen", 0, KEYS_PROGRAM, action_picture,
     ALWAYS},
    {KEYS('R'), "R", "record", "record: to a file, or end it", 0, KEYS_PROGRAM, action_record,
     IS_LIVE},
    {KEYS('w'), "w", "appearance", "appearance: save as default", 0, KEYS_PROGRAM, action_save,
     ALWAYS},
    {KEYS('W'), "W", "output", "output: of the solver's process", 0, KEYS_PROGRAM, action_words,
     IS_LIVE},
    {KEYS(CTRL_L), "Ctrl-L", "redraw", "redraw: the whole screen", 0, KEYS_PROGRAM, action_redraw,
     ALWAYS},
    {KEYS(':'), ":", "find", "find: any of all keys, by name", 0, KEYS_FIRST, action_find, ALWAYS},
    {KEYS('?', TERMINAL_F1, 'h'), "?", "help", "this help: also h and F1", 92, KEYS_FIRST,
     action_help, ALWAYS},
    {KEYS('q'), "q", "quit", "quit", 93, KEYS_FIRST, action_quit, ALWAYS},
};

enum { BINDINGS = sizeof keymap / sizeof *keymap };

static bool has_key(const struct binding *binding, int key) {
    for (const int *k = binding->keys; *k; k++)
        if (*k == key)
            return true;
    return false;
}

static const struct binding *find_binding(int key, const bool now[CONDITIONS]) {
    for (const struct binding *binding = keymap; binding < keymap + BINDINGS; binding++)
        if (has_key(binding, key) && now[binding->when])
            return binding;
    return NULL;
}

/* The reason why the key has no effect now: "grid: not in a replay …". */
static void show_reason(struct app *app, const bool now[CONDITIONS], int key) {
    for (const struct binding *binding = keymap; binding < keymap + BINDINGS; binding++) {
        int r = 0;
        while (r < REASONS && reasons[r].when != binding->when)
            r++;
        if (r == REASONS || !has_key(binding, key))
            continue;
        app_show_toast(app, "%s: %s", *binding->word ? binding->word : "arrows",
                       app->sample->state == SESSION_OPENING && r < OPENING_REASONS
                           ? "the run is opening"
                       : now[IS_LIVE] || r >= LIVE_REASONS ? reasons[r].otherwise
                       : now[LEAVES_RECORDING] ? "not in a recording: Esc goes back to the run"
                                               : "not in a replay: recordings are fixed");
        return;
    }
    if (key > ' ' && key <= '~')
        app_show_toast(app, "%c has no function: ? lists all keys", key);
}

void keymap_press(struct app *app, int key) {
    bool now[CONDITIONS];
    find_conditions(&app->screen, now);
    const struct binding *binding = find_binding(key, now);
    if (binding)
        binding->act(app, key);
    else
        show_reason(app, now, key);
}

/* ---- the palette ----------------------------------------------------------------------------- */

/* Adds the row's actions whose text has the words; the label names a key per word, but digits are
 * panels. */
static void list_row(const struct binding *binding, const bool now[CONDITIONS], const char *words,
                     struct menu *menu) {
    const char *help = binding->help ? binding->help : binding->word, *label = binding->label;
    const int name = (int)strcspn(help, ":");
    for (const int *key = binding->keys; *key && *label; key++) {
        const struct binding *does = find_binding(*key, now);
        const struct panel *panel = *key >= '0' && *key <= '9' ? panel_of_key(*key) : NULL;
        const int length = (int)strcspn(label, " ");
        struct menu_item item = {.key = *key};
        format_text(item.label, sizeof item.label, "%.*s", panel ? 80 : name,
                    panel ? panel->title : help);
        format_text(item.note, sizeof item.note, "%s",
                    panel ? "panel: full screen" : help + name + strspn(help + name, ": "));
        format_text(item.key_label, sizeof item.key_label, "%.*s", length, label);
        if (panel)
            format_text(item.key_label, sizeof item.key_label, "%c", *key);
        label += panel ? 0 : length + (label[length] == ' ');
        if ((does == binding || (key > binding->keys && does && does->act == binding->act)) &&
            text_has_words(PRINT("%s %s", item.label, item.note), words))
            menu->items[menu->count++] = item;
    }
}

/* Arrows are left out: they are pressed repeatedly. */
void keymap_list(const struct screen *screen, const char *words, struct menu *menu) {
    bool now[CONDITIONS];
    find_conditions(screen, now);
    menu->count = 0;
    for (const struct binding *binding = keymap; binding < keymap + BINDINGS; binding++)
        if ((binding->help || *binding->word) && binding->act != action_find &&
            (*binding->keys < TERMINAL_UP || *binding->keys > TERMINAL_RIGHT))
            list_row(binding, now, words, menu);
    if (menu->count == 0) {
        menu->items[menu->count++] = (struct menu_item){0};
        error_set(&menu->items[0].error, STATUS_BAD_INPUT, "no key does that now");
    }
}

static void list_typed(struct app *app) {
    keymap_list(&app->screen, app->menu.typed, &app->menu.shown);
    snprintf(app->menu.prompt, sizeof app->menu.prompt, "Find by name: %s_", app->menu.typed);
}

static void press_chosen(struct app *app, int row) {
    app_key(app, app->menu.shown.items[row].key);
}

void action_find(struct app *app, int key) {
    menu_begin(app, app->menu.prompt, press_chosen);
    app->menu.shown.is_searched = true;
    app->menu.typed_into = list_typed;
    list_typed(app);
    menu_open(app);
}

/* ---- footer and help ------------------------------------------------------------------------- */

/* Keys of an overlay. */
static const struct key_hint overlay_hints[][3] = {
    [OVERLAY_HELP] = {{.key = TERMINAL_ESCAPE, .label = "any key", .words = "back"},
                      {.key = 'q', .label = "q", .words = "quit"}},
    [OVERLAY_MENU] = {{.key = TERMINAL_UP, .label = "↑ ↓", .words = "choose"},
                      {.key = TERMINAL_ENTER, .label = "Enter", .words = "select"},
                      {.key = TERMINAL_ESCAPE, .label = "Esc", .words = "back"}},
    [OVERLAY_TITLE] = {{.key = ' ', .label = "any key", .words = "start now"},
                       {.key = 'L', .label = "L", .words = "tour"},
                       {.key = '?', .label = "?", .words = "all keys"}},
};

int keymap_hints(const struct screen *screen, struct key_hint hints[KEY_HINTS_MAX]) {
    const enum overlay overlay = screen->state->overlay;
    const bool is_read = overlay == OVERLAY_MENU && screen->menu && screen->menu->is_read;
    int count = 0;
    bool now[CONDITIONS];
    find_conditions(screen, now);
    for (int h = 0; overlay != OVERLAY_NONE && h < 3 && overlay_hints[overlay][h].label; h++) {
        if (is_read && overlay_hints[overlay][h].key == TERMINAL_ENTER)
            continue;
        hints[count] = overlay_hints[overlay][h];
        hints[count++].importance = 100;
    }
    for (const struct binding *binding = keymap; binding < keymap + BINDINGS; binding++) {
        const bool applies = find_binding(*binding->keys, now) == binding;
        struct key_hint *hint = &hints[count++];
        *hint = (struct key_hint){.key = *binding->keys,
                                  .label = binding->label,
                                  .help = binding->help,
                                  .group = binding->group,
                                  .importance =
                                      applies && overlay == OVERLAY_NONE ? binding->importance : 0};
        if (applies)
            describe(screen, now, hint->key, binding->word, hint->words, sizeof hint->words);
        else
            snprintf(hint->words, sizeof hint->words, "%s", binding->word);
    }
    /* Arrows become "^ v", which a screen reader would read as other keys. */
    for (int h = 0; h < count && for_screen_reader(screen); h++)
        if (hints[h].key >= TERMINAL_UP && hints[h].key <= TERMINAL_RIGHT)
            hints[h].label = "arrows";
    return count;
}

_Static_assert(BINDINGS + 3 <= KEY_HINTS_MAX, "every binding has a hint");
_Static_assert(BINDINGS + 12 <= MENU_ROWS_MAX, "the palette has a row for each, and for digits");
