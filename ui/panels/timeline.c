#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metrics/labels.h"
#include "ui/panels/panel.h"
#include "ui/panels/timeline.h"

enum {
    GUTTER = 12,
    LEGEND_COLS = 48,
    BAR_ROWS_MAX = 4,
    MAGNIFIED_ROWS = 3,
    ROWS_OF_ONE_DEVICE = 4
};

/* The data computed before the first segment is drawn. */
struct page {
    const struct screen *screen;
    struct area upper, list; /* bars with axis and line; the segments in words */
    struct area magnified;   /* between them: lanes too short to be visible beside the others */
    struct area plot;        /* part of `upper`, right of the row names, above the axis */
    int below;               /* rows of `upper` below the plot */
    int lane_count;
    struct timeline lanes[LANES_MAX];
    int iterations;    /* shown of each lane; fewer than asked for if not in a row */
    bool is_cut;       /* a lane has none that is whole */
    int segment_count; /* in all lanes */
    bool has_events[EVENT_KIND_COUNT]; /* for each kind */
    bool has_segments[TIMELINE_ROWS];  /* for each row */
    bool has_lines;                    /* waits of a host */
    struct timeline_window window;
    int device_count;         /* of a single multi-device run, one group of rows each; else 0 */
    int group_count;          /* groups of rows that fit, for lanes or devices */
    int rows[TIMELINE_ROWS];  /* the position of each row in a group; -1: omitted */
    int group_rows, bar_rows; /* height of a group, of one bar */
    int selected;
};

static const char *const row_name[TIMELINE_ROWS] = {
    [TIMELINE_HOST] = "host",       [TIMELINE_TO_DEVICE] = "to device",
    [TIMELINE_KERNELS] = "kernels", [TIMELINE_FROM_DEVICE] = "from dev.",
    [TIMELINE_HALOS] = "halos",
};

/* ---- choosing ----------------------------------------------------------------------------- */

/* A wait beside the work of a device; a slab's own waits are bars among its kernels. */
static bool is_line(const struct timeline_segment *segment) {
    return segment->event->kind == EVENT_WAIT && segment->row == TIMELINE_HOST;
}

static void read_lanes(struct page *page) {
    const struct sample *sample = page->screen->sample;
    const struct timeline_view *view = &page->screen->state->timeline;
    double whole = 0;
    page->lane_count = page->group_count = sample->lane_count;
    if (page->lane_count == 1 && sample->lanes[0].device_stats.count > 1)
        page->device_count = page->group_count = sample->lanes[0].device_stats.count;
    for (int l = 0; l < page->lane_count; l++) {
        timeline_make_beside(sample, l, timeline_iterations(view->zoom), &page->lanes[l]);
        whole = fmax(whole, page->lanes[l].seconds);
        page->iterations = max_int(page->iterations, page->lanes[l].iterations);
        page->is_cut |= page->lanes[l].is_cut;
        page->segment_count += page->lanes[l].count;
        for (int s = 0; s < page->lanes[l].count; s++) {
            page->has_events[page->lanes[l].segments[s].event->kind] = true;
            page->has_segments[page->lanes[l].segments[s].row] = true;
            page->has_lines |= is_line(&page->lanes[l].segments[s]);
        }
    }
    page->window = timeline_window(view, whole);
}

/* ---- drawing ------------------------------------------------------------------------------ */

static int row_y(const struct page *page, int group, int row) {
    const int at = page->rows[row] < 0 ? 0 : page->rows[row];
    return page->plot.y + group * page->group_rows + at * page->bar_rows;
}

/* A segment's group; -1: not shown. */
static int group_of(const struct page *page, int lane, const struct timeline_segment *segment) {
    const int group = page->device_count ? segment->event->device : lane;
    const bool has_row = segment->row != TIMELINE_HALOS || page->rows[TIMELINE_HALOS] >= 0;
    return group < page->group_count && has_row ? group : -1;
}

/* The number of kernels up to this segment that begin in that column. */
static int kernels_from(const struct page *page, int lane, const struct timeline_segment *last,
                        int column) {
    int count = 0, from, to;
    for (const struct timeline_segment *segment = page->lanes[lane].segments; segment <= last;
         segment++)
        count += segment->event->kind == EVENT_KERNEL &&
                 group_of(page, lane, segment) == group_of(page, lane, last) &&
                 timeline_columns(&page->window, segment, page->plot.cols, &from, &to) &&
                 from / 2 == column;
    return count;
}

/* On the segment in its reversed colour, if there is room; else beside it, up to `free_to`. */
static void draw_label(const struct page *page, int y, enum role role, int lane,
                       const struct timeline_segment *segment, int from, int to, int free_to) {
    const int first = (from + 1) / 2, cols = to / 2 - first;
    const char *label = AS(timeline_label, &page->lanes[lane], segment, cols);
    const int width = grid_text_width(label);
    const int middle = y + (page->bar_rows - 1) / 2;
    if (width == 0)
        return;
    if (cols >= width) {
        const int x = page->plot.x + first + (cols - width) / 2;
        grid_text(page->plot, x, middle, role | REVERSE | BOLD, "%s", label);
        return;
    }
    const int kernels = kernels_from(page, lane, segment, from / 2);
    if (kernels > 1)
        label = PRINT("%d kernels", kernels);
    /* A blank before the next one. Three letters suffice for a long word, not for "norm". */
    enum { LEAST = 3, SHORT = 4 };
    const int after = (to + 1) / 2;
    const int room = free_to / 2 - after - (free_to < 2 * page->plot.cols);
    const int whole = grid_text_width(label), shown = min_int(room, whole);
    if (shown == whole || (shown >= LEAST && whole > SHORT && kernels < 2))
        grid_text(area_left(page->plot, after + shown), page->plot.x + after, middle, ROLE_TEXT,
                  "%s", label);
}

/* A thin line in the host's row, below its other events. */
static void draw_wait(const struct page *page, int group, int from, int to, bool selected) {
    const int y = row_y(page, group, TIMELINE_HOST) + page->bar_rows - 1;
    for (int x = from / 2; x < (to + 1) / 2 && page->rows[TIMELINE_HOST] >= 0; x++)
        grid_put(page->plot, page->plot.x + x, y, U'▁', selected ? ROLE_SELECT : ROLE_DIM);
}

static void draw_segment(const struct page *page, int lane, int s, bool selected) {
    const struct timeline *timeline = &page->lanes[lane];
    const struct timeline_segment *segment = &timeline->segments[s];
    const int group = group_of(page, lane, segment);
    int from, to;
    if (group < 0 || !timeline_columns(&page->window, segment, page->plot.cols, &from, &to))
        return;
    if (is_line(segment)) {
        draw_wait(page, group, from, to, selected);
        return;
    }
    const double halves =
        (segment->end - segment->start) / page->window.length * 2 * page->plot.cols;
    const enum role role = selected ? ROLE_SELECT : event_styles[segment->event->kind].role;
    const int y = row_y(page, group, (int)segment->row);
    /* The beginning of the next segment of the same row, in half columns. */
    int next = 2 * page->plot.cols;
    for (int k = s + 1, start, stop; k < timeline->count; k++) {
        const bool same_row =
            !is_line(&timeline->segments[k]) &&
            group_of(page, lane, &timeline->segments[k]) == group &&
            (page->rows[TIMELINE_KERNELS] < 0 || timeline->segments[k].row == segment->row);
        if (same_row && timeline_columns(&page->window, &timeline->segments[k], page->plot.cols,
                                         &start, &stop)) {
            next = start;
            break;
        }
    }
    /* A gap of half a column separates a segment from one that follows immediately. That one may
     * begin in this one's last half column. */
    const int end = next <= to ? max_int(max_int(next, to - 1) - 1, from + 1) : to;
    for (int column = from / 2; column < (end + 1) / 2; column++) {
        /* Full, left half, right half, or the thinnest line if shorter than half a column. */
        const bool left = 2 * column >= from, right = 2 * column + 1 < end;
        const uint32_t glyph = halves < 0.75   ? (from % 2 ? U'▐' : U'▏')
                               : left && right ? event_glyph(page->screen, segment->event->kind)
                               : left          ? U'▌'
                                               : U'▐';
        for (int row = 0; row < page->bar_rows; row++)
            grid_put(page->plot, page->plot.x + column, y + row, glyph, role);
    }
    draw_label(page, y, role, lane, segment, from, end, next);
}

/* The names of a group's rows, and of the group: a lane's letter or a device's number. */
static void draw_row_names(const struct page *page, int group, struct area area) {
    for (int row = 0; row < TIMELINE_ROWS; row++) {
        const bool alone = page->rows[TIMELINE_KERNELS] < 0 && row == TIMELINE_KERNELS;
        if (page->rows[row] < 0 && !alone)
            continue;
        const int y = row_y(page, group, row) + (page->bar_rows - 1) / 2;
        int x = area.x;
        if (page->device_count)
            x += grid_text(area, x, y, ROLE_VALUE | BOLD, "%-2d ", group);
        else if (page->lane_count > 1)
            x += grid_text(area, x, y, lane_role(group) | BOLD, "%c ", lane_letter(group));
        grid_text(area, x, y, ROLE_TEXT, "%s", alone ? "all" : row_name[row]);
    }
}

static void draw_lane(const struct page *page, int lane, struct area area) {
    int before = 0;
    for (int group = 0; group < page->group_count; group++)
        if (page->device_count || group == lane)
            draw_row_names(page, group, area);
    for (int l = 0; l < lane; l++)
        before += page->lanes[l].count;
    for (int s = 0; s < page->lanes[lane].count; s++)
        draw_segment(page, lane, s, before + s == page->selected);
}

static void draw_axis(const struct page *page, int y) {
    const struct timeline_window *window = &page->window;
    const double end = window->start + window->length, unit = end < 1e-3 ? 1e6 : 1e3;
    const struct scale scale = {unit * window->start, unit * end, false};
    double ticks[TICKS_MAX];
    int most = page->plot.cols / 10, count;
    while ((count = scale_ticks(&scale, most, ticks)) < 2 && 6 * most < page->plot.cols)
        most++; /* a single tick has no scale */
    struct area axis = page->plot;
    axis.y = y;
    axis.rows = 1;
    for (int t = 0; t < count; t++) {
        const struct area place =
            area_right_of(axis, (int)(scale_at(&scale, ticks[t]) * (axis.cols - 1)));
        const char *label =
            PRINT("╵%s %s", AS(scale_label, &scale, ticks[t]), unit > 1e3 ? "µs" : "ms");
        if (grid_text_width(label) > place.cols)
            break; /* a truncated number would be wrong */
        draw_text(place, ROLE_DIM, "%s", label);
    }
}

/* ---- the list under the bars: every segment in words -------------------------------------- */

/* A segment in words, without the last parts if they don't fit. */
static void draw_description(struct area row, int style, const struct timeline *timeline,
                             const struct timeline_segment *segment) {
    static const char dot[] = " · ";
    char *text = AS(timeline_describe, timeline, segment), *last = text, *next;
    while (grid_text_width(text) > row.cols && last) {
        for (last = strstr(text, dot); last && (next = strstr(last + 1, dot)); last = next)
            ;
        if (last)
            *last = '\0';
    }
    draw_shortened(row, style, text);
}

static const struct timeline_segment *segment_at(const struct page *page, int index, int *lane) {
    for (*lane = 0; *lane < page->lane_count; ++*lane) {
        if (index < page->lanes[*lane].count)
            return &page->lanes[*lane].segments[index];
        index -= page->lanes[*lane].count;
    }
    return NULL;
}

/* The first segment of the list, such that the selected one is in its middle. */
static int list_top(const struct page *page) {
    const int rows = page->list.rows, count = page->segment_count;
    const int middle = page->selected < 0 ? 0 : page->selected - rows / 2;
    return clamp_int(middle, 0, count - rows);
}

/* `edge`: the frame's lower edge, for marks of hidden segments. */
static void draw_list(const struct page *page, struct area edge) {
    const int above = list_top(page), below = page->segment_count - above - page->list.rows;
    if ((above > 0 || below > 0) && page->list.rows > 0)
        draw_right(area_left(edge, edge.cols - 2), ROLE_VALUE | BOLD,
                   PRINT("%s%s ", above > 0 ? PRINT(" ▲ %d above", above) : "",
                         below > 0 ? PRINT(" ▼ %d more below", below) : ""));
    for (int r = 0; r < page->list.rows; r++) {
        const struct area row = area_row(page->list, r);
        const int index = above + r;
        const bool chosen = index == page->selected;
        int lane, x = row.x + 1;
        const struct timeline_segment *segment = segment_at(page, index, &lane);
        if (!segment)
            return;
        if (chosen)
            grid_fill(row, ROLE_SELECT);
        if (page->lane_count > 1)
            x += grid_text(row, x, row.y, lane_role(lane) | BOLD, "%c ", lane_letter(lane));
        const enum event_kind kind = segment->event->kind;
        grid_put(row, x, row.y, is_line(segment) ? U'▁' : event_glyph(page->screen, kind),
                 event_styles[kind].role);
        draw_description(area_right_of(row, x + 2 - row.x), chosen ? ROLE_SELECT : ROLE_TEXT,
                         &page->lanes[lane], segment);
    }
}

static void draw_line_below(const struct page *page, struct area area) {
    int lane;
    const struct timeline_segment *segment =
        page->selected < 0 ? NULL : segment_at(page, page->selected, &lane);
    if (segment) {
        draw_description(area, ROLE_VALUE, &page->lanes[lane], segment);
        return;
    }
    static const enum event_kind kinds[] = {EVENT_TO_DEVICE, EVENT_KERNEL,      EVENT_HALO,
                                            EVENT_WAIT,      EVENT_FROM_DEVICE, EVENT_ALLOC};
    const bool has_lines = page->has_lines;
    struct area row = area_right_of(area, area.cols > LEGEND_COLS + GUTTER ? GUTTER : 0);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const struct event_style *style = &event_styles[kinds[k]];
        const bool is_wait = kinds[k] == EVENT_WAIT;
        const char *const name = is_wait                    ? has_lines ? "host waits" : "waits"
                                 : kinds[k] == EVENT_KERNEL ? style->description
                                                            : style->name;
        const uint32_t glyph = is_wait && has_lines ? U'▁' : event_glyph(page->screen, kinds[k]);
        const bool is_shown = !is_wait || !has_lines || page->rows[TIMELINE_HOST] >= 0;
        if (page->has_events[kinds[k]] && is_shown && grid_text_width(name) + 2 <= row.cols)
            row = area_right_of(row, 2 + draw_legend(row, glyph, style->role, name));
    }
    const char *hint = "t: look closer";
    const struct app_state *state = page->screen->state;
    const bool is_full = state->full == &timeline_panel || strcmp(state->layout, "timeline") == 0;
    if (!is_full && grid_text_width(hint) <= row.cols)
        draw_text(row, ROLE_DIM, "%s", hint);
}

/* "Timeline: iteration 993, as it ran, to scale"; "sweep of 8 iterations from 985" if a kernel
 * makes several. */
static char *format_title(char *title, size_t size, const struct page *page) {
    const struct timeline *lane = &page->lanes[0];
    const int iterations = page->iterations;
    const bool alone = page->lane_count == 1;
    int depth = 1;
    for (int l = 0; l < page->lane_count; l++)
        depth = page->lanes[l].depth > depth ? page->lanes[l].depth : depth;
    const bool sweeps = depth > 1 && alone;
    const char *first = AS(format_count, lane->first + 1);
    bool shows_device = false; /* the panel of devices has the others */
    for (int l = 0; l < page->lane_count && !alone; l++)
        shows_device |= page->screen->sample->lanes[l].device_stats.count > 1;
    format_text(title, size, "Timeline: %s%s", shows_device ? "the first device, " : "",
                iterations > 1 ? PRINT("%d %s", iterations, sweeps ? "sweeps" : "iterations")
                : sweeps       ? PRINT("sweep of %d iterations from %s", depth, first)
                : alone        ? PRINT("iteration %s", first)
                : depth > 1    ? "time per iteration"
                               : "one iteration each");
    if (!shows_device)
        format_append(title, size, ", as %s ran, to %s", iterations > 1 ? "they" : "it",
                      alone ? "scale" : "the same scale");
    if (iterations < timeline_iterations(page->screen->state->timeline.zoom))
        format_append(title, size, " · no more kept in a row");
    if (page->device_count > page->group_count)
        format_append(title, size, " · %d of %d devices", page->group_count, page->device_count);
    return title;
}

/* "A 105 ms, median 45.4 ms", "Update took 2.4× its typical time": how the lanes' iterations differ
 * from typical ones. */
static char *format_medians(char *buffer, size_t size, const struct page *page) {
    for (int l = 0; l < page->lane_count; l++) {
        const struct timeline *lane = &page->lanes[l];
        const char *letter = page->lane_count > 1 ? PRINT("%c ", lane_letter(l)) : "";
        if (lane->count > 0 && timeline_is_apart(lane->seconds, lane->median))
            format_append(buffer, size, "%s%s%s, median %s", *buffer ? " · " : "", letter,
                          AS(format_duration, lane->seconds), AS(format_duration, lane->median));
        if (lane->unusual)
            format_append(buffer, size, "%s%s%s took %s its typical time", *buffer ? " · " : "",
                          letter, lane->unusual, AS(format_ratio, lane->unusual_times));
    }
    return buffer;
}

/* Whether to show a lane of a comparison magnified, too: its bar is tiny on the common scale. */
static bool is_tiny(const struct page *page, int lane) {
    const double seconds = page->lanes[lane].seconds;
    return page->lane_count > 1 && seconds > 0 && 30 * seconds < page->window.length;
}

/* Draws the shortest lanes again, each to its own scale. Reuses the page, whose main plot is
 * finished by then: a copy would be too large for a small stack. */
static void draw_magnified(struct page *page) {
    const struct timeline_window whole = page->window;
    int y = page->magnified.y;
    for (int l = 0; l < page->lane_count && y < page->magnified.y + page->magnified.rows; l++) {
        page->window = whole;
        if (!is_tiny(page, l))
            continue;
        page->window = (struct timeline_window){.length = page->lanes[l].seconds};
        page->plot.y = y;
        page->plot.rows = page->bar_rows = MAGNIFIED_ROWS - 1;
        page->group_rows = 0;
        for (int row = 0; row < TIMELINE_ROWS; row++)
            page->rows[row] = -1;
        draw_lane(page, l, (struct area){page->magnified.x, y, 0, 0, NULL});
        grid_text(page->magnified, page->magnified.x, y, lane_role(l) | BOLD, "%c ×%.0f",
                  lane_letter(l), whole.length / page->window.length);
        grid_text(page->magnified, page->magnified.x, y + 1, ROLE_DIM, "magnified");
        draw_axis(page, y + MAGNIFIED_ROWS - 1);
        y += MAGNIFIED_ROWS;
    }
}

/* Divides the panel. A lane has all four rows if there is room, or all but the host's, else one row
 * for everything. Beside other lanes an idle host has no row. */
static void lay_out(struct page *page, struct area inside) {
    /* A high panel leaves the rows that its bars don't need to the list. */
    const int bars = page->group_count * (2 * ROWS_OF_ONE_DEVICE + 1) + 3;
    const int list = inside.rows >= bars + 4 ? inside.rows - bars : 0;
    int magnified = 0;
    for (int l = 0; l < page->lane_count; l++)
        magnified +=
            is_tiny(page, l) && magnified + MAGNIFIED_ROWS + 2 <= list ? MAGNIFIED_ROWS : 0;
    page->upper = area_top(inside, inside.rows - list);
    page->list = area_below(inside, inside.rows - list + magnified);
    page->magnified = area_top(area_below(inside, inside.rows - list), magnified);
    const int spare = page->upper.rows - (page->device_count ? 1 : page->lane_count);
    page->below = clamp_int(spare, 0, 2);
    page->plot = area_right_of(area_top(page->upper, page->upper.rows - page->below), GUTTER);
    page->plot.cols -= page->plot.cols > 4;
    if (page->device_count && page->group_count > page->plot.rows)
        page->group_count = max_int(page->plot.rows, 1);
    const int groups = max_int(page->group_count, 1);
    const int room = page->plot.rows / groups;
    const bool *has = page->has_segments;
    const bool host_works =
        groups <= 1 || room > ROWS_OF_ONE_DEVICE || page->has_events[EVENT_ALLOC];
    const bool has_others = has[TIMELINE_HOST] || has[TIMELINE_TO_DEVICE] ||
                            has[TIMELINE_FROM_DEVICE] || !has[TIMELINE_KERNELS];
    int count = 0;
    for (int row = 0; row < TIMELINE_ROWS; row++) {
        const bool is_halos = row == TIMELINE_HALOS;
        const bool is_own = row == TIMELINE_KERNELS || (is_halos && has[row]);
        const bool wanted = page->device_count     ? is_own && room >= 2
                            : !has_others          ? is_own && room >= 3
                            : is_halos             ? is_own && room > ROWS_OF_ONE_DEVICE
                            : row == TIMELINE_HOST ? room >= ROWS_OF_ONE_DEVICE && host_works
                                                   : room >= 3;
        page->rows[row] = wanted ? count++ : -1;
    }
    count = max_int(count, 1);
    page->bar_rows = clamp_int(room / count, 1, BAR_ROWS_MAX);
    const int gap = groups > 1 && room > count * page->bar_rows;
    page->group_rows = count * page->bar_rows + gap;
}

static void timeline_draw(struct area area, const struct screen *screen) {
    char title[128] = "";
    struct page page = {.screen = screen, .selected = screen->state->timeline.selected};
    read_lanes(&page);
    const double zoom = screen->state->timeline.zoom;
    lay_out(&page, frame_inside(area));
    const char *duration = AS(format_duration, page.window.length);
    struct frame frame = panel_frame(&timeline_panel);
    frame.value = zoom > 1                 ? PRINT("%s  zoom ×%g", duration, zoom)
                  : page.window.length > 0 ? duration
                                           : "";
    frame.foot_left = AS(format_medians, &page);
    if (page.segment_count > 0)
        frame.title = format_title(title, sizeof title, &page);
    /* Without its remark, or without its object, if it is too long. */
    for (const char *const *end = (const char *const[]){",", ":", NULL}; *end; end++)
        if (grid_text_width(title) + 10 + grid_text_width(frame.value) > area.cols)
            title[strcspn(title, *end)] = 0;
    const struct area inside = draw_frame(area, &frame);
    if (!(page.window.length > 0)) {
        draw_note(inside, page.is_cut ? "no whole iteration kept" : "no iteration measured yet");
        return;
    }
    const struct area upper = page.upper;
    for (int l = 0; l < page.lane_count; l++)
        draw_lane(&page, l, area_top(upper, upper.rows - page.below));
    if (page.below > 0)
        draw_axis(&page, upper.y + upper.rows - page.below);
    if (page.below > 1)
        draw_line_below(&page, area_below(upper, upper.rows - 1));
    draw_magnified(&page);
    draw_list(&page, area_below(area, area.rows - 1));
}

/* ---- segments by cell ------------------------------------------------------------------- */

int timeline_panel_hit(struct area area, const struct screen *screen, int x, int y) {
    struct page page = {.screen = screen, .selected = screen->state->timeline.selected};
    read_lanes(&page);
    if (!(page.window.length > 0))
        return -1;
    lay_out(&page, frame_inside(area));
    if (area_holds(page.list, x, y)) {
        const int index = list_top(&page) + y - page.list.y;
        return index < page.segment_count ? index : -1;
    }
    int index = 0, hit = -1;
    for (int l = 0; l < page.lane_count && area_holds(page.plot, x, y); l++)
        for (int s = 0; s < page.lanes[l].count; s++, index++) {
            const struct timeline_segment *segment = &page.lanes[l].segments[s];
            const int group = group_of(&page, l, segment);
            const int top = row_y(&page, group, (int)segment->row), column = x - page.plot.x;
            int from, to;
            if (group >= 0 && y >= top && y < top + page.bar_rows &&
                timeline_columns(&page.window, segment, page.plot.cols, &from, &to) &&
                column >= from / 2 && column < (to + 1) / 2)
                hit = index;
        }
    return hit;
}

const struct panel timeline_panel = {PANEL("timeline", "Timeline", '4', timeline_draw)};
