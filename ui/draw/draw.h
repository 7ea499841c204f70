/* Draws into areas of a cell grid: frames, text, bars, curves, axes, big digits.
 *
 * Everything is drawn in full Unicode; glyph_in_set (ui/draw/grid.h) maps it to the glyphs of a
 * more limited terminal. Everything is clipped to its area. */
#pragma once

#include "core/format.h"
#include "ui/draw/grid.h"

/* ---- areas: results never have negative sizes */

static inline int min_int(int a, int b) {
    return a < b ? a : b;
}

static inline int max_int(int a, int b) {
    return a > b ? a : b;
}

/* Returns `low` if `high` < `low`. */
static inline int clamp_int(int value, int low, int high) {
    return max_int(low, min_int(value, high));
}

struct area area_inset(struct area area, int cols, int rows);
struct area area_top(struct area area, int rows);
struct area area_below(struct area area, int rows); /* the rest below the top `rows` */
struct area area_left(struct area area, int cols);
struct area area_right_of(struct area area, int cols); /* the rest right of the left `cols` */
struct area area_centered(struct area area, int cols, int rows);

/* Row `row` alone, counted from 0; empty if the area has fewer rows. */
struct area area_row(struct area area, int row);

/* Part `part` of `parts` equal ones, side by side or stacked. */
struct area area_column_of(struct area area, int part, int parts);
struct area area_row_of(struct area area, int part, int parts);

/* Removes rows from the top or bottom of the area and returns them. */
struct area area_take_top(struct area *area, int rows);
struct area area_take_bottom(struct area *area, int rows);

/* ---- frames */

struct frame {
    const char *title; /* in the upper edge, at the left; shortened with … if necessary */
    const char *value; /* in the upper edge, at the right: the panel's most important value */
    const char *foot_left, *foot;     /* remarks in the lower edge, at the left and at the right */
    enum role title_role, value_role; /* 0: ROLE_TITLE, ROLE_VALUE */
    int key;                          /* opens the panel, shown before the title; 0: none */
};

/* Draws a frame with rounded corners and returns its inside. An area of fewer than 3 rows or 4
 * columns gets no frame and is returned unchanged. */
struct area draw_frame(struct area area, const struct frame *frame);

/* The area that draw_frame would return. */
struct area frame_inside(struct area area);

/* ---- text in the first row of an area */

/* Draws at the left end. Returns the columns used. */
int draw_text(struct area area, int style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same; then moves the left end of the area past the text. */
void draw_next(struct area *area, int style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Draw the text at the right end, and centred. Both return the columns used. */
int draw_right(struct area area, int style, const char *text);
int draw_centered(struct area area, int style, const char *text);

/* Draws a table cell of `cols` columns, right-aligned; then moves the left end of the area past
 * it. */
void draw_cell(struct area *area, int cols, int style, const char *text);

/* Truncates a text that is too long, with … at its end. Returns the columns used. */
int draw_shortened(struct area area, int style, const char *text);

/* Draws a coloured mark, a blank and the label. Returns the columns used. */
int draw_legend(struct area area, uint32_t mark, enum role role, const char *label);

/* ---- text on several rows */

/* A remark in the middle of an otherwise empty area. */
void draw_note(struct area area, const char *text);

/* Wraps at blanks; returns the rows used (at most area.rows). */
int draw_paragraph(struct area area, int style, const char *text);

/* The same from row `top` of the paragraph on; returns the number of rows of the whole
 * paragraph. */
int draw_scrolled(struct area area, int top, int style, const char *text);

/* Draws a paragraph, or only its beginning in one row; removes the rows used from the area. */
void draw_sentence(struct area *area, bool is_whole, int style, const char *text);

/* Moves `place` by the shortest distance to free cells inside `area`, so that a label covers
 * nothing. Free cells are blank or show a faint grid, with a blank column on either side. Returns
 * false and moves nothing if none are within `reach` columns; a row counts as two. */
bool draw_free_place(struct area area, struct area *place, int reach);

/* ---- bars */

/* A horizontal bar over `fraction` (0 … 1) of the area, to an eighth of a column. Anything above 0
 * shows at least the thinnest bar. Fractions out of range are clipped; NaN draws nothing. */
void draw_bar(struct area area, double fraction, enum role role);

/* A reference tick at `fraction` of the same area, drawn over its contents; beyond it an arrow at
 * its end. */
void draw_tick(struct area area, double fraction, enum role role);

/* ---- curves: dots of braille, 2 × 4 per cell, (0, 0) at the upper left of `area` */

enum { DOT_COLS = 2, DOT_ROWS = 4 };

/* Adds a dot. In a cell with other dots the last role wins, but dots of a faint grid (ROLE_GRID)
 * yield to all others. Cells that contain another glyph are left unchanged. */
void draw_dot(struct area area, int x, int y, enum role role);

/* Every `step`-th dot of the straight line between two dots: 1 solid, 3 or more dotted. */
void draw_line(struct area area, int x0, int y0, int x1, int y1, int step, enum role role);

/* The same line between points of any precision, as a stroke `thick` dots wide across its
 * direction. Two or more dots show slopes smoothly where single dots would form steps. */
void draw_stroke(struct area area, double x0, double y0, double x1, double y1, int thick,
                 enum role role);

/* ---- axes */

struct scale {
    double low, high; /* low < high; both > 0 for a logarithmic scale */
    bool logarithmic;
};

/* 0 at low, 1 at high, not clipped; NaN if the scale has no such value. */
double scale_at(const struct scale *scale, double value);

/* The least of 1, 2 and 5 times a power of ten that is not below a value above 0. */
double scale_end(double value);

enum { TICKS_MAX = 16 };

/* The values of the ticks, ascending, at most `most` and never more than TICKS_MAX: whole powers of
 * ten (every n-th if there are too many) or 1-2-5 steps. Returns their number. */
int scale_ticks(const struct scale *scale, int most, double ticks[TICKS_MAX]);

/* "1e-3" for powers of ten, "20 000" for a large count, else the shortest form. Returns
 * `buffer`. */
char *scale_label(char *buffer, size_t size, const struct scale *scale, double tick);

/* Curves over two axes. */
struct plot {
    struct area whole; /* including the figures at the left of the dots and below them */
    struct area area;  /* the dots */
    struct scale x, y;
    bool is_plain; /* no faint grid: without colours it would look like a curve */
};

/* A plot over all of `whole`, with `label_cols` columns for figures at the left; without scales. */
struct plot plot_make(struct area whole, int label_cols, bool is_plain);

/* The position of a value in dots from the upper left of the area, not clipped. Whole numbers are
 * the centres of dots. The ends of the vertical scale are in the first and the last row. */
double plot_x(const struct plot *plot, double x);
double plot_y(const struct plot *plot, double y);

void plot_stroke(const struct plot *plot, double x0, double y0, double x1, double y1, int thick,
                 enum role role);

/* The cell at that point; a single cell, possibly outside the area. */
struct area plot_cell(const struct plot *plot, double x, double y);

/* Draws the axes, ticks at their exact positions with a faint grid, and their figures. The figures
 * are to the left of the vertical axis and in the second row below the area. */
void plot_axes(const struct plot *plot);

/* ---- big digits, for verdicts that must be legible from the back of a classroom */

enum { BIG_ROWS = 5 };

/* Draws digits, '.', ',', 'x' or '×', '%', '-', ' ', and the units "ms", "µs", "ns", "s", at the
 * upper left of the area. The height is `times` BIG_ROWS rows; if `times` is 0, the width is halved
 * instead. Returns the columns used: `times` draw_big_width. */
int draw_big(struct area area, int times, enum role role, const char *text);
int draw_big_width(const char *text);
