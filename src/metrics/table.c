#include "metrics/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "metrics/verdict.h"

enum { GAP = 2 };

static const char unknown[] = "–";

/* ---- cells -------------------------------------------------------------------------------- */

static int add_column(struct table *table, int group, int keep, const char *title) {
    struct table_column *column = &table->columns[table->column_count];
    column->group = group;
    column->keep = keep;
    snprintf(column->title, sizeof column->title, "%s", title);
    return table->column_count++;
}

static struct table_row *add_row(struct table *table, enum table_row_kind kind, const char *name) {
    struct table_row *row = &table->rows[table->row_count++];
    row->kind = kind;
    snprintf(row->cells[0], TABLE_TEXT, "%s", name);
    return row;
}

/* About three digits; nothing at all is "–". */
static void put(struct table_row *row, int column, double value) {
    char *cell = row->cells[column];
    if (isnan(value))
        snprintf(cell, TABLE_TEXT, "%s", unknown);
    else if (value == 0)
        snprintf(cell, TABLE_TEXT, "0");
    else if (value >= 999.5)
        snprintf(cell, TABLE_TEXT, "%.0f", value);
    else
        snprintf(cell, TABLE_TEXT, "%.*f", value < 0.0995 ? 4 : value < 9.995 ? 2 : 1, value);
}

static double or_unknown(double value) {
    return value > 0 ? value : NAN;
}

/* ---- what is there ------------------------------------------------------------------------ */

/* The phases that any lane ran, in the order of what they cost the first. */
struct kernel_order {
    int count;
    enum phase phases[PHASE_COUNT];
    double cost[PHASE_COUNT];
};

static void insert(struct kernel_order *order, enum phase phase, double cost) {
    int at = order->count++;
    for (; at > 0 && order->cost[at - 1] < cost; at--) {
        order->cost[at] = order->cost[at - 1];
        order->phases[at] = order->phases[at - 1];
    }
    order->cost[at] = cost;
    order->phases[at] = phase;
}

static struct kernel_order kernels_of(const struct sample *sample) {
    struct kernel_order order = {0};
    for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++) {
        bool ran = false;
        double cost = 0;
        for (int l = sample->lane_count - 1; l >= 0; l--) {
            const struct tally *tally = &sample->lanes[l].totals.of[EVENT_KERNEL][phase];
            ran |= tally->count > 0;
            if (tally->timed > 0)
                cost = tally_total_ns(tally);
        }
        if (ran)
            insert(&order, (enum phase)phase, cost);
    }
    return order;
}

static double measured_ns(const struct lane_sample *lane) {
    double sum = 0;
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
        for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++) {
            const double ns = tally_total_ns(&lane->totals.of[kind][phase]);
            sum += isnan(ns) ? 0 : ns;
        }
    return sum;
}

/* ---- costs -------------------------------------------------------------------------------- */

struct cost_columns {
    int average, percent, rate;
};

static void name_groups(struct table *table, const struct sample *sample) {
    for (int l = 0; l < sample->lane_count; l++) {
        char label[LABEL_SIZE];
        if (sample->lane_count > 1)
            snprintf(table->groups[l], TABLE_TEXT, "%c %.28s", lane_letter(l),
                     lane_label(label, sizeof label, sample, l));
        else
            snprintf(table->groups[l], TABLE_TEXT, "measured");
    }
    snprintf(table->groups[GROUP_REFERENCE], TABLE_TEXT, "reference");
}

static struct cost_columns add_cost_columns(struct table *table, int group) {
    return (struct cost_columns){
        .average = add_column(table, group, 3, "avg ms"),
        .percent = group == GROUP_REFERENCE ? -1 : add_column(table, group, 2, "%"),
        .rate = add_column(table, group, 1, "GB/s"),
    };
}

static double rate_of(const struct tally *tally) {
    const double ns = tally_total_ns(tally);
    return ns > 0 && tally->bytes > 0 ? (double)tally->bytes / ns : NAN;
}

static void put_kernel(struct table_row *row, const struct cost_columns *columns,
                       const struct lane_sample *lane, enum phase phase) {
    const struct tally *tally = &lane->totals.of[EVENT_KERNEL][phase];
    put(row, columns->average, 1e-6 * tally_mean_ns(tally));
    put(row, columns->percent, 100 * tally_total_ns(tally) / measured_ns(lane));
    put(row, columns->rate, rate_of(tally));
}

static void put_copies(struct table_row *row, const struct cost_columns *columns,
                       const struct lane_sample *lane, enum event_kind kind) {
    const struct tally tally = event_totals_loop(&lane->totals, kind);
    const double ns = tally.count ? tally_total_ns(&tally) : 0;
    put(row, columns->average, 1e-6 * ns / (double)lane->iterations);
    put(row, columns->percent, 100 * ns / measured_ns(lane));
    put(row, columns->rate, kind == EVENT_ALLOC ? NAN : rate_of(&tally));
}

static void add_kernel_rows(struct table *table, const struct sample *sample,
                            const struct reference *reference,
                            const struct cost_columns columns[]) {
    const struct kernel_order order = kernels_of(sample);
    for (int k = 0; k < order.count; k++) {
        const enum phase phase = order.phases[k];
        struct table_row *row = add_row(table, ROW_KERNEL, phase_name(phase));
        for (int l = 0; l < sample->lane_count; l++)
            put_kernel(row, &columns[l], &sample->lanes[l], phase);
        if (columns[GROUP_REFERENCE].average > 0) {
            put(row, columns[GROUP_REFERENCE].average, or_unknown(reference->kernel_ms[phase]));
            put(row, columns[GROUP_REFERENCE].rate, or_unknown(reference->kernel_gbs[phase]));
        }
    }
}

static void add_copy_rows(struct table *table, const struct sample *sample,
                          const struct cost_columns columns[]) {
    static const struct {
        enum event_kind kind;
        const char *name;
    } sorts[] = {{EVENT_TO_DEVICE, "to device"},
                 {EVENT_FROM_DEVICE, "from device"},
                 {EVENT_ALLOC, "allocation"}};
    for (size_t k = 0; k < sizeof sorts / sizeof *sorts; k++) {
        bool any = false;
        for (int l = 0; l < sample->lane_count; l++)
            any |= event_totals_loop(&sample->lanes[l].totals, sorts[k].kind).count > 0;
        if (!any)
            continue;
        struct table_row *row = add_row(table, ROW_COPY, sorts[k].name);
        for (int l = 0; l < sample->lane_count; l++)
            put_copies(row, &columns[l], &sample->lanes[l], sorts[k].kind);
    }
}

static void add_sum_rows(struct table *table, const struct sample *sample,
                         const struct reference *reference, const struct cost_columns columns[]) {
    const struct verdict verdict = verdict_make(sample);
    const double unknowns = (double)sample->nx * (double)sample->ny;
    const double reference_ms = or_unknown(reference->ms_per_iteration);
    const bool like =
        reference->nx == 0 || (reference->nx == sample->nx && reference->ny == sample->ny);
    struct table_row *total = add_row(table, ROW_SUM, "ms for 1000 iterations");
    struct table_row *gflops = add_row(table, ROW_SUM, "GFLOP/s");
    const bool many = sample->lane_count > 1;
    struct table_row *slower = NULL;
    if (many || (reference_ms > 0 && like))
        slower = add_row(table, ROW_SUM, many ? "times the fastest" : "times the reference");
    for (int l = 0; l < sample->lane_count; l++) {
        const double ms = verdict.lanes[l].ms_per_iteration;
        put(total, columns[l].average, 1000 * ms);
        put(gflops, columns[l].average, 1e-6 * BLOG_FLOP_PER_UPDATE * unknowns / ms);
        if (slower)
            put(slower, columns[l].average,
                many ? verdict.lanes[l].times_slower : ms / reference_ms);
    }
    if (columns[GROUP_REFERENCE].average > 0) {
        put(total, columns[GROUP_REFERENCE].average, 1000 * reference_ms);
        put(gflops, columns[GROUP_REFERENCE].average, or_unknown(reference->gflops));
    }
}

static bool has_reference(const struct reference *reference) {
    bool any = reference->ms_per_iteration > 0;
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        any |= reference->kernel_ms[phase] > 0 || reference->kernel_gbs[phase] > 0;
    return any;
}

struct table table_costs(const struct sample *sample, const struct reference *reference) {
    struct table table = {0};
    struct cost_columns columns[LANES_MAX + 1] = {0};
    name_groups(&table, sample);
    add_column(&table, GROUP_NAMES, 9, "kernel");
    for (int l = 0; l < sample->lane_count; l++)
        columns[l] = add_cost_columns(&table, l);
    if (has_reference(reference))
        columns[GROUP_REFERENCE] = add_cost_columns(&table, GROUP_REFERENCE);
    add_kernel_rows(&table, sample, reference, columns);
    add_copy_rows(&table, sample, columns);
    if (sample->lane_count > 0)
        add_sum_rows(&table, sample, reference, columns);
    return table;
}

/* ---- spreads ------------------------------------------------------------------------------ */

struct table table_spreads(const struct sample *sample) {
    struct table table = {0};
    int first[LANES_MAX];
    name_groups(&table, sample);
    add_column(&table, GROUP_NAMES, 9, "ms");
    for (int l = 0; l < sample->lane_count; l++) {
        first[l] = add_column(&table, l, 4, "median");
        add_column(&table, l, 3, "5 %");
        add_column(&table, l, 3, "95 %");
        add_column(&table, l, 1, "first 3");
    }
    const struct kernel_order order = kernels_of(sample);
    for (int k = 0; k < order.count; k++) {
        struct table_row *row = add_row(&table, ROW_KERNEL, phase_name(order.phases[k]));
        for (int l = 0; l < sample->lane_count; l++) {
            const struct kernel_spread *spread = &sample->lanes[l].spreads[order.phases[k]];
            const bool ran = sample->lanes[l].totals.of[EVENT_KERNEL][order.phases[k]].timed > 0;
            put(row, first[l], ran ? 1e-6 * spread->median : NAN);
            put(row, first[l] + 1, ran ? 1e-6 * spread->p05 : NAN);
            put(row, first[l] + 2, ran ? 1e-6 * spread->p95 : NAN);
            put(row, first[l] + 3, ran ? 1e-6 * spread->warm_up_mean : NAN);
        }
    }
    return table;
}

/* ---- layout ------------------------------------------------------------------------------- */

/* Columns on the screen: all our texts are of narrow glyphs, so bytes less continuation bytes. */
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

/* The first column of a group also makes up for what the group's name needs. */
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

static int whole_width(const struct table *table) {
    int width = 0;
    for (int c = 0; c < table->column_count; c++)
        width += table_width(table, c) + (c > 0 ? GAP : 0);
    return width;
}

static void remove_column(struct table *table, int column) {
    const size_t after = (size_t)(table->column_count - column - 1);
    memmove(&table->columns[column], &table->columns[column + 1], after * sizeof *table->columns);
    for (int r = 0; r < table->row_count; r++)
        memmove(table->rows[r].cells[column], table->rows[r].cells[column + 1], after * TABLE_TEXT);
    table->column_count--;
}

void table_fit(struct table *table, int cols) {
    while (whole_width(table) > cols && table->column_count > 1) {
        int least = table->columns[1].keep;
        for (int c = 1; c < table->column_count; c++)
            least = table->columns[c].keep < least ? table->columns[c].keep : least;
        for (int c = table->column_count - 1; c > 0; c--)
            if (table->columns[c].keep == least)
                remove_column(table, c);
    }
}

/* ---- printing ----------------------------------------------------------------------------- */

static void print_padded(FILE *file, const char *text, int width, bool right) {
    const int padding = width > width_of(text) ? width - width_of(text) : 0;
    fprintf(file, "%*s%s%*s", right ? padding : 0, "", text, right ? 0 : padding, "");
}

static void print_groups(const struct table *table, FILE *file) {
    print_padded(file, "", table_width(table, 0), false);
    for (int c = 1; c < table->column_count;) {
        const int group = table->columns[c].group;
        int width = -GAP;
        for (; c < table->column_count && table->columns[c].group == group; c++)
            width += GAP + table_width(table, c);
        fprintf(file, "%*s", GAP, "");
        print_padded(file, table->groups[group], width, true);
    }
    fputc('\n', file);
}

void table_print(const struct table *table, FILE *file) {
    print_groups(table, file);
    for (int r = -1; r < table->row_count; r++) {
        for (int c = 0; c < table->column_count; c++) {
            const char *text = r < 0 ? table->columns[c].title : table->rows[r].cells[c];
            fprintf(file, "%*s", c > 0 ? GAP : 0, "");
            print_padded(file, text, table_width(table, c), c > 0);
        }
        fputc('\n', file);
    }
}
