#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metrics/labels.h"
#include "ui/panels/panel.h"
#include "ui/panels/timeline.h"

enum { GUTTER = 12, BAR_ROWS_MAX = 4, MAGNIFIED_ROWS = 3, ROWS_OF_ONE_DEVICE = 4, FRAME_COLS = 10 };

/* The data computed before the first segment is drawn. */
struct timeline_context {
    const struct screen *screen;
    struct area upper, list; /* bars with axis and line; the segments in words */
    struct area magnified;   /* between them: lanes too short to be visible beside the others */
    struct area plot;        /* part of `upper`, right of the row names, above the axis */
    int below;               /* rows of `upper` below the plot */
    int lane_count;
    struct timeline lanes[LANES_MAX];
    int segment_count;                 /* in all lanes */
    bool has_events[EVENT_KIND_COUNT]; /* for each kind */
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

static void read_lanes(struct timeline_context *context) {
    const struct sample *sample = context->screen->sample;
    const struct timeline_view *view = &context->screen->state->timeline;
    double whole = 0;
    context->lane_count = context->group_count = sample->lane_count;
    if (context->lane_count == 1 && sample->lanes[0].device_stats.count > 1)
        context->device_count = context->group_count = sample->lanes[0].device_stats.count;
    for (int l = 0; l < context->lane_count; l++) {
        timeline_make_beside(sample, l, timeline_iterations(view->zoom), &context->lanes[l]);
        whole = fmax(whole, context->lanes[l].seconds);
        context->segment_count += context->lanes[l].count;
        for (int s = 0; s < context->lanes[l].count; s++)
            context->has_events[context->lanes[l].segments[s].event->kind] = true;
    }
    context->window = timeline_window(view, whole);
}

/* ---- drawing ------------------------------------------------------------------------------ */

static int row_y(const struct timeline_context *context, int group, int row) {
    const int at = context->rows[row] < 0 ? 0 : context->rows[row];
    return context->plot.y + group * context->group_rows + at * context->bar_rows;
}

/* A segment's group; -1: not shown. */
static int group_of(const struct timeline_context *context, int lane,
                    const struct timeline_segment *segment) {
    const int group = context->device_count ? segment->event->device : lane;
    const bool has_row = segment->row != TIMELINE_HALOS || context->rows[TIMELINE_HALOS] >= 0;
    return group < context->group_count && has_row ? group : -1;
}

/* On the segment in its reversed colour, if there is room; else beside it, up to `free_to`. */
static void draw_label(const struct timeline_context *context, int y, enum role role, int lane,
                       const struct timeline_segment *segment, int from, int to, int free_to) {
    const int first = (from + 1) / 2, cols = to / 2 - first;
    const char *label = AS(timeline_label, &context->lanes[lane], segment, cols);
    const int width = grid_text_width(label);
    const int middle = y + (context->bar_rows - 1) / 2;
    if (width == 0)
        return;
    if (cols >= width) {
        const int x = context->plot.x + first + (cols - width) / 2;
        grid_text(context->plot, x, middle, role | REVERSE | BOLD, "%s", label);
        return;
    }
    /* A blank before the next one. Three letters suffice for a long word, not for "norm". */
    enum { LEAST = 3, SHORT = 4 };
    const int after = (to + 1) / 2;
    const int room = free_to / 2 - after - (free_to < 2 * context->plot.cols);
    const int shown = min_int(room, width);
    if (shown == width || (shown >= LEAST && width > SHORT))
        grid_text(area_left(context->plot, after + shown), context->plot.x + after, middle,
                  ROLE_TEXT, "%s", label);
}

/* A thin line in the host's row, below its other events. */
static void draw_wait(const struct timeline_context *context, int group, int from, int to,
                      bool selected) {
    const int y = row_y(context, group, TIMELINE_HOST) + context->bar_rows - 1;
    for (int x = from / 2; x < (to + 1) / 2 && context->rows[TIMELINE_HOST] >= 0; x++)
        grid_put(context->plot, context->plot.x + x, y, U'▁', selected ? ROLE_SELECT : ROLE_DIM);
}

static void draw_segment(const struct timeline_context *context, int lane, int s, bool selected) {
    const struct timeline *timeline = &context->lanes[lane];
    const struct timeline_segment *segment = &timeline->segments[s];
    const int group = group_of(context, lane, segment);
    int from, to;
    if (group < 0 || !timeline_columns(&context->window, segment, context->plot.cols, &from, &to))
        return;
    if (segment->event->kind == EVENT_WAIT) {
        draw_wait(context, group, from, to, selected);
        return;
    }
    const double halves =
        (segment->end - segment->start) / context->window.length * 2 * context->plot.cols;
    const enum role role = selected ? ROLE_SELECT : event_styles[segment->event->kind].role;
    const int y = row_y(context, group, (int)segment->row);
    /* The beginning of the next segment of the same row, in half columns. */
    int next = 2 * context->plot.cols;
    for (int k = s + 1, start, stop; k < timeline->count; k++) {
        const bool same_row =
            timeline->segments[k].event->kind != EVENT_WAIT &&
            group_of(context, lane, &timeline->segments[k]) == group &&
            (context->rows[TIMELINE_KERNELS] < 0 || timeline->segments[k].row == segment->row);
        if (same_row && timeline_columns(&context->window, &timeline->segments[k],
                                         context->plot.cols, &start, &stop)) {
            next = start;
            break;
        }
    }
    /* A gap of half a column separates a segment from one that follows immediately. */
    const int end = next <= to && to - from > 3 ? to - 1 : to;
    for (int column = from / 2; column < (end + 1) / 2; column++) {
        /* Full, left half, right half, or the thinnest line if shorter than half a column. */
        const bool left = 2 * column >= from, right = 2 * column + 1 < end;
        const uint32_t glyph = halves < 0.75   ? (from % 2 ? U'▐' : U'▏')
                               : left && right ? event_glyph(context->screen, segment->event->kind)
                               : left          ? U'▌'
                                               : U'▐';
        for (int row = 0; row < context->bar_rows; row++)
            grid_put(context->plot, context->plot.x + column, y + row, glyph, role);
    }
    draw_label(context, y, role, lane, segment, from, end, next);
}

/* The names of a group's rows, and of the group: a lane's letter or a device's number. */
static void draw_row_names(const struct timeline_context *context, int group, struct area area) {
    for (int row = 0; row < TIMELINE_ROWS; row++) {
        const bool alone = context->rows[TIMELINE_KERNELS] < 0 && row == TIMELINE_KERNELS;
        if (context->rows[row] < 0 && !alone)
            continue;
        const int y = row_y(context, group, row) + (context->bar_rows - 1) / 2;
        int x = area.x;
        if (context->device_count)
            x += grid_text(area, x, y, ROLE_VALUE | BOLD, "%-2d ", group);
        else if (context->lane_count > 1)
            x += grid_text(area, x, y, lane_role(group) | BOLD, "%c ", lane_letter(group));
        grid_text(area, x, y, ROLE_TEXT, "%s", alone ? "all" : row_name[row]);
    }
}

static void draw_lane(const struct timeline_context *context, int lane, struct area area) {
    int before = 0;
    for (int group = 0; group < context->group_count; group++)
        if (context->device_count || group == lane)
            draw_row_names(context, group, area);
    for (int l = 0; l < lane; l++)
        before += context->lanes[l].count;
    for (int s = 0; s < context->lanes[lane].count; s++)
        draw_segment(context, lane, s, before + s == context->selected);
}

static void draw_axis(const struct timeline_context *context, int y) {
    const struct timeline_window *window = &context->window;
    const struct scale scale = {1e3 * window->start, 1e3 * (window->start + window->length), false};
    double ticks[TICKS_MAX];
    const int count = scale_ticks(&scale, context->plot.cols / 10, ticks);
    struct area axis = context->plot;
    axis.y = y;
    axis.rows = 1;
    for (int t = 0; t < count; t++) {
        const struct area place =
            area_right_of(axis, (int)(scale_at(&scale, ticks[t]) * (axis.cols - 1)));
        const char *label = PRINT("╵%s ms", AS(scale_label, &scale, ticks[t]));
        if (grid_text_width(label) > place.cols)
            break; /* a truncated number would be wrong */
        draw_text(place, ROLE_DIM, "%s", label);
    }
}

/* ---- the list under the bars: every segment in words -------------------------------------- */

static const struct timeline_segment *segment_at(const struct timeline_context *context, int index,
                                                 int *lane) {
    for (*lane = 0; *lane < context->lane_count; ++*lane) {
        if (index < context->lanes[*lane].count)
            return &context->lanes[*lane].segments[index];
        index -= context->lanes[*lane].count;
    }
    return NULL;
}

/* The first segment of the list, such that the selected one is in its middle. */
static int list_top(const struct timeline_context *context) {
    const int rows = context->list.rows, count = context->segment_count;
    const int middle = context->selected < 0 ? 0 : context->selected - rows / 2;
    return clamp_int(middle, 0, count - rows);
}

/* `edge`: the frame's lower edge, for marks of hidden segments. */
static void draw_list(const struct timeline_context *context, struct area edge) {
    const int above = list_top(context),
              below = context->segment_count - above - context->list.rows;
    if ((above > 0 || below > 0) && context->list.rows > 0)
        draw_right(area_left(edge, edge.cols - 2), ROLE_VALUE | BOLD,
                   PRINT("%s%s ", above > 0 ? PRINT(" ▲ %d above", above) : "",
                         below > 0 ? PRINT(" ▼ %d more below", below) : ""));
    for (int r = 0; r < context->list.rows; r++) {
        const struct area row = area_row(context->list, r);
        const int index = above + r;
        const bool chosen = index == context->selected;
        int lane, x = row.x + 1;
        const struct timeline_segment *segment = segment_at(context, index, &lane);
        if (!segment)
            return;
        if (chosen)
            grid_fill(row, ROLE_SELECT);
        if (context->lane_count > 1)
            x += grid_text(row, x, row.y, lane_role(lane) | BOLD, "%c ", lane_letter(lane));
        const enum event_kind kind = segment->event->kind;
        grid_put(row, x, row.y, kind == EVENT_WAIT ? U'▁' : event_glyph(context->screen, kind),
                 event_styles[kind].role);
        draw_shortened(area_right_of(row, x + 2 - row.x), chosen ? ROLE_SELECT : ROLE_TEXT,
                       AS(timeline_describe, &context->lanes[lane], segment));
    }
}

static void draw_line_below(const struct timeline_context *context, struct area area) {
    int lane;
    const struct timeline_segment *segment =
        context->selected < 0 ? NULL : segment_at(context, context->selected, &lane);
    if (segment) {
        draw_text(area, ROLE_VALUE, "%s", AS(timeline_describe, &context->lanes[lane], segment));
        return;
    }
    const enum event_kind kinds[] = {context->device_count ? EVENT_HALO : EVENT_TO_DEVICE,
                                     EVENT_KERNEL, EVENT_FROM_DEVICE, EVENT_ALLOC};
    struct area row = area_right_of(area, GUTTER);
    for (int k = 0; k < (context->device_count ? 2 : 4); k++) {
        const struct event_style *style = &event_styles[kinds[k]];
        row = area_right_of(row, 2 + draw_legend(row, event_glyph(context->screen, kinds[k]),
                                                 style->role,
                                                 k == 1 ? style->description : style->name));
    }
    if (context->has_events[EVENT_WAIT] && context->rows[TIMELINE_HOST] >= 0)
        row = area_right_of(row, 2 + draw_legend(row, U'▁', ROLE_DIM, "host waits"));
    const char *hint = "t: look closer";
    const struct app_state *state = context->screen->state;
    const bool is_full = state->full == &timeline_panel || strcmp(state->layout, "timeline") == 0;
    if (!is_full && grid_text_width(hint) <= row.cols)
        draw_text(row, ROLE_DIM, "%s", hint);
}

/* "Timeline: median iteration of the last 12, to scale · iteration 993"; "sweep" if a kernel makes
 * several iterations. The number is included only if it fits into `cols`. */
static char *format_title(char *title, size_t size, int cols,
                          const struct timeline_context *context, int iterations) {
    const bool alone = context->lane_count == 1;
    int depth = 1;
    for (int l = 0; l < context->lane_count; l++)
        depth = context->lanes[l].depth > depth ? context->lanes[l].depth : depth;
    const char *one = depth > 1 && alone ? "sweep" : "iteration";
    const char *what = iterations > 1 ? PRINT("%d %ss", iterations, one)
                       : !alone       ? depth > 1 ? "time per iteration" : "one iteration each"
                       : context->lanes[0].of > 1
                           ? PRINT("median %s of the last %d", one, context->lanes[0].of)
                           : PRINT("last %s", one);
    format_text(title, size, "Timeline: %s", what);
    if (alone && depth > 1 && iterations == 1)
        format_append(title, size, " of %d iterations", depth);
    bool shows_device = false; /* the panel of devices has its halos and waits */
    for (int l = 0; l < context->lane_count && !alone; l++)
        shows_device |= context->screen->sample->lanes[l].device_stats.count > 1;
    format_append(title, size,
                  alone          ? ", to scale"
                  : shows_device ? ", kernels of the first device"
                                 : ", medians, to the same scale");
    if (context->device_count > context->group_count)
        format_append(title, size, " · %d of %d devices", context->group_count,
                      context->device_count);
    const char *which = PRINT(" · iteration %ld", context->lanes[0].first + 1);
    if (alone && context->lanes[0].count > 0 && iterations == 1 &&
        grid_text_width(title) + grid_text_width(which) <= cols)
        format_append(title, size, "%s", which);
    return title;
}

/* Whether to show a lane of a comparison magnified, too: its bar is tiny on the common scale. */
static bool is_tiny(const struct timeline_context *context, int lane) {
    const double seconds = context->lanes[lane].seconds;
    return context->lane_count > 1 && seconds > 0 && 30 * seconds < context->window.length;
}

/* Draws the shortest lanes again, each to its own scale. Reuses the context, whose main plot is
 * finished by then: a copy would be too large for a small stack. */
static void draw_magnified(struct timeline_context *context) {
    const struct timeline_window whole = context->window;
    int y = context->magnified.y;
    for (int l = 0; l < context->lane_count && y < context->magnified.y + context->magnified.rows;
         l++) {
        context->window = whole;
        if (!is_tiny(context, l))
            continue;
        context->window = (struct timeline_window){.length = context->lanes[l].seconds};
        context->plot.y = y;
        context->plot.rows = context->bar_rows = MAGNIFIED_ROWS - 1;
        context->group_rows = 0;
        for (int row = 0; row < TIMELINE_ROWS; row++)
            context->rows[row] = -1;
        draw_lane(context, l, (struct area){context->magnified.x, y, 0, 0, NULL});
        grid_text(context->magnified, context->magnified.x, y, lane_role(l) | BOLD, "%c ×%.0f",
                  lane_letter(l), whole.length / context->window.length);
        grid_text(context->magnified, context->magnified.x, y + 1, ROLE_DIM, "magnified");
        draw_axis(context, y + MAGNIFIED_ROWS - 1);
        y += MAGNIFIED_ROWS;
    }
}

/* Divides the panel. A lane has all four rows if there is room, or all but the host's, else one row
 * for everything. Beside other lanes an idle host has no row. */
static void lay_out(struct timeline_context *context, struct area inside) {
    /* A high panel leaves the rows that its bars don't need to the list. */
    const int bars = context->group_count * (2 * ROWS_OF_ONE_DEVICE + 1) + 3;
    const int list = inside.rows >= bars + 4 ? inside.rows - bars : 0;
    int magnified = 0;
    for (int l = 0; l < context->lane_count; l++)
        magnified +=
            is_tiny(context, l) && magnified + MAGNIFIED_ROWS + 2 <= list ? MAGNIFIED_ROWS : 0;
    context->upper = area_top(inside, inside.rows - list);
    context->list = area_below(inside, inside.rows - list + magnified);
    context->magnified = area_top(area_below(inside, inside.rows - list), magnified);
    const int spare = context->upper.rows - (context->device_count ? 1 : context->lane_count);
    context->below = clamp_int(spare, 0, 2);
    context->plot =
        area_right_of(area_top(context->upper, context->upper.rows - context->below), GUTTER);
    context->plot.cols -= context->plot.cols > 4;
    if (context->device_count && context->group_count > context->plot.rows)
        context->group_count = max_int(context->plot.rows, 1);
    const int groups = max_int(context->group_count, 1);
    const int room = context->plot.rows / groups;
    const bool *has_events = context->has_events;
    const bool host_works = groups <= 1 || room > ROWS_OF_ONE_DEVICE || has_events[EVENT_ALLOC];
    int count = 0;
    for (int row = 0; row < TIMELINE_ROWS; row++) {
        const bool is_devices_own = row == TIMELINE_KERNELS || row == TIMELINE_HALOS;
        const bool wanted = context->device_count ? is_devices_own && room >= 2
                            : row == TIMELINE_HALOS
                                ? has_events[EVENT_HALO] && room > ROWS_OF_ONE_DEVICE
                            : row == TIMELINE_HOST ? room >= ROWS_OF_ONE_DEVICE && host_works
                                                   : room >= 3;
        context->rows[row] = wanted ? count++ : -1;
    }
    count = max_int(count, 1);
    context->bar_rows = clamp_int(room / count, 1, BAR_ROWS_MAX);
    const int gap = groups > 1 && room > count * context->bar_rows;
    context->group_rows = count * context->bar_rows + gap;
}

static void timeline_draw(struct area area, const struct screen *screen) {
    struct timeline_context context = {.screen = screen,
                                       .selected = screen->state->timeline.selected};
    read_lanes(&context);
    const double zoom = screen->state->timeline.zoom;
    lay_out(&context, frame_inside(area));
    const char *duration = AS(format_duration, context.window.length);
    struct frame frame = panel_frame(&timeline_panel);
    frame.value = zoom > 1                    ? PRINT("%s  zoom ×%g", duration, zoom)
                  : context.window.length > 0 ? duration
                                              : "";
    frame.title = AS(format_title, area.cols - grid_text_width(frame.value) - FRAME_COLS, &context,
                     timeline_iterations(zoom));
    const struct area inside = draw_frame(area, &frame);
    if (!(context.window.length > 0)) {
        draw_note(inside, "no iteration measured yet");
        return;
    }
    const struct area upper = context.upper;
    for (int l = 0; l < context.lane_count; l++)
        draw_lane(&context, l, area_top(upper, upper.rows - context.below));
    if (context.below > 0)
        draw_axis(&context, upper.y + upper.rows - context.below);
    if (context.below > 1)
        draw_line_below(&context, area_below(upper, upper.rows - 1));
    draw_magnified(&context);
    draw_list(&context, area_below(area, area.rows - 1));
}

/* ---- segments by cell ------------------------------------------------------------------- */

int timeline_panel_hit(struct area area, const struct screen *screen, int x, int y) {
    struct timeline_context context = {.screen = screen,
                                       .selected = screen->state->timeline.selected};
    read_lanes(&context);
    if (!(context.window.length > 0))
        return -1;
    lay_out(&context, frame_inside(area));
    if (area_holds(context.list, x, y)) {
        const int index = list_top(&context) + y - context.list.y;
        return index < context.segment_count ? index : -1;
    }
    int index = 0, hit = -1;
    for (int l = 0; l < context.lane_count && area_holds(context.plot, x, y); l++)
        for (int s = 0; s < context.lanes[l].count; s++, index++) {
            const struct timeline_segment *segment = &context.lanes[l].segments[s];
            const int group = group_of(&context, l, segment);
            const int top = row_y(&context, group, (int)segment->row), column = x - context.plot.x;
            int from, to;
            if (group >= 0 && y >= top && y < top + context.bar_rows &&
                timeline_columns(&context.window, segment, context.plot.cols, &from, &to) &&
                column >= from / 2 && column < (to + 1) / 2)
                hit = index;
        }
    return hit;
}

const struct panel timeline_panel = {PANEL("timeline", "Timeline", '4', timeline_draw)};
