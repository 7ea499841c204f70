#include "ui/app/keymap.h"

#include <stdio.h>

#include "ui/app/actions.h"
#include "ui/terminal/terminal.h"

enum { CTRL_L = 'L' - '@' };

const struct binding keymap[] = {
    {TERMINAL_ENTER, 0, "Enter", "answer", NULL, action_answer, 99, takes_digits, NULL},
    {TERMINAL_BACKSPACE, 0, "Backspace", "", NULL, action_answer_erase, 0, is_typed, NULL},
    {TERMINAL_ESCAPE, 0, "Esc", "clear", NULL, action_answer_erase, 94, is_typed, NULL},
    {' ', TERMINAL_PAGE_DOWN, "space", "next", NULL, action_scene_next, 98, in_tour,
     describe_scene_next},
    {TERMINAL_PAGE_UP, 0, "PgUp", "scene before",
     "PgDn, PgUp: a lesson's next scene, the one before; Enter: answer", action_scene_back, 97,
     in_tour, NULL},
    {' ', 0, "space", "pause", "pause or continue", action_pause, 90, can_pause, describe_pause},
    {' ', 0, "space", "", NULL, action_pause, 0, out_of_tour, NULL},
    {'s', '.', "s", "step", NULL, action_frame, 60, is_replay, NULL},
    {'+', '=', "+", "faster", NULL, action_rate, 0, is_replay, NULL},
    {'-', '_', "-", "speed", NULL, action_rate, 57, is_replay, describe_rate},
    {'s', 0, "s", "step", "one iteration", action_step, 60, is_live, NULL},
    {'+', '=', "+", "faster", "more iterations per second, up to flat out; a replay: faster",
     action_faster, 0, is_live, NULL},
    {'-', '_', "-", "slower", "fewer iterations per second: slow motion; a replay: slower",
     action_slower, 0, is_live, describe_speed},
    {'m', 0, "m", "mapping", "mapping: structured or unstructured", action_mapping, 85,
     mapping_matters, describe_mapping},
    {'u', 0, "u", "mappings", "all mappings, and why some can't run here", action_menu_mapping, 0,
     mapping_matters, NULL},
    {'b', 0, "b", "back end", "back end: what can run here, and why the rest can't",
     action_menu_backend, 80, is_live, NULL},
    {'g', 0, "g", "grid", "grid: the number of unknowns", action_menu_grid, 70, is_live, NULL},
    {'k', 0, "k", "schedule", "schedule: classic, fused, blocked, plain", action_menu_schedule, 50,
     is_live, NULL},
    {'d', 0, "d", "damping", "damping: whole steps, or 0.8 of them as a smoother takes",
     action_damping, 28, can_damp, describe_damping},
    {'o', 0, "o", "problem", "problem", action_menu_problem, 40, is_live, NULL},
    {'p', 0, "p", "preset", "preset: a prepared run, or a tour", action_menu_preset, 55, is_live,
     NULL},
    {'r', 0, "r", "restart", NULL, action_restart, 89, has_ended, NULL},
    {'r', 0, "r", "restart", "restart from the initial guess", action_restart, 30, NULL, NULL},
    {'1', 0, "1-6", "panels", "one panel full screen, again to go back", action_panel, 65,
     takes_no_digits, NULL},
    {'2', 0, "2", "", NULL, action_panel, 0, NULL, NULL},
    {'3', 0, "3", "", NULL, action_panel, 0, NULL, NULL},
    {'4', 0, "4", "", NULL, action_panel, 0, NULL, NULL},
    {'5', 0, "5", "", NULL, action_panel, 0, NULL, NULL},
    {'6', 0, "6", "", NULL, action_panel, 0, NULL, NULL},
    {'c', 0, "c", "compare", "compare: two to four runs side by side", action_menu_compare, 68,
     is_live, NULL},
    {'T', 0, "T", "race", "race: the same iterations, or the same time, for all lanes", action_race,
     78, can_race, describe_race},
    {'t', 0, "t", "timeline", "timeline: the median iteration to true scale", action_panel, 45,
     NULL, NULL},
    {'f', 0, "f", "roofline", "roofline: how close kernels come to what the device can do",
     action_panel, 44, NULL, NULL},
    {'e', 0, "e", "explain", "explain: the directive or launch that runs now, in our own source",
     action_panel, 58, NULL, NULL},
    {'P', 0, "P", "costs", "costs in big digits and bars, for the last row; or the pictures again",
     action_costs, 79, is_comparison, describe_costs},
    {'P', 0, "P", "", NULL, action_costs, 0, NULL, NULL},
    {'v', 0, "v", "verdict", "verdict: who is faster, by how much, and why", action_panel, 43,
     is_comparison, NULL},
    {'7', 0, "7", "mesh", "mesh: nodes, unknowns and walls, as in the blog's figure 1",
     action_panel, 0, NULL, NULL},
    {'8', 0, "8", "effort", "effort: what serial, OpenMP and HIP took, in lines and calls",
     action_panel, 0, NULL, NULL},
    {'l', 0, "l", "log", "colour scale: linear or logarithmic", action_scale, 35, NULL,
     describe_scale},
    {'i', 0, "i", "field", "field: U, |RES|, the sign of RES, or the error if it is known",
     action_quantity, 27, is_live, describe_quantity},
    {'n', 0, "n", "residual", "residual: the blog's, the RMS, or relative to the start",
     action_measure, 0, NULL, NULL},
    {'M', 0, "M", "colours", "colour map: viridis, magma, cividis", action_colormap, 0, NULL, NULL},
    {'C', 0, "C", "lines",
     "lines of equal value on the field: round steps, or decades on a log scale", action_contours,
     0, NULL, NULL},
    {'z', 0, "z", "zoom", "zoom in on the corner of the field, and out again", action_zoom, 20,
     NULL, NULL},
    {TERMINAL_LEFT, 0, "← →", "segment", "in the timeline: name the next segment (or click it)",
     action_timeline_select, 97, is_timeline_full, NULL},
    {TERMINAL_RIGHT, 0, "→", "", NULL, action_timeline_select, 0, is_timeline_full, NULL},
    {TERMINAL_UP, 0, "↑ ↓", "zoom", "in the timeline: zoom in and out, down to 8 iterations",
     action_timeline_zoom, 96, is_timeline_full, NULL},
    {TERMINAL_DOWN, 0, "↓", "", NULL, action_timeline_zoom, 0, is_timeline_full, NULL},
    {TERMINAL_LEFT, 0, "← → ↑ ↓", "", "move the zoomed part of the field", action_pan, 0, is_zoomed,
     NULL},
    {TERMINAL_RIGHT, 0, "→", "", NULL, action_pan, 0, is_zoomed, NULL},
    {TERMINAL_UP, 0, "↑", "", NULL, action_pan, 0, is_zoomed, NULL},
    {TERMINAL_DOWN, 0, "↓", "", NULL, action_pan, 0, is_zoomed, NULL},
    {TERMINAL_ESCAPE, 0, "Esc", "dismiss", "dismiss the message; back to all panels", action_back,
     95, has_message, NULL},
    {TERMINAL_ESCAPE, 0, "Esc", "all panels", NULL, action_back, 75, is_full, NULL},
    {',', 0, ", .", "frame", "in a replay: one frame back (s or . for one forward)", action_frame,
     58, is_replay, NULL},
    {'<', '>', "< >", "move", "in a replay: a twentieth of it back or forward", action_scrub, 56,
     is_replay, NULL},
    {'[', ']', "[ ]", "chapter", "in a replay: the chapter before, or the next", action_chapter, 54,
     is_replay, NULL},
    {'L', 0, "L", "tour", "the guided tour: begin or end it", action_tour, 0, NULL, NULL},
    {'x', 0, "x", "picture", "save the screen as a picture: SVG, PNG, ANSI or text", action_picture,
     0, NULL, NULL},
    {'R', 0, "R", "record", "record to a file, or end the recording", action_record, 0, is_live,
     describe_record},
    {'w', 0, "w", "save look", "save the look: colours, theme, scale, layout", action_save, 0, NULL,
     NULL},
    {'W', 0, "W", "words", "what the solver's process has said: its last lines", action_words, 0,
     is_live, NULL},
    {CTRL_L, 0, "Ctrl-L", "redraw", "redraw the whole screen", action_redraw, 0, NULL, NULL},
    {'?', TERMINAL_F1, "?", "help", "this help, also F1", action_help, 92, NULL, NULL},
    {'q', 0, "q", "quit", "quit", action_quit, 93, NULL, NULL},
    {0},
};

const struct binding *keymap_find(int key, const struct screen *screen) {
    for (const struct binding *binding = keymap; binding->label; binding++)
        if ((binding->key == key || (binding->alternative && binding->alternative == key)) &&
            (!binding->applies || binding->applies(screen)))
            return binding;
    return NULL;
}

int keymap_hints(const struct screen *screen, struct key_hint hints[KEY_HINTS_MAX]) {
    int count = 0;
    for (const struct binding *binding = keymap; binding->label && count < KEY_HINTS_MAX;
         binding++) {
        const bool applies = !binding->applies || binding->applies(screen);
        struct key_hint *hint = &hints[count++];
        *hint = (struct key_hint){.key = binding->key,
                                  .label = binding->label,
                                  .help = binding->help,
                                  .importance = applies ? binding->importance : 0};
        if (applies && binding->describe)
            binding->describe(screen, hint->words, sizeof hint->words);
        else
            snprintf(hint->words, sizeof hint->words, "%s", binding->word);
    }
    return count;
}
