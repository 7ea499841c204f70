/* Draws into a cell grid: frames, text, bars, curves, big digits, axes.
 *
 * Everything is drawn in full Unicode; glyph_in_set (ui/draw/grid.h) maps it to what a poorer
 * terminal can show. All coordinates are those of the grid; everything is clipped to the area
 * given.
 */
#ifndef JACOBI_UI_DRAW_DRAW_H
#define JACOBI_UI_DRAW_DRAW_H

#include "ui/draw/grid.h"

/* ---- rectangles: results never have negative sizes */

struct area area_inset(struct area area, int cols, int rows);
struct area area_top(struct area area, int rows);
struct area area_below(struct area area, int rows); /* what is left under the top `rows` */
struct area area_left(struct area area, int cols);
struct area area_right_of(struct area area, int cols); /* what is left beside the left `cols` */
struct area area_centered(struct area area, int cols, int rows);

/* ---- frames */

struct frame {
    const char *title; /* in the upper edge, at the left; shortened with … if it must be */
    const char *value; /* in the upper edge, at the right: the panel's most important value */
    enum role title_role, value_role; /* 0: ROLE_TITLE, ROLE_VALUE */
    int key;                          /* the key that opens the panel, before the title; 0: none */
    const char *foot_left, *foot;     /* in the lower edge, at the left and at the right: remarks */
};

/* Draws a frame with round corners and returns what is inside it. An area of less than 3 rows or
 * 4 columns gets no frame and is returned as it is. */
struct area draw_frame(struct area area, const struct frame *frame);

/* What draw_frame would return. */
struct area frame_inside(struct area area);

/* ---- text */

/* Ends at column x (exclusive). Returns the columns used. */
int draw_text_right(struct area area, int x, int y, int style, const char *text);
int draw_text_centered(struct area area, int y, int style, const char *text);

/* At most `cols` columns, the end replaced by … if it is longer. Returns the columns used. */
int draw_shortened(struct area area, int x, int y, int cols, int style, const char *text);

/* Wraps at blanks into `area`; returns the rows used (at most area.rows). */
int draw_paragraph(struct area area, int style, const char *text);

/* Moves `place` as little as need be to where its cells are blank but for a faint grid, with a
 * blank column on either side, inside `area`: a label that covers nothing. False, and nothing
 * moved, if there is no such place within `reach` columns; a row counts as two. */
bool draw_free_place(struct area area, struct area *place, int reach);

/* A coloured mark, a blank, the label. Returns the columns used. */
int draw_legend(struct area area, int x, int y, uint32_t mark, enum role role, const char *label);

/* ---- bars */

/* A horizontal bar of `fraction` (0 … 1) of `cols` columns, exact to an eighth of a column.
 * Anything above 0 shows at least the thinnest sliver. Fractions outside are cut; NaN: nothing. */
void draw_bar(struct area area, int x, int y, int cols, double fraction, enum role role);

/* A reference tick at `fraction` of the same columns, over what is there. */
void draw_tick(struct area area, int x, int y, int cols, double fraction, enum role role);

/* ---- curves: dots of braille, 2 × 4 per cell, (0, 0) at the upper left of `area` */

enum { DOT_COLS = 2, DOT_ROWS = 4 };

/* Adds a dot; in a cell that holds other dots the role of the last one wins, but dots of a faint
 * grid (ROLE_GRID) give way to all others. Cells that hold something other than dots are left
 * alone.
 */
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
    struct area whole; /* of everything: figures stand at the left of the dots and under them */
    struct area area;  /* of the dots */
    struct scale x, y;
    bool is_plain; /* no faint grid: without colours it would be taken for a curve */
};

/* Where a value stands, in dots from the upper left of the area, not cut: whole numbers are the
 * middles of dots. The ends of the upright scale lie in the first and the last row. */
double plot_x(const struct plot *plot, double x);
double plot_y(const struct plot *plot, double y);

/* Draws the axes, ticks at their true places with a faint grid, and their figures: at the left of
 * the area up to its axis, and in the second row under it. */
void plot_axes(const struct plot *plot);

/* ---- big digits, for verdicts, to be read from the back of a classroom */

enum { BIG_ROWS = 5 };

/* Digits, '.', ',', 'x' or '×', '%', '-', ' ', and the units "ms", "µs", "ns", "s"; `times`
 * BIG_ROWS rows high, 1 or more. Returns the columns used: `times` draw_big_width. */
int draw_big(struct area area, int x, int y, int times, enum role role, const char *text);
int draw_big_width(const char *text);

#endif
