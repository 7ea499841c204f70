/* The cell grid: what a screen shows, apart from any terminal.
 *
 * Everything is drawn into a grid; the grid feeds ncurses, the tests and the exported pictures.
 * Colours are roles and colour-map levels, not RGB: theme and terminal decide what they look like
 * (ui/draw/theme.h).
 */
#ifndef JACOBI_UI_DRAW_GRID_H
#define JACOBI_UI_DRAW_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a colour is for. INK_LEVEL0 + k is level k of the colour map, INK_SIGNED0 + k of the map for
 * signed values, 0 ≤ k < INK_LEVELS. */
enum ink {
    INK_DEFAULT,   /* the terminal's own foreground or background */
    INK_TEXT,      /* what is read */
    INK_DIM,       /* frames, units, axes: less important, still legible */
    INK_TITLE,     /* panel titles */
    INK_VALUE,     /* the most important value of a panel */
    INK_GOOD,      /* fast, converged */
    INK_BAD,       /* slow, failed */
    INK_WARN,      /* a fall-back, something to notice */
    INK_KERNEL,    /* computing */
    INK_TO_DEVICE, /* copies to the device */
    INK_FROM_DEVICE,
    INK_ALLOC,
    INK_CURVE,     /* the residual */
    INK_PREDICTED, /* theory */
    INK_REFERENCE, /* somebody else's figure */
    INK_LANE_A,
    INK_LANE_B,
    INK_LANE_C,
    INK_LANE_D,
    INK_BAR,     /* background of header and footer */
    INK_KEY,     /* a key in the footer */
    INK_SELECT,  /* background of the chosen row of a menu */
    INK_OVERLAY, /* background of menus, help and tours that lie over the panels */
    INK_GRID,    /* the grid behind curves: only just seen */
    INK_ROLES,
    INK_LEVEL0 = 64,
    INK_LEVELS = 64,
    INK_SIGNED0 = INK_LEVEL0 + INK_LEVELS
};

enum { CELL_BOLD = 1, CELL_REVERSE = 2, CELL_UNDERLINE = 4 };

struct cell {
    uint32_t glyph; /* one Unicode scalar of width 1; 0 means a blank */
    uint8_t ink;    /* enum ink */
    uint8_t paper;  /* enum ink, of the background */
    uint8_t attributes;
};

struct grid {
    int cols, rows;
    struct cell *cells; /* cells[x + y*cols], y = 0 on top */
};

struct rect {
    int x, y, cols, rows;
};

/* Real pixels in place of the cells of an area, for terminals that have them: levels of one colour
 * map, as inks. A screen has at most PICTURES_MAX of them: one per lane. */
enum { PICTURE_SIDE_MAX = 640, PICTURES_MAX = 4 };

struct pixel_picture {
    struct rect area;
    int cols, rows; /* pixels, at most PICTURE_SIDE_MAX each */
    uint8_t *inks;  /* inks[x + y*cols], y = 0 on top; NULL: as shown last */
};

static inline struct rect grid_area(const struct grid *grid) {
    return (struct rect){0, 0, grid->cols, grid->rows};
}

static inline bool rect_holds(struct rect area, int x, int y) {
    return x >= area.x && x - area.x < area.cols && y >= area.y && y - area.y < area.rows;
}

static inline bool cell_equals(const struct cell *a, const struct cell *b) {
    return a->glyph == b->glyph && a->ink == b->ink && a->paper == b->paper &&
           a->attributes == b->attributes;
}

/* All cells blank. False if there is no memory; then the grid is 0×0. */
bool grid_init(struct grid *grid, int cols, int rows);
void grid_finish(struct grid *grid);
void grid_clear(struct grid *grid);

/* As a terminal without colours has it: bars and the chosen row of a menu are reversed, what is
 * bold or underlined stays so. */
void grid_drop_colors(struct grid *grid);

/* The cell at (x, y), or NULL outside. */
const struct cell *grid_at(const struct grid *grid, int x, int y);

/* Everything below is clipped to `clip` and to the grid; nothing outside is touched. Text and
 * glyphs keep the paper (background) that is there, unless one is given. */
void grid_put(struct grid *grid, struct rect clip, int x, int y, uint32_t glyph, enum ink ink,
              enum ink paper, int attributes);

/* All cells of `area` blank, on `paper`. */
void grid_fill(struct grid *grid, struct rect area, enum ink paper);

/* UTF-8 text from (x, y) to the right. Control characters, malformed sequences and glyphs that are
 * not one column wide become '?'. Returns the columns used. */
int grid_text(struct grid *grid, struct rect clip, int x, int y, enum ink ink, int attributes,
              const char *format, ...) __attribute__((format(printf, 7, 8)));

/* The columns that a text takes. */
int grid_text_width(const char *text);

/* The first scalar of a UTF-8 text as grid_text would show it; advances `text` past it. 0 at the
 * end. */
uint32_t grid_next_glyph(const char **text);

/* Writes the UTF-8 of a glyph (a blank for 0) and a final 0; returns its length, 1 … 4. */
int grid_encode(uint32_t glyph, char utf8[5]);

/* ---- substitutes for glyphs that a terminal can't show */

enum glyph_set {
    GLYPHS_UNICODE, /* everything */
    GLYPHS_CONSOLE, /* the Linux console's font: no rounded corners, quadrants or eighths */
    GLYPHS_ASCII,   /* also for loggers' sake */
    GLYPHS_SPOKEN,  /* ASCII, and blanks for frames and rules: for screen readers */
};

/* What stands for a glyph in that set: always one glyph, itself if the set has it. */
uint32_t glyph_in_set(enum glyph_set set, uint32_t glyph);

/* Replaces every glyph of the grid. */
void glyphs_reduce(struct grid *grid, enum glyph_set set);

#endif
