#include "ui/app/keymap.h"

#include <stdio.h>

#include "ui/app/actions.h"
#include "ui/terminal/terminal.h"

enum { CTRL_L = 'L' - '@' };

const struct binding keymap[] = {
    {TERMINAL_ENTER, 0, "Enter", "answer", "answer: to the question asked", action_answer, 99,
     KEYS_LESSON, takes_digits, NULL},
    {TERMINAL_BACKSPACE, 0, "Backspace", "", NULL, action_answer_erase, 0, KEYS_RUN, is_typed,
     NULL},
    {TERMINAL_ESCAPE, 0, "Esc", "clear", NULL, action_answer_erase, 94, KEYS_RUN, is_typed, NULL},
    {' ', TERMINAL_PAGE_DOWN, "space", "next", NULL, action_scene_next, 98, KEYS_RUN, in_tour,
     describe_scene_next},
    {TERMINAL_PAGE_UP, 0, "PgUp", "scene before", "scene before: PgDn or space, the next",
     action_scene_back, 97, KEYS_LESSON, in_tour, NULL},
    {' ', 0, "space", "pause", "pause, go on", action_pause, 90, KEYS_RUN, can_pause,
     describe_pause},
    {' ', 0, "space", "", NULL, action_pause, 0, KEYS_RUN, out_of_tour, NULL},
    {'s', 0, "s", "step", "one iteration", action_step, 60, KEYS_RUN, goes_on, NULL},
    {'E', 0, "E", "edit", "edit: its kernels, in your editor", action_edit, 96, KEYS_EXERCISE,
     in_exercise, NULL},
    {TERMINAL_ENTER, 0, "Enter", "log", "log: all that the compiler said", action_log, 87,
     KEYS_EXERCISE, in_exercise, NULL},
    {'H', 0, "H", "hint", "hint: show it, and the text again", action_hint, 88, KEYS_EXERCISE,
     has_hint, NULL},
    {TERMINAL_PAGE_UP, 0, "PgUp", "", NULL, action_exercise_scroll, 0, KEYS_RUN, in_exercise, NULL},
    {TERMINAL_PAGE_DOWN, 0, "PgDn", "", NULL, action_exercise_scroll, 0, KEYS_RUN, in_exercise,
     NULL},
    {'s', '.', "s", "step", NULL, action_frame, 60, KEYS_RUN, is_replay, NULL},
    {'+', '=', "+", "faster", NULL, action_rate, 0, KEYS_RUN, is_replay, NULL},
    {'-', '_', "-", "speed", NULL, action_rate, 57, KEYS_RUN, is_replay, describe_rate},
    {'+', '=', "+ -", "faster", "faster, slower: slow motion to flat out", action_faster, 0,
     KEYS_RUN, is_live, NULL},
    {'-', '_', "-", "slower", NULL, action_slower, 0, KEYS_RUN, is_live, describe_speed},
    {'m', 0, "m", "mapping", "mapping: structured or unstructured", action_mapping, 85, KEYS_CHOOSE,
     mapping_matters, describe_mapping},
    {'m', 0, "m", "mapping", NULL, action_recorded_mapping, 85, KEYS_RUN, has_recorded_mapping,
     describe_mapping},
    {'u', 0, "u", "mappings", "all mappings: and which can't run here", action_menu_mapping, 0,
     KEYS_CHOOSE, mapping_matters, NULL},
    {'b', 0, "b", "back end", "back end: what computes", action_menu_backend, 80, KEYS_CHOOSE,
     is_live, NULL},
    {'g', 0, "g", "grid", "grid: the number of unknowns", action_menu_grid, 70, KEYS_CHOOSE,
     is_live, NULL},
    {'k', 0, "k", "schedule", "schedule: classic, fused, blocked, plain", action_menu_schedule, 50,
     KEYS_CHOOSE, is_live, NULL},
    {'D', 0, "D", "method", "method: Jacobi, Chebyshev, SOR, multigrid", action_menu_method, 26,
     KEYS_CHOOSE, is_live, NULL},
    {'d', 0, "d", "damping", "damping: whole steps, or 0.8 of them", action_damping, 28,
     KEYS_CHOOSE, can_damp, describe_damping},
    {'o', 0, "o", "problem", "problem: what is solved", action_menu_problem, 40, KEYS_CHOOSE,
     is_live, NULL},
    {'p', 0, "p", "preset", "preset: a prepared run, or a lesson", action_menu_preset, 55,
     KEYS_CHOOSE, is_live, NULL},
    {'r', 0, "r", "restart", NULL, action_restart, 89, KEYS_RUN, has_ended, NULL},
    {'r', 0, "r", "restart", "restart: from the initial guess", action_restart, 30, KEYS_RUN, NULL,
     NULL},
    {'S', 0, "S", "state", "state: all of it in one sentence", action_state, 0, KEYS_RUN, NULL,
     NULL},
    {'1', 0, "0-9", "panels", "one panel: full screen, and back", action_panel, 65, KEYS_PANELS,
     takes_no_digits, NULL},
    {'2', 0, "2", "", NULL, action_panel, 0, KEYS_RUN, NULL, NULL},
    {'3', 0, "3", "", NULL, action_panel, 0, KEYS_RUN, NULL, NULL},
    {'4', 0, "4", "", NULL, action_panel, 0, KEYS_RUN, NULL, NULL},
    {'5', 0, "5", "", NULL, action_panel, 0, KEYS_RUN, NULL, NULL},
    {'6', 0, "6", "", NULL, action_panel, 0, KEYS_RUN, NULL, NULL},
    {'9', 0, "9", "", NULL, action_panel, 0, KEYS_RUN, NULL, NULL},
    {'c', 0, "c", "compare", "compare: two to four runs side by side", action_menu_compare, 68,
     KEYS_CHOOSE, is_live, NULL},
    {'T', 0, "T", "race", "race: same iterations, or same time", action_race, 78, KEYS_RUN,
     can_race, describe_race},
    {'t', 0, "t", "timeline", "timeline: one iteration to true scale", action_panel, 45,
     KEYS_PANELS, NULL, NULL},
    {'f', 0, "f", "roofline", "roofline: how close to the device's best", action_panel, 44,
     KEYS_PANELS, NULL, NULL},
    {'B', 0, "B", "block sizes", "block sizes: an iteration's time with each", action_panel, 0,
     KEYS_PANELS, NULL, NULL},
    {'e', 0, "e", "data", "explain: data that move, then our source", action_explain, 58,
     KEYS_PANELS, NULL, describe_explain},
    {',', '.', ", .", "step", "step: through the data that move", action_motion_step, 89,
     KEYS_PANELS, shows_motion, NULL},
    {'P', 0, "P", "costs", "costs: in big digits, for the last row", action_costs, 79, KEYS_PANELS,
     is_comparison, describe_costs},
    {'P', 0, "P", "", NULL, action_costs, 0, KEYS_RUN, NULL, NULL},
    {'v', 0, "v", "verdict", "verdict: who is faster, and why", action_panel, 43, KEYS_PANELS,
     is_comparison, NULL},
    {'0', 0, "0", "levels", NULL, action_panel, 64, KEYS_RUN, has_levels, NULL},
    {'0', 0, "0", "", NULL, action_panel, 0, KEYS_RUN, NULL, NULL},
    {'7', 0, "7 8", "mesh", "mesh, effort: the nodes; what porting took", action_panel, 0,
     KEYS_PANELS, NULL, NULL},
    {'8', 0, "8", "effort", NULL, action_panel, 0, KEYS_RUN, NULL, NULL},
    {'l', 0, "l", "log", "colour scale: linear or logarithmic", action_scale, 35, KEYS_PICTURE,
     NULL, describe_scale},
    {'i', 0, "i", "field", "field: U, |RES|, sign of RES, or the error", action_field_kind, 27,
     KEYS_PICTURE, is_live, describe_field_kind},
    {'n', 0, "n", "residual", "residual: by which measure", action_measure, 0, KEYS_PICTURE, NULL,
     NULL},
    {'N', 0, "N", "axis", "residual over: iterations, work or time", action_axis, 0, KEYS_PICTURE,
     NULL, NULL},
    {'M', 0, "M", "colours", "colour map: viridis, magma, cividis", action_colormap, 0,
     KEYS_PICTURE, NULL, NULL},
    {'C', 0, "C", "lines", "contour lines: of equal value", action_contours, 0, KEYS_PICTURE, NULL,
     NULL},
    {'z', 0, "z", "zoom", "zoom: the field's corner, and out again", action_zoom, 20, KEYS_PICTURE,
     NULL, NULL},
    {TERMINAL_LEFT, 0, "← →", "segment", "segment: of the timeline", action_timeline_select, 97,
     KEYS_PANELS, is_timeline_full, NULL},
    {TERMINAL_RIGHT, 0, "→", "", NULL, action_timeline_select, 0, KEYS_RUN, is_timeline_full, NULL},
    {TERMINAL_UP, 0, "↑ ↓", "zoom", "zoom: in the timeline", action_timeline_zoom, 96, KEYS_PANELS,
     is_timeline_full, NULL},
    {TERMINAL_DOWN, 0, "↓", "", NULL, action_timeline_zoom, 0, KEYS_RUN, is_timeline_full, NULL},
    {TERMINAL_LEFT, 0, "← →", "lane", NULL, action_costs_lane, 76, KEYS_RUN, can_choose_lane, NULL},
    {TERMINAL_RIGHT, 0, "→", "", NULL, action_costs_lane, 0, KEYS_RUN, can_choose_lane, NULL},
    {TERMINAL_LEFT, 0, "← → ↑ ↓", "", "move: the zoomed part of the field", action_pan, 0,
     KEYS_PICTURE, is_zoomed, NULL},
    {TERMINAL_RIGHT, 0, "→", "", NULL, action_pan, 0, KEYS_RUN, is_zoomed, NULL},
    {TERMINAL_UP, 0, "↑", "", NULL, action_pan, 0, KEYS_RUN, is_zoomed, NULL},
    {TERMINAL_DOWN, 0, "↓", "", NULL, action_pan, 0, KEYS_RUN, is_zoomed, NULL},
    {TERMINAL_ESCAPE, 0, "Esc", "dismiss", "back: one level", action_back, 95, KEYS_PANELS,
     has_message, NULL},
    {TERMINAL_ESCAPE, 0, "Esc", "all panels", NULL, action_back, 75, KEYS_RUN, is_full, NULL},
    {TERMINAL_ESCAPE, 0, "Esc", "whole field", NULL, action_back, 75, KEYS_RUN, is_zoomed, NULL},
    {TERMINAL_ESCAPE, 0, "Esc", "leave the recording", NULL, action_back, 91, KEYS_RUN,
     leaves_recording, NULL},
    {TERMINAL_ESCAPE, 0, "Esc", "one run", NULL, action_back, 75, KEYS_RUN, leaves_comparison,
     NULL},
    {TERMINAL_ESCAPE, 0, "Esc", "", NULL, action_back, 0, KEYS_RUN, NULL, NULL},
    {',', 0, ", .", "frame", "frame: one back, or forward", action_frame, 58, KEYS_REPLAY,
     is_replay, NULL},
    {'<', '>', "< >", "move", "move: a twentieth back, or forward", action_scrub, 56, KEYS_REPLAY,
     is_replay, NULL},
    {'[', ']', "[ ]", "chapter", "chapter: the one before, or the next", action_chapter, 54,
     KEYS_REPLAY, is_replay, NULL},
    {'L', 0, "L", "end lesson", NULL, action_tour, 91, KEYS_RUN, in_tour, NULL},
    {'L', 0, "L", "lesson", "lesson: begin or end it", action_tour, 0, KEYS_LESSON, NULL, NULL},
    {'x', 0, "x", "picture", "picture: save the screen", action_picture, 0, KEYS_PROGRAM, NULL,
     NULL},
    {'R', 0, "R", "record", "record: to a file, or end it", action_record, 0, KEYS_PROGRAM, is_live,
     describe_record},
    {'w', 0, "w", "save look", "save the look: colours, theme, scale", action_save, 0, KEYS_PROGRAM,
     NULL, NULL},
    {'W', 0, "W", "words", "words: what the solver's process said", action_words, 0, KEYS_PROGRAM,
     is_live, NULL},
    {CTRL_L, 0, "Ctrl-L", "redraw", "redraw: the whole screen", action_redraw, 0, KEYS_PROGRAM,
     NULL, NULL},
    {'?', TERMINAL_F1, "?", "help", "this help: also h and F1", action_help, 92, KEYS_PROGRAM, NULL,
     NULL},
    {'h', 0, "h", "", NULL, action_help, 0, KEYS_RUN, NULL, NULL},
    {'q', 0, "q", "quit", "quit", action_quit, 93, KEYS_PROGRAM, NULL, NULL},
    {0},
};

const struct binding *keymap_find(int key, const struct screen *screen) {
    for (const struct binding *binding = keymap; binding->label; binding++)
        if ((binding->key == key || (binding->alternative && binding->alternative == key)) &&
            (!binding->applies || binding->applies(screen)))
            return binding;
    return NULL;
}

/* What keys do while something lies over the panels, which take none then. */
static const struct key_hint overlay_hints[][3] = {
    [OVERLAY_HELP] = {{.key = TERMINAL_ESCAPE, .label = "any key", .words = "back"},
                      {.key = 'q', .label = "q", .words = "quit"}},
    [OVERLAY_MENU] = {{.key = TERMINAL_UP, .label = "↑ ↓", .words = "choose"},
                      {.key = TERMINAL_ENTER, .label = "Enter", .words = "take"},
                      {.key = TERMINAL_ESCAPE, .label = "Esc", .words = "back"}},
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
    for (const struct binding *binding = keymap; binding->label && count < KEY_HINTS_MAX;
         binding++) {
        const bool applies = keymap_find(binding->key, screen) == binding;
        struct key_hint *hint = &hints[count++];
        *hint = (struct key_hint){.key = binding->key,
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
    for (int h = 0; h < count && screen_is_linear(screen); h++)
        if (hints[h].key >= TERMINAL_UP && hints[h].key <= TERMINAL_RIGHT)
            hints[h].label = "arrows";
    return count;
}

bool keymap_reason(int key, const struct screen *screen, char *text, size_t size) {
    static const struct {
        bool (*applies)(const struct screen *screen);
        const char *otherwise; /* why not, if it is not for the replay */
    } reasons[] = {
        {is_live, ""},
        {goes_on, "the run has ended: r starts it anew"},
        {mapping_matters, "only omp and hip map arrays, and only a run alone can change it"},
        {can_damp, "only a run alone can change it"},
        {can_race, "there is only one lane"},
        {is_comparison, "there is only one lane"},
        {is_replay, "only a replay has it"},
        {in_tour, "only in a lesson: L begins one"},
        {in_exercise, "only in an exercise: --exercise begins one"},
        {has_hint, "only in an exercise that has one"},
        {is_zoomed, "z zooms the field, t opens the timeline"},
    };
    for (const struct binding *binding = keymap; binding->label; binding++) {
        if (binding->key != key && (!binding->alternative || binding->alternative != key))
            continue;
        for (size_t r = 0; r < sizeof reasons / sizeof *reasons; r++)
            if (reasons[r].applies == binding->applies) {
                const bool is_live_only = is_replay(screen) && r < 4;
                const char *word = *binding->word ? binding->word : "arrows";
                snprintf(text, size, "%s: %s", word,
                         !is_live_only              ? reasons[r].otherwise
                         : leaves_recording(screen) ? "not in a recording: Esc goes back to the run"
                                                    : "not in a replay: what was recorded stays");
                return true;
            }
    }
    return false;
}
