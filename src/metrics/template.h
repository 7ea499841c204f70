/* Figures with names: what a lesson's text may hold in braces, as "{ratio}" or "{ms_b}".
 *
 * Each is computed from one sample, by metrics/costs.h and metrics/verdict.h as everything on the
 * screen is, so a text that holds one can't contradict the screen. Pure; what was not measured is
 * NaN, and "–" in a text.
 *
 * A figure of a lane is lane A's; with _a, _b, _c or _d behind its name it is that lane's. Times
 * and rates are those of the last iterations of a run alone, as its bars show them, and of the
 * whole run in a comparison, as its verdict does. The table of all names is in docs/tours.md.
 */
#ifndef JACOBI_METRICS_TEMPLATE_H
#define JACOBI_METRICS_TEMPLATE_H

#include "run/sample.h"

enum figure_unit {
    UNIT_NUMBER,
    UNIT_WORD, /* a name, not a number */
    UNIT_RATIO,
    UNIT_MS,
    UNIT_BYTES,
    UNIT_COUNT,
    UNIT_PERCENT,
    UNIT_TENTHS, /* of a per cent: shares that may be all but everything */
    UNIT_GBS,
    UNIT_RESIDUAL,
};

struct figure {
    const char *name;
    enum figure_unit unit;
    size_t offset; /* in what figures.c computes of a lane */
};

/* Ended by a row whose name is NULL. */
extern const struct figure figures[];

/* The figure that a name of `length` bytes means, with or without its lane; NULL if there is none.
 * *lane, which may be NULL, is set to the lane. */
const struct figure *figure_find(const char *name, size_t length, int *lane);

/* The number; NaN if it was not measured, or for a word. */
double figure_value(const struct figure *figure, const struct sample *sample, int lane);

/* "4.9×", "13.7 ms", "structured": as it stands in a text; "–" if it is not known. Writes into the
 * caller's buffer and returns it. */
char *figure_text(char *buffer, size_t size, const struct figure *figure,
                  const struct sample *sample, int lane);

/* A number in a unit: what somebody guessed, say. */
char *figure_print(char *buffer, size_t size, enum figure_unit unit, double value);

/* What a number that is typed is followed by ("×", "ms", "MB"), and its size in the figure's own
 * unit: 1e6 for MB. */
const char *figure_unit_word(enum figure_unit unit, double *scale);

enum { FIGURE_NAME_SIZE = 32 };

/* What stands for a figure where it is to be written by hand. */
extern const char template_blank[];

/* The text with every {name} filled in, with blanks if `sample` is NULL; braces around anything
 * else stay as they are. */
char *template_fill(char *buffer, size_t size, const char *text, const struct sample *sample);

/* The first {name} of the text that is no figure: copied to `name`. Returns what follows it; NULL
 * if all are figures. */
const char *template_unknown(const char *text, char name[FIGURE_NAME_SIZE]);

/* "ratio, fastest, ms, …": cut at `size`. */
char *template_names(char *buffer, size_t size);

#endif
