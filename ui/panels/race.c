/* The race panel: the progress of each run in the same time. */
#include <math.h>
#include <stdio.h>

#include "metrics/labels.h"
#include "metrics/verdict.h"
#include "ui/panels/panel.h"

enum { TEXT_COLS = 27, GAP_COLS = 2 };

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
    char label[LABEL_SIZE], count[32], state[48] = "";
    format_count(count, sizeof count, lane->iterations);
    const int big_cols = draw_big_width(count);
    const bool for_reader = for_screen_reader(screen);
    const bool is_big = area.rows > BIG_ROWS && area.cols >= big_cols + TEXT_COLS && !for_reader;
    const int rows = is_big ? BIG_ROWS : area.rows > 1;
    if (lane->state == LANE_CONVERGED)
        snprintf(state, sizeof state, "converged ✓");
    else if (ended)
        snprintf(state, sizeof state,
                 lane->state == LANE_FAILED ? "failed"
                 : *lane->recorded          ? "its recording ends"
                                            : "at its limit");
    else if (speed >= 1000 && speed < 1e15)
        format_append(format_count(state, sizeof state, lround(speed)), sizeof state, " it/s");
    else if (isfinite(speed))
        snprintf(state, sizeof state, "%.3g it/s", speed);
    const int cols = is_big ? big_cols : grid_text_width(count);
    struct area text = area_left(area, area.cols - cols - 1);
    const int used = draw_text(area, role | BOLD, "%c  %s  ", lane_letter(l),
                               lane_label(label, sizeof label, screen->sample, l));
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
    grid_fill_glyph(track, U'┈', ROLE_DIM);
    draw_bar(track, (double)lane->iterations / lane_goal(screen, l), role);
    draw_tick(track, 1, ROLE_GOOD);
}

static void race_draw(struct area area, const struct screen *screen) {
    const struct sample *sample = screen->sample;
    const struct verdict verdict = verdict_make(sample);
    const double goal = lane_goal(screen, 0);
    const bool is_limit = lround(goal) == sample->iteration_limit;
    double seconds = 0;
    bool common = true;
    char title[64], foot[96], time[32], count[32];
    for (int l = 0; l < sample->lane_count; l++) {
        seconds = fmax(seconds, sample->lanes[l].seconds);
        common &= fabs(lane_goal(screen, l) - goal) <= 1; /* predictions may be off by one */
    }
    snprintf(title, sizeof title, "Race: the same time for each, so far %s",
             format_duration(time, sizeof time, seconds));
    if (common)
        snprintf(foot, sizeof foot, "goal: %s iterations, %s",
                 format_count(count, sizeof count, lround(goal)),
                 is_limit ? "the limit" : "predicted convergence");
    else
        snprintf(foot, sizeof foot, "goal: each run's predicted convergence, or its limit");
    const struct area inner = panel_inside(area, &(struct frame){.title = title,
                                                                 .value = verdict.big,
                                                                 .key = 'T',
                                                                 .foot = foot,
                                                                 .foot_left = "iterations done"});
    for (int l = 0; l < sample->lane_count; l++)
        draw_track(area_row_of(inner, l, sample->lane_count), screen, l);
}

const struct panel race_panel = {PANEL("race", "Race", 0, race_draw)};
