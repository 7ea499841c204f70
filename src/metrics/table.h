/* The blog's tables, for one lane or several side by side, with the references' columns. Cells are
 * short texts from the costs of the whole run. The report prints the tables and a panel draws them.
 * Columns form groups: one per lane and reference. "–": not measured. */
#pragma once

#include <stdio.h>

#include "config/config.h"
#include "run/sample.h"

enum { TABLE_ROWS = 20, TABLE_COLUMNS = 24, TABLE_TEXT = 32 };

enum { GROUP_NAMES = -1, GROUP_REFERENCE = LANES_MAX, GROUP_SECOND, GROUP_COUNT };

struct table_column {
    int group;              /* a lane, GROUP_NAMES, GROUP_REFERENCE or GROUP_SECOND */
    int importance;         /* the lowest is removed first if there is no room */
    char title[TABLE_TEXT]; /* "GB/s" */
};

enum table_row_kind { ROW_KERNEL, ROW_COPY, ROW_SUM };

struct table_row {
    enum table_row_kind kind;
    char cells[TABLE_COLUMNS][TABLE_TEXT]; /* cells[0] is the name of the row */
};

struct table {
    char base[TABLE_TEXT];                /* the base of the percentages; above the names */
    char groups[GROUP_COUNT][TABLE_TEXT]; /* above the columns: "A structured", "reference" */
    int column_count, row_count;
    struct table_column columns[TABLE_COLUMNS];
    struct table_row rows[TABLE_ROWS];
};

/* ms per call, percent_of_measured and GB/s of each kernel, in costs_order's order; ms per
 * iteration of copies and allocations; ms for 1000 iterations, GFLOP/s, and the ratio to the
 * fastest lane, or of a single lane to the reference. `second` may be NULL or have no source. */
struct table table_costs(const struct sample *sample, const struct reference *reference,
                         const struct reference *second);

/* "HIP" for the source "Somebody's program: HIP, somewhere". */
char *reference_name(char *buffer, size_t size, const struct reference *reference);

/* Median, 5th and 95th percentile of each kernel's calls, and the mean of the warm-up, in ms. */
struct table table_durations(const struct sample *sample);

/* Whether the reference's figures are for the sample's grid, or for an unknown one. */
bool reference_is_comparable(const struct reference *reference, const struct sample *sample);

/* The reference's ms per iteration with the lane's mapping; NaN if it has none, or is not for the
 * lane's method and precision. */
double reference_loop_ms(const struct reference *reference, const struct lane_sample *lane);

/* The factor that scales the reference's kernel times to the lane's grid; NaN if mappings, methods
 * or precisions differ. */
double reference_kernel_factor(const struct reference *reference, const struct sample *sample,
                               const struct lane_sample *lane);

/* Of a column: its widest text. */
int table_width(const struct table *table, int column);

/* Removes the least important columns, in all groups, until the table is at most `cols` wide, with
 * a gap of two between columns. The names always remain. */
void table_fit(struct table *table, int cols);

void table_print(const struct table *table, FILE *file);
