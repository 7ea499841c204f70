/* Draws into areas of a cell grid: frames, text, bars, curves, axes, big digits.
 *
 * Everything is drawn in full Unicode; glyph_in_set (ui/draw/grid.h) maps it to what a poorer
 * terminal can show. Everything is clipped to its area.
 */
#ifndef JACOBI_UI_DRAW_DRAW_H
#define JACOBI_UI_DRAW_DRAW_H

#include "ui/draw/grid.h"

/* ---- areas: results never have negative sizes */

static inline int min_int(int a, int b) {
    return a < b ? a : b;
}

static inline int max_int(int a, int b) {
    return a > b ? a : b;
}

/* `high` < `low`: `low`. */
static inline int clamp_int(int value, int low, int high) {
    return max_int(low, min_int(value, high));
}

struct area area_inset(struct area area, int cols, int rows);
struct area area_top(struct area area, int rows);
struct area area_below(struct area area, int rows); /* what is left under the top `rows` */
struct area area_left(struct area area, int cols);
struct area area_right_of(struct area area, int cols); /* what is left beside the left `cols` */
struct area area_centered(struct area area, int cols, int rows);

/* Row `row` alone, counted from 0; no row if there are fewer. */
struct area area_row(struct area area, int row);

/* Part `part` of `parts` equal ones, beside one another or over one another. */
struct area area_column_of(struct area area, int part, int parts);
struct area area_row_of(struct area area, int part, int parts);

/* Rows that the area loses at its top or bottom. */
struct area area_take_top(struct area *area, int rows);
struct area area_take_bottom(struct area *area, int rows);

/* ---- frames */

struct frame {
    const char *title; /* in the upper edge, at the left; shortened with … if it must be */
    const char *value; /* in the upper edge, at the right: the panel's most important value */
    const char *foot_left, *foot;     /* in the lower edge, at the left and at the right: remarks */
    enum role title_role, value_role; /* 0: ROLE_TITLE, ROLE_VALUE */
    int key;                          /* opens the panel, shown before the title; 0: none */
};

/* Draws a frame with round corners and returns its inside. An area of less than 3 rows or 4 columns
 * gets no frame and is returned as it is. */
struct area draw_frame(struct area area, const struct frame *frame);

/* What draw_frame would return. */
struct area frame_inside(struct area area);

/* ---- text in the first row of an area */

/* At its left end. Returns the columns used. */
int draw_text(struct area area, int style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same; the area then begins behind the text. */
void draw_next(struct area *area, int style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The text up to its right end; in its middle. Both return the columns used. */
int draw_right(struct area area, int style, const char *text);
int draw_centered(struct area area, int style, const char *text);

/* A table's cell of `cols` columns, its text at the right; the area then begins behind it. */
void draw_cell(struct area *area, int cols, int style, const char *text);

/* The end of a text that is too long is replaced by …. Returns the columns used. */
int draw_shortened(struct area area, int style, const char *text);

/* A coloured mark, a blank, the label. Returns the columns used. */
int draw_legend(struct area area, uint32_t mark, enum role role, const char *label);

/* ---- text on several rows */

/* A remark in the middle of an area that has nothing else to show. */
void draw_note(struct area area, const char *text);

/* Wraps at blanks; returns the rows used (at most area.rows). */
int draw_paragraph(struct area area, int style, const char *text);

/* The same from row `top` of the paragraph on; returns the rows of all of it. */
int draw_scrolled(struct area area, int top, int style, const char *text);

/* A paragraph, or its beginning in one row; the area loses the rows used. */
void draw_sentence(struct area *area, bool is_whole, int style, const char *text);

/* Moves `place` as little as need be to where its cells are blank but for a faint grid, with a
 * blank column on either side, inside `area`: a label that covers nothing. False, and nothing
 * moved, if there is no such place within `reach` columns; a row counts as two. */
bool draw_free_place(struct area area, struct area *place, int reach);

/* ---- bars */

/* A horizontal bar over `fraction` (0 … 1) of the area, exact to an eighth of a column. Anything
 * above 0 shows at least the thinnest bar. Fractions outside are cut; NaN: nothing. */
void draw_bar(struct area area, double fraction, enum role role);

/* A reference tick at `fraction` of the same area, over what is there. */
void draw_tick(struct area area, double fraction, enum role role);

/* ---- curves: dots of braille, 2 × 4 per cell, (0, 0) at the upper left of `area` */

enum { DOT_COLS = 2, DOT_ROWS = 4 };

/* Adds a dot; in a cell that holds other dots the role of the last one wins, but dots of a faint
 * grid (ROLE_GRID) give way to all others. Cells that hold something other than dots are left
 * alone. */
void draw_dot(struct area area, int x, int y, enum role role);

/* Every `step`-th dot of the straight line between two dots: 1 solid, 3 or more dotted. */
void draw_line(struct area area, int x0, int y0, int x1, int y1, int step, enum role role);

/* The same line between points of any fineness, as a stroke `thick` dots wide across its direction:
 * two or more show slopes that single dots would make stairs of. */
void draw_stroke(struct area area, double x0, double y0, double x1, double y1, int thick,
                 enum role role);

/* ---- axes */

struct scale {
    double low, high; /* low < high; both > 0 for a logarithmic scale */
    bool logarithmic;
};

/* 0 at low, 1 at high, not cut; NaN if the scale has no such value. */
double scale_at(const struct scale *scale, double value);

enum { TICKS_MAX = 16 };

/* The values at which to put ticks, ascending, at most `most` of them and never more than
 * TICKS_MAX: whole powers of ten (each n-th if there are too many) or 1-2-5 steps. Returns how
 * many. */
int scale_ticks(const struct scale *scale, int most, double ticks[TICKS_MAX]);

/* "1e-3" for powers of ten, "20 000" for a large count, else the shortest figure. Returns `buffer`.
 */
char *scale_label(char *buffer, size_t size, const struct scale *scale, double tick);

/* Curves over two axes. */
struct plot {
    struct area whole; /* of everything: figures are at the left of the dots and under them */
    struct area area;  /* of the dots */
    struct scale x, y;
    bool is_plain; /* no faint grid: without colours it would be taken for a curve */
};

/* A plot over all of `whole`, whose figures have so many columns at the left; without scales. */
struct plot plot_make(struct area whole, int label_cols, bool is_plain);

/* A value's place in dots from the upper left of the area, not cut: whole numbers are the middles
 * of dots. The ends of the upright scale are in the first and the last row. */
double plot_x(const struct plot *plot, double x);
double plot_y(const struct plot *plot, double y);

void plot_stroke(const struct plot *plot, double x0, double y0, double x1, double y1, int thick,
                 enum role role);

/* The cell there; one cell, outside the area too. */
struct area plot_cell(const struct plot *plot, double x, double y);

/* Draws the axes, ticks at their true places with a faint grid, and their figures: at the left of
 * the area up to its axis, and in the second row under it. */
void plot_axes(const struct plot *plot);

/* ---- big digits, for verdicts, to be read from the back of a classroom */

enum { BIG_ROWS = 5 };

/* Digits, '.', ',', 'x' or '×', '%', '-', ' ', and the units "ms", "µs", "ns", "s", at the upper
 * left of the area; `times` BIG_ROWS rows high, 1 or more. Returns the columns used: `times`
 * draw_big_width. */
int draw_big(struct area area, int times, enum role role, const char *text);
int draw_big_width(const char *text);

#endif
