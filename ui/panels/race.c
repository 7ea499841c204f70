/* The race panel: the progress of each run in the same time. */
#include <math.h>
#include <stdio.h>

#include "metrics/labels.h"
#include "ui/panels/panel.h"

/* The last three if name, state, track and count share a row. */
enum { TEXT_COLS = 27, GAP_COLS = 2, NAME_COLS = 18, STATE_COLS = 17, COUNT_COLS = 10 };

/* The iteration at which a lane's run ends: its actual or predicted convergence, else its limit. */
static double lane_goal(const struct screen *screen, int l) {
    const struct lane_sample *lane = &screen->sample->lanes[l];
    const struct forecast *forecast = screen->forecasts ? &screen->forecasts[l] : NULL;
    const double limit = (double)screen->sample->iteration_limit;
    if (lane->state == LANE_CONVERGED)
        return (double)lane->iterations;
    return forecast && forecast->theory == THEORY_EXACT && forecast->iterations < limit
               ? forecast->iterations
               : limit;
}

/* One run on its track: its name, speed and time, the iterations so far, and its progress towards
 * the goal. */
static void draw_track(struct area area, const struct screen *screen, int l) {
    const struct lane_sample *lane = &screen->sample->lanes[l];
    const enum role role = lane_role(l);
    const bool ended = lane->state != LANE_RUNNING;
    const double speed = (double)lane->iterations / lane->seconds;
    const char *count = AS(format_count, lane->iterations);
    const int big_cols = draw_big_width(count);
    const bool for_reader = for_screen_reader(screen);
    const bool is_big = area.rows > BIG_ROWS && area.cols >= big_cols + TEXT_COLS && !for_reader;
    const int rows = is_big ? BIG_ROWS : area.rows > 1;
    const bool is_line = area.rows == 1;
    const char *state =
        lane->state == LANE_CONVERGED
            ? PRINT(is_line ? "✓ %s" : "converged ✓ after %s", AS(format_duration, lane->seconds))
        : lane->state == LANE_FAILED    ? "failed"
        : ended && *lane->recorded      ? "recording ends"
        : ended                         ? "at its limit"
        : speed >= 1000 && speed < 1e15 ? PRINT("mean %s it/s", AS(format_count, lround(speed)))
        : isfinite(speed)               ? PRINT("mean %.3g it/s", speed)
                                        : "";
    const int cols = is_big ? big_cols : grid_text_width(count);
    struct area text = area_left(area, is_line ? NAME_COLS + STATE_COLS : area.cols - cols - 1);
    int used = draw_shortened(is_line ? area_left(area, NAME_COLS - 1) : area, role | BOLD,
                              PRINT("%c  %s", lane_letter(l), AS(lane_label, screen->sample, l)));
    used = is_line ? NAME_COLS : used + 2;
    if (is_big)
        draw_big(area_right_of(area, area.cols - cols), 1, ROLE_VALUE, count);
    else
        draw_right(area, ROLE_VALUE | BOLD, count);
    text = is_big ? area_below(text, 2) : area_right_of(text, used);
    draw_text(text, (ended ? ROLE_GOOD : ROLE_TEXT) | BOLD, "%s", state);
    if (is_big && *lane->recorded)
        draw_lane_mark(area_left(area_below(area, 4), area.cols - big_cols - GAP_COLS), lane);
    /* The rest of the track is a thin line, up to a mark at the goal. */
    struct area track = area_top(area_below(area, rows), for_reader ? 1 : area.rows);
    track.rows -= track.rows > 2;
    if (is_line)
        track = area_left(area_right_of(track, NAME_COLS + STATE_COLS),
                          area.cols - NAME_COLS - STATE_COLS - COUNT_COLS);
    grid_fill_glyph(track, U'┈', ROLE_DIM);
    draw_bar(track, (double)lane->iterations / lane_goal(screen, l), role);
    draw_tick(track, 1, ROLE_GOOD);
}

static void race_draw(struct area area, const struct screen *screen) {
    const struct sample *sample = screen->sample;
    const double goal = lane_goal(screen, 0);
    const bool is_limit = lround(goal) == sample->iteration_limit;
    double seconds = 0;
    bool common = true;
    for (int l = 0; l < sample->lane_count; l++) {
        seconds = fmax(seconds, sample->lanes[l].seconds);
        common &= fabs(lane_goal(screen, l) - goal) <= 1; /* predictions may be off by one */
    }
    const struct frame frame = {
        .title = PRINT("Race: the same time for each, so far %s", AS(format_duration, seconds)),
        .key = 'T',
        .foot = common ? PRINT("goal: %s iterations, %s", AS(format_count, lround(goal)),
                               is_limit ? "the limit" : "predicted convergence")
                       : "goal: each run's predicted convergence, or its limit",
        .foot_left = "iterations done"};
    const struct area inner = panel_inside(area, &frame);
    for (int l = 0; l < sample->lane_count; l++)
        draw_track(area_row_of(inner, l, sample->lane_count), screen, l);
}

const struct panel race_panel = {PANEL("race", "Race", 0, race_draw)};
