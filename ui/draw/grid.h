/* The cell grid: the contents of a screen, independent of any terminal.
 *
 * Everything is drawn into a grid. The terminal, the tests and the exported pictures read the grid.
 * Colours are roles and colour-map levels, not RGB: theme and terminal determine the actual colours
 * (ui/draw/theme.h). */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The purpose of a colour. ROLE_LEVEL0 + k is level k of the colour map, ROLE_SIGNED0 + k of the
 * map for signed values, 0 ≤ k < ROLE_LEVELS. */
enum role {
    ROLE_DEFAULT,   /* the terminal's own foreground or background */
    ROLE_TEXT,      /* text to read */
    ROLE_DIM,       /* frames, units, axes: less important, still legible */
    ROLE_TITLE,     /* panel titles */
    ROLE_VALUE,     /* the most important value of a panel */
    ROLE_GOOD,      /* fast, converged */
    ROLE_BAD,       /* slow, failed */
    ROLE_WARN,      /* a fallback or another condition to notice */
    ROLE_KERNEL,    /* computing */
    ROLE_TO_DEVICE, /* copies to the device */
    ROLE_FROM_DEVICE,
    ROLE_ALLOC,
    ROLE_CURVE,     /* the residual */
    ROLE_PREDICTED, /* the predicted residual */
    ROLE_REFERENCE, /* figures from elsewhere */
    ROLE_LANE_A,    /* without hue */
    ROLE_LANE_B,
    ROLE_LANE_C,
    ROLE_LANE_D,
    ROLE_BAR,     /* background of header and footer */
    ROLE_KEY,     /* a key in the footer */
    ROLE_SELECT,  /* background of the chosen row of a menu */
    ROLE_OVERLAY, /* background of menus, help and tours over the panels */
    ROLE_BODY,    /* background below a curve */
    ROLE_GRID,    /* the grid behind curves: barely visible */
    ROLE_COUNT,
    ROLE_LEVEL0 = 64,
    ROLE_LEVELS = 64,
    ROLE_SIGNED0 = ROLE_LEVEL0 + ROLE_LEVELS
};

/* A style: a foreground role with any of these attributes, "ROLE_TITLE | BOLD". */
enum { BOLD = 1 << 8, REVERSE = 1 << 9, UNDERLINE = 1 << 10, ATTRIBUTES = 7 << 8 };

/* The same on an explicit background. */
static inline int style_on(int foreground, int background) {
    return foreground | background << 16;
}

struct cell {
    uint32_t glyph;                 /* one Unicode scalar of width 1; 0 means a blank */
    uint8_t foreground, background; /* enum role */
    uint16_t attributes;            /* the attributes of a style */
};

struct grid {
    int cols, rows;
    struct cell *cells; /* cells[x + y*cols], y = 0 on top */
};

/* A rectangle of cells in a grid. `grid` is NULL while areas are only measured or compared; nothing
 * is drawn then. */
struct area {
    int x, y, cols, rows;
    struct grid *grid;
};

/* Real pixels in place of the cells of an area, for terminals that have them: levels of one colour
 * map, as roles. A screen has at most PICTURES_MAX of them: one per lane. */
enum { PICTURE_SIDE_MAX = 640, PICTURES_MAX = 4 };

struct pixel_picture {
    struct area area;
    int cols, rows; /* pixels, at most PICTURE_SIDE_MAX each */
    uint8_t *roles; /* roles[x + y*cols], y = 0 on top; NULL: unchanged */
};

static inline struct area grid_area(struct grid *grid) {
    return (struct area){0, 0, grid->cols, grid->rows, grid};
}

static inline struct area area_on(struct grid *grid, struct area area) {
    area.grid = grid;
    return area;
}

static inline bool area_holds(struct area area, int x, int y) {
    return x >= area.x && x - area.x < area.cols && y >= area.y && y - area.y < area.rows;
}

static inline bool cell_equals(const struct cell *a, const struct cell *b) {
    return a->glyph == b->glyph && a->foreground == b->foreground &&
           a->background == b->background && a->attributes == b->attributes;
}

/* Makes all cells blank. Returns false if there is no memory; then the grid is 0×0. */
bool grid_init(struct grid *grid, int cols, int rows);
void grid_finish(struct grid *grid);
void grid_clear(struct grid *grid);

/* Removes all colours; bars and the chosen row of a menu are reversed instead. */
void grid_drop_colors(struct grid *grid);

/* The cell at (x, y), or NULL outside. */
const struct cell *grid_at(const struct grid *grid, int x, int y);

/* All functions below are clipped to the area and to its grid; nothing outside changes. Text and
 * glyphs keep the existing background, unless the style has one. */
void grid_put(struct area area, int x, int y, uint32_t glyph, int style);

/* Makes all cells of `area` blank, on `background`. */
void grid_fill(struct area area, enum role background);

/* Sets all cells of `area` to that glyph. */
void grid_fill_glyph(struct area area, uint32_t glyph, int style);

/* Draws UTF-8 text from (x, y) to the right. Controls, malformed sequences and glyphs that are not
 * one column wide become '?'. Returns the columns used. */
int grid_text(struct area area, int x, int y, int style, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

int grid_vtext(struct area area, int x, int y, int style, const char *format, va_list arguments);

/* The number of columns of a text. */
int grid_text_width(const char *text);

/* The first scalar of a UTF-8 text as grid_text shows it; advances `text`. 0 at the end. */
uint32_t grid_next_glyph(const char **text);

/* Writes the UTF-8 of a glyph (a blank for 0) and a final 0; returns its length, 1 … 4. */
int grid_encode(uint32_t glyph, char utf8[5]);

/* The role of a lane. */
static inline int lane_role(int lane) {
    return ROLE_LANE_A + lane;
}

/* ---- substitutes for glyphs that a terminal can't show */

enum glyph_set {
    GLYPHS_UNICODE,       /* everything */
    GLYPHS_CONSOLE,       /* the Linux console's font: no rounded corners, quadrants or eighths */
    GLYPHS_ASCII,         /* also for loggers */
    GLYPHS_SCREEN_READER, /* ASCII, and blanks for frames and rules: for screen readers */
};

/* The glyph, or its substitute in that set. */
uint32_t glyph_in_set(enum glyph_set set, uint32_t glyph);

/* Replaces every glyph of the grid. */
void glyphs_reduce(struct grid *grid, enum glyph_set set);
