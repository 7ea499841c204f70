/* Figures that a lesson's text names in braces: "{ratio}", "{ms_b}" (docs/tours.md lists them).
 *
 * They are computed from one sample by metrics/costs.h and metrics/verdict.h, as on the screen. A
 * figure is lane A's unless its name ends in _a, _b, _c or _d. Times and rates are of the sample's
 * window for a single run, of the whole run in a comparison. NaN, "–" in a text: not measured, or
 * a ratio of times after too few iterations. */
#pragma once

#include "run/sample.h"

enum figure_unit {
    UNIT_NUMBER,
    UNIT_WORD, /* a word, not a number */
    UNIT_RATIO,
    UNIT_MS,
    UNIT_BYTES,
    UNIT_COUNT,
    UNIT_PERCENT,
    UNIT_TENTHS, /* tenths of a per cent: for shares near 100 % */
    UNIT_GBS,
    UNIT_RESIDUAL,
};

struct figure {
    const char *name;
    enum figure_unit unit;
    size_t offset; /* in struct values (template.c) */
};

/* A row whose name is NULL ends the table. */
extern const struct figure figures[];

/* Finds the figure with a name of `length` bytes, with or without its lane; NULL if there is none.
 * Sets *lane to the lane; `lane` may be NULL. */
const struct figure *figure_find(const char *name, size_t length, int *lane);

/* The number; NaN if it was not measured or is a word. */
double figure_value(const struct figure *figure, const struct sample *sample, int lane);

/* Whether a number is within the figure's measured interval. Only ratios of times have one. */
bool figure_holds(const struct figure *figure, const struct sample *sample, int lane,
                  double number);

/* "4.9×", "13.7 ms", "structured"; "–" if unknown. Returns `buffer`. */
char *figure_text(char *buffer, size_t size, const struct figure *figure,
                  const struct sample *sample, int lane);

/* Formats a number in a unit, such as a guess. */
char *figure_print(char *buffer, size_t size, enum figure_unit unit, double value);

/* The unit after a typed number ("×", "ms", "MB"), and its scale: 1e6 for MB. */
const char *figure_unit_word(enum figure_unit unit, double *scale);

enum { FIGURE_NAME_SIZE = 32 };

/* What replaces a figure on paper, and the mark of one that is not known. */
extern const char template_blank[], template_missing[];

/* Replaces every {name} of the text, with blanks if `sample` is NULL. Other braces stay. Sentences
 * with a figure that is not known, or with the mark of one, are omitted. */
char *template_fill(char *buffer, size_t size, const char *text, const struct sample *sample);

/* Copies the first {name} that is not a figure. Returns the text after it; NULL: none. */
const char *template_unknown(const char *text, char name[FIGURE_NAME_SIZE]);

/* "ratio, fastest, ms, …": truncated at `size`. */
char *template_names(char *buffer, size_t size);
