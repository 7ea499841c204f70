#include <stdio.h>
#include <string.h>

#include "metrics/labels.h"
#include "ui/draw/draw.h"
#include "ui/panels/panel.h"
#include "ui/panels/timeline.h"

enum { GUTTER = 12, BAR_ROWS_MAX = 4, MAGNIFIED_ROWS = 3, ROWS_OF_ONE_DEVICE = 4, FRAME_COLS = 10 };

/* Everything that is known before the first segment is drawn. */
struct board {
    const struct screen *screen;
    struct area upper, list; /* bars with axis and line; the segments in words */
    struct area magnified; /* between them: lanes that are too fast to be seen beside the others */
    struct area plot;      /* of `upper`, right of the row names, above the axis */
    int below;             /* rows of `upper` under the plot */
    int lane_count;
    struct timeline lanes[LANES_MAX];
    struct timeline_window window;
    int device_count; /* of a lone run on several, each of which has a group of rows; else 0 */
    int group_count;  /* of rows: a lane's, or a device's; those that there is room for */
    int rows[TIMELINE_ROWS];  /* where each row of a group stands in it; -1: not shown */
    int group_rows, bar_rows; /* height of a group, of one bar */
    int selected;
};

static const enum role row_role[TIMELINE_ROWS] = {
    [TIMELINE_HOST] = ROLE_ALLOC,      [TIMELINE_TO_DEVICE] = ROLE_TO_DEVICE,
    [TIMELINE_KERNELS] = ROLE_KERNEL,  [TIMELINE_FROM_DEVICE] = ROLE_FROM_DEVICE,
    [TIMELINE_HALOS] = ROLE_TO_DEVICE,
};

static const char *const row_name[TIMELINE_ROWS] = {
    [TIMELINE_HOST] = "host",       [TIMELINE_TO_DEVICE] = "to device",
    [TIMELINE_KERNELS] = "kernels", [TIMELINE_FROM_DEVICE] = "from dev.",
    [TIMELINE_HALOS] = "halos",
};

/* ---- choosing ----------------------------------------------------------------------------- */

static void read_lanes(struct board *board) {
    const struct sample *sample = board->screen->sample;
    const struct timeline_view *view = &board->screen->state->timeline;
    double whole = 0;
    board->lane_count = board->group_count = sample->lane_count;
    if (board->lane_count == 1 && sample->lanes[0].device_stats.count > 1)
        board->device_count = board->group_count = sample->lanes[0].device_stats.count;
    for (int l = 0; l < board->lane_count; l++) {
        timeline_make_beside(sample, l, timeline_iterations(view->zoom), &board->lanes[l]);
        whole = board->lanes[l].seconds > whole ? board->lanes[l].seconds : whole;
    }
    board->window = timeline_window(view, whole);
}

/* ---- drawing ------------------------------------------------------------------------------ */

static int row_y(const struct board *board, int group, int row) {
    const int at = board->rows[row] < 0 ? 0 : board->rows[row];
    return board->plot.y + group * board->group_rows + at * board->bar_rows;
}

/* The group that a segment stands in; -1: it is not shown. */
static int group_of(const struct board *board, int lane, const struct timeline_segment *segment) {
    const int group = board->device_count ? segment->event->device : lane;
    const bool has_row = segment->row != TIMELINE_HALOS || board->rows[TIMELINE_HALOS] >= 0;
    return group < board->group_count && has_row ? group : -1;
}

/* On the segment if there is room, in its colour reversed; else beside it, up to `free_to`. */
static void draw_label(const struct board *board, int y, enum role role, int lane,
                       const struct timeline_segment *segment, int from, int to, int free_to) {
    char label[48];
    timeline_label(label, sizeof label, &board->lanes[lane], segment, to / 2 - (from + 1) / 2);
    const int width = grid_text_width(label), first = (from + 1) / 2, cols = to / 2 - first;
    const int middle = y + (board->bar_rows - 1) / 2;
    if (width == 0)
        return;
    if (cols >= width) {
        const int x = board->plot.x + first + (cols - width) / 2;
        grid_text(board->plot, x, middle, role | REVERSE | BOLD, "%s", label);
        return;
    }
    /* A blank apart from the next. Three letters stand for a long word, not for "norm". */
    enum { LEAST = 3, SHORT = 4 };
    const int after = (to + 1) / 2;
    const int room = free_to / 2 - after - (free_to < 2 * board->plot.cols);
    const int shown = room < width ? room : width;
    if (shown == width || (shown >= LEAST && width > SHORT))
        grid_text(area_left(board->plot, after + shown), board->plot.x + after, middle, ROLE_TEXT,
                  "%s", label);
}

/* A thin line under what the host does, in a row of the host's own. */
static void draw_wait(const struct board *board, int group, int from, int to, bool selected) {
    const int y = row_y(board, group, TIMELINE_HOST) + board->bar_rows - 1;
    for (int x = from / 2; x < (to + 1) / 2 && board->rows[TIMELINE_HOST] >= 0; x++)
        grid_put(board->plot, board->plot.x + x, y, 0x2581, selected ? ROLE_SELECT : ROLE_DIM);
}

/* What bars are filled with: without colours that alone tells what they are. */
static uint32_t fill_glyph(const struct board *board, enum role role) {
    const bool plain = board->screen->no_color;
    return plain && role == ROLE_TO_DEVICE     ? 0x2593
           : plain && role == ROLE_FROM_DEVICE ? 0x2592
           : plain && role == ROLE_ALLOC       ? 0x2591
                                               : 0x2588;
}

static void draw_segment(const struct board *board, int lane, int s, bool selected) {
    const struct timeline *timeline = &board->lanes[lane];
    const struct timeline_segment *segment = &timeline->segments[s];
    const int group = group_of(board, lane, segment);
    int from, to;
    if (group < 0 || !timeline_columns(&board->window, segment, board->plot.cols, &from, &to))
        return;
    if (segment->event->kind == EVENT_WAIT) {
        draw_wait(board, group, from, to, selected);
        return;
    }
    const double halves =
        (segment->end - segment->start) / board->window.length * 2 * board->plot.cols;
    const enum role role = selected ? ROLE_SELECT : row_role[segment->row];
    const int y = row_y(board, group, (int)segment->row);
    /* Where the next segment of the same row begins, in half columns. */
    int next = 2 * board->plot.cols;
    for (int k = s + 1, start, stop; k < timeline->count; k++) {
        const bool same_row =
            timeline->segments[k].event->kind != EVENT_WAIT &&
            group_of(board, lane, &timeline->segments[k]) == group &&
            (board->rows[TIMELINE_KERNELS] < 0 || timeline->segments[k].row == segment->row);
        if (same_row && timeline_columns(&board->window, &timeline->segments[k], board->plot.cols,
                                         &start, &stop)) {
            next = start;
            break;
        }
    }
    /* A gap of half a column tells a segment from one that follows at once. */
    const int end = next <= to && to - from > 3 ? to - 1 : to;
    for (int column = from / 2; column < (end + 1) / 2; column++) {
        /* Full, left half, right half, or the thinnest line if it is shorter than half a column. */
        const bool left = 2 * column >= from, right = 2 * column + 1 < end;
        const uint32_t glyph = halves < 0.75   ? (from % 2 ? 0x2590 : 0x258f)
                               : left && right ? fill_glyph(board, row_role[segment->row])
                               : left          ? 0x258c
                                               : 0x2590;
        for (int row = 0; row < board->bar_rows; row++)
            grid_put(board->plot, board->plot.x + column, y + row, glyph, role);
    }
    draw_label(board, y, role, lane, segment, from, end, next);
}

/* What each row of a group is, and whose: a lane's letter, a device's number. */
static void draw_row_names(const struct board *board, int group, struct area area) {
    for (int row = 0; row < TIMELINE_ROWS; row++) {
        const bool alone = board->rows[TIMELINE_KERNELS] < 0 && row == TIMELINE_KERNELS;
        if (board->rows[row] < 0 && !alone)
            continue;
        const int y = row_y(board, group, row) + (board->bar_rows - 1) / 2;
        int x = area.x;
        if (board->device_count)
            x += grid_text(area, x, y, ROLE_VALUE | BOLD, "%-2d ", group);
        else if (board->lane_count > 1)
            x += grid_text(area, x, y, lane_role(group) | BOLD, "%c ", lane_letter(group));
        grid_text(area, x, y, ROLE_TEXT, "%s", alone ? "all" : row_name[row]);
    }
}

static void draw_lane(const struct board *board, int lane, struct area area) {
    int before = 0;
    for (int group = 0; group < board->group_count; group++)
        if (board->device_count || group == lane)
            draw_row_names(board, group, area);
    for (int l = 0; l < lane; l++)
        before += board->lanes[l].count;
    for (int s = 0; s < board->lanes[lane].count; s++)
        draw_segment(board, lane, s, before + s == board->selected);
}

static void draw_axis(const struct board *board, int y) {
    const struct timeline_window *window = &board->window;
    const struct scale scale = {1e3 * window->start, 1e3 * (window->start + window->length), false};
    double ticks[TICKS_MAX];
    const int most = board->plot.cols / 10;
    const int count = scale_ticks(&scale, most, ticks);
    struct area axis = board->plot;
    axis.y = y;
    axis.rows = 1;
    for (int t = 0; t < count; t++) {
        char label[24];
        const int x = axis.x + (int)(scale_at(&scale, ticks[t]) * (axis.cols - 1));
        scale_label(label, sizeof label - sizeof " ms", &scale, ticks[t]);
        strcat(label, " ms");
        if (x + 1 + grid_text_width(label) > axis.x + axis.cols)
            break; /* a figure that is cut is a wrong one */
        grid_text(axis, x, y, ROLE_DIM, "╵%s", label);
    }
}

/* ---- the list under the bars: every segment in words -------------------------------------- */

static int count_segments(const struct board *board) {
    int count = 0;
    for (int l = 0; l < board->lane_count; l++)
        count += board->lanes[l].count;
    return count;
}

static const struct timeline_segment *segment_at(const struct board *board, int index, int *lane) {
    for (*lane = 0; *lane < board->lane_count; ++*lane) {
        if (index < board->lanes[*lane].count)
            return &board->lanes[*lane].segments[index];
        index -= board->lanes[*lane].count;
    }
    return NULL;
}

/* The first segment of the list: what is selected lies in its middle. */
static int list_top(const struct board *board) {
    const int rows = board->list.rows, count = count_segments(board);
    const int middle = board->selected < 0 ? 0 : board->selected - rows / 2;
    const int most = count > rows ? count - rows : 0;
    return middle < 0 ? 0 : middle > most ? most : middle;
}

/* `edge`: the lower one of the frame, for a sign of what is not shown. */
static void draw_list(const struct board *board, struct area edge) {
    const int above = list_top(board), below = count_segments(board) - above - board->list.rows;
    char more[64] = "";
    if (above > 0)
        format_append(more, sizeof more, " ▲ %d above", above);
    if (below > 0)
        format_append(more, sizeof more, " ▼ %d more below", below);
    if (*more && board->list.rows > 0)
        draw_text_right(edge, edge.x + edge.cols - 2, edge.y, ROLE_VALUE | BOLD,
                        format_append(more, sizeof more, " "));
    for (int r = 0; r < board->list.rows; r++) {
        const struct area row = area_row(board->list, r);
        const int index = list_top(board) + r;
        const bool chosen = index == board->selected;
        char text[192];
        int lane, x = row.x + 1;
        const struct timeline_segment *segment = segment_at(board, index, &lane);
        if (!segment)
            return;
        if (chosen)
            grid_fill(row, ROLE_SELECT);
        if (board->lane_count > 1)
            x += grid_text(row, x, row.y, lane_role(lane) | BOLD, "%c ", lane_letter(lane));
        const bool waits = segment->event->kind == EVENT_WAIT;
        grid_put(row, x, row.y, waits ? 0x2581 : fill_glyph(board, row_role[segment->row]),
                 waits ? ROLE_DIM : row_role[segment->row]);
        timeline_describe(text, sizeof text, &board->lanes[lane], segment);
        draw_shortened(area_right_of(row, x + 2 - row.x), chosen ? ROLE_SELECT : ROLE_TEXT, text);
    }
}

static void draw_line_below(const struct board *board, struct area area) {
    char text[192];
    int lane;
    const struct timeline_segment *segment =
        board->selected < 0 ? NULL : segment_at(board, board->selected, &lane);
    if (segment) {
        timeline_describe(text, sizeof text, &board->lanes[lane], segment);
        draw_text(area, ROLE_VALUE, "%s", text);
        return;
    }
    int x = area.x + GUTTER;
    const struct {
        enum role role;
        const char *label;
    } legend[] = {{ROLE_TO_DEVICE, board->device_count ? "halo" : "to device"},
                  {ROLE_KERNEL, "kernel"},
                  {ROLE_FROM_DEVICE, "from device"},
                  {ROLE_ALLOC, "allocation"}};
    const size_t count = board->device_count ? 2 : sizeof legend / sizeof *legend;
    for (size_t k = 0; k < count; k++)
        x += 2 + draw_legend(area_right_of(area, x - area.x), fill_glyph(board, legend[k].role),
                             legend[k].role, legend[k].label);
    bool waits = false;
    for (int l = 0; l < board->lane_count; l++)
        for (int s = 0; s < board->lanes[l].count; s++)
            waits |= board->lanes[l].segments[s].event->kind == EVENT_WAIT;
    if (waits && board->rows[TIMELINE_HOST] >= 0)
        x += 2 + draw_legend(area_right_of(area, x - area.x), 0x2581, ROLE_DIM, "host waits");
    const char *hint = "t: look closer";
    const struct app_state *state = board->screen->state;
    const bool is_full = state->full == &timeline_panel || strcmp(state->layout, "timeline") == 0;
    if (!is_full && x + grid_text_width(hint) <= area.x + area.cols)
        grid_text(area, x, area.y, ROLE_DIM, "%s", hint);
}

/* "Timeline: median iteration of the last 12, to true scale · iteration 993"; a pass, if a kernel
 * makes several. Which one is only said if there are so many columns. */
static void say_what_is_shown(char *title, size_t size, int cols, const struct board *board,
                              int iterations) {
    const bool alone = board->lane_count == 1;
    int depth = 1;
    for (int l = 0; l < board->lane_count; l++)
        depth = board->lanes[l].depth > depth ? board->lanes[l].depth : depth;
    const char *one = depth > 1 && alone ? "pass" : "iteration";
    snprintf(title, size, "Timeline: ");
    if (iterations > 1)
        format_append(title, size, "%d %s%s", iterations, one, *one == 'p' ? "es" : "s");
    else if (!alone)
        format_append(title, size, depth > 1 ? "time per iteration" : "one iteration each");
    else if (board->lanes[0].of > 1)
        format_append(title, size, "median %s of the last %d", one, board->lanes[0].of);
    else
        format_append(title, size, "last %s", one);
    if (alone && depth > 1 && iterations == 1)
        format_append(title, size, " of %d iterations", depth);
    bool shows_device = false; /* its halos and waits are in the panel of devices */
    for (int l = 0; l < board->lane_count && !alone; l++)
        shows_device |= board->screen->sample->lanes[l].device_stats.count > 1;
    format_append(title, size,
                  alone          ? ", to true scale"
                  : shows_device ? ", kernels of the first device"
                                 : ", medians, to the same scale");
    if (board->device_count > board->group_count)
        format_append(title, size, " · %d of %d devices", board->group_count, board->device_count);
    char which[48];
    snprintf(which, sizeof which, " · iteration %ld", board->lanes[0].first + 1);
    if (alone && board->lanes[0].count > 0 && iterations == 1 &&
        grid_text_width(title) + grid_text_width(which) <= cols)
        format_append(title, size, "%s", which);
}

/* Whether a lane of a comparison is shown magnified, too: to the common scale it is a sliver. */
static bool is_sliver(const struct board *board, int lane) {
    const double seconds = board->lanes[lane].seconds;
    return board->lane_count > 1 && seconds > 0 && 30 * seconds < board->window.length;
}

/* The too fast lanes once more, each to a scale of its own. The board's own plot, which is done
 * with then, is used for each of them: boards are too large for a second one on a small stack. */
static void draw_magnified(struct board *board) {
    const struct timeline_window whole = board->window;
    int y = board->magnified.y;
    for (int l = 0; l < board->lane_count && y < board->magnified.y + board->magnified.rows; l++) {
        char text[32];
        board->window = whole;
        if (!is_sliver(board, l))
            continue;
        board->window = (struct timeline_window){.length = board->lanes[l].seconds};
        board->plot.y = y;
        board->plot.rows = board->bar_rows = MAGNIFIED_ROWS - 1;
        board->group_rows = 0;
        for (int row = 0; row < TIMELINE_ROWS; row++)
            board->rows[row] = -1;
        draw_lane(board, l, (struct area){board->magnified.x, y, 0, 0, NULL});
        snprintf(text, sizeof text, "%c ×%.0f", lane_letter(l),
                 whole.length / board->window.length);
        grid_text(board->magnified, board->magnified.x, y, lane_role(l) | BOLD, "%s", text);
        grid_text(board->magnified, board->magnified.x, y + 1, ROLE_DIM, "magnified");
        draw_axis(board, y + MAGNIFIED_ROWS - 1);
        y += MAGNIFIED_ROWS;
    }
}

/* Where everything goes. A lane has all four rows if there is room; or all but the host; else
 * everything in one row. Beside other lanes an idle host leaves its row to them. */
static void lay_out(struct board *board, struct area inside) {
    /* A high panel gives what its bars don't need to the list. */
    const int bars = board->group_count * (2 * ROWS_OF_ONE_DEVICE + 1) + 3;
    const int list = inside.rows >= bars + 4 ? inside.rows - bars : 0;
    int magnified = 0;
    for (int l = 0; l < board->lane_count; l++)
        magnified +=
            is_sliver(board, l) && magnified + MAGNIFIED_ROWS + 2 <= list ? MAGNIFIED_ROWS : 0;
    board->upper = area_top(inside, inside.rows - list);
    board->list = area_below(inside, inside.rows - list + magnified);
    board->magnified = area_top(area_below(inside, inside.rows - list), magnified);
    const int spare = board->upper.rows - (board->device_count ? 1 : board->lane_count);
    board->below = spare > 2 ? 2 : spare > 0 ? spare : 0;
    board->plot = area_right_of(area_top(board->upper, board->upper.rows - board->below), GUTTER);
    board->plot.cols -= board->plot.cols > 4;
    if (board->device_count && board->group_count > board->plot.rows)
        board->group_count = board->plot.rows > 0 ? board->plot.rows : 1;
    const int groups = board->group_count > 0 ? board->group_count : 1;
    const int room = board->plot.rows / groups;
    bool host_works = groups <= 1 || room > ROWS_OF_ONE_DEVICE, exchanges = false;
    for (int l = 0; l < board->lane_count; l++)
        for (int s = 0; s < board->lanes[l].count; s++) {
            host_works |= board->lanes[l].segments[s].event->kind == EVENT_ALLOC;
            exchanges |= board->lanes[l].segments[s].event->kind == EVENT_HALO;
        }
    int count = 0;
    for (int row = 0; row < TIMELINE_ROWS; row++) {
        const bool is_devices_own = row == TIMELINE_KERNELS || row == TIMELINE_HALOS;
        const bool wanted = board->device_count     ? is_devices_own && room >= 2
                            : row == TIMELINE_HALOS ? exchanges && room > ROWS_OF_ONE_DEVICE
                            : row == TIMELINE_HOST  ? room >= ROWS_OF_ONE_DEVICE && host_works
                                                    : room >= 3;
        board->rows[row] = wanted ? count++ : -1;
    }
    if (count == 0)
        count = 1;
    board->bar_rows = room / count;
    board->bar_rows = board->bar_rows < 1 ? 1 : board->bar_rows;
    board->bar_rows = board->bar_rows > BAR_ROWS_MAX ? BAR_ROWS_MAX : board->bar_rows;
    const int gap = groups > 1 && room > count * board->bar_rows;
    board->group_rows = count * board->bar_rows + gap;
}

static void timeline_draw(struct area area, const struct screen *screen) {
    struct board board = {.screen = screen, .selected = screen->state->timeline.selected};
    read_lanes(&board);
    char title[128], value[64] = "", duration[32];
    const double zoom = screen->state->timeline.zoom;
    lay_out(&board, frame_inside(area));
    format_duration(duration, sizeof duration, board.window.length);
    if (zoom > 1)
        snprintf(value, sizeof value, "%s  zoom ×%g", duration, zoom);
    else if (board.window.length > 0)
        snprintf(value, sizeof value, "%s", duration);
    say_what_is_shown(title, sizeof title, area.cols - grid_text_width(value) - FRAME_COLS, &board,
                      timeline_iterations(zoom));
    const struct area inside = draw_frame(
        area, &(struct frame){.title = title, .value = value, .key = timeline_panel.key});
    if (!(board.window.length > 0)) {
        draw_note(inside, "no iteration measured yet");
        return;
    }
    const struct area upper = board.upper;
    for (int l = 0; l < board.lane_count; l++)
        draw_lane(&board, l, area_top(upper, upper.rows - board.below));
    if (board.below > 0)
        draw_axis(&board, upper.y + upper.rows - board.below);
    if (board.below > 1)
        draw_line_below(&board, area_below(upper, upper.rows - 1));
    draw_magnified(&board);
    draw_list(&board, area_below(area, area.rows - 1));
}

/* ---- what lies at a cell ------------------------------------------------------------------ */

int timeline_panel_hit(struct area area, const struct screen *screen, int x, int y) {
    struct board board = {.screen = screen, .selected = screen->state->timeline.selected};
    read_lanes(&board);
    if (!(board.window.length > 0))
        return -1;
    lay_out(&board, frame_inside(area));
    if (area_holds(board.list, x, y)) {
        const int index = list_top(&board) + y - board.list.y;
        return index < count_segments(&board) ? index : -1;
    }
    int index = 0, hit = -1;
    for (int l = 0; l < board.lane_count && area_holds(board.plot, x, y); l++)
        for (int s = 0; s < board.lanes[l].count; s++, index++) {
            const struct timeline_segment *segment = &board.lanes[l].segments[s];
            const int group = group_of(&board, l, segment);
            const int top = row_y(&board, group, (int)segment->row), column = x - board.plot.x;
            int from, to;
            if (group >= 0 && y >= top && y < top + board.bar_rows &&
                timeline_columns(&board.window, segment, board.plot.cols, &from, &to) &&
                column >= from / 2 && column < (to + 1) / 2)
                hit = index;
        }
    return hit;
}

const struct panel timeline_panel = {.name = "timeline",
                                     .title = "Timeline",
                                     .help = "an iteration to true scale: host, copies, kernels",
                                     .key = '4',
                                     .draw = timeline_draw};
