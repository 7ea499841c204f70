#include "ui/panels/layout.h"

/* How a panel takes its area from the rest of the body. */
enum side {
    REST,
    TOP,
    BOTTOM,
    LEFT,
    LEFT_SQUARE,  /* no wider than a square picture with its legend */
    LEFT_OF,      /* the same; the share is for the other panels */
    LEFT_PICTURE, /* as wide as a square picture above its legend, and a blank column */
};

/* One panel's area: the fraction `share`/`of` of the rows or columns, from `least` to `most`. */
struct cut {
    const struct panel *panel;
    enum side side;
    int share, of, least, most;
};

enum { ALL = 1 << 16, LEGEND_COLS = 9, LANE_COLS = 18, LANE_ROWS = 8, EXPLAIN_COLS = 80 };

/* Of comparisons. In fewer than LOW_ROWS a track has one row, and the verdict no frame unless
 * PICTURE_ROWS remain, for 36 pixels and their legend. A shared field and the lanes' bars need
 * SHARED_COLS and SHARED_ROWS. */
enum { LOW_ROWS = 30, SHARED_COLS = 72, SHARED_ROWS = 10, SHARED_BARS = 48 };
enum { PICTURE_ROWS = 19, TIMELINE_ROWS = 3 };

/* The least for the run beside the source or below it, and for the residual below the source. A
 * comparison in fewer than SOLVED_COLS beside it continues below it. */
enum { RUN_COLS = 30, RUN_ROWS = 8, SOLVED_COLS = 72 };

/* From these sizes on, there are further panels: source, data movement, residuals compared. */
enum { LARGE_COLS = 176, LARGE_ROWS = 50, RESIDUAL_ROWS = 12, FIELD_EXTRA_ROWS = 6 };
enum { MORE_COLS = 50 };        /* for residuals beside fields */
enum { BESIDE_MESH_COLS = 57 }; /* for the other panels beside the mesh */

/* For lines of 80 columns with their numbers. */
enum { CODE_COLS = 88 };

/* Bars need 7 rows for the four kernels, and 10 with all copies. */
#define BARS(least) {&timing_panel, BOTTOM, 5, 11, least, 12}
#define BARS_BESIDE {&timing_panel, BOTTOM, 1, 2, 12, 16}
#define FIELD_SQUARE {&field_panel, LEFT_SQUARE, 5, 9, 30, ALL}
#define FIELD_WIDE {&field_panel, LEFT_OF, 1, 2, 46, 84}
#define FIELD_OF(share, of) {&field_panel, LEFT_OF, share, of, 46, ALL}
#define MOTION {&motion_panel, TOP, 1, 3, 12, 12}
#define SOURCE(share, of) {&explain_panel, LEFT, share, of, 60, CODE_COLS}
#define THE_REST(panel) {&panel, REST, 1, 1, 0, ALL}
#define TIMELINE {&timeline_panel, BOTTOM, 1, 5, 8, 10}
#define RATES {&rates_panel, BOTTOM, 1, 5, 12, 12} /* beside the timeline that follows */

enum { CUTS_MAX = 7 };

#define FROM(cols_, rows_, ...)                                                                    \
    {                                                                                              \
        .cols = (cols_), .rows = (rows_), .cuts = { __VA_ARGS__ }                                  \
    }

/* For one run; the first arrangement that fits the body applies. */
static const struct arrangement {
    int cols, rows;
    struct cut cuts[CUTS_MAX];
} arrangements[] = {
    FROM(100, 40, TIMELINE, MOTION, FIELD_WIDE, BARS_BESIDE, THE_REST(residual_panel)),
    FROM(LARGE_COLS, LARGE_ROWS, RATES, TIMELINE, FIELD_OF(3, 5), MOTION, SOURCE(3, 5), BARS_BESIDE,
         THE_REST(residual_panel)),
    FROM(LARGE_COLS, 34, TIMELINE, FIELD_OF(2, 3), SOURCE(1, 2), BARS_BESIDE,
         THE_REST(residual_panel)),
    FROM(100, LARGE_ROWS, TIMELINE, FIELD_WIDE, BARS_BESIDE,
         {&explain_panel, BOTTOM, 1, 2, 10, ALL}, THE_REST(residual_panel)),
    FROM(100, 34, TIMELINE, FIELD_WIDE, BARS_BESIDE, THE_REST(residual_panel)),
    FROM(100, 22, FIELD_WIDE, BARS_BESIDE, THE_REST(residual_panel)),
    FROM(58, 19, BARS(10), FIELD_SQUARE, THE_REST(residual_panel)),
    FROM(58, 14, BARS(7), FIELD_SQUARE, THE_REST(residual_panel)),
    FROM(58, 13, BARS(6), FIELD_SQUARE, THE_REST(residual_panel)),
    FROM(0, 52, BARS(10), {&field_panel, TOP, 2, 3, 0, 30}, THE_REST(residual_panel)),
    FROM(0, 19, BARS(10), THE_REST(field_panel)),
    FROM(0, 14, BARS(7), THE_REST(field_panel)),
    FROM(0, 13, BARS(6), THE_REST(field_panel)),
    FROM(58, 6, {&field_panel, LEFT, 1, 2, 0, ALL}, THE_REST(timing_panel)),
    FROM(0, 0, THE_REST(field_panel)),
};

/* The first one is beside the user's source. The next ones: in a tour the question's text comes
 * first. */
enum { BESIDE_CODE = 1, LARGE_ARRANGEMENTS = 3 };

/* The usual 80×24: one large picture, and an iteration to scale. */
static const struct arrangement picture_arrangement =
    FROM(78, 20, {&timing_panel, BOTTOM, 1, ALL, 2, 2},
         {&picture_panel, LEFT_PICTURE, 1, 1, 0, ALL}, THE_REST(residual_panel));

/* For a screen reader: over the full width, the most informative text first. */
static const struct arrangement reader_arrangement =
    FROM(0, 0, {&timing_panel, TOP, 1, 3, 12, ALL}, {&residual_panel, TOP, 1, 2, 0, ALL},
         THE_REST(field_panel));

/* Adds a slot, if the area has cells. */
static void add_slot(struct layout *layout, const struct panel *panel, int lane, struct area area) {
    if (area.cols < 1 || area.rows < 1 || layout->count == SLOTS_MAX)
        return;
    layout->slots[layout->count++] = (struct slot){panel, lane, area};
}

const struct slot *layout_find(const struct layout *layout, const struct panel *panel) {
    for (const struct slot *slot = layout->slots; slot < layout->slots + layout->count; slot++)
        if (slot->panel == panel)
            return slot;
    return NULL;
}

static struct area take_cut(struct area *rest, const struct cut *cut, int device_count) {
    const bool upright = cut->side == TOP || cut->side == BOTTOM;
    const int whole = upright ? rest->rows : rest->cols, square = 2 * rest->rows + LEGEND_COLS;
    int size = clamp_int(whole * cut->share / cut->of, cut->least, cut->most);
    /* One row for the kernels of each device, and one for its halos. */
    if ((cut->panel == &timeline_panel || cut->panel == &rates_panel) && upright &&
        device_count > 1)
        size =
            clamp_int(4 + 2 * device_count, cut->least, clamp_int(rest->rows / 3, cut->least, 24));
    if (cut->side == TOP)
        return area_take_top(rest, size);
    if (cut->side == BOTTOM)
        return area_take_bottom(rest, size);
    const int cols = cut->side == REST           ? whole
                     : cut->side == LEFT_PICTURE ? 2 * rest->rows - 1
                     : cut->side == LEFT         ? size
                     : cut->side == LEFT_SQUARE  ? clamp_int(size, cut->least, square)
                                                 : min_int(whole - size, square);
    const struct area taken = area_left(*rest, cols);
    *rest = area_right_of(*rest, cols);
    return taken;
}

/* Whether the body has one large picture. */
static bool has_picture(const struct layout_wish *wish, struct area body) {
    return body.cols >= picture_arrangement.cols && body.cols < 100 && body.rows < 26 &&
           body.rows >= picture_arrangement.rows && wish->lane_count == 1 &&
           wish->device_count < 2 && !wish->full && (!wish->code_cols || wish->code_is_right) &&
           !wish->screen_reader;
}

/* If the residual is below the source, the panel before it gets its area. */
static void arrange_run(struct layout *layout, const struct layout_wish *wish, struct area rest) {
    const bool no_residual = layout_find(layout, &residual_panel);
    const struct arrangement *chosen = &reader_arrangement;
    if (has_picture(wish, rest))
        chosen = &picture_arrangement;
    else if (!wish->screen_reader)
        for (chosen = arrangements + (wish->code_cols > 0    ? 0
                                      : wish->scene_rows > 0 ? BESIDE_CODE + LARGE_ARRANGEMENTS
                                                             : BESIDE_CODE);
             rest.cols < chosen->cols || rest.rows < chosen->rows;)
            chosen++;
    for (const struct cut *cut = chosen->cuts; cut < chosen->cuts + CUTS_MAX && cut->panel; cut++) {
        if ((wish->no_times && cut->panel == &timeline_panel) ||
            (!wish->maps && cut->panel == &motion_panel))
            continue;
        if (cut->side == REST && chosen == &picture_arrangement && wish->message_beside)
            layout->message = area_take_top(&rest, wish->message_rows);
        /* With several devices the bars are for devices instead of kernels. */
        const bool devices = cut->panel == &timing_panel && wish->device_count > 1 &&
                             !wish->screen_reader && wish->full != &devices_panel;
        const struct panel *panel = devices ? &devices_panel : cut->panel;
        struct cut own = *cut;
        struct area *from = &rest;
        if (cut > chosen->cuts && cut[-1].panel == &rates_panel && wish->full != &rates_panel) {
            own = (struct cut){panel, LEFT, 1, 2, 0, ALL};
            from = &layout->slots[layout->count - 1].area;
        }
        if (no_residual && cut + 1 < chosen->cuts + CUTS_MAX && cut[1].panel == &residual_panel)
            own.side = REST;
        if (panel != wish->full && !(no_residual && panel == &residual_panel))
            add_slot(layout, panel, 0, take_cut(from, &own, wish->device_count));
    }
}

/* One field for all lanes; beside it what their iterations cost, and below that these on one scale,
 * or the residual if these have the whole width. In a narrow area the residual is below the
 * field. */
static void arrange_shared(struct layout *layout, const struct layout_wish *wish, struct area rest,
                           bool is_large) {
    const int lanes = wish->lane_count, rows = lanes * (2 + wish->lane_rows);
    const int cols = min_int(2 * rest.rows - 1, max_int(rest.cols - SHARED_BARS, rest.cols / 2));
    const int below = rest.rows - cols / 2 - 1;
    const struct panel *panel = is_large ? &residual_panel : &timeline_panel;
    const bool has_last = is_large || (!wish->no_times && wish->full != panel);
    const bool is_free = below >= RUN_ROWS && !is_large;
    const bool has_residual = is_free && !layout_find(layout, &residual_panel);
    struct area last = area_take_bottom(&rest, is_free && !has_residual && has_last ? below : 0);
    struct area left = area_left(rest, cols);
    rest = area_right_of(rest, cols);
    const struct area residual = area_take_bottom(&left, has_residual ? below : 0);
    if (has_last && last.rows == 0 && rest.rows - rows >= TIMELINE_ROWS + lanes)
        last = area_take_bottom(&rest, rest.rows - rows);
    for (int l = 0; l < lanes; l++)
        add_slot(layout, &lane_bars_panel, l, area_row_of(rest, l, lanes));
    add_slot(layout, &picture_panel, lanes - 1, left);
    add_slot(layout, &residual_panel, 0, residual);
    add_slot(layout, panel, 0, last);
}

/* The curves over all of the area or, if it is large, with the lanes' fields beside them: small
 * squares in a column, or in two if there are more than three. Squares that are too small for a
 * lane's name and figures are omitted. */
static void arrange_curves(struct layout *layout, const struct layout_wish *wish, struct area area,
                           bool is_large) {
    const int lanes = wish->lane_count, across = lanes > 3 ? 2 : 1;
    const int down = (lanes + across - 1) / across;
    enum { FRAME_AND_LEGEND = 3, PIXELS_MIN = 24 };
    const int pixels = 2 * (area.rows / down - FRAME_AND_LEGEND - wish->lane_rows);
    const bool has_fields = is_large && area.cols >= LARGE_COLS && pixels >= PIXELS_MIN;
    const int cols = has_fields ? across * (pixels + 2) : 0;
    const struct area fields = area_right_of(area, area.cols - cols);
    add_slot(layout, &residual_panel, 0, area_left(area, area.cols - cols));
    for (int l = 0; l < lanes; l++)
        add_slot(layout, &lane_panel, l,
                 area_row_of(area_column_of(fields, l % across, across), l / across, down));
}

/* On a large screen, takes the area for data movement and residual, from the right or the bottom of
 * `top`, of which `wanted` columns have a use. */
static struct area take_more(struct area *top, int wanted, bool maps) {
    if (top->cols < LARGE_COLS)
        return area_take_bottom(top, RESIDUAL_ROWS);
    const int most = top->cols * 7 / 16, least = min_int(most, maps ? 78 : MORE_COLS);
    const struct area more =
        area_right_of(*top, top->cols - clamp_int(top->cols - wanted, least, most));
    top->cols -= more.cols;
    return more;
}

/* Above the verdict the curves, or one field, or the lanes side by side; below it the iterations on
 * one scale. In a race the last part is the progress: a row or two per lane, or big digits. */
static void arrange_comparison(struct layout *layout, const struct layout_wish *wish,
                               struct area rest) {
    const int lanes = wish->lane_count, shown = clamp_int(rest.cols / LANE_COLS, 1, lanes);
    const bool low = rest.rows < LOW_ROWS;
    const bool is_large = rest.rows >= LARGE_ROWS && wish->scene_rows == 0 && !wish->full;
    const bool curves = wish->subject == SUBJECT_CURVES && wish->full != &residual_panel;
    const bool shared =
        wish->subject == SUBJECT_FIELD && rest.cols >= SHARED_COLS && rest.rows >= SHARED_ROWS;
    const int beyond = rest.rows - PICTURE_ROWS;
    const int verdict = wish->full == &verdict_panel ? 0
                        : wish->no_times             ? 3
                        : !low                       ? clamp_int(rest.rows / 4, 3, 7)
                        : beyond >= 5                ? 5
                                                     : clamp_int(beyond, shared ? 2 : 3, 3);
    const int spare = clamp_int(rest.rows - verdict - LANE_ROWS, 0, 4 + lanes * 5);
    /* Of the lanes' fields side by side, in half as many rows as columns; beyond them, of bars. */
    const int beside = is_large && rest.cols >= LARGE_COLS ? MORE_COLS : 0;
    const int fields =
        wish->subject == SUBJECT_FIELDS ? (rest.cols - beside) / shown / 2 + wish->lane_rows : 0;
    /* Beside curves, two rows per lane and those of frame, axis and legend. */
    const int timeline =
        min_int(min_int(spare, rest.rows / 3),
                wish->subject == SUBJECT_CURVES ? 4 + 2 * lanes
                                                : max_int(rest.rows - verdict - fields, 4 + lanes));
    const int track = 7 * lanes <= rest.rows / 3 ? 7 : low ? 1 : 2;
    const bool none = (shared && !is_large) ||
                      (low && wish->subject != SUBJECT_FIELD && !wish->race) ||
                      wish->full == &timeline_panel;
    const int last = none || wish->no_times || timeline < 3 + lanes ? 0
                     : wish->race                                   ? 2 + track * lanes
                                                                    : timeline;
    struct area top = area_take_top(&rest, rest.rows - verdict - last), more = {0};
    const bool moves = wish->maps && top.cols >= LARGE_COLS;
    if (is_large && !curves && (!shared || moves))
        more = take_more(&top,
                         shared ? 2 * top.rows - 1 + SHARED_BARS
                                : 2 * lanes * (top.rows - FIELD_EXTRA_ROWS),
                         wish->maps);
    if (shared)
        arrange_shared(layout, wish, top, is_large);
    else if (curves)
        arrange_curves(layout, wish, top, is_large);
    for (int l = 0; l < shown && !shared && !curves; l++)
        add_slot(layout, &lane_panel, l, area_column_of(top, l, shown));
    if (moves && more.rows > 0)
        add_slot(layout, &motion_panel, 0,
                 area_take_top(&more, shared ? more.rows
                                             : min_int(9 * lanes + 4, more.rows - RESIDUAL_ROWS)));
    add_slot(layout, &residual_panel, 0, more);
    add_slot(layout, &verdict_panel, 0, area_take_top(&rest, verdict));
    add_slot(layout, wish->race ? &race_panel : &timeline_panel, 0, rest);
}

/* The user's source beside the run or above it; without room for both only the source, or if it is
 * right only the run. Removes its area from `rest`. Returns the area below it; it may be empty. */
static struct area place_code(struct layout *layout, const struct layout_wish *wish,
                              struct area *rest) {
    const int cols_left = rest->cols - wish->code_cols, rows_left = rest->rows - wish->code_rows;
    const bool beside = cols_left >= RUN_COLS, is_low = rows_left >= RUN_ROWS;
    const bool has_below =
        beside && is_low && (wish->lane_count == 1 || wish->subject != SUBJECT_CURVES);
    if (wish->code_is_right && !has_below && cols_left < SOLVED_COLS)
        return (struct area){0};
    struct area code, below = {0};
    if (!beside)
        code = area_take_top(rest, is_low ? wish->code_rows : rest->rows);
    else {
        code = area_left(*rest, wish->code_cols);
        *rest = area_right_of(*rest, code.cols);
        if (has_below) {
            below = code;
            code = area_take_top(&below, wish->code_rows);
        }
    }
    add_slot(layout, &code_panel, 0, code);
    return below;
}

struct layout layout_make(const struct layout_wish *wish, int cols, int rows) {
    const int lanes = wish->lane_count;
    struct layout layout = {.body = {0, 0, cols, rows, NULL}};
    struct area *body = &layout.body;
    layout.header = area_take_top(body, rows >= 4);
    layout.footer = area_take_bottom(body, rows >= 3);
    layout.progress = area_take_bottom(body, wish->progress && rows >= LANE_ROWS + 8);
    if (!wish->message_beside || !has_picture(wish, *body))
        layout.message = area_take_top(body, min_int(wish->message_rows, body->rows / 2));
    if (wish->scene_rows > 0 && body->rows >= 2 * wish->scene_rows)
        layout.scene = area_take_bottom(body, wish->scene_rows);
    struct area rest = *body, below_code = {0};
    if (wish->code_cols > 0 && !wish->full && !wish->screen_reader)
        below_code = place_code(&layout, wish, &rest);
    /* Too narrow for a comparison: its last parts are below the source. */
    const bool is_narrow = lanes > 1 && below_code.rows > 0 && rest.cols < SOLVED_COLS;
    const bool moves = lanes > 1 && wish->maps && below_code.rows >= 9 * lanes + 4;
    if (!is_narrow)
        add_slot(&layout, moves ? &motion_panel : &residual_panel, 0, below_code);
    if (wish->full) {
        const bool is_mesh = wish->full == &mesh_panel && rest.cols >= LARGE_COLS && lanes == 1 &&
                             !wish->screen_reader;
        const int mesh_cols = rest.cols - BESIDE_MESH_COLS;
        const struct area full =
            is_mesh ? area_left(rest, mesh_cols)
                    : area_take_top(&rest, wish->full_rows > 0 ? wish->full_rows : rest.rows);
        rest = is_mesh ? area_right_of(rest, mesh_cols) : rest;
        const bool beside = !wish->screen_reader && full.cols >= EXPLAIN_COLS * lanes;
        /* The source of each lane, if there is room. */
        const bool each = wish->full == &explain_panel && (beside || full.rows >= 10 * lanes);
        for (int l = 0, count = each ? lanes : 1; l < count; l++)
            add_slot(&layout, wish->full, l,
                     beside ? area_column_of(full, l, count) : area_row_of(full, l, count));
    }
    if (rest.cols < 1 || rest.rows < 1) {
        return layout;
    } else if (lanes == 1) {
        arrange_run(&layout, wish, rest);
    } else if (is_narrow) {
        for (int l = 0; l < lanes; l++)
            add_slot(&layout, &lane_panel, l, area_row_of(rest, l, lanes));
        add_slot(&layout, &verdict_panel, 0, area_take_top(&below_code, 5));
        add_slot(&layout, wish->race ? &race_panel : &timeline_panel, 0, below_code);
    } else if (wish->screen_reader) {
        for (int l = -1; l < lanes; l++)
            add_slot(&layout, l < 0 ? &verdict_panel : &lane_panel, max_int(l, 0),
                     area_take_top(&rest, rest.rows / (lanes - l)));
    } else {
        arrange_comparison(&layout, wish, rest);
    }
    return layout;
}
