#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "metrics/words.h"
#include "ui/draw/draw.h"
#include "ui/panels/view.h"

/* A piece of the sentence. When there is too little room the least important go first. */
struct piece {
    char text[WORDS_SIZE];
    int importance; /* 0: not there */
    enum ink ink;
    int attributes;
};

enum { PIECES = 10, SEPARATOR_COLS = 3 };

struct sentence {
    int count;
    struct piece pieces[PIECES];
};

static struct piece *add(struct sentence *sentence, int importance, enum ink ink, int attributes) {
    struct piece *piece = &sentence->pieces[sentence->count++];
    *piece = (struct piece){.importance = importance, .ink = ink, .attributes = attributes};
    return piece;
}

static void say(struct sentence *sentence, int importance, enum ink ink, int attributes,
                const char *text) {
    struct piece *piece = add(sentence, importance, ink, attributes);
    snprintf(piece->text, sizeof piece->text, "%s", text);
}

static int sentence_cols(const struct sentence *sentence) {
    int cols = 0;
    for (int p = 0; p < sentence->count; p++)
        if (sentence->pieces[p].importance)
            cols += grid_text_width(sentence->pieces[p].text) + (cols ? SEPARATOR_COLS : 0);
    return cols;
}

/* Drops the least important piece of both; false when there is nothing left to drop. */
static bool drop_least(struct sentence *left, struct sentence *right) {
    struct piece *least = NULL;
    for (int p = 0; p < left->count + right->count; p++) {
        struct piece *piece = p < left->count ? &left->pieces[p] : &right->pieces[p - left->count];
        if (piece->importance && (!least || piece->importance < least->importance))
            least = piece;
    }
    if (!least)
        return false;
    least->importance = 0;
    return true;
}

static void draw_sentence(struct grid *grid, struct rect area, int x,
                          const struct sentence *sentence) {
    bool first = true;
    for (int p = 0; p < sentence->count; p++) {
        const struct piece *piece = &sentence->pieces[p];
        if (!piece->importance)
            continue;
        if (!first)
            x += grid_text(grid, area, x, area.y, INK_DIM, 0, " · ");
        x += grid_text(grid, area, x, area.y, piece->ink, piece->attributes, "%s", piece->text);
        first = false;
    }
}

static void say_schedule(struct sentence *sentence, const struct lane_sample *lane) {
    char text[32];
    if (lane->schedule.kind != SCHEDULE_CLASSIC)
        say(sentence, 70, INK_TEXT, 0, schedule_print(text, sizeof text, lane->schedule));
}

static void say_mapping(struct sentence *sentence, const struct lane_sample *lane) {
    const bool costs = lane->mapping == MAPPING_STRUCTURED;
    if (backend_maps(lane->backend))
        snprintf(add(sentence, 90, costs ? INK_TO_DEVICE : INK_KERNEL, CELL_BOLD)->text, WORDS_SIZE,
                 "%s mapping", mapping_name(lane->mapping));
}

static void say_time(struct sentence *sentence, const struct lane_sample *lane) {
    char ms[32];
    words_ms(ms, sizeof ms, lane_sample_ms_per_iteration(lane));
    snprintf(add(sentence, 95, INK_VALUE, CELL_BOLD)->text, WORDS_SIZE, "%s/iteration", ms);
}

/* What runs where, and what it costs. */
static void say_lane(struct sentence *sentence, const struct sample *sample,
                     const struct lane_sample *lane) {
    char grid[32];
    say(sentence, 100, INK_TITLE, CELL_BOLD, lane->title);
    if (*lane->fallback_from)
        snprintf(add(sentence, 85, INK_WARN, CELL_BOLD)->text, WORDS_SIZE, "instead of %s",
                 lane->fallback_from);
    say_mapping(sentence, lane);
    say_schedule(sentence, lane);
    say(sentence, 60, INK_TEXT, 0, lane->device);
    say(sentence, 80, INK_TEXT, 0, text_grid(grid, sizeof grid, sample->nx, sample->ny));
    say_time(sentence, lane);
}

static void say_lanes(struct sentence *sentence, const struct sample *sample) {
    char grid[32];
    snprintf(add(sentence, 100, INK_TITLE, CELL_BOLD)->text, WORDS_SIZE, "Comparing %d runs",
             sample->lane_count);
    say(sentence, 90, INK_TEXT, 0, words_race(sample));
    say(sentence, 80, INK_TEXT, 0, text_grid(grid, sizeof grid, sample->nx, sample->ny));
}

/* The lane that tells how far all are: the first that still runs, else the first; NULL before
 * there is one. */
static const struct lane_sample *leading(const struct sample *sample) {
    for (int l = 0; l < sample->lane_count; l++)
        if (sample->lanes[l].state == LANE_RUNNING)
            return &sample->lanes[l];
    return sample->lane_count > 0 ? &sample->lanes[0] : NULL;
}

static void say_run(struct sentence *sentence, const struct screen *screen) {
    const struct sample *sample = screen->sample;
    const struct lane_sample *lane = leading(sample);
    char text[WORDS_SIZE];
    if (*words_replays(text, sizeof text, sample))
        say(sentence, 98, INK_WARN, CELL_BOLD | CELL_REVERSE, text);
    if (screen->state->recording)
        say(sentence, 96, INK_BAD, CELL_BOLD, "● rec");
    if (*sample->preset)
        snprintf(add(sentence, 40, INK_TEXT, 0)->text, WORDS_SIZE, "preset %.64s", sample->preset);
    say(sentence, 50, INK_TEXT, 0, sample->problem);
    say(sentence, 20, INK_TEXT, 0, "double");
    say(sentence, 97, INK_TITLE, CELL_BOLD, words_state(text, sizeof text, sample, lane));
}

void header_draw(struct grid *grid, struct rect area, const struct screen *screen) {
    if (area.rows < 1)
        return;
    struct sentence left = {0}, right = {0};
    if (screen->sample->lane_count == 1)
        say_lane(&left, screen->sample, &screen->sample->lanes[0]);
    else if (screen->sample->lane_count > 1)
        say_lanes(&left, screen->sample);
    else
        say(&left, 100, INK_TITLE, CELL_BOLD, "jacobi-tui");
    say_run(&right, screen);
    while (sentence_cols(&left) + sentence_cols(&right) + 4 > area.cols)
        if (!drop_least(&left, &right))
            break;
    grid_fill(grid, area, INK_BAR);
    draw_sentence(grid, area, area.x + 1, &left);
    draw_sentence(grid, area, area.x + area.cols - 1 - sentence_cols(&right), &right);
}
