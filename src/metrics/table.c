#include "metrics/table.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/format.h"
#include "metrics/costs.h"
#include "metrics/verdict.h"

enum { GAP = 2 };

/* ---- cells -------------------------------------------------------------------------------- */

static int add_column(struct table *table, int group, int importance, const char *title) {
    struct table_column *column = &table->columns[table->column_count];
    column->group = group;
    column->importance = importance;
    snprintf(column->title, sizeof column->title, "%s", title);
    return table->column_count++;
}

static struct table_row *add_row(struct table *table, enum table_row_kind kind, const char *name) {
    struct table_row *row = &table->rows[table->row_count++];
    row->kind = kind;
    snprintf(row->cells[0], TABLE_TEXT, "%s", name);
    return row;
}

/* About three digits; "–" for NaN. */
static void put_figure(struct table_row *row, int column, double value) {
    char *cell = row->cells[column];
    if (isnan(value))
        snprintf(cell, TABLE_TEXT, "–");
    else if (value == 0)
        snprintf(cell, TABLE_TEXT, "0");
    else if (value > 0 && value < 0.00005)
        snprintf(cell, TABLE_TEXT, "<0.0001");
    else if (value >= 999.5)
        snprintf(cell, TABLE_TEXT, "%.0f", value);
    else
        snprintf(cell, TABLE_TEXT, "%.*f", value < 0.0995 ? 4 : value < 9.995 ? 2 : 1, value);
}

/* One decimal is enough. */
static void put_percent(struct table_row *row, int column, double percent) {
    snprintf(row->cells[column], TABLE_TEXT,
             isnan(percent)   ? "–"
             : percent == 0   ? "0"
             : percent < 0.05 ? "<0.1"
                              : "%.1f",
             percent);
}

static double or_unknown(double value) {
    return value > 0 ? value : NAN;
}

bool reference_is_comparable(const struct reference *reference, const struct sample *sample) {
    return reference->nx == 0 || (reference->nx == sample->nx && reference->ny == sample->ny);
}

/* Whether the lane makes the references' iterates: Jacobi's, in double precision. */
static bool has_reference(const struct lane_sample *lane) {
    return lane->run.method == METHOD_JACOBI && lane->run.precision == PRECISION_DOUBLE;
}

double reference_loop_ms(const struct reference *reference, const struct lane_sample *lane) {
    if (!has_reference(lane))
        return NAN;
    return or_unknown(lane->run.mapping == MAPPING_STRUCTURED && backend_maps(lane->run.backend)
                          ? reference->structured_ms
                          : reference->ms_per_iteration);
}

double reference_kernel_factor(const struct reference *reference, const struct sample *sample,
                               const struct lane_sample *lane) {
    if (!has_reference(lane) ||
        (lane->run.mapping == MAPPING_STRUCTURED && backend_maps(lane->run.backend)))
        return NAN;
    if (reference_is_comparable(reference, sample))
        return 1;
    return (double)sample->nx * sample->ny / ((double)reference->nx * reference->ny);
}

char *reference_name(char *buffer, size_t size, const struct reference *reference) {
    const char *colon = strstr(reference->source, ": "), *name = colon ? colon + 2 : "reference";
    return format_text(buffer, size, "%.*s", (int)strcspn(name, " ,"), name);
}

static void name_groups(struct table *table, const struct sample *sample) {
    for (int l = 0; l < sample->lane_count; l++) {
        if (sample->lane_count > 1)
            snprintf(table->groups[l], TABLE_TEXT, "%c %.28s", lane_letter(l),
                     AS(lane_label, sample, l));
        else
            snprintf(table->groups[l], TABLE_TEXT, "measured");
    }
    snprintf(table->groups[GROUP_REFERENCE], TABLE_TEXT, "reference");
}

/* ---- costs -------------------------------------------------------------------------------- */

struct cost_columns {
    int average, percent, rate;
};

static struct cost_columns add_cost_columns(struct table *table, int group) {
    return (struct cost_columns){
        .average = add_column(table, group, 3, "ms"),
        .percent = add_column(table, group, 2, "%"),
        .rate = add_column(table, group, 1, "GB/s"),
    };
}

static void add_sum_rows(struct table *table, const struct sample *sample,
                         const struct costs *costs, const struct reference *references[2],
                         const struct cost_columns columns[]) {
    const struct verdict verdict = verdict_make(sample);
    const struct reference *reference = references[0];
    const double reference_ms = reference_loop_ms(reference, &sample->lanes[0]);
    const bool many = sample->lane_count > 1;
    struct table_row *total = add_row(table, ROW_SUM, "1000 iterations, ms");
    struct table_row *gflops = NULL, *slower = NULL;
    if (references[0]->gflops > 0) /* which counts alike, unlike the roofline */
        gflops = add_row(table, ROW_SUM, "GFLOP/s (17/update)");
    if (many || (reference_ms > 0 && reference_is_comparable(reference, sample)))
        slower = add_row(table, ROW_SUM, many ? "times the fastest" : "times the reference");
    for (int l = 0; l < sample->lane_count; l++) {
        put_figure(total, columns[l].average, 1000 * costs[l].ms_per_iteration);
        if (gflops)
            put_figure(gflops, columns[l].average, costs[l].gflops);
        if (slower)
            put_figure(slower, columns[l].average,
                       many ? verdict.lanes[l].times_slower
                            : costs[l].ms_per_iteration / reference_ms);
    }
    for (int r = 0; r < 2; r++) {
        const int column = columns[GROUP_REFERENCE + r].average;
        if (column == 0)
            continue;
        put_figure(total, column, 1000 * reference_loop_ms(references[r], &sample->lanes[0]));
        if (gflops)
            put_figure(gflops, column, or_unknown(references[r]->gflops));
    }
}

struct table table_costs(const struct sample *sample, const struct reference *reference,
                         const struct reference *second) {
    static const char *const copies[EVENT_KIND_COUNT] = {[EVENT_TO_DEVICE] = "to device",
                                                         [EVENT_FROM_DEVICE] = "from device",
                                                         [EVENT_ALLOC] = "allocation"};
    const int lanes = sample->lane_count;
    struct table table = {0};
    struct costs costs[LANES_MAX];
    struct cost_columns columns[GROUP_COUNT] = {0};
    const struct reference *references[] = {reference, second};
    snprintf(table.base, TABLE_TEXT, "%% of all measured");
    name_groups(&table, sample);
    add_column(&table, GROUP_NAMES, 9, "kernel");
    for (int l = 0; l < lanes; l++) {
        costs[l] = costs_of_run(sample, l);
        columns[l] = add_cost_columns(&table, l);
    }
    for (int r = 0; r < 2; r++) {
        bool is_given = r == 0 ? reference->ms_per_iteration > 0 : second && *second->source;
        for (int phase = 0; r == 0 && phase < PHASE_COUNT; phase++)
            is_given |= reference->kernel_ms[phase] > 0 || reference->kernel_gbs[phase] > 0;
        if (is_given)
            columns[GROUP_REFERENCE + r] = add_cost_columns(&table, GROUP_REFERENCE + r);
    }
    if (columns[GROUP_SECOND].average > 0)
        for (int r = 0; r < 2; r++) {
            snprintf(table.groups[GROUP_REFERENCE + r], TABLE_TEXT, "ref. %.23s",
                     AS(reference_name, references[r]));
        }

    enum phase order[PHASE_COUNT];
    const int kernel_count = costs_order(costs, lanes, order);
    for (int k = 0; k < kernel_count; k++) {
        struct table_row *row = add_row(&table, ROW_KERNEL, phase_names[order[k]]);
        for (int l = 0; l < lanes; l++) {
            const struct cost *cost = &costs[l].kernels[order[k]];
            put_figure(row, columns[l].average, cost->ms);
            put_percent(row, columns[l].percent, cost->count > 0 ? cost->percent_of_measured : NAN);
            put_figure(row, columns[l].rate, or_unknown(cost->gbs));
        }
        for (int r = 0; r < 2; r++) {
            const struct cost_columns *at = &columns[GROUP_REFERENCE + r];
            if (at->average == 0)
                continue;
            put_figure(row, at->average, or_unknown(references[r]->kernel_ms[order[k]]));
            put_percent(row, at->percent, or_unknown(references[r]->kernel_percent[order[k]]));
            /* In BoundaryConditions a profiler counts whole lines, our model only unknowns. */
            put_figure(
                row, at->rate,
                order[k] == PHASE_BOUNDARY ? NAN : or_unknown(references[r]->kernel_gbs[order[k]]));
        }
    }
    for (int kind = EVENT_TO_DEVICE; kind <= EVENT_ALLOC; kind++) {
        bool any = false;
        for (int l = 0; l < lanes; l++)
            any |= costs[l].work[kind].count > 0;
        if (!any)
            continue;
        struct table_row *row = add_row(&table, ROW_COPY, copies[kind]);
        for (int l = 0; l < lanes; l++) {
            const struct cost *cost = &costs[l].work[kind];
            put_figure(row, columns[l].average, cost->ms_per_iteration);
            put_percent(row, columns[l].percent, cost->percent_of_measured);
            put_figure(row, columns[l].rate, kind == EVENT_ALLOC ? NAN : or_unknown(cost->gbs));
        }
    }
    if (lanes > 0)
        add_sum_rows(&table, sample, costs, references, columns);
    return table;
}

/* ---- durations ------------------------------------------------------------------------------ */

struct table table_durations(const struct sample *sample) {
    struct table table = {0};
    int first[LANES_MAX] = {0};
    name_groups(&table, sample);
    add_column(&table, GROUP_NAMES, 9, "ms");
    for (int l = 0; l < sample->lane_count; l++) {
        first[l] = add_column(&table, l, 4, "median");
        add_column(&table, l, 3, "5 %");
        add_column(&table, l, 3, "95 %");
        add_column(&table, l, 1, "first 3");
    }
    struct costs costs[LANES_MAX];
    enum phase order[PHASE_COUNT];
    for (int l = 0; l < sample->lane_count; l++)
        costs[l] = costs_of_run(sample, l);
    const int count = costs_order(costs, sample->lane_count, order);
    for (int k = 0; k < count; k++) {
        struct table_row *row = add_row(&table, ROW_KERNEL, phase_names[order[k]]);
        for (int l = 0; l < sample->lane_count; l++) {
            const struct kernel_durations *durations = &sample->lanes[l].durations[order[k]];
            const double ns[] = {durations->median, durations->p05, durations->p95,
                                 durations->warm_up_mean};
            const bool timed = !isnan(costs[l].kernels[order[k]].ms);
            for (int c = 0; c < 4; c++)
                put_figure(row, first[l] + c, timed ? 1e-6 * ns[c] : NAN);
        }
    }
    return table;
}

/* ---- layout ------------------------------------------------------------------------------- */

/* Width in columns: our glyphs are narrow, so bytes without UTF-8 continuation bytes. */
static int width_of(const char *text) {
    int width = 0;
    for (; *text; text++)
        width += (*text & 0xc0) != 0x80;
    return width;
}

static int widest_text(const struct table *table, int column) {
    int width = width_of(table->columns[column].title);
    for (int r = 0; r < table->row_count; r++) {
        const int cell = width_of(table->rows[r].cells[column]);
        width = cell > width ? cell : width;
    }
    return width;
}

/* The first column of a group also provides the extra width for a long group name. */
int table_width(const struct table *table, int column) {
    const int group = table->columns[column].group;
    int width = widest_text(table, column);
    if (group == GROUP_NAMES || table->columns[column - 1].group == group)
        return width;
    int whole = width;
    for (int c = column + 1; c < table->column_count && table->columns[c].group == group; c++)
        whole += GAP + widest_text(table, c);
    const int name = width_of(table->groups[group]);
    return name > whole ? width + name - whole : width;
}

/* Cuts the names that are wider than their groups' columns. Returns whether there were any. */
static bool cut_names(struct table *table) {
    bool found = false;
    for (int c = 1; c < table->column_count; c++) {
        char *name = table->groups[table->columns[c].group], *end = name;
        const int excess = table_width(table, c) - widest_text(table, c);
        if (excess <= 0)
            continue;
        for (int left = width_of(name) - excess - 1; left > 0; left--)
            do
                end++;
            while ((*end & 0xc0) == 0x80);
        snprintf(end, TABLE_TEXT - (size_t)(end - name), "…");
        found = true;
    }
    return found;
}

void table_fit(struct table *table, int cols) {
    for (;;) {
        int width = 0, least = INT_MAX;
        for (int c = 0; c < table->column_count; c++) {
            width += table_width(table, c) + (c > 0 ? GAP : 0);
            if (c > 0 && table->columns[c].importance < least)
                least = table->columns[c].importance;
        }
        if (width <= cols || table->column_count <= 1)
            return;
        if (cut_names(table))
            continue;
        for (int c = table->column_count - 1; c > 0; c--) {
            if (table->columns[c].importance != least)
                continue;
            const size_t after = (size_t)(--table->column_count - c);
            memmove(&table->columns[c], &table->columns[c + 1], after * sizeof *table->columns);
            for (int r = 0; r < table->row_count; r++)
                memmove(table->rows[r].cells[c], table->rows[r].cells[c + 1], after * TABLE_TEXT);
        }
    }
}

/* ---- printing ----------------------------------------------------------------------------- */

static void print_padded(FILE *file, const char *text, int width, bool right) {
    const int padding = width > width_of(text) ? width - width_of(text) : 0;
    fprintf(file, "%*s%s%*s", right ? padding : 0, "", text, right ? 0 : padding, "");
}

void table_print(const struct table *table, FILE *file) {
    print_padded(file, table->base, table_width(table, 0), false);
    for (int c = 1; c < table->column_count;) {
        const int group = table->columns[c].group;
        int width = -GAP;
        for (; c < table->column_count && table->columns[c].group == group; c++)
            width += GAP + table_width(table, c);
        fprintf(file, "%*s", GAP, "");
        print_padded(file, table->groups[group], width, true);
    }
    fputc('\n', file);
    for (int r = -1; r < table->row_count; r++) {
        for (int c = 0; c < table->column_count; c++) {
            const char *text = r < 0 ? table->columns[c].title : table->rows[r].cells[c];
            fprintf(file, "%*s", c > 0 ? GAP : 0, "");
            print_padded(file, text, table_width(table, c), c > 0);
        }
        fputc('\n', file);
    }
}
