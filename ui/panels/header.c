/* The header: the state, the run and its device, and its cost. */
#include <math.h>
#include <string.h>

#include "core/format.h"
#include "metrics/costs.h"
#include "metrics/scaling.h"
#include "ui/panels/view.h"

/* A piece of a sentence. If there is too little room, the least important are dropped first. */
struct piece {
    char text[SENTENCE_SIZE];
    int importance; /* 0: omitted */
    int style;
};

enum { PIECES = 12, SEPARATOR_COLS = 3, GAP_COLS = 4 };
enum { MAPPING = 96, STATE, REPLAY, TITLE }; /* levels of importance */

struct sentence {
    int count;
    struct piece pieces[PIECES];
};

static void add_piece(struct sentence *sentence, int importance, int style, const char *text) {
    struct piece *piece = &sentence->pieces[sentence->count++];
    *piece = (struct piece){.importance = importance, .style = style};
    format_text(piece->text, sizeof piece->text, "%s", text);
}

static int sentence_cols(const struct sentence *sentence) {
    int cols = 0;
    for (int p = 0; p < sentence->count; p++)
        if (sentence->pieces[p].importance)
            cols += grid_text_width(sentence->pieces[p].text) + (cols ? SEPARATOR_COLS : 0);
    return cols;
}

static void draw_pieces(struct area area, const struct sentence *sentence) {
    const int start = area.x;
    for (int p = 0; p < sentence->count; p++) {
        const struct piece *piece = &sentence->pieces[p];
        if (!piece->importance)
            continue;
        if (area.x > start)
            draw_next(&area, ROLE_DIM, " · ");
        draw_next(&area, piece->style, "%s", piece->text);
    }
}

/* How a run's arrays reach its device; several devices have only one way. */
static void describe_mapping(struct sentence *sentence, const struct lane_sample *lane) {
    const enum role role = lane->run.mapping == MAPPING_STRUCTURED ? ROLE_TO_DEVICE : ROLE_KERNEL;
    if (backend_maps(lane->run.backend))
        add_piece(sentence, lane->device_stats.count > 1 ? 45 : MAPPING, role | BOLD,
                  PRINT("%s mapping%s", mapping_names[lane->run.mapping],
                        lane->run.host_memory == HOST_PINNED ? ", pinned" : ""));
}

/* The run, its device, and its cost. */
static void describe_lane(struct sentence *sentence, const struct screen *screen) {
    const struct sample *sample = screen->sample;
    const struct lane_sample *lane = &sample->lanes[0];
    const bool covered = screen->scene && lesson_hides(screen->scene->lesson, timing_panel.name);
    const bool is_ours = screen->exercise && !*screen->exercise->news->good;
    add_piece(sentence, TITLE, (is_ours ? ROLE_WARN : ROLE_TITLE) | BOLD,
              PRINT("%s%s", is_ours ? "ours: " : "", lane->title));
    if (*lane->fallback_from)
        add_piece(sentence, 85, ROLE_WARN | BOLD, PRINT("instead of %s", lane->fallback_from));
    describe_mapping(sentence, lane);
    if (lane->run.schedule.kind != SCHEDULE_CLASSIC)
        add_piece(sentence, 70, ROLE_TEXT, AS(schedule_print, lane->run.schedule));
    /* The panel of block sizes lists all depths. */
    const char *tried = lane->depths_tried
                            ? PRINT("tried %d to %d", __builtin_ctzll(lane->depths_tried),
                                    63 - __builtin_clzll(lane->depths_tried))
                            : AS(format_tried, lane);
    if (*tried)
        add_piece(sentence, 30, ROLE_DIM, tried);
    if (lane->run.precision != PRECISION_DOUBLE)
        add_piece(sentence, 94, ROLE_TITLE | BOLD,
                  PRINT("%s precision", precision_names[lane->run.precision]));
    if (lane->run.method != METHOD_JACOBI)
        add_piece(sentence, 92, ROLE_TITLE | BOLD, AS(format_method, lane));
    if (!lane_has_default_omega(lane))
        add_piece(sentence, 75, ROLE_WARN | BOLD, AS(format_omega, lane->run.omega));
    add_piece(sentence, 60, ROLE_TEXT, lane->device);
    if (lane->device_stats.count > 1)
        add_piece(sentence, 58, ROLE_TEXT, AS(scaling_spread, lane));
    add_piece(sentence, 80, ROLE_TEXT, AS(format_grid, sample->nx, sample->ny));
    const struct costs costs = costs_of_run(sample, 0);
    add_piece(sentence, 95, ROLE_VALUE | BOLD,
              covered ? "?/iteration" : AS(format_iteration, &costs, "/iteration"));
}

/* The run's source, whether it is a replay or recorded, and its progress. */
static void describe_run(struct sentence *sentence, const struct screen *screen) {
    const struct sample *sample = screen->sample;
    /* The first lane that still runs, else the first, represents the progress of all. */
    const struct lane_sample *leading = sample->lane_count > 0 ? &sample->lanes[0] : NULL;
    for (int l = sample->lane_count - 1; l >= 0; l--)
        if (sample->lanes[l].state == LANE_RUNNING)
            leading = &sample->lanes[l];
    const char *replays = AS(format_replays, sample);
    if (*replays)
        add_piece(sentence, REPLAY, ROLE_WARN | BOLD | REVERSE, replays);
    if (*sample->remote_command) {
        /* Omits the program's path at the end of the command. */
        const char *last = strrchr(sample->remote_command, ' ');
        const int shown =
            last && strstr(last, "/jacobi-tui") ? (int)(last - sample->remote_command) : 60;
        add_piece(sentence, 65, ROLE_TEXT,
                  PRINT("on %.*s", min_int(shown, 60), sample->remote_command));
    }
    if (screen->state->recording && !*sample->playback.label) /* only live samples are recorded */
        add_piece(sentence, 96, ROLE_BAD | BOLD, "● rec");
    /* A replay's sample has the recorded run's. */
    const char *preset = *sample->playback.label ? screen->config->plan.preset : sample->preset;
    if (*preset && !screen->scene)
        add_piece(sentence, 40, ROLE_TEXT, PRINT("preset %.64s", preset));
    add_piece(sentence, 50, ROLE_TEXT, sample->problem);
    add_piece(sentence, 20, ROLE_TEXT, format_precision(sample));
    char state[96];
    format_state(state, sizeof state, sample, leading);
    const struct forecast *forecast =
        leading && screen->forecasts ? &screen->forecasts[leading - sample->lanes] : NULL;
    char *limit = strstr(state, " of ");
    if (forecast && forecast->theory == THEORY_EXACT && leading->state == LANE_RUNNING && limit &&
        forecast->iterations < (double)leading->iteration_limit)
        format_text(limit, sizeof state - (size_t)(limit - state), " of ≈ %s",
                    AS(format_count, lround(forecast->iterations)));
    add_piece(sentence, STATE, ROLE_TITLE | BOLD, state);
    if (leading && leading->state == LANE_CONVERGED)
        add_piece(sentence, 35, ROLE_TITLE, PRINT("by %s", measure_titles[leading->measure]));
}

/* Shortens a recording's long machine name, so that the run's state remains visible. */
static void shorten_replay(const struct sentence *left, struct sentence *right, int room) {
    static const char begins[] = "replay: ";
    struct piece *replay = NULL;
    for (int p = 0; p < right->count; p++)
        if (right->pieces[p].importance == REPLAY)
            replay = &right->pieces[p];
        else if (right->pieces[p].importance == STATE)
            room -= grid_text_width(right->pieces[p].text) + SEPARATOR_COLS;
    room++;
    for (int p = 0; p < left->count; p++)
        if (p == 0 || left->pieces[p].importance == MAPPING)
            room -= grid_text_width(left->pieces[p].text) + (p > 0 ? SEPARATOR_COLS : 2);
    char *date = replay ? strrchr(replay->text, ',') : NULL;
    if (!date || grid_text_width(replay->text) <= room + 1 ||
        strncmp(replay->text, begins, sizeof begins - 1) != 0)
        return;
    if (date - replay->text <= room + 1) {
        *date = '\0';
        return;
    }
    int over = grid_text_width(replay->text) - room;
    size_t length = (size_t)(date - replay->text);
    while (over > 0 && length > sizeof begins)
        over -= (replay->text[--length] & 0xc0) != 0x80; /* start of a glyph */
    format_text(replay->text, sizeof replay->text, "%s",
                over > 0 ? "replay" : PRINT("%.*s…%s", (int)length, replay->text, date));
}

void header_draw(struct area area, const struct screen *screen) {
    const struct sample *sample = screen->sample;
    struct sentence sentences[2] = {0}, *left = &sentences[0], *right = &sentences[1];
    if (area.rows < 1)
        return;
    if (sample->lane_count == 1) {
        describe_lane(left, screen);
    } else if (sample->lane_count > 1) {
        add_piece(left, TITLE, ROLE_TITLE | BOLD, PRINT("Comparing %d runs", sample->lane_count));
        const struct lane_sample *first = &sample->lanes[0];
        bool same = true, same_device = !*first->recorded;
        for (int l = 1; l < sample->lane_count; l++) {
            same &= sample->lanes[l].run.mapping == first->run.mapping;
            same_device &=
                !*sample->lanes[l].recorded && strcmp(sample->lanes[l].device, first->device) == 0;
        }
        if (same)
            describe_mapping(left, first);
        add_piece(left, 90, ROLE_TEXT, AS(format_race, sample));
        add_piece(left, 80, ROLE_TEXT, AS(format_grids, sample));
        if (same_device)
            add_piece(left, 45, ROLE_TEXT, first->device);
    } else {
        add_piece(left, TITLE, ROLE_TITLE | BOLD, "jacobi-tui");
    }
    describe_run(right, screen);
    shorten_replay(left, right, area.cols - GAP_COLS);
    while (sentence_cols(left) + sentence_cols(right) + GAP_COLS > area.cols) {
        struct piece *least = NULL;
        for (int s = 0; s < 2; s++)
            for (int p = 0; p < sentences[s].count; p++) {
                struct piece *piece = &sentences[s].pieces[p];
                if (piece->importance && (!least || piece->importance < least->importance))
                    least = piece;
            }
        if (!least)
            break;
        least->importance = 0;
    }
    grid_fill(area, ROLE_BAR);
    draw_pieces(area_right_of(area, 1), left);
    draw_pieces(area_right_of(area, area.cols - 1 - sentence_cols(right)), right);
}
