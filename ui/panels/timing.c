/* The timing panel: one bar per kernel and per direction of copies, and the time per iteration. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metrics/costs.h"
#include "metrics/labels.h"
#include "metrics/table.h"
#include "ui/panels/panel.h"

/* One bar, with its figures. The schedule determines the kernels: the four of classic, or one. */
struct row {
    const char *name;
    enum role role;
    const struct cost *cost;
    double reference_ms; /* NaN: none */
    bool is_scaled;      /* the reference is for another grid */
};

enum { COPY_ROWS = 3, ROWS_MAX = COPY_ROWS + PHASE_COUNT + 1 };

struct rows {
    struct costs costs; /* of the run so far */
    bool is_scaled;     /* the references */
    int count;
    struct row rows[ROWS_MAX]; /* copies and allocation first, then the kernels */
};

static void add_row(struct rows *rows, const char *name, const struct cost *cost,
                    double reference_ms) {
    rows->rows[rows->count++] =
        (struct row){name, event_styles[cost->kind].role, cost, reference_ms, rows->is_scaled};
}

static bool has_reference(const struct rows *rows) {
    bool has = false;
    for (int r = 0; r < rows->count; r++)
        has |= !isnan(rows->rows[r].reference_ms);
    return has;
}

static bool is_idle(const struct row *row) {
    return row->cost->kind != EVENT_KERNEL && row->cost->count_per_iteration == 0;
}

/* ---- the summary: one whole iteration in a strip, from end to end -------------------------- */

/* "moving data 96 %"; at the right "4 % computing". Returns the columns used. */
static int draw_share(struct area row, bool at_right, enum role role, const char *what,
                      double percent) {
    const char *share = AS(format_percent, percent);
    if (at_right)
        return draw_right(row, role | BOLD, PRINT("%s %s", share, what)) + 1;
    return draw_text(row, role | BOLD, "%s %s", what, share) + 1;
}

/* "moving data 96 % ██████████▓▓▓▓▒ 4 % computing" */
static void draw_summary(struct area row, const struct costs *costs, bool no_color) {
    if (row.cols >= 40) {
        const char *moving = row.cols >= 56 ? "moving data" : "moving";
        const int left =
            draw_share(row, false, ROLE_TO_DEVICE, moving, costs->moving.percent_of_loop);
        const int right =
            draw_share(row, true, ROLE_KERNEL, "computing", costs->computing.percent_of_loop);
        row = area_left(area_right_of(row, left), row.cols - left - right);
    }
    draw_iteration_bar(row, costs, costs->ms_per_iteration, no_color);
}

/* ---- the bars ------------------------------------------------------------------------------ */

/* Widths of columns; 0: not shown. */
struct columns {
    int name, bar, ms, percent, gbs, bytes, reference;
    bool is_below; /* the bar, over the whole width */
};

/* Columns to the right of the bars are dropped in the reverse of this order. In a narrow panel the
 * percentage gives way, then the bar: names stay whole, "BC" for the longest. */
static struct columns columns_make(int cols, bool has_reference) {
    enum {
        LONG_NAME = 13,
        NAME = 12,
        BAR_MIN = 10,
        GBS_COLS = 11,
        BYTES_COLS = 9,
        REFERENCE_COLS = 13
    };
    struct columns columns = {.name = cols >= 40 ? LONG_NAME : NAME, .ms = 9, .percent = 7};
    if (columns.name + columns.ms + columns.percent + BAR_MIN > cols)
        columns.percent = 0;
    int left = cols - columns.name - columns.ms - columns.percent;
    if (left >= BAR_MIN + GBS_COLS)
        left -= columns.gbs = GBS_COLS;
    if (left >= BAR_MIN + BYTES_COLS)
        left -= columns.bytes = BYTES_COLS;
    if (has_reference && left >= BAR_MIN + REFERENCE_COLS)
        left -= columns.reference = REFERENCE_COLS;
    columns.bar = max_int(left, 0);
    return columns;
}

/* `most`: the time of a full-length bar in ms. */
static void draw_row(struct area area, const struct columns *columns, const struct row *row,
                     double most) {
    if (area.rows < 1)
        return;
    const struct cost *cost = row->cost;
    const bool boundary = cost->kind == EVENT_KERNEL && cost->phase == PHASE_BOUNDARY;
    const bool moves = cost->kind != EVENT_KERNEL && cost->kind != EVENT_WAIT;
    const struct area bar =
        columns->is_below
            ? area_row(area, 1)
            : area_left(area_right_of(area_top(area, 1), columns->name + 1), columns->bar - 2);
    draw_shortened(area_left(area, columns->name), row->role,
                   !boundary             ? row->name
                   : columns->name >= 13 ? "BoundaryCond."
                                         : "BC");
    draw_bar(bar, cost->ms_per_iteration / most, row->role);
    if (!isnan(row->reference_ms))
        draw_tick(bar, row->reference_ms / most, ROLE_REFERENCE);
    struct area cells = area_right_of(area, columns->name + columns->bar);
    if (cost->count_per_iteration == 0) {
        draw_cell(&cells, columns->ms, ROLE_DIM, "none");
        return;
    }
    draw_cell(&cells, columns->ms, ROLE_TEXT, AS(format_ms, cost->ms_per_iteration));
    draw_cell(&cells, columns->percent, ROLE_TEXT, AS(format_percent, cost->percent_of_loop));
    draw_cell(&cells, columns->bytes, ROLE_TEXT,
              moves ? AS(format_bytes, cost->bytes_per_iteration) : "");
    draw_cell(&cells, columns->gbs, ROLE_DIM,
              cost->kind == EVENT_KERNEL || (moves && cost->kind != EVENT_ALLOC)
                  ? AS(format_gbs, cost->gbs)
                  : "");
    if (columns->reference && !isnan(row->reference_ms))
        draw_cell(
            &cells, columns->reference, ROLE_REFERENCE,
            PRINT("%s %s", row->is_scaled ? "~ref" : "ref", AS(format_ms, row->reference_ms)));
}

/* Chooses the rows to show. Too little room first drops idle rows, then the shortest times, the
 * rest of the loop among them if more than the blog's kernels fit. Returns the rows needed. */
static int choose_rows(const struct rows *rows, int room, bool shown[ROWS_MAX]) {
    enum { KERNELS = 4 };
    const bool scarce = room <= rows->count;
    const double rest_ms = rows->costs.rest.ms;
    bool has_rest = room > KERNELS && rest_ms > 0;
    int count = has_rest;
    for (int r = 0; r < rows->count; r++)
        count += shown[r] = !scarce || !is_idle(&rows->rows[r]);
    for (; scarce && count > room; count--) {
        int least = -1;
        for (int r = 0; r < rows->count; r++)
            if (shown[r] && (least < 0 || !(rows->rows[r].cost->ms_per_iteration >=
                                            rows->rows[least].cost->ms_per_iteration)))
                least = r;
        if (least < 0)
            break;
        if (has_rest && rows->rows[least].cost->ms_per_iteration > rest_ms)
            has_rest = false;
        else
            shown[least] = false;
    }
    return count;
}

/* "to device, allocation: none". Returns whether any row is idle. */
static bool draw_idle_rows(struct area row, const struct rows *rows) {
    const int start = row.x;
    for (int r = 0; r < rows->count; r++)
        if (is_idle(&rows->rows[r]))
            draw_next(&row, ROLE_DIM, "%s%s", row.x > start ? ", " : "", rows->rows[r].name);
    if (row.x > start)
        draw_text(row, ROLE_DIM, ": none");
    return row.x > start;
}

/* The rest of an iteration; its time, if its separately timed parts exceed it: their sum is then
 * the whole for the shares. */
static void draw_rest(struct area row, struct columns columns, const struct costs *costs,
                      double most) {
    columns.bytes = columns.gbs = 0;
    if (!(costs->whole_ms > costs->ms_per_iteration)) {
        const struct cost rest = {.kind = EVENT_ALLOC,
                                  .count_per_iteration = 1,
                                  .ms_per_iteration = costs->rest.ms,
                                  .percent_of_loop = costs->rest.percent_of_loop};
        draw_row(row, &columns, &(struct row){"rest of loop", ROLE_DIM, &rest, NAN, false}, most);
        return;
    }
    const char *time = PRINT("%s: parts timed separately", AS(format_ms, costs->ms_per_iteration));
    const char *reasoned = PRINT("%s%s", time,
                                 costs->calls_per_timed >= 1.5       ? "; untimed, kernels overlap"
                                 : costs->kernel_clock == CLOCK_HOST ? ""
                                                                     : ", by another clock");
    draw_text(row, ROLE_DIM, "loop");
    row = area_right_of(row, columns.name + 1);
    draw_shortened(row, ROLE_DIM, grid_text_width(reasoned) <= row.cols ? reasoned : time);
}

/* Idle rows share one row if separate rows would displace more informative ones. */
static void draw_bars(struct area area, const struct rows *rows) {
    const struct costs *costs = &rows->costs;
    double most = fmax(0, costs->rest.ms); /* the longest bar, in ms */
    for (int r = 0; r < rows->count; r++)
        most = fmax(most, rows->rows[r].cost->ms_per_iteration);
    most = most > 0 ? most : 1;
    const bool airy = area.rows >= rows->count + 3;
    enum { BAR_COLS = 30 }; /* narrower ones are below the figures, if there is room */
    bool shown[ROWS_MAX];
    struct columns columns = columns_make(area.cols, has_reference(rows));
    const int count = choose_rows(rows, area.rows, shown);
    columns.is_below = columns.bar < BAR_COLS && area.rows >= 2 * (rows->count + 1) + 3;
    const int pitch = 1 + columns.is_below;
    if (area.rows <= rows->count && count < area.rows && draw_idle_rows(area_top(area, 1), rows))
        area = area_below(area, 1);
    for (int r = 0; r < rows->count; r++)
        if (shown[r])
            draw_row(area_take_top(&area, pitch + (r == COPY_ROWS - 1 && airy)), &columns,
                     &rows->rows[r], most);
    draw_rest(area_take_top(&area, pitch), columns, costs, most);
    const struct cost *once = &costs->setup[EVENT_TO_DEVICE];
    if (once->total_bytes > 0)
        draw_text(area_row(area, airy), ROLE_DIM, "before the loop, once: %s%s",
                  AS(format_bytes, once->total_bytes),
                  isfinite(once->total_ms) ? PRINT(" in %s", AS(format_ms, once->total_ms)) : "");
}

/* ---- the panel ----------------------------------------------------------------------------- */

/* Least columns beside the big digits: for bars; for the shares in words. */
enum { BIG_BLOCK_ROWS = BIG_ROWS + 2, BARS_COLS = 40, SHARES_COLS = 18, FEET_COLS = 9 };

/* With `wants_big` the time is above in big digits. If too few rows remain for the bars below, they
 * are beside the digits; in a narrow panel only the shares are. */
static void draw_content(struct area inner, const struct rows *rows, bool wants_big,
                         bool no_color) {
    const struct costs *costs = &rows->costs;
    inner = area_inset(inner, inner.cols >= 44, 0);
    if (isnan(costs->ms_per_iteration)) {
        draw_note(inner, "no iteration measured yet");
        return;
    }
    char *text = AS(format_ms, costs->ms_per_iteration), *unit = strrchr(text, ' ');
    const bool big = unit && wants_big && inner.rows > BIG_BLOCK_ROWS;
    if (big)
        *unit++ = 0;
    const struct area beside = area_right_of(inner, draw_big_width(text) + 3);
    if (big && beside.cols < BARS_COLS && beside.cols >= SHARES_COLS) {
        draw_big(inner, 1, ROLE_VALUE, text);
        draw_share(beside, false, ROLE_TO_DEVICE, "moving data", costs->moving.percent_of_loop);
        draw_share(area_below(beside, 1), false, ROLE_KERNEL, "computing",
                   costs->computing.percent_of_loop);
        draw_iteration_bar(area_row(beside, 2), costs, costs->ms_per_iteration, no_color);
        draw_text(area_row(beside, BIG_ROWS - 1), ROLE_VALUE | BOLD, "%s per iteration", unit);
        draw_bars(area_below(inner, BIG_ROWS + (inner.rows > BIG_ROWS + rows->count + 1)), rows);
        return;
    }
    struct area bars = {0};
    if (big && beside.cols >= BARS_COLS) {
        const struct area block = area_take_top(&inner, BIG_BLOCK_ROWS);
        draw_big(area_below(block, 1), 1, ROLE_VALUE, text);
        draw_text(area_row(block, BIG_BLOCK_ROWS - 1), ROLE_VALUE | BOLD, "%s per iteration", unit);
        if (inner.rows <= rows->count)
            bars = area_top(beside, BIG_BLOCK_ROWS);
    }
    draw_summary(area_top(inner, 1), costs, no_color);
    draw_bars(bars.rows ? bars : area_below(inner, inner.rows >= rows->count + 4 ? 2 : 1), rows);
}

/* In two rows: an iteration to scale, with a gap after each part; its time, and shares:
 * all figures whole, without the interval or the rest if they are too long. */
static void draw_compact(struct area area, const struct rows *rows, bool no_color) {
    const struct costs *costs = &rows->costs;
    char names[128] = "";
    bool has_nameless = false;
    double sum = 0;
    int from = 0;
    if (isnan(costs->ms_per_iteration))
        return;
    grid_fill_glyph(area_top(area, 1), 0x2500, ROLE_DIM);
    for (int r = 0; r < rows->count; r++) {
        const struct cost *cost = rows->rows[r].cost;
        const struct event_style *style = &event_styles[cost->kind];
        const char *name =
            cost->kind == EVENT_KERNEL && cost->phase == PHASE_BOUNDARY ? "BC" : rows->rows[r].name;
        sum += cost->ms_per_iteration > 0 ? cost->ms_per_iteration : 0;
        const int to = (int)lround(fmin(sum / costs->whole_ms, 1) * area.cols);
        const struct area part = area_left(area_right_of(area_top(area, 1), from), to - from);
        grid_fill_glyph(part, no_color ? style->plain : style->fill, style->role);
        if (part.cols > 1)
            grid_put(part, part.x + part.cols - 1, part.y, 0x258c, style->role);
        const int letters = cost->kind != EVENT_KERNEL ? (int)strcspn(name, " ")
                            : strlen(name) <= 4        ? 4
                                                       : 3;
        const char *brief = PRINT("%.*s", letters, name);
        const char *shown = part.cols > grid_text_width(name) + 1 ? name : brief;
        if (part.cols > grid_text_width(shown) + 1)
            draw_centered(area_left(part, part.cols - 1), style->role | BOLD | REVERSE, shown);
        else
            has_nameless |= part.cols > 0;
        if (cost->ms_per_iteration > 0)
            format_append(names, sizeof names, "%s %s", *names ? "," : "", brief);
        from = to;
    }
    if (has_nameless && grid_text_width(names) + 1 < area.cols - from)
        draw_text(area_right_of(area, from), ROLE_DIM, "%s ", names);
    struct area line = area_right_of(area_row(area, 1), 1);
    char *time = AS(format_iteration, costs, "/iteration");
    const char *moving =
        costs->copied_bytes > 0
            ? PRINT("  copying %s, %s", AS(format_percent, costs->moving.percent_of_loop),
                    AS(format_bytes, costs->copied_bytes))
            : "";
    const char *computing =
        PRINT("  computing %s", AS(format_percent, costs->computing.percent_of_loop));
    const double percent = costs->rest.percent_of_loop;
    const char *rest = percent > 0 ? PRINT("  rest %s", AS(format_percent, percent)) : "";
    const int room = line.cols - grid_text_width(moving) - grid_text_width(computing);
    if (grid_text_width(time) + grid_text_width(rest) > room) {
        const size_t length = strcspn(time, "(");
        time[length - (length > 0 && time[length])] = 0; /* the interval, and its blank */
    }
    draw_next(&line, ROLE_VALUE | BOLD, "%s", time);
    draw_next(&line, ROLE_TO_DEVICE | BOLD, "%s", moving);
    draw_next(&line, ROLE_KERNEL | BOLD, "%s", computing);
    if (grid_text_width(rest) <= line.cols)
        draw_text(line, ROLE_DIM, "%s", rest);
}

/* "clock: OMPT, 1 in 8 timed, copies host": the clocks of the measurements. */
static void write_clocks(char *clocks, size_t size, const struct costs *costs,
                         const struct lane_sample *lane, int cols) {
    const bool own_clock = costs->kernel_clock == CLOCK_COUNTER;
    format_text(clocks, size, "%s%s",
                own_clock ? "" : "clock: ", format_clock(costs->kernel_clock));
    if (own_clock && lane->clock_step_ns > 0)
        format_append(clocks, size, " (%s%.0f ns)", cols >= 76 ? "steps of " : "",
                      lane->clock_step_ns);
    if (costs->calls_per_timed >= 1.5)
        format_append(clocks, size, ", 1 in %.0f timed", costs->calls_per_timed);
    if (costs->copy_clock && costs->copy_clock != costs->kernel_clock)
        format_append(clocks, size, ", copies %s", format_clock(costs->copy_clock));
}

/* "showing 1 %, measuring 2 %": the program's own share of the time. */
static void write_overhead(char *overhead, size_t size, const struct costs *costs) {
    format_text(overhead, size, "showing %s",
                AS(format_percent, costs->downsampling_percent_of_run));
    if (costs->measuring_percent_of_run >= 0)
        format_append(overhead, size, ", measuring %s%s",
                      AS(format_percent, costs->measuring_percent_of_run),
                      costs->kernel_clock == CLOCK_COUNTER ? " (host's part)" : "");
}

static void timing_draw(struct area area, const struct screen *screen) {
    const struct lane_sample *lane = screen_lane(screen);
    struct frame frame = panel_frame(&timing_panel);
    if (!lane) {
        draw_frame(area, &frame);
        return;
    }
    if (screen->sample->lane_count > 1)
        frame.title = PRINT("%s of %c", frame.title, lane_letter(screen->lane));
    if (lane->times.count > 1)
        frame.title = PRINT("%s: typical of %s", frame.title, AS(format_count, lane->times.count));
    char clocks[128], overhead[96];
    struct rows rows = {.costs = costs_of_run(screen->sample, screen->lane)};
    const struct costs *costs = &rows.costs;
    for (int kind = EVENT_TO_DEVICE; kind <= EVENT_ALLOC; kind++)
        add_row(&rows, event_styles[kind].name, &costs->work[kind], NAN);
    enum phase phases[PHASE_COUNT];
    const int phase_count = lane_phases(lane, phases);
    const struct reference *reference = &screen->config->reference;
    const double factor = reference_kernel_factor(reference, screen->sample, lane);
    rows.is_scaled = factor != 1;
    for (int p = 0; p < phase_count; p++)
        add_row(&rows, phase_names[phases[p]], &costs->kernels[phases[p]],
                factor * reference->kernel_ms[phases[p]]);
    const struct cost launching = {.kind = EVENT_WAIT,
                                   .count_per_iteration = 1,
                                   .bytes = NAN,
                                   .gbs = NAN,
                                   .ms_per_iteration = costs->launching.ms,
                                   .percent_of_loop = costs->launching.percent_of_loop};
    if (!isnan(costs->launching.ms))
        add_row(&rows, event_styles[EVENT_WAIT].name, &launching, NAN);
    if (area.rows == 2) {
        draw_compact(area, &rows, screen->no_color);
        return;
    }
    frame.value =
        isnan(costs->ms_per_iteration)
            ? AS(format_ms, NAN)
            : PRINT("%s%s = 100 %%", costs->whole_ms > costs->ms_per_iteration ? "parts: " : "",
                    AS(format_ms, costs->whole_ms));
    /* In a narrow frame the title remains whole. */
    enum { TITLE_COLS = 10 };
    const int left = area.cols - TITLE_COLS - grid_text_width(frame.value);
    if (grid_text_width(frame.title) > left)
        frame.title = timing_panel.title;
    if (grid_text_width(frame.title) > left)
        frame.value = AS(format_ms, costs->whole_ms);
    write_clocks(clocks, sizeof clocks, costs, lane, area.cols);
    write_overhead(overhead, sizeof overhead, costs);
    if (grid_text_width(clocks) + grid_text_width(overhead) + 20 < area.cols)
        format_append(overhead, sizeof overhead, " of the run");
    frame.foot_left = clocks;
    if (has_reference(&rows)) { /* its last word names it */
        const char *name = strrchr(reference->source, ' ');
        const char *ticks =
            PRINT("┃ %s%s", name ? name + 1 : "reference", rows.is_scaled ? ", scaled" : "");
        const char *both = PRINT("%s · %s", ticks, clocks);
        const int room = area.cols - grid_text_width(overhead) - FEET_COLS;
        frame.foot_left = grid_text_width(both) <= room ? both : ticks;
    }
    frame.foot = overhead;
    /* Big digits if the panel has room to spare, or on a projector. */
    draw_content(draw_frame(area, &frame), &rows,
                 (screen->config->view.terminal.theme == THEME_PROJECTOR || area.rows >= 20) &&
                     !for_screen_reader(screen),
                 screen->no_color);
}

const struct panel timing_panel = {PANEL("timing", "One iteration", '3', timing_draw)};
