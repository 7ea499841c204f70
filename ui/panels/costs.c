/* The costs panel: the time of one iteration in each run, legible from the last row. Shows bars to
 * one time scale, times and their ratio in big digits, and the totals so far; no field. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metrics/costs.h"
#include "metrics/labels.h"
#include "metrics/verdict.h"
#include "ui/panels/panel.h"

enum {
    BAR_ROWS = 2,
    BAR_ROWS_MAX = 4,
    TEXT_COLS = 27,
    TOTALS_COLS = 48,
    GAP_COLS = 2,
    TIMES_MAX = 3,
    BLOCK_ROWS = BIG_ROWS + 1,                             /* two by two: a name, its digits */
    FOUR_ROWS = 2 * BLOCK_ROWS + LANES_MAX + 1 + BIG_ROWS, /* four runs: bars, times, ratio */
    BESIDE_COLS = 7,                                       /* beside the big digits */
    COPIED_COLS = 9,
    LETTER_COLS = 2,
    REPLAY_COLS = 6,
    OTHERS_ROWS = 13 /* of a single run's bar, for other panels */
};

enum cost_mode {
    MODE_STACKED,    /* big digits, the bar below them over the full width */
    MODE_BESIDE,     /* big digits, the bar beside them */
    MODE_TWO_BY_TWO, /* big digits two by two, copies beside them, bars below all */
    MODE_SMALL,      /* no room for big digits: a line and a bar */
    MODE_READ,       /* for a screen reader: the parts of the time in lines, a thin bar */
};

struct cost_page {
    const struct screen *screen;
    int lane_count;
    struct costs costs[LANES_MAX]; /* for the run so far */
    struct verdict verdict;
    char times[LANES_MAX][24]; /* "182 ms": in one unit, so that the digits can be compared */
    double most_ms;            /* the longest bar's */
    double most_bytes;         /* the most bytes copied per iteration */
    int chosen; /* of many runs, the one compared with the fastest; -1: the slowest */
    enum cost_mode mode;
    int big;        /* height of the digits in BIG_ROWS; 0: none are big */
    int big_cols;   /* the widest time's */
    int digit_cols; /* the widest time's, without its unit */
};

/* Data movement first, then computation. */
static const enum event_kind bar_kinds[] = {EVENT_TO_DEVICE, EVENT_FROM_DEVICE, EVENT_ALLOC,
                                            EVENT_KERNEL, EVENT_WAIT};

void draw_iteration_bar(struct area area, const struct costs *costs, double most_ms,
                        bool no_color) {
    enum { KINDS = sizeof bar_kinds / sizeof *bar_kinds };
    struct bar_part parts[KINDS + PHASE_COUNT];
    int count = 0;
    for (int k = 0; k < KINDS; k++) {
        const enum event_kind kind = bar_kinds[k];
        const struct event_style *style = &event_styles[kind];
        const struct cost *work = &costs->work[kind];
        const bool moves = kind == EVENT_TO_DEVICE || kind == EVENT_FROM_DEVICE;
        if (kind == EVENT_KERNEL && area.rows > BAR_ROWS_MAX) {
            for (int p = 0; p < PHASE_COUNT; p++) {
                parts[count] = (struct bar_part){costs->kernels[p].percent_of_loop, style->role,
                                                 no_color ? style->plain : style->fill, ""};
                format_text(parts[count].label, sizeof parts->label, "%s",
                            p == PHASE_BOUNDARY ? "BC" : phase_names[p]);
                count += parts[count].value > 0;
            }
            continue;
        }
        struct bar_part *part = &parts[count++];
        *part = (struct bar_part){.value = kind == EVENT_KERNEL ? costs->computing.percent_of_loop
                                           : kind == EVENT_WAIT ? costs->launching.percent_of_loop
                                                                : work->percent_of_loop,
                                  .role = style->role,
                                  .fill = kind == EVENT_ALLOC  ? 0x2591
                                          : kind == EVENT_WAIT ? (no_color ? 0x2550 : 0x2592)
                                          : no_color           ? style->plain
                                                               : style->fill};
        format_text(part->label, sizeof part->label, "%s", style->name);
        if (moves && work->bytes_per_iteration > 0)
            format_append(part->label, sizeof part->label, " %s",
                          AS(format_bytes, work->bytes_per_iteration));
    }
    parts[count++] = (struct bar_part){costs->rest.percent_of_loop, ROLE_DIM, 0x2500, "rest"};
    if (draw_bar_parts(area, parts, count, 100 * most_ms / costs->ms_per_iteration) > 0)
        return;
    const struct bar_part *largest = &parts[count - 1]; /* any nonzero time is visible */
    for (int k = count - 2; k >= 0; k--)
        if (!(largest->value > parts[k].value) && parts[k].value > 0)
            largest = &parts[k];
    draw_bar(area, costs->ms_per_iteration / most_ms, largest->role);
}

/* Times in one unit, the finest in which none takes more than four digits. */
static void print_times(struct cost_page *page) {
    double least = INFINITY;
    for (int l = 0; l < page->lane_count; l++)
        least = fmin(least, page->costs[l].ms_per_iteration);
    const bool fine = least < 0.1 && page->most_ms < 10;
    for (int l = 0; l < page->lane_count; l++) {
        char *time = page->times[l];
        const double value = (fine ? 1e3 : 1) * page->costs[l].ms_per_iteration;
        const int digits = value < 0.0995 ? 3 : value < 9.995 ? 2 : value < 99.95;
        format_text(time, sizeof *page->times, isnan(value) ? "-" : "%.*f", digits, value);
        page->digit_cols = max_int(page->digit_cols, draw_big_width(time));
        if (!isnan(value))
            format_append(time, sizeof *page->times, fine ? " µs" : " ms");
        page->big_cols = max_int(page->big_cols, draw_big_width(time));
    }
}

/* "A  omp/structured"; for a single run everything but the device. Returns the columns used. */
static int draw_lane_name(const struct cost_page *page, struct area area, int l, int attributes) {
    const struct sample *sample = page->screen->sample;
    return draw_shortened(area, lane_role(l) | attributes,
                          page->lane_count > 1
                              ? PRINT("%c  %s", lane_letter(l), AS(lane_label, sample, l))
                              : AS(lane_label_full, &sample->lanes[l]));
}

/* The run's time in big digits, or in a few dim words as long as it settles: "11.6 ms, settling".
 */
static void draw_time(const struct cost_page *page, struct area area, int times, int l,
                      const char *digits) {
    const char *words = PRINT("%s, settling", page->times[l]);
    if (page->costs[l].is_settling)
        draw_text(area_below(area, times * BIG_ROWS / 2), ROLE_DIM, "%s",
                  grid_text_width(words) <= area.cols ? words : "settling");
    else
        draw_big(area, times, ROLE_VALUE, digits);
}

/* The parts of an iteration's time, one per line; their sum instead of a rest if it exceeds the
 * iteration. Returns the rows used. */
static int draw_shares(const struct costs *costs, struct area area) {
    const double allocating = costs->work[EVENT_ALLOC].ms_per_iteration;
    const struct {
        enum role role;
        const char *name;
        double ms, bytes;
    } lines[] = {{ROLE_TO_DEVICE, "copies", costs->moving.ms - (allocating > 0 ? allocating : 0),
                  costs->copied_bytes},
                 {event_styles[EVENT_ALLOC].role, "alloc.", allocating, 0},
                 {ROLE_KERNEL, "kernels", costs->computing.ms, 0},
                 {ROLE_DIM, "launch", costs->launching.ms, 0},
                 {ROLE_DIM, "rest", costs->rest.ms, 0}};
    int row = 0;
    for (size_t k = 0; k < sizeof lines / sizeof *lines && row < area.rows; k++)
        if (lines[k].ms > 0)
            draw_text(area_row(area, row++), lines[k].role | BOLD, "%-7s %8s  %s", lines[k].name,
                      AS(format_ms, lines[k].ms),
                      lines[k].bytes > 0 ? AS(format_bytes, lines[k].bytes) : "");
    if (costs->whole_ms > costs->ms_per_iteration && row < area.rows)
        draw_text(area_row(area, row++), ROLE_DIM | BOLD, "timed separately: %s",
                  AS(format_ms, costs->whole_ms));
    return row;
}

/* One run: its name, the parts of its time, the time, the bar. */
static void draw_lane_costs(const struct cost_page *page, struct area area, int l) {
    const struct costs *costs = &page->costs[l];
    const char *const time = PRINT("%s%s", page->times[l], costs->is_settling ? ", settling" : "");
    const int cols =
        page->big > 0 ? page->big * draw_big_width(page->times[l]) : grid_text_width(time);
    struct area text = area_left(area, area.cols - cols - GAP_COLS), bar = area_below(area, 1);
    if (page->big > 0) {
        draw_time(page, area_right_of(area, area.cols - cols), page->big, l, page->times[l]);
        text = area_left(area_top(area, BIG_ROWS * page->big),
                         area.cols - page->big_cols * page->big - GAP_COLS);
        bar = page->mode == MODE_STACKED ? area_below(area, text.rows)
                                         : area_below(text, text.rows - BAR_ROWS);
    } else {
        draw_right(area, ROLE_VALUE | BOLD, time);
    }
    const int used = draw_lane_name(page, text, l, BOLD);
    if (sample_recorded_count(page->screen->sample) > 0)
        draw_lane_mark(area_right_of(area_top(text, 1), used + GAP_COLS),
                       &page->screen->sample->lanes[l]);
    if (page->mode == MODE_READ) {
        text = area_below(area_top(text, area.rows - 1), 1);
        bar = area_row(area, 1 + draw_shares(costs, text));
    } else if (page->big > 0) {
        const struct area lines = page->mode == MODE_BESIDE ? area_top(text, bar.y - text.y) : text;
        draw_shares(costs, area_below(lines, 1 + (text.rows > BIG_ROWS)));
    }
    if (page->mode != MODE_READ && bar.rows > BAR_ROWS)
        bar.rows--; /* a blank row before the next one */
    draw_iteration_bar(bar, costs, page->most_ms, page->screen->no_color);
}

/* How well the runs agree; shortened if there is no room. */
static void draw_agreement(struct area row, const struct verdict *verdict) {
    const bool bad = verdict->agreement >= AGREEMENT_RESIDUAL;
    const bool is_same = verdict->agreement == AGREEMENT_GOOD;
    const char *residual = strrchr(verdict->agreement_text, ':');
    const char *text = verdict->agreement_text;
    if (is_same && residual && grid_text_width(text) > row.cols)
        text = PRINT("same residual%s", residual);
    draw_shortened(row, (bad ? ROLE_BAD : ROLE_GOOD) | (bad ? BOLD | REVERSE : 0), text);
}

/* One of two by two: a run's name and its time in big digits. Beside them are the ratio to the
 * fastest, the bytes copied so far, and the unit. */
static void draw_lane_time(const struct cost_page *page, struct area area, int l) {
    const struct sample *sample = page->screen->sample;
    const struct verdict *verdict = &page->verdict;
    draw_lane_name(page, area, l, BOLD | (l == page->chosen ? REVERSE : 0));
    const char *digits = PRINT("%.*s", (int)strcspn(page->times[l], " "), page->times[l]);
    const struct area big = area_below(area, 1);
    const struct area beside = area_right_of(big, draw_big_width(digits) + 1);
    draw_time(page, area_left(big, draw_big_width(digits)), 1, l, digits);
    const char *ratio = AS(format_times_big, &verdict->lanes[l]);
    if (verdict->fastest >= 0)
        draw_shortened(beside, ROLE_GOOD | BOLD,
                       *ratio ? ratio : AS(format_times_slower, &verdict->lanes[l]));
    const double bytes = page->costs[l].copied_total_bytes, ms = page->costs[l].copied_total_ms;
    if (bytes > 0 && beside.cols >= COPIED_COLS) {
        draw_text(area_row(beside, 1), ROLE_TO_DEVICE | BOLD, "%s", AS(format_bytes, bytes));
        if (isfinite(ms)) /* " 9 749 ms" would not fit */
            draw_text(area_row(beside, 2), ROLE_TO_DEVICE | BOLD, "in %s",
                      ms >= 1e3 && ms < 1e4 ? PRINT("%.1f s", 1e-3 * ms)
                                            : AS(format_duration, 1e-3 * ms));
    }
    if (sample_recorded_count(sample) > 0)
        draw_lane_mark(area_left(area_below(beside, 3), REPLAY_COLS), &sample->lanes[l]);
    if (!page->costs[l].is_settling)
        draw_text(area_row(beside, BIG_ROWS - 1), ROLE_VALUE | BOLD, "%s",
                  page->times[l] + strcspn(page->times[l], " ") + 1);
}

/* "40 it. in 4.10 ms" */
static char *format_total(char *buffer, size_t size, const struct lane_sample *lane) {
    return format_text(buffer, size, "%s it. in %s", AS(format_count, lane->iterations),
                       AS(format_duration, lane->seconds));
}

/* "64.4 GB in 6 194 ms " */
static char *format_copies(char *buffer, size_t size, const struct costs *costs) {
    return format_text(buffer, size, "%8s in %-7s ", AS(format_bytes, costs->copied_total_bytes),
                       AS(format_ms, costs->copied_total_ms));
}

/* The copies and iterations of each run so far, and their times; without the copies if a time would
 * lose its unit. */
static void draw_lane_totals(const struct cost_page *page, struct area area) {
    bool has_copies = page->most_bytes > 0;
    for (int l = 0; l < page->lane_count; l++)
        has_copies &= LETTER_COLS + 1 + grid_text_width(AS(format_copies, &page->costs[l])) +
                          grid_text_width(AS(format_total, &page->screen->sample->lanes[l])) <=
                      area.cols;
    draw_text(area, ROLE_TEXT | BOLD, has_copies ? "so far: copies, and total" : "so far");
    for (int l = 0; l < page->lane_count; l++) {
        struct area row = area_below(area, 1 + l);
        draw_next(&row, lane_role(l) | BOLD, "%c  ", lane_letter(l));
        if (has_copies)
            draw_next(&row, ROLE_TO_DEVICE | BOLD, "%s", AS(format_copies, &page->costs[l]));
        draw_shortened(row, ROLE_TEXT | BOLD, AS(format_total, &page->screen->sample->lanes[l]));
    }
}

/* The ratio in huge digits; beside it the agreement and the totals so far. */
static void draw_totals(const struct cost_page *page, struct area area) {
    const struct verdict *verdict = &page->verdict;
    const bool two_by_two = page->mode == MODE_TWO_BY_TWO;
    /* A screen reader gets the ratio in the words of the claim. */
    const char *big = page->mode == MODE_READ ? "" : verdict->big;
    const int width = draw_big_width(big);
    int times = TIMES_MAX;
    while (times > 1 && (times * BIG_ROWS > area.rows || times * width + TOTALS_COLS > area.cols))
        times--;
    draw_big(area_below(area, (area.rows - times * BIG_ROWS) / 2), times, ROLE_GOOD, big);
    struct area text = area_right_of(area, times * width + (*big ? GAP_COLS + 1 : 0));
    text = area_below(text, (text.rows - (two_by_two ? BIG_ROWS : 3 + page->lane_count)) / 2);
    const char *claim = verdict->claim;
    if (two_by_two) {
        if (page->chosen < 0 && *big && !sample_methods_differ(page->screen->sample))
            claim = PRINT("%c takes %s as long as %c", lane_letter(verdict->slowest), big,
                          lane_letter(verdict->fastest));
        text = area_below(text, draw_paragraph(text, ROLE_VALUE | BOLD, claim));
        draw_agreement(text, verdict);
        draw_shortened(area_row(text, 1), ROLE_TEXT | BOLD,
                       PRINT("one iteration, %s", AS(format_statistic, page->screen->sample)));
        draw_paragraph(area_below(text, 2), ROLE_DIM, verdict->turns);
        return;
    }
    const char *others = strstr(claim, ": "); /* the others' times */
    if (others && grid_text_width(claim) > text.cols)
        claim = PRINT("%.*s", (int)(others - claim), claim);
    draw_shortened(text, ROLE_VALUE | BOLD, claim);
    draw_agreement(area_below(text, 1), verdict);
    draw_lane_totals(page, area_below(text, 2));
}

/* The ratio in place of a fourth run, or the claim if it has none. */
static void draw_ratio_block(const struct cost_page *page, struct area block) {
    const struct verdict *verdict = &page->verdict;
    const bool other = page->chosen >= 0 && page->chosen != verdict->fastest;
    if (!*verdict->big) {
        draw_paragraph(area_below(block, 1), ROLE_VALUE | BOLD, verdict->claim);
        return;
    }
    draw_right(block, ROLE_GOOD | BOLD,
               PRINT("%c compared with %c", lane_letter(other ? page->chosen : verdict->slowest),
                     lane_letter(verdict->fastest)));
    block = area_right_of(block, block.cols - draw_big_width(verdict->big));
    draw_big(area_below(block, 1), 1, ROLE_GOOD, verdict->big);
}

/* Three or four runs in little room: times two by two, one bar each over the full width, and the
 * ratio. Of three runs the ratio is beside the last time. Of four it takes the last rows if
 * possible; the bars then come first, so that no big digits touch. */
static void draw_two_by_two(const struct cost_page *page, struct area area) {
    const int lanes = page->lane_count, half = (area.cols - GAP_COLS) / 2;
    const bool has_totals = lanes == LANES_MAX && area.rows >= FOUR_ROWS;
    const int spare = area.rows - 2 * BLOCK_ROWS - 1 - (has_totals ? BIG_ROWS : 0);
    const int bar_rows = spare / lanes, gaps = spare - bar_rows * lanes;
    const int top = has_totals ? lanes * bar_rows + (gaps > 0) : 0;
    for (int b = 0; b < LANES_MAX; b++) {
        struct area block = area_below(area, top + b / 2 * (BLOCK_ROWS + (gaps > 1)));
        block = area_left(area_right_of(block, b % 2 * (half + GAP_COLS)), half);
        if (b < lanes)
            draw_lane_time(page, area_top(block, BLOCK_ROWS), b);
        else if (page->verdict.fastest >= 0)
            draw_ratio_block(page, area_top(block, BLOCK_ROWS));
    }
    const struct area bars =
        has_totals ? area : area_below(area, 2 * BLOCK_ROWS + (gaps > 1) + (gaps > 0));
    for (int l = 0; l < lanes; l++) {
        const struct area row = area_top(area_below(bars, l * bar_rows), bar_rows);
        draw_text(row, lane_role(l) | BOLD, "%c", lane_letter(l));
        draw_iteration_bar(area_right_of(row, LETTER_COLS), &page->costs[l], page->most_ms,
                           page->screen->no_color);
    }
    if (has_totals)
        draw_totals(page, area_below(area, area.rows - BIG_ROWS));
    else
        draw_agreement(area_below(area, area.rows - 1), &page->verdict);
}

/* The runs one above the other, then the totals if there is room. */
static void draw_one_by_one(const struct cost_page *page, struct area area) {
    static const int least_rows[] = {[MODE_BESIDE] = BIG_ROWS, [MODE_SMALL] = 2, [MODE_READ] = 3};
    const int lanes = page->lane_count, digits = page->big * BIG_ROWS, words = lanes + 3;
    const bool for_reader = page->mode == MODE_READ;
    const int least = page->mode == MODE_STACKED ? digits + BAR_ROWS : least_rows[page->mode];
    const int needed = for_reader ? words : BIG_ROWS;
    const bool has_totals = lanes > 1 && area.rows >= lanes * least + needed;
    const int totals = has_totals ? max_int(digits, needed) : 0;
    int rows = (area.rows - totals) / lanes;
    const int high = digits + 2 * BAR_ROWS_MAX;
    if (lanes == 1 && rows >= high + OTHERS_ROWS)
        rows = high;
    if (has_totals) /* the ratio gets the rows that bars don't need */
        rows = min_int(rows, for_reader ? 7 : digits + BAR_ROWS_MAX + 1);
    const int apart = has_totals && lanes * (rows + 1) - 1 + max_int(words, totals) <= area.rows;
    for (int l = 0; l < lanes; l++)
        draw_lane_costs(page, area_top(area_below(area, l * (rows + apart)), rows), l);
    if (has_totals)
        draw_totals(page, area_below(area, lanes * (rows + apart) - apart));
}

/* Chooses the largest digits that leave room for bars, and for the ratio beside them. */
static void choose_mode(struct cost_page *page, struct area inner) {
    const int lanes = page->lane_count;
    page->mode = MODE_SMALL;
    if (for_screen_reader(page->screen)) {
        page->mode = MODE_READ;
        return;
    }
    for (int times = TIMES_MAX; times > 0; times--)
        if ((lanes + (lanes > 1)) * times * BIG_ROWS + lanes * BAR_ROWS <= inner.rows &&
            page->big_cols * times + GAP_COLS + TEXT_COLS <= inner.cols) {
            page->mode = MODE_STACKED;
            page->big = times;
            return;
        }
    if (lanes > 2 && inner.rows >= 2 * BLOCK_ROWS + lanes + 1 &&
        (inner.cols - GAP_COLS) / 2 >= page->digit_cols + BESIDE_COLS) {
        page->mode = MODE_TWO_BY_TWO;
    } else if (lanes * BIG_ROWS <= inner.rows &&
               page->big_cols + GAP_COLS + TEXT_COLS <= inner.cols) {
        page->mode = MODE_BESIDE;
        page->big = 1;
    }
}

static void costs_draw(struct area area, const struct screen *screen) {
    const int lanes = screen->sample->lane_count;
    struct cost_page page = {.screen = screen,
                             .lane_count = lanes,
                             .verdict = verdict_make(screen->sample),
                             .chosen =
                                 lanes > 2 ? screen->state->chosen_lane % (lanes + 1) - 1 : -1};
    struct verdict *verdict = &page.verdict;
    if (page.chosen >= 0 && verdict->fastest >= 0 && page.chosen != verdict->fastest) {
        const struct lane_cost *chosen = &verdict->lanes[page.chosen];
        format_times_big(verdict->big, sizeof verdict->big, chosen);
        if (!chosen->is_settling)
            format_text(verdict->claim, sizeof verdict->claim, "%c takes %s as long as %c",
                        lane_letter(page.chosen), AS(format_times_slower, chosen),
                        lane_letter(verdict->fastest));
    }
    for (int l = 0; l < lanes; l++) {
        page.costs[l] = costs_of_run(screen->sample, l);
        page.most_ms = fmax(page.most_ms, page.costs[l].ms_per_iteration);
        page.most_bytes = fmax(page.most_bytes, page.costs[l].copied_bytes);
    }
    print_times(&page);
    struct area inner = area_inset(frame_inside(area), 1, 0);
    if (page.most_ms > 0)
        choose_mode(&page, inner);
    if (page.mode == MODE_TWO_BY_TWO && lanes == LANES_MAX && inner.rows < FOUR_ROWS &&
        area.rows >= FOUR_ROWS)
        inner = area_inset(area, 1, 0); /* the ratio needs the frame's rows */
    else
        draw_frame(area, &(struct frame){.title = PRINT("One iteration, %s",
                                                        AS(format_statistic, screen->sample)),
                                         .value = lanes > 1 ? verdict->big : NULL,
                                         .key = costs_panel.key,
                                         .foot = lanes > 1 ? verdict->turns : NULL});
    if (!(page.most_ms > 0))
        draw_note(inner, "no iteration measured yet");
    else if (page.mode == MODE_TWO_BY_TWO)
        draw_two_by_two(&page, inner);
    else
        draw_one_by_one(&page, inner);
}

const struct panel costs_panel = {PANEL("costs", "What it costs", 'P', costs_draw)};
