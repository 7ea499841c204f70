/* The costs panel: what one iteration costs each run, to be read from the last row. Bars to one
 * scale of time, times and their ratio in big digits, and the bill so far; no field. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metrics/costs.h"
#include "metrics/labels.h"
#include "metrics/verdict.h"
#include "ui/draw/draw.h"
#include "ui/panels/panel.h"

enum {
    BAR_ROWS = 2,
    BAR_ROWS_MAX = 4,
    LINEAR_ROWS = 6, /* read aloud: a name, what its time goes to, a bar */
    LINEAR_ROWS_MIN = 3,
    TEXT_COLS = 27,
    BILL_COLS = 48,
    GAP_COLS = 2,
    TIMES_MAX = 3,
    BLOCK_ROWS = BIG_ROWS + 1,                             /* of many: a name, its digits */
    FOUR_ROWS = 2 * BLOCK_ROWS + LANES_MAX + 1 + BIG_ROWS, /* four: bars, times, ratio */
    BESIDE_COLS = 7,                                       /* beside them */
    COPIED_COLS = 9,
    LETTER_COLS = 2,
    REPLAY_COLS = 6
};

struct cost_page {
    const struct screen *screen;
    int lane_count;
    struct costs costs[LANES_MAX]; /* means of the run so far */
    char times[LANES_MAX][24];     /* "182 ms": in one unit, so that the digits can be compared */
    double most_ms;                /* of the longest bar */
    double most_bytes;             /* that one copies per iteration */
    int chosen;     /* of many, the lane that is held against the fastest; -1: the slowest */
    int big;        /* how many times BIG_ROWS the digits are high; 0: there is no room for any */
    int big_cols;   /* of the widest time */
    int digit_cols; /* of the widest without its unit */
    bool stacked;   /* bars under the digits, over the whole width; else beside them */
    bool by_two;    /* times two by two, what was copied beside them */
};

void draw_iteration_bar(struct area area, const struct costs *costs, double most_ms,
                        bool no_color) {
    const struct {
        double percent;
        enum role role;
        uint32_t glyph, plain;
        const char *name;
        double bytes;
    } parts[] = {
        {costs->work[EVENT_TO_DEVICE].percent_of_loop, ROLE_TO_DEVICE, 0x2588, 0x2593, "to device",
         costs->work[EVENT_TO_DEVICE].bytes_per_iteration},
        {costs->work[EVENT_FROM_DEVICE].percent_of_loop, ROLE_FROM_DEVICE, 0x2588, 0x2592,
         "from device", costs->work[EVENT_FROM_DEVICE].bytes_per_iteration},
        {costs->work[EVENT_ALLOC].percent_of_loop, ROLE_ALLOC, 0x2591, 0x2591, "allocation", 0},
        {costs->computing.percent_of_loop, ROLE_KERNEL, 0x2588, 0x2588, "kernels", 0},
        {costs->launching.percent_of_loop, ROLE_DIM, 0x2592, 0x2550, "launch, wait", 0},
        {costs->rest.percent_of_loop, ROLE_DIM, 0x2500, 0x2500, "rest", 0},
    };
    enum { PARTS = sizeof parts / sizeof *parts };
    const double whole = costs->loop_ms / most_ms * area.cols;
    double sum = 0, largest = 0;
    enum role role = ROLE_DIM;
    int x = 0;
    for (int p = 0; p < PARTS; p++) {
        char label[48], bytes[24];
        sum += parts[p].percent > 0 ? parts[p].percent : 0;
        if (parts[p].percent > largest) {
            largest = parts[p].percent;
            role = parts[p].role;
        }
        const int from = x, to = (int)lround(fmin(sum / 100 * whole, area.cols));
        for (; x < to; x++)
            for (int y = 0; y < area.rows; y++)
                grid_put(area, area.x + x, area.y + y, no_color ? parts[p].plain : parts[p].glyph,
                         parts[p].role);
        snprintf(label, sizeof label, "%s%s%s", parts[p].name, parts[p].bytes > 0 ? " " : "",
                 parts[p].bytes > 0 ? format_bytes(bytes, sizeof bytes, parts[p].bytes) : "");
        const int width = grid_text_width(label);
        if (area.rows > 1 && to - from >= width + 2)
            grid_text(area, area.x + from + (to - from - width) / 2, area.y + (area.rows - 1) / 2,
                      parts[p].role | BOLD | REVERSE, "%s", label);
    }
    if (x == 0) /* any time shows */
        draw_bar(area, costs->loop_ms / most_ms, role);
}

/* Times in one unit, the finest in which none takes more than four digits. */
static void print_times(struct cost_page *page) {
    double least = INFINITY;
    for (int l = 0; l < page->lane_count; l++)
        least = fmin(least, page->costs[l].ms_per_iteration);
    const bool fine = least < 0.1 && page->most_ms < 10;
    for (int l = 0; l < page->lane_count; l++) {
        const double value = (fine ? 1e3 : 1) * page->costs[l].ms_per_iteration;
        const int digits = value < 0.0995 ? 3 : value < 9.995 ? 2 : value < 99.95;
        if (isnan(value))
            snprintf(page->times[l], sizeof page->times[l], "-");
        else
            snprintf(page->times[l], sizeof page->times[l], "%.*f", digits, value);
        const int digit_cols = draw_big_width(page->times[l]);
        page->digit_cols = digit_cols > page->digit_cols ? digit_cols : page->digit_cols;
        if (!isnan(value))
            format_append(page->times[l], sizeof page->times[l], fine ? " µs" : " ms");
        const int cols = draw_big_width(page->times[l]);
        page->big_cols = cols > page->big_cols ? cols : page->big_cols;
    }
}

/* One run: its name, what its time goes to in words, the time in big digits, the bar. */
static void draw_lane_costs(const struct cost_page *page, struct area area, int l) {
    const struct costs *costs = &page->costs[l];
    const struct lane_sample *lane = &page->screen->sample->lanes[l];
    const int digit_rows = BIG_ROWS * page->big;
    const bool is_linear = screen_is_linear(page->screen);
    struct area text, bar = area_below(area, page->big ? digit_rows : 1);
    char name[LABEL_SIZE + 8], label[LABEL_SIZE], bytes[24], ms[24];
    if (page->big) {
        const int cols = page->big * draw_big_width(page->times[l]);
        draw_big(area_right_of(area, area.cols - cols), page->big, ROLE_VALUE, page->times[l]);
        text = area_left(area_top(area, digit_rows),
                         area.cols - page->big_cols * page->big - GAP_COLS);
        if (!page->stacked)
            bar = area_below(text, text.rows - BAR_ROWS);
    } else {
        const int cols =
            draw_text_right(area, area.x + area.cols, area.y, ROLE_VALUE | BOLD, page->times[l]);
        text = area_left(area, area.cols - cols - GAP_COLS);
    }
    if (page->lane_count > 1)
        snprintf(name, sizeof name, "%c  %s", lane_letter(l),
                 lane_label(label, sizeof label, page->screen->sample, l));
    else
        lane_label_full(name, sizeof name, lane);
    const int used = draw_shortened(text, lane_role(l) | BOLD, name);
    if (sample_recorded_count(page->screen->sample) > 0)
        draw_lane_mark(area_right_of(area_top(text, 1), used + GAP_COLS), lane);
    const double moved = costs->work[EVENT_TO_DEVICE].bytes_per_iteration +
                         costs->work[EVENT_FROM_DEVICE].bytes_per_iteration;
    const struct {
        enum role role;
        const char *name;
        double ms, bytes;
    } lines[] = {{ROLE_TO_DEVICE, "moving", costs->moving.ms, moved},
                 {ROLE_KERNEL, "kernels", costs->computing.ms, 0},
                 {ROLE_DIM, "launch", costs->launching.ms, 0},
                 {ROLE_DIM, "rest", costs->rest.ms, 0}};
    int y = text.y + 1 + (text.rows > BIG_ROWS && !is_linear);
    const int end = is_linear ? area.y + area.rows - 1 : page->stacked ? text.y + text.rows : bar.y;
    for (size_t k = 0; k < sizeof lines / sizeof *lines && (page->big || is_linear); k++) {
        if (!(lines[k].ms > 0) || y >= end)
            continue;
        grid_text(text, text.x, y++, lines[k].role | BOLD, "%-7s %8s  %s", lines[k].name,
                  format_ms(ms, sizeof ms, lines[k].ms),
                  lines[k].bytes > 0 ? format_bytes(bytes, sizeof bytes, lines[k].bytes) : "");
    }
    if (is_linear)
        bar = area_top(area_below(area, y - area.y), 1);
    else if (bar.rows > BAR_ROWS)
        bar.rows--; /* a row apart from the next */
    draw_iteration_bar(bar, costs, page->most_ms, page->screen->no_color);
}

/* The bytes copied so far, NaN if they were not counted, and what copies and allocations took. */
static double copied_so_far(const struct costs *costs, double *ms) {
    const struct cost *work = costs->work;
    *ms = costs->is_observed ? 0 : NAN;
    for (int kind = EVENT_TO_DEVICE; kind <= EVENT_ALLOC; kind++)
        *ms += work[kind].count > 0 ? work[kind].total_ms : 0; /* unknown: NaN */
    return costs->is_observed
               ? work[EVENT_TO_DEVICE].total_bytes + work[EVENT_FROM_DEVICE].total_bytes
               : NAN;
}

/* What all have in common; shorter if there is no room. */
static void draw_agreement(struct area row, const struct verdict *verdict) {
    const bool bad = verdict->agreement >= AGREEMENT_RESIDUAL;
    const bool is_same = verdict->agreement == AGREEMENT_GOOD;
    const char *residual = strrchr(verdict->agreement_text, ':');
    char text[VERDICT_LINE];
    snprintf(text, sizeof text, "%s", verdict->agreement_text);
    if (is_same && residual && grid_text_width(text) > row.cols)
        snprintf(text, sizeof text, "same residual%s", residual);
    draw_shortened(row, (bad ? ROLE_BAD : ROLE_GOOD) | (bad ? BOLD | REVERSE : 0), text);
}

/* One of many runs: its name, its time in big digits, and beside them how many times the fastest's
 * it is, what was copied so far, and the unit. */
static void draw_lane_time(const struct cost_page *page, struct area area, int l,
                           const struct verdict *verdict) {
    const struct sample *sample = page->screen->sample;
    char label[LABEL_SIZE], name[LABEL_SIZE + 8], digits[24], text[32];
    snprintf(name, sizeof name, "%c  %s", lane_letter(l),
             lane_label(label, sizeof label, sample, l));
    draw_shortened(area, lane_role(l) | (BOLD | (l == page->chosen ? REVERSE : 0)), name);
    snprintf(digits, sizeof digits, "%s", page->times[l]);
    digits[strcspn(digits, " ")] = '\0';
    const struct area big = area_below(area, 1);
    const struct area beside = area_right_of(big, draw_big(big, 1, ROLE_VALUE, digits) + 1);
    if (verdict->fastest >= 0)
        grid_text(beside, beside.x, beside.y, ROLE_GOOD | BOLD, "%s",
                  format_ratio(text, sizeof text, verdict->lanes[l].times_slower));
    double ms;
    const double bytes = copied_so_far(&page->costs[l], &ms);
    if (bytes > 0 && beside.cols >= COPIED_COLS) {
        grid_text(beside, beside.x, beside.y + 1, ROLE_TO_DEVICE | BOLD, "%s",
                  format_bytes(text, sizeof text, bytes));
        format_duration(text, sizeof text, 1e-3 * ms);
        if (ms >= 1e3 && ms < 1e4) /* " 9 749 ms" would be cut */
            snprintf(text, sizeof text, "%.1f s", 1e-3 * ms);
        if (isfinite(ms))
            grid_text(beside, beside.x, beside.y + 2, ROLE_TO_DEVICE | BOLD, "in %s", text);
    }
    if (sample_recorded_count(sample) > 0)
        draw_lane_mark(area_left(area_below(beside, 3), REPLAY_COLS), &sample->lanes[l]);
    grid_text(beside, beside.x, beside.y + BIG_ROWS - 1, ROLE_VALUE | BOLD, "%s",
              page->times[l] + strcspn(page->times[l], " ") + 1);
}

/* The ratio, huge; beside it what is the same, and what has been paid so far. */
static void draw_bill(const struct cost_page *page, struct area area,
                      const struct verdict *verdict) {
    const struct sample *sample = page->screen->sample;
    /* Read aloud, the claim has the ratio in words. */
    const char *big = screen_is_linear(page->screen) ? "" : verdict->big;
    const int width = draw_big_width(big);
    int times = TIMES_MAX;
    while (times > 1 && (times * BIG_ROWS > area.rows || times * width + BILL_COLS > area.cols))
        times--;
    draw_big(area_below(area, (area.rows - times * BIG_ROWS) / 2), times, ROLE_GOOD, big);
    struct area text = area_right_of(area, times * width + (*big ? GAP_COLS + 1 : 0));
    const int rows = page->by_two ? BIG_ROWS : 3 + page->lane_count;
    text = area_below(text, (text.rows - rows) / 2);
    char claim[VERDICT_LINE];
    snprintf(claim, sizeof claim, "%s", verdict->claim);
    if (page->by_two) {
        if (page->chosen < 0 && *verdict->big && !sample_methods_differ(sample))
            snprintf(claim, sizeof claim, "%c takes %s as long as %c",
                     lane_letter(verdict->slowest), verdict->big, lane_letter(verdict->fastest));
        text = area_below(text, draw_paragraph(text, ROLE_VALUE | BOLD, claim));
        draw_agreement(text, verdict);
        draw_shortened(area_row(text, 1), ROLE_TEXT | BOLD, "one iteration, mean so far");
        draw_paragraph(area_below(text, 2), ROLE_DIM, verdict->turns);
        return;
    }
    char *others = strstr(claim, ": "); /* what the others take */
    if (others && grid_text_width(claim) > text.cols)
        *others = '\0';
    draw_shortened(text, ROLE_VALUE | BOLD, claim);
    draw_agreement(area_below(text, 1), verdict);
    const bool copies = page->most_bytes > 0;
    grid_text(text, text.x, text.y + 2, ROLE_TEXT | BOLD,
              copies ? "so far: copies, and all in all" : "so far");
    for (int l = 0; l < page->lane_count; l++) {
        char bytes[24], time[24], count[32];
        double ms;
        const double copied = copied_so_far(&page->costs[l], &ms);
        int x = text.x + grid_text(text, text.x, text.y + 3 + l, lane_role(l) | BOLD, "%c  ",
                                   lane_letter(l));
        if (copies)
            x += grid_text(text, x, text.y + 3 + l, ROLE_TO_DEVICE | BOLD, "%8s in %-7s ",
                           format_bytes(bytes, sizeof bytes, copied),
                           format_ms(time, sizeof time, ms));
        grid_text(text, x, text.y + 3 + l, ROLE_TEXT | BOLD, "%s it. in %s",
                  format_count(count, sizeof count, sample->lanes[l].iterations),
                  format_duration(time, sizeof time, sample->lanes[l].seconds));
    }
}

/* Three or four runs in little room: their times two by two, a bar for each over the whole width,
 * and the ratio: of three beside the last time. Of four it has the last rows if there are enough,
 * and the bars come first, so that no two big digits touch. */
static void draw_lanes_by_two(const struct cost_page *page, struct area area,
                              const struct verdict *verdict) {
    const int lanes = page->lane_count, half = (area.cols - GAP_COLS) / 2;
    const bool has_bill = lanes == LANES_MAX && area.rows >= FOUR_ROWS;
    const int spare = area.rows - 2 * BLOCK_ROWS - 1 - (has_bill ? BIG_ROWS : 0);
    const int bar_rows = spare / lanes, gaps = spare - bar_rows * lanes;
    const int top = has_bill ? lanes * bar_rows + (gaps > 0) : 0;
    struct area blocks[LANES_MAX];
    for (int b = 0; b < LANES_MAX; b++)
        blocks[b] = (struct area){area.x + b % 2 * (half + GAP_COLS),
                                  area.y + top + b / 2 * (BLOCK_ROWS + (gaps > 1)), half,
                                  BLOCK_ROWS, area.grid};
    for (int l = 0; l < lanes; l++)
        draw_lane_time(page, blocks[l], l, verdict);
    if (lanes < LANES_MAX && verdict->fastest >= 0) {
        const struct area *block = &blocks[lanes];
        const int one = page->chosen >= 0 ? page->chosen : verdict->fastest;
        char text[32];
        snprintf(text, sizeof text, "%c as against %c",
                 lane_letter(one == verdict->fastest ? verdict->slowest : one),
                 lane_letter(verdict->fastest));
        draw_text_right(*block, block->x + block->cols, block->y, ROLE_GOOD | BOLD, text);
        draw_big(area_below(area_right_of(*block, block->cols - draw_big_width(verdict->big)), 1),
                 1, ROLE_GOOD, verdict->big);
    }
    const struct area bars =
        has_bill ? area : area_below(area, 2 * BLOCK_ROWS + (gaps > 1) + (gaps > 0));
    for (int l = 0; l < lanes; l++) {
        const struct area row = area_top(area_below(bars, l * bar_rows), bar_rows);
        grid_text(row, row.x, row.y, lane_role(l) | BOLD, "%c", lane_letter(l));
        draw_iteration_bar(area_right_of(row, LETTER_COLS), &page->costs[l], page->most_ms,
                           page->screen->no_color);
    }
    if (has_bill)
        draw_bill(page, area_below(area, area.rows - BIG_ROWS), verdict);
    else
        draw_agreement(area_below(area, area.rows - 1), verdict);
}

static void costs_draw(struct area area, const struct screen *screen) {
    struct verdict verdict = verdict_make(screen->sample);
    struct cost_page page = {.screen = screen, .lane_count = screen->sample->lane_count};
    page.chosen = page.lane_count > 2 ? screen->state->chosen_lane % (page.lane_count + 1) - 1 : -1;
    if (page.chosen >= 0 && verdict.fastest >= 0 && page.chosen != verdict.fastest) {
        format_ratio(verdict.big, sizeof verdict.big, verdict.lanes[page.chosen].times_slower);
        snprintf(verdict.claim, sizeof verdict.claim, "%c takes %s as long as %c",
                 lane_letter(page.chosen), verdict.big, lane_letter(verdict.fastest));
    }
    for (int l = 0; l < page.lane_count; l++) {
        page.costs[l] = costs_of_run(screen->sample, l);
        page.most_ms = fmax(page.most_ms, page.costs[l].loop_ms);
        page.most_bytes = fmax(page.most_bytes, page.costs[l].copied_bytes);
    }
    print_times(&page);
    /* As large as there is room for bars and ratio beside; of many lanes the bars stand beside the
     * digits, and the ratio in the frame's edge. */
    const int lanes = page.lane_count, others = lanes > 1;
    const bool is_linear = screen_is_linear(screen);
    struct area inner = area_inset(frame_inside(area), 1, 0);
    for (int times = is_linear ? 0 : TIMES_MAX; times > 0 && !page.big; times--)
        if ((lanes + others) * times * BIG_ROWS + lanes * BAR_ROWS <= inner.rows &&
            page.big_cols * times + GAP_COLS + TEXT_COLS <= inner.cols) {
            page.big = times;
            page.stacked = true;
        }
    page.by_two = page.most_ms > 0 && !page.big && !is_linear && lanes > 2 &&
                  inner.rows >= 2 * BLOCK_ROWS + lanes + 1 &&
                  (inner.cols - GAP_COLS) / 2 >= page.digit_cols + BESIDE_COLS;
    if (page.by_two && lanes == LANES_MAX && inner.rows < FOUR_ROWS && area.rows >= FOUR_ROWS)
        inner = area_inset(area, 1, 0); /* the frame's rows are the ratio's */
    else
        draw_frame(area, &(struct frame){.title = "One iteration, mean so far",
                                         .value = others ? verdict.big : NULL,
                                         .key = costs_panel.key,
                                         .foot = others ? verdict.turns : NULL});
    if (page.by_two) {
        draw_lanes_by_two(&page, inner, &verdict);
        return;
    }
    if (!(page.most_ms > 0)) {
        draw_text_centered(inner, inner.y + inner.rows / 2, ROLE_DIM, "no iteration measured yet");
        return;
    }
    if (!page.big && !is_linear && lanes * BIG_ROWS <= inner.rows &&
        page.big_cols + GAP_COLS + TEXT_COLS <= inner.cols)
        page.big = 1;
    const int words = lanes + 3;
    const int least = is_linear      ? LINEAR_ROWS_MIN
                      : page.stacked ? page.big * BIG_ROWS + BAR_ROWS
                      : page.big     ? BIG_ROWS
                                     : 2;
    const int billed = is_linear ? words : page.big > 0 ? page.big * BIG_ROWS : BIG_ROWS;
    const int bill =
        others && inner.rows >= lanes * least + (is_linear ? words : BIG_ROWS) ? billed : 0;
    /* What bars of so many rows leave over is the ratio's. */
    const int enough = is_linear ? LINEAR_ROWS : page.big * BIG_ROWS + BAR_ROWS_MAX + 1;
    const int fair = (inner.rows - bill) / lanes;
    const int rows = bill && fair > enough ? enough : fair;
    const int apart = bill && lanes * (rows + 1) - 1 + (words > bill ? words : bill) <= inner.rows;
    for (int l = 0; l < lanes; l++)
        draw_lane_costs(&page, area_top(area_below(inner, l * (rows + apart)), rows), l);
    if (bill)
        draw_bill(&page, area_below(inner, lanes * (rows + apart) - apart), &verdict);
}

/* ---- the race panel: who gets how far in the same time ------------------------------------- */

/* The iterations that a lane's run ends at: where it has converged or will by theory, else its
 * limit. */
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

/* One run on its track: its name, speed and time, how many iterations it has made, and how far that
 * is on the way to its goal. */
static void draw_track(struct area area, const struct screen *screen, int l) {
    const struct lane_sample *lane = &screen->sample->lanes[l];
    const enum role role = lane_role(l);
    const bool ended = lane->state != LANE_RUNNING;
    const double speed = (double)lane->iterations / lane->seconds;
    char label[LABEL_SIZE], count[32], state[48] = "";
    format_count(count, sizeof count, lane->iterations);
    const int big_cols = draw_big_width(count);
    const bool is_linear = screen_is_linear(screen);
    const bool is_big = area.rows > BIG_ROWS && area.cols >= big_cols + TEXT_COLS && !is_linear;
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
    int x = area.x + grid_text(area, area.x, area.y, role | BOLD, "%c  %s  ", lane_letter(l),
                               lane_label(label, sizeof label, screen->sample, l));
    if (is_big) {
        draw_big(area_right_of(area, area.cols - big_cols), 1, ROLE_VALUE, count);
        x = area.x;
    } else {
        draw_text_right(area, area.x + area.cols, area.y, ROLE_VALUE | BOLD, count);
    }
    grid_text(area_left(area, area.cols - (is_big ? big_cols : grid_text_width(count)) - 1), x,
              area.y + (is_big ? 2 : 0), (ended ? ROLE_GOOD : ROLE_TEXT) | BOLD, "%s", state);
    if (is_big && *lane->recorded)
        draw_lane_mark(area_left(area_below(area, 4), area.cols - big_cols - GAP_COLS), lane);
    /* What lies ahead is a thin line, up to a mark at the goal. */
    const struct area track = area_top(area_below(area, rows), is_linear ? 1 : area.rows);
    for (int y = track.y; y < track.y + track.rows - (track.rows > 2); y++) {
        for (int k = track.x; k < track.x + track.cols; k++)
            grid_put(track, k, y, 0x2508, ROLE_DIM);
        draw_bar(area_row(track, y - track.y), (double)lane->iterations / lane_goal(screen, l),
                 role);
        draw_tick(area_row(track, y - track.y), 1, ROLE_GOOD);
    }
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
        common &= fabs(lane_goal(screen, l) - goal) <= 1; /* theory may be off by one */
    }
    snprintf(title, sizeof title, "Race: the same time for each, so far %s",
             format_duration(time, sizeof time, seconds));
    if (common)
        snprintf(foot, sizeof foot, "goal: %s iterations, %s",
                 format_count(count, sizeof count, lround(goal)),
                 is_limit ? "the limit" : "where it converges by theory");
    else
        snprintf(foot, sizeof foot, "goal: where each run converges by theory, or its limit");
    const struct area inner =
        area_inset(draw_frame(area, &(struct frame){.title = title,
                                                    .value = verdict.big,
                                                    .key = 'T',
                                                    .foot = foot,
                                                    .foot_left = "iterations made"}),
                   1, 0);
    const int lanes = sample->lane_count;
    for (int l = 0; l < lanes; l++) {
        const int from = inner.rows * l / lanes, to = inner.rows * (l + 1) / lanes;
        draw_track(area_top(area_below(inner, from), to - from), screen, l);
    }
}

const struct panel costs_panel = {
    .name = "costs",
    .title = "What it costs",
    .help = "what an iteration costs, in big digits and bars to one scale: for the last row",
    .key = 'P',
    .draw = costs_draw,
};

const struct panel race_panel = {
    .name = "race",
    .title = "Race",
    .help = "in the same time for each: who gets how far",
    .draw = race_draw,
};
