/* The blog's tables, for one lane or for several side by side, with the reference's columns.
 *
 * A table is a plain value of short texts, made from the costs of the whole run (metrics/costs.h);
 * the headless report prints it, the panel draws it. What was not measured is "–". Columns stand in
 * groups: one per lane, one for the reference, and one for a second reference.
 */
#ifndef JACOBI_METRICS_TABLE_H
#define JACOBI_METRICS_TABLE_H

#include <stdio.h>

#include "config/config.h"
#include "run/sample.h"

enum { TABLE_ROWS = 20, TABLE_COLUMNS = 24, TABLE_TEXT = 32 };

enum { GROUP_NAMES = -1, GROUP_REFERENCE = LANES_MAX, GROUP_SECOND, GROUP_COUNT };

struct table_column {
    int group;              /* a lane, GROUP_NAMES, GROUP_REFERENCE or GROUP_SECOND */
    int importance;         /* how much it matters: the least goes first if there is no room */
    char title[TABLE_TEXT]; /* "avg ms" */
};

enum table_row_kind { ROW_KERNEL, ROW_COPY, ROW_SUM };

struct table_row {
    enum table_row_kind kind;
    char cells[TABLE_COLUMNS][TABLE_TEXT]; /* cells[0] is the row's name */
};

struct table {
    char base[TABLE_TEXT];                /* what the percentages are of; above the names */
    char groups[GROUP_COUNT][TABLE_TEXT]; /* above the columns: "A structured", "reference" */
    int column_count, row_count;
    struct table_column columns[TABLE_COLUMNS];
    struct table_row rows[TABLE_ROWS];
};

/* Average ms, percentage and GB/s of each kernel; ms per iteration of copies and allocations; below
 * them ms for 1000 iterations, GFLOP/s and how many times the fastest lane's time, or the
 * reference's if there is but one lane. Percentages are percent_of_measured. Kernels stand in the
 * order of costs_order. `second` may be NULL, or without a source: there is none. */
struct table table_costs(const struct sample *sample, const struct reference *reference,
                         const struct reference *second);

/* "HIP" of the source "Somebody's program: HIP, somewhere": what tells two references apart. */
char *reference_name(char *buffer, size_t size, const struct reference *reference);

/* Median, 5 and 95 % of the calls of each kernel, and the mean of the first iterations (warm-up)
 * apart, all in ms. */
struct table table_durations(const struct sample *sample);

/* Whether the reference's figures are of the sample's grid, as far as that is known: those of
 * another grid are no measure for this one. */
bool reference_is_comparable(const struct reference *reference, const struct sample *sample);

/* What the reference's loop takes per iteration with that lane's mapping; NaN if it does not say.
 */
double reference_loop_ms(const struct reference *reference, const struct lane_sample *lane);

/* By what the times of the reference's kernels are to be multiplied to stand beside that lane's: 1
 * on its own grid, else the ratio of the unknowns; NaN if its mapping is another: then they don't.
 */
double reference_kernel_factor(const struct reference *reference, const struct sample *sample,
                               const struct lane_sample *lane);

/* Columns that a column needs: its widest text. */
int table_width(const struct table *table, int column);

/* Removes the columns that matter least, in all groups alike, until the table with a gap of two
 * between columns is at most `cols` wide. The names always stay. */
void table_fit(struct table *table, int cols);

/* Prints it, one line per row. */
void table_print(const struct table *table, FILE *file);

#endif
