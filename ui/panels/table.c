/* The table panel: the tables of metrics/table.h, cut to the available width. */
#include <stdio.h>

#include "metrics/table.h"
#include "ui/panels/panel.h"

enum { GAP = 2, BESIDE_GAP = 6 };

static enum role group_role(const struct table *table, int column, int lane_count) {
    const int group = table->columns[column].group;
    if (group >= GROUP_REFERENCE)
        return ROLE_REFERENCE;
    return lane_count > 1 && group >= 0 ? lane_role(group) : ROLE_TEXT;
}

/* `row` NULL: the columns' titles. */
static void draw_cells(struct area area, int row_number, const struct table *table,
                       const struct table_row *row, int lane_count) {
    const bool sum = row && row->kind == ROW_SUM;
    const enum role own = !row ? ROLE_DIM : sum ? ROLE_VALUE : ROLE_TEXT;
    struct area line = area_row(area, row_number);
    for (int c = 0; c < table->column_count; c++) {
        const char *text = row ? row->cells[c] : table->columns[c].title;
        const bool reference = row && table->columns[c].group >= GROUP_REFERENCE;
        const int style = (reference ? group_role(table, c, lane_count) : own) | (sum ? BOLD : 0);
        if (c == 0)
            draw_text(line, style, "%s", text);
        draw_cell(&line, (c > 0 ? GAP : 0) + table_width(table, c), style, c > 0 ? text : "");
    }
}

/* Returns the rows used. */
static int draw_table(struct area area, const struct table *table, int lane_count) {
    struct area heads = area_right_of(area_top(area, 1), table_width(table, 0));
    int row = 1;
    draw_text(area, ROLE_DIM, "%s", table->base);
    for (int c = 1; c < table->column_count;) {
        const int group = table->columns[c].group;
        const enum role role = group_role(table, c, lane_count);
        int cols = 0;
        for (; c < table->column_count && table->columns[c].group == group; c++)
            cols += GAP + table_width(table, c);
        draw_cell(&heads, cols, role | BOLD, table->groups[group]);
    }
    draw_cells(area, row++, table, NULL, lane_count);
    for (int r = 0; r < table->row_count; r++) {
        const bool new_kind = r > 0 && table->rows[r].kind != table->rows[r - 1].kind;
        row += new_kind && area.rows > table->row_count + 4;
        draw_cells(area, row++, table, &table->rows[r], lane_count);
    }
    return row;
}

static int table_cols(const struct table *table) {
    int cols = GAP * (table->column_count - 1);
    for (int c = 0; c < table->column_count; c++)
        cols += table_width(table, c);
    return cols;
}

static void table_draw(struct area area, const struct screen *screen) {
    const struct sample *sample = screen->sample;
    const struct reference *reference = &screen->config->reference;
    const struct frame frame = {.title = "Table: typical iterations of the whole run",
                                .key = table_panel.key};
    const struct area inside = panel_inside(area, &frame);
    const struct reference *second = &screen->config->second_reference;
    struct table table = table_costs(sample, reference, second);
    table_fit(&table, inside.cols);
    const struct area beside = area_right_of(inside, table_cols(&table) + BESIDE_GAP);
    struct area rest = area_below(inside, draw_table(inside, &table, sample->lane_count));
    for (int r = 0; r < 2; r++) {
        const struct reference *shown = r ? second : reference;
        char source[sizeof shown->source + 96];
        format_text(source, sizeof source, "%s", shown->source);
        if (!reference_is_comparable(shown, sample))
            format_append(source, sizeof source, ", %s", AS(format_grid, shown->nx, shown->ny));
        if (reference_loop_ms(shown, &sample->lanes[0]) == shown->structured_ms)
            format_append(source, sizeof source, "; the 1000 iterations: structured mapping");
        if (rest.rows > 1 && *shown->source)
            rest = area_below(rest, draw_paragraph(area_top(rest, 2), ROLE_REFERENCE, source));
    }
    table = table_durations(sample);
    table_fit(&table, inside.cols);
    if (table_cols(&table) <= beside.cols)
        rest = beside;
    else if (rest.rows < table.row_count + 4)
        return;
    else
        rest = area_below(rest, 1);
    draw_text(rest, ROLE_TITLE | BOLD, "Spread of all calls");
    draw_table(area_below(rest, 1), &table, sample->lane_count);
}

const struct panel table_panel = {PANEL("table", "Table", '6', table_draw)};
