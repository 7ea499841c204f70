/* Draws data movement (ui/panels/motion.h). From top to bottom: the memories of each lane with the
 * link between them and the current line of code; the iteration on one clock; the figures. */
#include "ui/panels/motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/backends.h"
#include "metrics/labels.h"
#include "metrics/verdict.h"
#include "ui/panels/panel.h"
#include "ui/panels/timeline.h"

enum {
    LABEL_COLS = 4,
    KERNEL_COLS = 15,
    WIDE_COLS = 116, /* from this width on, field and residual fit beside it, */
    WIDE_ROWS = 30,
    CLOCK_RIGHT_COLS = 18, /* for the time, right of the clock */
    SOURCE_ROWS = 15,      /* the least rows for the source, below; */
    SOURCE_COLS = 60,      /* and its least columns for each lane */
    CODE_COLS = 96,        /* for the longest directive in one row */
};

struct page {
    struct area area;
    const struct screen *screen;
    const struct motion *motion;
    struct motion_state states[LANES_MAX];
    struct verdict verdict;
    int bar_cols, bar_rows; /* an array's */
    int code_rows;          /* a directive's or call's */
    int verdict_rows;       /* only the claim if the verdict has a panel of its own */
};

/* ---- words ---------------------------------------------------------------------------------- */

const char *motion_kernel_name(enum phase phase, int cols) {
    const char *name = phase_names[phase], *brief = timeline_short_names[phase];
    return (int)strlen(name) <= cols || !brief ? name : brief;
}

/* The current line of code: OpenMP's directive, or the call of HIP in the blog's notation. */
static char *format_code(char *buffer, size_t size, const struct lane_sample *lane,
                         const struct motion_step *step) {
    static const char *const arguments[PHASE_COUNT] = {
        [PHASE_LAPLACIAN] = "U, AU", [PHASE_BOUNDARY] = "U, AU", [PHASE_UPDATE] = "RHS, AU, RES, U",
        [PHASE_NORM] = "RES",        [PHASE_FUSED] = "RHS, U",   [PHASE_BLOCKED] = "RHS, U",
    };
    static const char *const own_clauses[PHASE_COUNT] = {
        [PHASE_LAPLACIAN] = " collapse(2)",
        [PHASE_NORM] = " reduction(+:norm)",
        [PHASE_FUSED] = " reduction(+:norm)",
        [PHASE_BLOCKED] = " map(tofrom:norms[0:depth])",
    };
    const struct backend *backend = backend_find(lane->run.backend);
    const bool is_hip = backend && backend->model == MODEL_KERNEL_LAUNCHES;
    const bool is_kernel = step->kind == EVENT_KERNEL;
    const char *array = array_names[step->array];
    if (!backend_maps(lane->run.backend))
        return format_text(buffer, size, "%s(%s);", phase_names[step->phase],
                           arguments[step->phase] ? arguments[step->phase] : "…");
    if (is_hip && is_kernel)
        return format_text(buffer, size, "%s<<<grid, block>>>(…);", phase_names[step->phase]);
    if (is_hip && step->kind == EVENT_TO_DEVICE)
        return format_text(buffer, size, "hipMemcpy(d_%s, %s, bytes, hipMemcpyHostToDevice);",
                           array, array);
    if (is_hip && step->kind == EVENT_FROM_DEVICE)
        return format_text(buffer, size, "hipMemcpy(%s, d_%s, bytes, hipMemcpyDeviceToHost);",
                           array, array);
    if (is_hip)
        return format_text(buffer, size, "hipMalloc(&d_%s, bytes);", array);
    if (is_kernel || step->array == ARRAY_NORM) /* mapped by the kernel's directive */
        return format_text(buffer, size, "#pragma omp target teams distribute parallel for%s",
                           own_clauses[step->phase] ? own_clauses[step->phase] : "");
    const struct excerpt *mapping = explain_phase(lane, step->phase, SOURCE_OWN).mapping;
    if (!mapping)
        return format_text(buffer, size, "#pragma omp target data");
    struct directive lines[DIRECTIVES_MAX];
    explain_directives(mapping, lines);
    return format_text(buffer, size, "%.*s", lines->length, lines->text);
}

/* "ended after 15 iterations": of a lane whose events are lost. */
static char *format_end(char *buffer, size_t size, const struct lane_sample *lane) {
    return format_text(buffer, size, "ended after %s iteration%s",
                       AS(format_count, lane->iterations), lane->iterations == 1 ? "" : "s");
}

/* ---- memories and link ---------------------------------------------------------------------- */

static void draw_rule(struct area area, int y, const char *letter, const char *title,
                      const char *right) {
    grid_fill_glyph(area_row(area, y - area.y), U'─', ROLE_DIM);
    int at = area.x + 2;
    grid_put(area, at - 1, y, ' ', ROLE_DIM);
    if (*letter)
        at += grid_text(area, at, y, ROLE_TITLE | BOLD, "%s  ", letter);
    at += grid_text(area, at, y, ROLE_TITLE | BOLD, "%s ", title);
    const int width = grid_text_width(right);
    if (width > 0 && area.x + area.cols - width - 3 > at)
        grid_text(area, area.x + area.cols - width - 3, y, ROLE_DIM, " %s ", right);
}

/* An array in a memory: its valid part, its stale part, or its absence. */
static void draw_array(const struct page *page, int x, int y, const struct motion_array *array) {
    const struct area bar = {x, y, page->bar_cols, page->bar_rows, page->area.grid};
    const int valid = array->is_there ? (int)lround(array->valid * page->bar_cols) : 0;
    const enum role role = array->is_written ? ROLE_KERNEL : ROLE_TEXT;
    grid_fill_glyph(area_left(bar, valid), U'█', role);
    grid_fill_glyph(area_left(area_top(bar, 1), valid), U'▆', role);
    grid_fill_glyph(area_right_of(bar, valid), array->is_there ? U'░' : U'·', ROLE_DIM);
}

/* A packet in transit, as wide as its bytes. */
static void draw_packet(const struct page *page, struct area link, int y,
                        const struct motion_step *copy, double done, double array_bytes) {
    const bool to_device = copy->kind == EVENT_TO_DEVICE;
    const enum role role = event_styles[copy->kind].role;
    int cols =
        array_bytes > 0 ? (int)lround(page->bar_cols * (double)copy->bytes / array_bytes) : 1;
    cols = cols < 1 ? 1 : cols > link.cols - 2 ? link.cols - 2 : cols;
    const double way = (link.cols - cols) * (to_device ? done : 1 - done);
    const int x = link.x + (int)lround(way);
    grid_fill_glyph((struct area){x, y, cols, page->bar_rows, link.grid},
                    event_glyph(page->screen, copy->kind), role);
    const char *label = PRINT(to_device ? "%s %s ▶" : "◀ %s %s", array_names[copy->array],
                              AS(format_bytes, (double)copy->bytes));
    const int width = grid_text_width(label);
    if (width <= cols)
        grid_text(link, x + (cols - width) / 2, y + (page->bar_rows - 1) / 2, role | REVERSE | BOLD,
                  "%s", label);
    else if (to_device && x - link.x > width)
        grid_text(link, x - width - 1, y, role | BOLD, "%s", label);
    else
        grid_text(link, x + cols + 1, y, role | BOLD, "%s", label);
}

/* The way of an array that the iteration copies. */
static void draw_track(const struct page *page, struct area link, int y, enum array array,
                       const struct motion_lane *lane) {
    for (int s = 0; s < lane->count; s++)
        if (lane->steps[s].array == array &&
            (lane->steps[s].kind == EVENT_TO_DEVICE || lane->steps[s].kind == EVENT_FROM_DEVICE)) {
            grid_fill_glyph(area_row(link, y + (page->bar_rows - 1) / 2 - link.y), U'┄', ROLE_DIM);
            return;
        }
}

static void draw_kernel(const struct page *page, struct area box,
                        const struct motion_state *state) {
    const struct motion_step *kernel = state->kernel;
    if (!kernel) {
        draw_centered(area_row(box, (box.rows - 1) / 2), ROLE_DIM, "no kernel");
        return;
    }
    grid_fill_glyph(box, U'█', ROLE_KERNEL);
    const int middle = (box.rows - 1) / 2;
    draw_centered(area_row(box, middle), ROLE_KERNEL | REVERSE | BOLD,
                  motion_kernel_name(kernel->phase, box.cols));
    draw_centered(area_row(box, middle + 1), ROLE_KERNEL | REVERSE,
                  AS(format_ms, 1e3 * (kernel->end - kernel->start)));
    if (middle + 2 < box.rows)
        draw_centered(area_row(box, middle + 2), ROLE_KERNEL | REVERSE,
                      PRINT("%.0f %% done", 100 * state->done));
}

/* The current line of code, lit; the last one while nothing runs, faint. */
static void draw_line_of_code(const struct page *page, int l, int y) {
    const struct area rows = area_top(area_below(page->area, y - page->area.y), page->code_rows);
    const struct area line = area_left(area_right_of(rows, 3), page->area.cols - 4);
    const struct motion_state *state = &page->states[l];
    const struct motion_lane *lane = &page->motion->lanes[l];
    const struct motion_step *now = state->now ? state->now : state->last;
    if (lane->count == 0)
        return;
    if (state->has_ended) {
        const long more =
            (long)(lane->iterations * (page->motion->seconds / lane->seconds - 1)); /* as shown */
        const char *after = lane->is_copied ? ": its memory is free again"
                            : more > 0      ? PRINT(": time for %s more iteration%s",
                                                    AS(format_count, more), more > 1 ? "s" : "")
                                            : "";
        draw_shortened(line, ROLE_DIM,
                       PRINT("finished after %s%s", AS(format_duration, lane->seconds), after));
        return;
    }
    if (!now)
        return;
    const int role = state->now ? event_styles[now->kind].role | BOLD : ROLE_DIM;
    const char *code = AS(format_code, &page->screen->sample->lanes[l], now);
    const bool is_long = grid_text_width(code) > line.cols, wraps = is_long && line.rows > 1;
    if (is_long && !wraps && strstr(code, "map(")) /* its clauses matter more than its name */
        code = PRINT("#pragma omp … %s", strstr(code, "map("));
    if (state->now) {
        grid_fill(area_top(rows, 1 + wraps), ROLE_BAR);
        grid_put(page->area, page->area.x + 1, y, U'▶', style_on(role, ROLE_BAR));
    }
    if (wraps)
        draw_paragraph(line, role, code);
    else
        draw_shortened(line, role, code);
}

static void draw_link_head(struct area row, const struct motion_step *copy) {
    if (!copy) {
        draw_centered(row, ROLE_DIM, "link idle");
        return;
    }
    const double gbs = 1e-9 * (double)copy->bytes / (copy->end - copy->start);
    draw_centered(row, event_styles[copy->kind].role,
                  PRINT(copy->kind == EVENT_TO_DEVICE ? "to device, %s ▶" : "◀ back, %s",
                        AS(format_gbs, gbs)));
}

/* Rows: rule, heads if it is the first lane, arrays, line of code. Returns their number. */
static int draw_memories(const struct page *page, int l, int y) {
    const struct motion_lane *lane = &page->motion->lanes[l];
    const struct motion_state *state = &page->states[l];
    const struct area area = page->area;
    const int host_x = area.x + LABEL_COLS + 2,
              device_x = area.x + area.cols - KERNEL_COLS - page->bar_cols - LABEL_COLS - 4;
    const struct area link = {host_x + page->bar_cols + 2, y,
                              device_x - host_x - page->bar_cols - 4, area.rows, area.grid};
    const struct area box = {area.x + area.cols - KERNEL_COLS, y + 2, KERNEL_COLS - 1,
                             lane->array_count * page->bar_rows, area.grid};
    const struct lane_sample *sample = &page->screen->sample->lanes[l];
    const bool maps = backend_maps(sample->run.backend);
    const char letter[2] = {lane_letter(l), 0};
    draw_rule(area, y, page->motion->lane_count > 1 ? letter : "",
              PRINT("%s%s%s", maps ? mapping_names[sample->run.mapping] : "", maps ? ": " : "",
                    lane->is_copied    ? "arrays travel"
                    : lane->has_device ? "arrays stay"
                                       : "one memory"),
              lane->count == 0 ? AS(format_end, sample)
              : state->copies == 0
                  ? (page->verdict.lanes[l].costs.copied_bytes > 0
                         ? "copies are in other iterations"
                         : "nothing is copied")
                  : PRINT("%s %d of %d · %s of %s", state->copy ? "copy" : "copies",
                          state->copies_begun, state->copies, AS(format_bytes, state->bytes_moved),
                          AS(format_bytes, state->bytes)));
    grid_text(area, host_x, y + 1, ROLE_DIM, "host memory");
    if (lane->has_device) {
        grid_text(area, device_x, y + 1, ROLE_DIM, "device memory");
        draw_link_head(area_row(link, 1), state->copy);
    }
    grid_text(area, box.x, y + 1, ROLE_DIM, "kernel");
    const double array_bytes =
        (double)precision_bytes(sample->run.precision) * sample->nx * sample->ny;
    for (int a = 0; a < lane->array_count; a++) {
        const enum array array = lane->arrays[a];
        const int row = y + 2 + a * page->bar_rows;
        grid_text(area, area.x + 2, row, ROLE_TEXT, "%s", array_names[array]);
        draw_array(page, host_x, row, &state->host[array]);
        for (int k = 0; k < page->bar_rows; k++)
            grid_put(area, host_x + page->bar_cols, row + k, U'▏', ROLE_DIM);
        if (!lane->has_device)
            continue;
        for (int k = 0; k < page->bar_rows; k++)
            grid_put(area, device_x - 1, row + k, U'▕', ROLE_DIM);
        draw_track(page, link, row, array, lane);
        const struct motion_array *there = &state->device[array];
        draw_array(page, device_x, row, there);
        grid_text(area, device_x + page->bar_cols + 1, row, ROLE_TEXT, "%s", array_names[array]);
        const int arrow = device_x + page->bar_cols + LABEL_COLS + 1;
        if (there->is_read)
            grid_put(area, arrow, row, U'▶', ROLE_KERNEL);
        if (there->is_written)
            grid_put(area, arrow + there->is_read, row, U'◀', ROLE_KERNEL);
        if (state->copy && state->copy->array == array)
            draw_packet(page, link, row, state->copy, state->done, array_bytes);
    }
    draw_kernel(page, box, state);
    const int rows = 2 + lane->array_count * page->bar_rows;
    draw_line_of_code(page, l, y + rows);
    return rows + page->code_rows;
}

/* ---- the clock ------------------------------------------------------------------------------ */

static void draw_step(const struct page *page, struct area clock, int y, double per_second,
                      const struct motion_step *step) {
    if (step->start > page->motion->at)
        return;
    const double end = fmin(step->end, page->motion->at);
    const int from = (int)(step->start * per_second);
    const int to = (int)lround(end * per_second), whole = (int)lround(step->end * per_second);
    const bool is_kernel = step->kind == EVENT_KERNEL;
    const enum role role = event_styles[step->kind].role;
    const uint32_t glyph = step->kind == EVENT_ALLOC ? U'─' : event_glyph(page->screen, step->kind);
    const struct cell *first = grid_at(clock.grid, clock.x + from, y);
    const bool is_taken = first && first->glyph && to > from + 1; /* by the previous step */
    for (int x = from + is_taken; x < to || x == from; x++)
        grid_put(clock, clock.x + x, y, x + 1 >= to && (is_kernel || to - from > 1) ? U'▌' : glyph,
                 role);
    const char *label =
        is_kernel ? motion_kernel_name(step->phase, whole - from - 1) : array_names[step->array];
    const int width = grid_text_width(label);
    if (step->kind != EVENT_ALLOC && width < to - from)
        grid_text(clock, clock.x + from + (to - from - 1 - width) / 2, y, role | REVERSE | BOLD,
                  "%s", label);
}

/* `hidden`: the lanes whose memories are not drawn, in words. */
static int draw_clock(const struct page *page, int y, const char *hidden) {
    const struct motion *motion = page->motion;
    const struct area area = page->area;
    const struct area clock = {area.x + 4, y, area.cols - 4 - CLOCK_RIGHT_COLS, area.rows,
                               area.grid};
    const double per_second = (clock.cols - 1) / motion->seconds;
    const int play = clock.x + (int)lround(fmin(motion->at, motion->seconds) * per_second);
    const double unit = motion->seconds >= 0.01 ? 1e-3 : 1e-6;
    const int depth = motion->lanes[0].iterations;
    const char *title = motion->lane_count > 1 ? PRINT("One clock%s", hidden)
                        : depth > 1            ? PRINT("One sweep of %d iterations", depth)
                                               : "One iteration";
    draw_rule(area, y, "", title,
              motion->slowness < 1.5 ? "as it runs"
                                     : PRINT("slow motion 1 : %.0f, %s lasts %s", motion->slowness,
                                             unit < 1e-4 ? "1 µs" : "1 ms",
                                             AS(format_duration, unit * motion->slowness)));
    for (int l = 0; l < motion->lane_count; l++) {
        const struct motion_lane *lane = &motion->lanes[l];
        const int row = y + 1 + l;
        if (motion->lane_count > 1)
            grid_text(area, area.x + 1, row, ROLE_TEXT | BOLD, "%c", lane_letter(l));
        for (int s = 0; s < lane->count; s++)
            draw_step(page, clock, row, per_second, &lane->steps[s]);
        if (lane->count == 0) {
            draw_text(area_row(clock, row - y), ROLE_DIM, "%s",
                      AS(format_end, &page->screen->sample->lanes[l]));
            continue;
        }
        for (int x = clock.x + (int)lround(lane->seconds * per_second); x < play; x++)
            grid_put(clock, x, row, U'·', ROLE_DIM);
        grid_put(clock, play, row, U'┃', ROLE_KEY | BOLD);
        const char *so_far =
            page->states[l].has_ended ? "done" : PRINT("%s of", AS(format_duration, motion->at));
        draw_right(area_left(area_row(area, row - area.y), area.cols - 1), ROLE_VALUE | BOLD,
                   PRINT("%s %s", so_far, AS(format_duration, lane->seconds)));
    }
    return 1 + motion->lane_count;
}

/* ---- figures -------------------------------------------------------------------------------- */

/* Returns the rows used. */
static int draw_figures(const struct page *page, int y) {
    const struct verdict *verdict = &page->verdict;
    const struct sample *sample = page->screen->sample;
    const struct area area = page->area;
    draw_rule(area, y, "", PRINT("One iteration, %s", AS(format_statistic, sample)),
              sample->playback.races ? "copied in the recordings" : "copied since iteration 1");
    for (int l = 0; l < verdict->lane_count; l++) {
        const struct costs *costs = &verdict->lanes[l].costs;
        const struct motion_lane *lane = &page->motion->lanes[l];
        struct area line = area_inset(area_row(area, y + 1 + l - area.y), 1, 0);
        if (verdict->lane_count > 1)
            draw_next(&line, ROLE_TEXT | BOLD, "%c  ", lane_letter(l));
        draw_next(&line, ROLE_VALUE | BOLD, "%s", AS(format_iteration, costs, ""));
        const double median = 1e-3 * sample->lanes[l].times.median * lane->iterations;
        if (lane->count > 0 && timeline_is_apart(lane->seconds, median))
            draw_next(&line, ROLE_TEXT, "  this one: %s", AS(format_duration, lane->seconds));
        line = area_right_of(line, 3);
        const char *total = PRINT("%s%s", AS(format_bytes, costs->copied_total_bytes),
                                  isfinite(costs->copied_total_ms)
                                      ? PRINT(" in %s", AS(format_ms, costs->copied_total_ms))
                                      : "");
        if (costs->copied_total_bytes > 0 && grid_text_width(total) <= line.cols)
            line.cols -= draw_right(line, ROLE_TO_DEVICE, total) + 1;
        const char *each = PRINT("%s/it", AS(format_bytes, costs->copied_bytes));
        if (grid_text_width(each) <= line.cols)
            draw_text(line, ROLE_TO_DEVICE, "%s", each);
    }
    if (verdict->lane_count < 2)
        return 1 + verdict->lane_count;
    const struct area rest =
        area_top(area_below(area, y + 1 - area.y + verdict->lane_count), page->verdict_rows);
    verdict_panel.draw(rest, page->screen);
    return 1 + verdict->lane_count + rest.rows;
}

/* The text for a screen reader: a sentence per lane, then the figures. */
static void draw_sentences(const struct page *page) {
    struct area left = page->area;
    for (int l = 0; l < page->motion->lane_count; l++) {
        const struct motion_state *state = &page->states[l];
        const struct motion_step *now = state->copy ? state->copy : state->kernel;
        const char *time = AS(format_duration, now ? now->end - now->start : 0);
        const char *text =
            page->motion->lanes[l].count == 0
                ? PRINT("%s.", AS(format_end, &page->screen->sample->lanes[l]))
            : state->has_ended
                ? PRINT("finished after %s.", AS(format_duration, page->motion->lanes[l].seconds))
            : state->copy ? PRINT("copies %s %s, copy %d of %d, %s in %s.", array_names[now->array],
                                  now->kind == EVENT_TO_DEVICE ? "to the device" : "back",
                                  state->copies_begun, state->copies,
                                  AS(format_bytes, (double)now->bytes), time)
            : state->kernel ? PRINT("runs %s for %s.", phase_names[now->phase], time)
                            : "between two steps.";
        draw_sentence(&left, true, ROLE_TEXT,
                      PRINT("%c, %s: %s", lane_letter(l),
                            mapping_names[page->screen->sample->lanes[l].run.mapping], text));
    }
    draw_figures(page, left.y + 1);
}

/* ---- beside the memories -------------------------------------------------------------------- */

struct places {
    struct area motion, field, copies, residual;
};

static struct places place_parts(struct area area, const struct screen *screen) {
    enum { COPIES_ROWS = 7, RESIDUAL_ROWS = 12 };
    struct places places = {.motion = area};
    if (area.cols < WIDE_COLS || area.rows < WIDE_ROWS || screen->scene ||
        for_screen_reader(screen))
        return places;
    const int side = clamp_int(area.cols / 3, 38, 70);
    places.motion.cols -= side + 1;
    struct area rest = area_right_of(area, places.motion.cols + 1);
    places.field =
        area_take_top(&rest, min_int(side / 2 + 1, area.rows - COPIES_ROWS - RESIDUAL_ROWS));
    places.copies = area_take_top(&rest, COPIES_ROWS);
    places.residual = rest;
    return places;
}

/* Each copy of an iteration, by kernel and direction; those already made are lit. */
static void draw_copies(const struct page *page, struct area area) {
    int l = 0;
    while (l + 1 < page->motion->lane_count && !page->motion->lanes[l].is_copied)
        l++;
    const struct motion_lane *lane = &page->motion->lanes[l];
    draw_rule(area, area.y, "",
              PRINT("Copies of %s iteration: %d",
                    page->motion->lane_count > 1 ? PRINT("%c's", lane_letter(l)) : "an",
                    page->states[l].copies),
              "");
    grid_text(area, area.x + 14, area.y + 1, ROLE_TO_DEVICE, "to device");
    grid_text(area, area.x + 28, area.y + 1, ROLE_FROM_DEVICE, "back");
    int row = 1, x[2] = {0};
    for (int s = 0, phase = -1; s < lane->count && row < area.rows; s++) {
        const struct motion_step *step = &lane->steps[s];
        const int back = step->kind == EVENT_FROM_DEVICE;
        if (step->kind != EVENT_TO_DEVICE && !back)
            continue;
        if ((int)step->phase != phase) {
            phase = (int)step->phase;
            row++;
            x[0] = area.x + 14;
            x[1] = area.x + 28;
            if (row < area.rows)
                grid_text(area, area.x + 1, area.y + row, ROLE_TEXT, "%s",
                          motion_kernel_name(step->phase, 12));
        }
        const bool is_made = page->motion->at >= step->start;
        if (row < area.rows)
            x[back] += 1 + grid_text(area, x[back], area.y + row,
                                     is_made ? event_styles[step->kind].role | BOLD : ROLE_DIM,
                                     "%s", array_names[step->array]);
    }
}

static struct area motion_heatmap(struct area area, const struct screen *screen) {
    return place_parts(area, screen).field;
}

/* ---- the panel ------------------------------------------------------------------------------ */

/* "; C as B, on 4 devices": a lane whose memories don't fit. */
static void add_hidden(char *buffer, size_t size, const struct sample *sample, int l) {
    const struct lane_sample *lane = &sample->lanes[l];
    if (l > 0 && !(run_id_difference(&lane->run, &sample->lanes[l - 1].run) & ~RUN_DEVICES))
        format_append(buffer, size, "; %c as %c, on %d devices", lane_letter(l), lane_letter(l - 1),
                      lane->device_stats.count);
    else
        format_append(buffer, size, "; no room for %c", lane_letter(l));
}

static void motion_draw(struct area area, const struct screen *screen) {
    const struct motion *motion = screen->motion;
    const struct places places = place_parts(area, screen);
    area = places.motion;
    struct page page = {
        .area = area,
        .screen = screen,
        .motion = motion,
        .verdict = verdict_make(screen->sample),
        .bar_cols = clamp_int(area.cols / (area.cols < WIDE_COLS ? 6 : 5), 12, 32),
        .bar_rows = 1,
        .code_rows = 1,
        .verdict_rows = places.field.rows > 0 || area.cols == area.grid->cols ? BIG_ROWS + 2 : 1};
    if (!motion || motion->lane_count == 0 || motion->lane_count != screen->sample->lane_count) {
        const struct lane_sample *lane = screen_lane(screen);
        draw_note(area, motion && motion->is_cut       ? "no whole iteration kept"
                        : lane && lane->iterations > 0 ? "no iteration measured yet"
                                                       : "waiting for the first iteration");
        return;
    }
    int arrays = 0, copies = 0, fixed = 2 * motion->lane_count + 4;
    for (int l = 0; l < motion->lane_count; l++) {
        motion_state_at(&motion->lanes[l], motion->at, &page.states[l]);
        arrays += motion->lanes[l].array_count;
        copies += page.states[l].copies;
        fixed += 3;
    }
    if (for_screen_reader(screen)) {
        draw_sentences(&page);
        return;
    }
    fixed += area.rows >= WIDE_ROWS && motion->lane_count > 1 ? page.verdict_rows - 1 : 0;
    /* High bars, or lower ones and the source. */
    const bool has_source = fixed + 2 * arrays + SOURCE_ROWS <= area.rows &&
                            area.cols >= motion->lane_count * SOURCE_COLS;
    const int most_rows = has_source ? 3 : 6, rows = area.rows - (has_source ? SOURCE_ROWS : 0);
    while (page.bar_rows < most_rows && fixed + arrays * (page.bar_rows + 1) <= rows)
        page.bar_rows++;
    const bool is_narrow = !has_source && area.cols < CODE_COLS;
    page.code_rows = 1 + (is_narrow && fixed + arrays * page.bar_rows + motion->lane_count <= rows);
    char hidden[64] = "";
    int y = area.y;
    const int end = area.y + area.rows - 2 * motion->lane_count - 2; /* of clock and figures */
    for (int l = 0; l < motion->lane_count; l++)
        if (y + 2 + page.code_rows + motion->lanes[l].array_count * page.bar_rows <= end)
            y += draw_memories(&page, l, y);
        else
            add_hidden(hidden, sizeof hidden, screen->sample, l);
    y += draw_clock(&page, y, hidden);
    y += 1 + draw_figures(&page, y);
    for (int l = 0; l < motion->lane_count && has_source; l++) {
        struct screen of_lane = *screen;
        of_lane.lane = l;
        explain_panel.draw(area_column_of(area_below(area, y - area.y), l, motion->lane_count),
                           &of_lane);
    }
    if (places.field.rows < 1)
        return;
    picture_panel.draw(places.field, screen);
    struct area residual = places.residual;
    if (copies > 0) {
        draw_copies(&page, places.copies);
    } else {
        residual.y = places.copies.y;
        residual.rows += places.copies.rows;
    }
    residual_panel.draw(residual, screen);
}

const struct panel motion_panel = {PANEL("motion", "Data movement", 0, motion_draw),
                                   .heatmap = motion_heatmap};
