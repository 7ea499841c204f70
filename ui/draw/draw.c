#include "ui/draw/draw.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct area area_inset(struct area area, int cols, int rows) {
    return area_centered(area, area.cols - 2 * min_int(cols, area.cols / 2),
                         area.rows - 2 * min_int(rows, area.rows / 2));
}

struct area area_top(struct area area, int rows) {
    area.rows = clamp_int(rows, 0, area.rows);
    return area;
}

struct area area_below(struct area area, int rows) {
    rows = clamp_int(rows, 0, area.rows);
    return (struct area){area.x, area.y + rows, area.cols, area.rows - rows, area.grid};
}

struct area area_left(struct area area, int cols) {
    area.cols = clamp_int(cols, 0, area.cols);
    return area;
}

struct area area_right_of(struct area area, int cols) {
    cols = clamp_int(cols, 0, area.cols);
    return (struct area){area.x + cols, area.y, area.cols - cols, area.rows, area.grid};
}

struct area area_centered(struct area area, int cols, int rows) {
    cols = min_int(area.cols, cols);
    rows = min_int(area.rows, rows);
    return (struct area){area.x + (area.cols - cols) / 2, area.y + (area.rows - rows) / 2, cols,
                         rows, area.grid};
}

struct area area_row(struct area area, int row) {
    return area_top(area_below(area, row), 1);
}

struct area area_column_of(struct area area, int part, int parts) {
    const int from = area.cols * part / parts, to = area.cols * (part + 1) / parts;
    return area_left(area_right_of(area, from), to - from);
}

struct area area_row_of(struct area area, int part, int parts) {
    const int from = area.rows * part / parts, to = area.rows * (part + 1) / parts;
    return area_top(area_below(area, from), to - from);
}

struct area area_take_top(struct area *area, int rows) {
    const struct area taken = area_top(*area, rows);
    *area = area_below(*area, rows);
    return taken;
}

struct area area_take_bottom(struct area *area, int rows) {
    const struct area taken = area_below(*area, area->rows - rows);
    *area = area_top(*area, area->rows - rows);
    return taken;
}

/* ---- frames */

/* Draws the title and value in the upper edge, within `edge`. */
static void draw_title(struct area edge, const struct frame *frame) {
    if (!frame->title || edge.cols < 4)
        return;
    draw_next(&edge, ROLE_DIM, " ");
    if (frame->key && edge.cols > 8) {
        draw_next(&edge, ROLE_KEY, "%c", frame->key);
        draw_next(&edge, ROLE_DIM, " ");
    }
    const int used =
        draw_shortened(area_left(edge, edge.cols - 1),
                       (frame->title_role ? frame->title_role : ROLE_TITLE) | BOLD, frame->title);
    draw_text(area_right_of(edge, used), ROLE_DIM, " ");
}

struct area frame_inside(struct area area) {
    return area.cols < 4 || area.rows < 3 ? area : area_inset(area, 1, 1);
}

struct area draw_frame(struct area area, const struct frame *frame) {
    if (area.cols < 4 || area.rows < 3)
        return area;
    const int x1 = area.x + area.cols - 1, y1 = area.y + area.rows - 1;
    for (int x = area.x; x <= x1; x++) {
        const bool left = x == area.x, right = x == x1;
        grid_put(area, x, area.y, left ? U'╭' : right ? U'╮' : U'─', ROLE_DIM);
        grid_put(area, x, y1, left ? U'╰' : right ? U'╯' : U'─', ROLE_DIM);
    }
    for (int y = area.y + 1; y < y1; y++) {
        grid_put(area, area.x, y, U'│', ROLE_DIM);
        grid_put(area, x1, y, U'│', ROLE_DIM);
    }
    struct area top = area_inset(area, 2, 0);
    const int value = frame->value ? grid_text_width(frame->value) : 0;
    if (value > 0 && value + 6 <= area.cols) {
        top = area_left(top, top.cols - value - 2);
        draw_text(area_right_of(area, area.cols - value - 4),
                  (frame->value_role ? frame->value_role : ROLE_VALUE) | BOLD, " %s ",
                  frame->value);
    }
    draw_title(top, frame);
    /* Remarks in the lower edge; the left one is dropped if both don't fit. */
    struct area foot = area_below(area_inset(area, 2, 0), area.rows - 1);
    const bool has_foot = frame->foot && *frame->foot;
    const int right = has_foot ? grid_text_width(frame->foot) + 2 : 0;
    if (right && right <= foot.cols) {
        draw_text(area_right_of(foot, foot.cols - right), ROLE_DIM, " %s ", frame->foot);
        foot = area_left(foot, foot.cols - right);
    }
    if (frame->foot_left && *frame->foot_left && grid_text_width(frame->foot_left) + 2 < foot.cols)
        draw_text(foot, ROLE_DIM, " %s ", frame->foot_left);
    return frame_inside(area);
}

/* ---- text */

int draw_text(struct area area, int style, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int cols = grid_vtext(area, area.x, area.y, style, format, arguments);
    va_end(arguments);
    return cols;
}

void draw_next(struct area *area, int style, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int cols = grid_vtext(*area, area->x, area->y, style, format, arguments);
    va_end(arguments);
    area->x += cols;
    area->cols -= min_int(cols, area->cols);
}

int draw_right(struct area area, int style, const char *text) {
    return grid_text(area, area.x + area.cols - grid_text_width(text), area.y, style, "%s", text);
}

int draw_centered(struct area area, int style, const char *text) {
    const int x = area.x + max_int(area.cols - grid_text_width(text), 0) / 2;
    return grid_text(area, x, area.y, style, "%s", text);
}

void draw_cell(struct area *area, int cols, int style, const char *text) {
    draw_right(area_left(*area, cols), style, text);
    *area = area_right_of(*area, cols);
}

int draw_shortened(struct area area, int style, const char *text) {
    const int width = draw_text(area, style, "%s", text);
    if (width > area.cols && area.cols > 0)
        grid_put(area_top(area, 1), area.x + area.cols - 1, area.y, U'…', style);
    return min_int(width, area.cols);
}

int draw_legend(struct area area, uint32_t mark, enum role role, const char *label) {
    grid_put(area, area.x, area.y, mark, role);
    return 2 + grid_text(area, area.x + 2, area.y, ROLE_TEXT, "%s", label);
}

void draw_note(struct area area, const char *text) {
    draw_centered(area_below(area, area.rows / 2), ROLE_DIM, text);
}

/* Not between a number and its unit or its next digits, and not inside a fraction. */
static bool is_break(const char *text, const char *blank) {
    return *blank == ' ' && blank > text && !strchr("0123456789/", blank[-1]) && blank[1] != '/';
}

int draw_scrolled(struct area area, int top, int style, const char *text) {
    int row = 0;
    for (; *text && area.cols > 0; row++) {
        const char *end = text, *blank = NULL, *last_blank = NULL;
        int cols = 0;
        for (; *end && *end != '\n' && cols < area.cols; cols++) {
            if (*end == ' ')
                last_blank = end;
            if (is_break(text, end))
                blank = end;
            grid_next_glyph(&end);
        }
        /* A line that ends in the middle of a word is cut at its last blank, if it has one. */
        if (*end && *end != '\n' && !is_break(text, end) && (blank || *end != ' '))
            end = blank ? blank : last_blank ? last_blank : end;
        if (row >= top)
            draw_text(area_row(area, row - top), style, "%.*s", (int)(end - text), text);
        text = end + (*end == ' ' || *end == '\n');
    }
    return row;
}

int draw_paragraph(struct area area, int style, const char *text) {
    return min_int(draw_scrolled(area, 0, style, text), area.rows);
}

void draw_sentence(struct area *area, bool is_whole, int style, const char *text) {
    const int rows = is_whole ? draw_paragraph(*area, style, text)
                              : *text && draw_shortened(area_top(*area, 1), style, text) > 0;
    *area = area_below(*area, rows);
}

bool draw_free_place(struct area area, struct area *place, int reach) {
    const struct area wanted = *place;
    int least_far = reach + 1;
    for (int y = area.y; y + wanted.rows <= area.y + area.rows; y++)
        for (int x = area.x; x + wanted.cols <= area.x + area.cols; x++) {
            const int far = abs(x - wanted.x) + 2 * abs(y - wanted.y);
            bool is_free = far < least_far;
            for (int c = 0; is_free && c < wanted.rows * (wanted.cols + 2); c++) {
                const int at = x - 1 + c % (wanted.cols + 2);
                const struct cell *cell = grid_at(area.grid, at, y + c / (wanted.cols + 2));
                is_free = at < area.x || at >= area.x + area.cols ||
                          (cell && (!cell->glyph || cell->foreground == ROLE_GRID));
            }
            if (is_free) {
                least_far = far;
                *place = (struct area){x, y, wanted.cols, wanted.rows, area.grid};
            }
        }
    return least_far <= reach;
}

/* ---- bars */

void draw_bar(struct area area, double fraction, enum role role) {
    if (!(fraction > 0))
        return;
    const int most = 8 * area.cols, bar = fraction >= 1 ? most : (int)lround(fraction * most);
    for (int y = area.y; y < area.y + area.rows; y++) {
        int eighths = max_int(bar, 1), x = area.x;
        for (; eighths >= 8; eighths -= 8)
            grid_put(area, x++, y, U'█', role);
        if (eighths > 0)
            grid_put(area, x, y, 0x2590u - (uint32_t)eighths, role);
    }
}

void draw_tick(struct area area, double fraction, enum role role) {
    if (!(fraction >= 0) || area.cols < 1)
        return;
    const int x = area.x + (fraction < 1 ? (int)(fraction * area.cols) : area.cols - 1);
    for (int y = area.y; y < area.y + area.rows; y++) {
        const struct cell *cell = grid_at(area.grid, x, y);
        const int under = cell && cell->glyph == U'█' ? cell->foreground : ROLE_DEFAULT;
        grid_put(area, x, y, fraction > 1 ? U'▸' : U'┃', style_on(role, under) | BOLD);
    }
}

/* ---- curves */

static const uint8_t dot_bits[DOT_ROWS][DOT_COLS] = {
    {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

void draw_dot(struct area area, int x, int y, enum role role) {
    if (x < 0 || y < 0 || x >= area.cols * DOT_COLS || y >= area.rows * DOT_ROWS)
        return;
    const int cell_x = area.x + x / DOT_COLS, cell_y = area.y + y / DOT_ROWS;
    const struct cell *cell = grid_at(area.grid, cell_x, cell_y);
    if (!cell)
        return;
    const bool dots = cell->glyph >= 0x2800 && cell->glyph < 0x2900;
    const bool is_faint = dots && cell->foreground == ROLE_GRID;
    if ((cell->glyph && !dots) || (dots && !is_faint && role == ROLE_GRID))
        return;
    const bool joins = dots && (!is_faint || role == ROLE_GRID);
    const uint32_t glyph = (joins ? cell->glyph : 0x2800) | dot_bits[y % DOT_ROWS][x % DOT_COLS];
    grid_put(area, cell_x, cell_y, glyph, role);
}

void draw_line(struct area area, int x0, int y0, int x1, int y1, int step, enum role role) {
    const int limit = 1 << 20; /* far outside any screen: keeps the sums in range */
    if (abs(x0) > limit || abs(y0) > limit || abs(x1) > limit || abs(y1) > limit)
        return;
    const int dots = abs(x1 - x0) > abs(y1 - y0) ? abs(x1 - x0) : abs(y1 - y0);
    for (int k = 0; k <= dots; k += step > 0 ? step : 1) {
        const double t = dots ? (double)k / dots : 0;
        draw_dot(area, (int)lround(x0 + t * (x1 - x0)), (int)lround(y0 + t * (y1 - y0)), role);
    }
}

void draw_stroke(struct area area, double x0, double y0, double x1, double y1, int thick,
                 enum role role) {
    const double width = fabs(x1 - x0), height = fabs(y1 - y0), longest = fmax(width, height);
    if (!(width < 1 << 16 && height < 1 << 16)) /* far outside any screen */
        return;
    const int steps = (int)ceil(longest), before = thick / 2 - 1;
    for (int k = 0; k <= steps; k++) {
        const double t = steps ? (double)k / steps : 0;
        const double x = x0 + t * (x1 - x0), y = y0 + t * (y1 - y0);
        for (int dot = 0; dot < thick; dot++) {
            const double beside = dot - before + 1e-6;
            if (height > width)
                draw_dot(area, (int)floor(x + beside), (int)lround(y), role);
            else
                draw_dot(area, (int)lround(x), (int)floor(y + beside), role);
        }
    }
}
